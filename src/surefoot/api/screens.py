"""
The screens that ``surefoot.capture`` wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from surefoot.api.folder import OpenedFolder
from surefoot.api.pictures import PicturedScreen, with_picture
from surefoot.api.tables import counted
from surefoot.run.folders.parallel import read_parallel
from surefoot.run.folders.tables import stream_table

if TYPE_CHECKING:
    import pyarrow as pa

    from surefoot.capture.parallel.pages import ParallelScreens


class Screens(OpenedFolder[PicturedScreen]):
    """
    Offer the screens that ``capture`` wrote.
    """

    kind = "screens"
    table = "screens.jsonl"

    def __iter__(self) -> Iterator[PicturedScreen]:
        """Yield the screens in the order of their ids."""
        for screen in stream_table(self.folder, self.table, PicturedScreen, kind=self.kind):
            yield with_picture(screen, self.folder)

    @property
    def parallel(self) -> ParallelScreens:
        """
        Return the pages in their languages: which element of one is which in another.

        Raises InvalidInputError where they were captured in one language alone.
        """
        return read_parallel(self.folder)

    def id_of(self, record: PicturedScreen) -> str:
        """Return the screen's id."""
        return record.id

    def schema(self) -> pa.Schema:
        """Return the columns: those of the published form, the picture by its hash."""
        import pyarrow as pa

        from surefoot.run.parquet.layout import IMAGE, SCREENS

        plain = [field for field in SCREENS if field.type != IMAGE]
        return pa.schema([*plain, ("image_sha256", pa.string())])

    def row(self, record: PicturedScreen) -> dict[str, Any]:
        """Return a screen's cells; elements and edits are JSON."""
        from surefoot.run.parquet.layout import screen_row

        cells = screen_row(record, b"")
        del cells["image"]
        return {**cells, "image_sha256": record.image}

    def picture_bytes(self, record: PicturedScreen) -> bytes | None:
        """Return the screen's PNG."""
        return self.stored_picture(record.image)

    def shown(self, record: PicturedScreen) -> dict[str, object]:
        """Return what a notebook shows of a screen."""
        named = ("page", "site", "platform", "width", "height")
        count = sum(element.hit for element in record.elements)
        return {**{name: getattr(record, name) for name in named}, "clickable": count}

    def caption(self) -> str:
        """Count the screens."""
        return counted(len(self), "screen")
