"""The console that tables are printed on."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from satdip.base.printable import shown_lines

__all__ = ["Output"]


class Output(Console):
    """A console that shows characters which would do more than to be seen, and takes no text for a picture."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield what is printed of something; only rich itself moves the cursor and chooses colours."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(shown_lines(segment.text), segment.style)
