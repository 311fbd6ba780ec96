"""What several verbs share: reading files, printing JSON, choosing a rulebook."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from satdip.errors import InputError, Where

__all__ = ["echo_json", "json_option", "read_input", "rules_option"]

F = TypeVar("F", bound=Callable[..., Any])


def json_option(function: F) -> F:
    """Add ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON (keys: docs/json.md).")(function)


def rules_option(function: F) -> F:
    """Add ``--rules``."""
    return click.option("--rules", metavar="NAME", help="The rulebook; by default the one the input names.")(function)


def echo_json(value: object, *, indent: int | None = 2) -> None:
    """Print a JSON value."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=indent))


def read_input(name: str) -> tuple[bytes, str]:
    """Return what a file or (``-``) standard input holds, and what to call it in messages.

    Raises:
        InputError: the file cannot be read.
    """
    if name == "-":
        return sys.stdin.buffer.read(), "standard input"
    try:
        return Path(name).read_bytes(), name
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", Where(name)) from None
