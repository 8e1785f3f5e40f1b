"""
Scores and reports, as a notebook shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from surefoot.api.tables import FlatTable, counted, html_table

if TYPE_CHECKING:
    from surefoot.report.card.record import CardRecord
    from surefoot.score.conditions.scores import Score
    from surefoot.score.contrasts.comparisons import Comparison
    from surefoot.score.contrasts.effects import Effect
    from surefoot.score.summary import Summary


class Scores:
    """
    Offer the scores of runs: numbers as tables, and what may be said of them.

    ``summary`` is the whole record, which ``surefoot score --json`` writes; ``sentences`` say
    what matters of each model, and are what is printed; ``lines`` have all of it, with tables,
    as a terminal shows it.
    """

    def __init__(
        self, summary: Summary, sentences: Sequence[str], lines: Sequence[str] = ()
    ) -> None:
        self.summary = summary
        self.sentences = tuple(sentences)
        self.lines = tuple(lines) or self.sentences

    @property
    def scores(self) -> FlatTable[Score]:
        """Return each metric of each condition, with its interval."""
        from surefoot.score.conditions.scores import Score

        return FlatTable(self.summary.scores, Score)

    @property
    def slices(self) -> FlatTable[Score]:
        """Return the scores of parts of a condition, which are descriptive."""
        from surefoot.score.conditions.scores import Score

        return FlatTable(self.summary.slices, Score)

    @property
    def effects(self) -> FlatTable[Effect]:
        """Return what each factor does as a whole, with the interval of its own test."""
        from surefoot.score.contrasts.effects import Effect

        return FlatTable(self.summary.effects, Effect)

    @property
    def comparisons(self) -> FlatTable[Comparison]:
        """Return each paired change, with its interval and corrected test."""
        from surefoot.score.contrasts.comparisons import Comparison

        return FlatTable(self.summary.comparisons, Comparison)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return what belongs beside the numbers."""
        return self.summary.warnings

    def __repr__(self) -> str:
        counts = f"{len(self.summary.scores)} scores, {len(self.summary.comparisons)} comparisons"
        return f"Scores({self.summary.scoring!r}): {counts}"

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _repr_html_(self) -> str:
        from surefoot.phrasing import words

        units = {metric.name: metric for metric in self.summary.metrics if metric.compared}
        scores = [
            {
                "condition": words.condition_name(score),
                "metric": units[score.metric].title,
                "score": words.amount_words(score.amount, units[score.metric].unit),
                "95 % interval": words.ends_words(score.interval, units[score.metric].unit),
                "n": score.n,
            }
            for score in self.summary.scores
            if score.metric in units
        ]
        changes = [
            {
                "compared": words.comparison_name(comparison),
                "metric": units[comparison.metric].title,
                "change": words.change_words(comparison.change, units[comparison.metric].unit),
                "95 % interval": words.ends_words(
                    comparison.interval, units[comparison.metric].unit, signed=True
                ),
                "corrected p": words.p_words(comparison.p_holm),
                "n": comparison.n,
            }
            for comparison in self.summary.comparisons
            if comparison.metric in units
        ]
        listed = "".join(f"<li>{escape(warning)}</li>" for warning in self.warnings)
        return (
            html_table(scores, counted(len(scores), "score"))
            + html_table(changes, counted(len(changes), "comparison"))
            + (f"<ul>{listed}</ul>" if listed else "")
        )


class Report(msgspec.Struct, frozen=True):
    """Hold where a report was written, and its sentences."""

    path: Path
    sentences: tuple[str, ...]

    def __fspath__(self) -> str:
        """Return the path of the HTML file."""
        return str(self.path)

    def _repr_html_(self) -> str:
        listed = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.sentences)
        link = escape(str(self.path), quote=True)
        return f'<p>Report: <a href="{link}">{link}</a></p><ul>{listed}</ul>'


class ModelCard(Report, frozen=True):
    """
    Hold where a card was written, its sentences, and all that it says.

    ``record`` is what ``surefoot card --json`` writes.
    """

    record: CardRecord

    def markdown(self) -> str:
        """Return a model card for Hugging Face; raises InvalidInputError for several models."""
        from surefoot.report.card.exports import model_card

        return model_card(self.record)

    def latex(self) -> str:
        """Return a table for LaTeX."""
        from surefoot.report.card.exports import latex_table

        return latex_table(self.record)

    def eval_results(self, dataset: str) -> str:
        """
        Return entries for ``.eval_results`` of a data set on Hugging Face, OWNER/NAME.

        Raises InvalidInputError for another id, and for several models.
        """
        from surefoot.report.card.exports import result_entries

        return result_entries(self.record, dataset)
