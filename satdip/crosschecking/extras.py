"""Packages that only some installations have."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from satdip.base.errors import InputError

__all__ = ["optional"]


def optional(module: str, extra: str) -> Any:
    """Import a module of an optional dependency.

    Args:
        module: its name.
        extra: the extra of satdip that installs it.

    Raises:
        InputError: it is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if error.name != package:
            raise
        what = f"this needs the package {package}, which is not installed; pip install 'satdip[{extra}]' installs it"
        raise InputError(what) from None
