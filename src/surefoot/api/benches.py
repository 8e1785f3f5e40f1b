"""
The questions of a benchmark that ``surefoot.build`` or an import wrote.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from surefoot.api.folder import OpenedFolder
from surefoot.api.pictures import PicturedQuestion, PicturedScreen, with_picture
from surefoot.api.tables import counted
from surefoot.core.perturbation import variant_title
from surefoot.run.folders.folder import FolderKind
from surefoot.run.folders.tables import stream_table

if TYPE_CHECKING:
    import pyarrow as pa

    from surefoot.core.question import Question


class Bench(OpenedFolder[PicturedQuestion]):
    """
    Offer the questions of a benchmark that ``build`` or an import wrote.
    """

    kind: ClassVar[FolderKind] = "bench"
    table = "questions.jsonl"

    def __iter__(self) -> Iterator[PicturedQuestion]:
        """Yield the questions in the order of their ids."""
        for question in stream_table(self.folder, self.table, PicturedQuestion, kind=self.kind):
            yield with_picture(question, self.folder, self.screen)

    def screen(self, screen_id: str) -> PicturedScreen | None:
        """Return the screen with this id, None where the benchmark has none."""
        return self._screens.get(screen_id)

    @functools.cached_property
    def _screens(self) -> dict[str, PicturedScreen]:
        if "screens.jsonl" not in self.manifest.files:
            return {}
        found = stream_table(self.folder, "screens.jsonl", PicturedScreen, kind=self.kind)
        return {screen.id: with_picture(screen, self.folder) for screen in found}

    def id_of(self, record: PicturedQuestion) -> str:
        """Return the question's id."""
        return record.id

    def schema(self) -> pa.Schema:
        """Return the columns: those of the published form."""
        from surefoot.run.parquet.layout import FURTHER, QUESTIONS

        several = any(question.further for question in self)
        return QUESTIONS.append(FURTHER) if several else QUESTIONS

    def row(self, record: PicturedQuestion) -> dict[str, Any]:
        """Return a question's cells; facts and the whole instruction are JSON."""
        from surefoot.run.parquet.layout import question_row

        return question_row(record)

    def picture_bytes(self, record: PicturedQuestion) -> bytes | None:
        """Return the PNG that the question is about."""
        return self.stored_picture(record.image)

    def shown(self, record: PicturedQuestion) -> dict[str, object]:
        """Return what a notebook shows of a question."""
        return question_words(record)

    def caption(self) -> str:
        """Count the questions."""
        return counted(len(self), "question")


def question_words(question: Question) -> dict[str, object]:
    """Return what a notebook shows of a question."""
    cell = question.cell
    words = {"instruction": question.instruction.text, "variant": variant_title(cell.variant)}
    return {**words, "kind": cell.instruction, "role": question.role, "site": question.cluster}
