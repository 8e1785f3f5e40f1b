"""
The forms that agents filled in: what ``surefoot.run_forms`` wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from surefoot.api.folder import OpenedFolder
from surefoot.api.pictures import image_of
from surefoot.api.tables import FlatTable, counted, flat_row
from surefoot.core.store import ObjectStore

if TYPE_CHECKING:
    import pyarrow as pa
    from PIL import Image

    from surefoot.run.forms.units import FormResult


class FilledForms(OpenedFolder["FormResult"]):
    """
    Offer the forms that agents filled in: what ``run_forms`` wrote.
    """

    kind = "forms"
    table = "episodes.jsonl"

    def __iter__(self) -> Iterator[FormResult]:
        """Yield what came of each attempt."""
        from surefoot.run.forms.running import read_results

        return iter(read_results(self.folder))

    def pictures(self, record: FormResult) -> list[Image.Image]:
        """Return each page of a form as it was left (RGB); DamageError where one is gone."""
        store = ObjectStore(self.folder)
        return [image_of(store.get(page.image)) for page in record.filled]

    def id_of(self, record: FormResult) -> str:
        """Return the attempt's id."""
        return record.id

    def schema(self) -> pa.Schema:
        """Return the columns: those of the score of an attempt."""
        from surefoot.forms.scoring.episodes import EpisodeScore

        return FlatTable((), EpisodeScore).schema()

    def row(self, record: FormResult) -> dict[str, Any]:
        """Return the cells of an attempt's score; its lists are JSON."""
        return flat_row(record.score)

    def shown(self, record: FormResult) -> dict[str, object]:
        """Return what a notebook shows of an attempt."""
        score = record.score
        arrived = sum(field.submitted for field in score.fields)
        form = {"form": record.title or score.form, "agent": score.agent}
        return {**form, "fields arrived": arrived, "all right": score.right, "ended": score.ended}

    def caption(self) -> str:
        """Count the attempts."""
        return counted(len(self), "attempt")
