"""
The valid instructions that a model failed: what ``surefoot.diagnose`` wrote.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import msgspec

from surefoot.api.benches import Bench
from surefoot.api.folder import OpenedFolder
from surefoot.api.tables import FlatTable, flat_row

if TYPE_CHECKING:
    import pyarrow as pa

    from surefoot.diagnose.findings import Diagnosis, ElementFinding, FailingInstruction


_OF_ELEMENT: Final = ("pair", "cluster", "screen", "target", "role", "platform")


class FailedInstruction(msgspec.Struct, frozen=True):
    """Pair a valid instruction that a model failed with what was found of its element."""

    element: ElementFinding
    failing: FailingInstruction

    def __repr__(self) -> str:
        failing = self.failing
        return f"FailedInstruction({failing.question!r}, {failing.instruction.text!r})"


class ModelDiagnosis(OpenedFolder[FailedInstruction]):
    """
    Offer the valid instructions that a model failed: what ``diagnose`` wrote.
    """

    kind = "diagnosis"
    table = "answers.jsonl"

    def __len__(self) -> int:
        """Count the failing instructions."""
        return sum(len(element.failures) for element in self.findings.elements)

    def __iter__(self) -> Iterator[FailedInstruction]:
        """Yield the failing instructions, element by element."""
        for element in self.findings.elements:
            for failing in element.failures:
                yield FailedInstruction(element, failing)

    @functools.cached_property
    def findings(self) -> Diagnosis:
        """Return all that was found."""
        from surefoot.diagnose.folder import read_diagnosis

        return read_diagnosis(self.folder)

    @property
    def model(self) -> str:
        """Return the model's name."""
        return self.findings.model

    @property
    def sentences(self) -> list[str]:
        """Return what was found in words, without more than the intervals hold."""
        from surefoot.diagnose.summary import diagnosis_sentences

        return diagnosis_sentences(self.findings)

    @property
    def failing(self) -> Bench:
        """Return the benchmark of the failing instructions."""
        from surefoot.diagnose.folder import FAILING

        return Bench(self.folder / FAILING)

    def id_of(self, record: FailedInstruction) -> str:
        """Return the question's id, which the benchmark of failing instructions has too."""
        return record.failing.question

    def schema(self) -> pa.Schema:
        """Return the columns: the element's, then those of the failing instruction."""
        import pyarrow as pa

        from surefoot.diagnose.findings import FailingInstruction

        own = FlatTable((), FailingInstruction).schema()
        added = [(name, pa.string()) for name in (*_OF_ELEMENT, "text")]
        return pa.schema([*added, *own])

    def row(self, record: FailedInstruction) -> dict[str, Any]:
        """Return the cells of a failing instruction; its lists are JSON."""
        named = {name: getattr(record.element, name) for name in _OF_ELEMENT}
        text = record.failing.instruction.text
        return {**named, "text": text, **flat_row(record.failing)}

    def shown(self, record: FailedInstruction) -> dict[str, object]:
        """Return what a notebook shows of a failing instruction."""
        failing = record.failing
        words = {"instruction": failing.instruction.text, "view": failing.view}
        return {**words, "role": record.element.role, "how": failing.taxonomy, "why": failing.why}

    def caption(self) -> str:
        """Say what was found."""
        return "; ".join(self.sentences)
