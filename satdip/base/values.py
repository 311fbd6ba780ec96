"""What the frozen dataclasses have in common that are handed from process to process."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

__all__ = ["Value"]


class Value:
    """A frozen dataclass that is pickled as the call that makes it.

    Compiled classes have no other way; and a hash that is kept is another one in another process.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        this: Any = self
        return type(self), tuple([getattr(self, field.name) for field in fields(this) if field.init])
