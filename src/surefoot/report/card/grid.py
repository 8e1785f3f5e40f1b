"""
The matrix of elements and conditions as a table: grouped by how they fare, with small pictures.
"""

from __future__ import annotations

import shlex
import urllib.parse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from surefoot.phrasing.values import count
from surefoot.report.card.matrix import Matrix, small_picture
from surefoot.report.card.opening import CardSources
from surefoot.report.card.patterns import HIT, MISSED
from surefoot.report.card.record import CardCell, CardColumn, CardElement, CardPattern, CardRecord
from surefoot.report.html.section import Figure, Section, Table

_GREY: Final = " <small>not above chance</small>"
MOST: Final = 12  # patterns whose elements are shown
_SIGNS: Final = {"hit": "\N{CHECK MARK}", "miss": "\N{MULTIPLICATION X}", "mixed": ""}
_STATES: Final = {"hit": "hit", "miss": "missed", "mixed": "hit at times"}


def matrix_sections(
    matrix: Matrix, record: CardRecord, sources: CardSources, *, cards: int, port: int
) -> Iterator[Section]:
    """Lay out how elements fare with each model; cells lead to ``view`` at a port."""
    runs = [(run, pillar.name) for pillar in sources.pillars for run in pillar.runs]
    shown = [(run, name) for run, name in runs if run.name not in sources.references]
    labels = [part for run, name in shown for part in ("--label", f"{run.name}, {name}")]
    given = shlex.join([*(str(run.folder) for run, _ in shown), *labels])
    command = f"surefoot view {given} --port {port}"
    # So view numbers the benchmarks: in the order of its runs.
    benches = list(dict.fromkeys(run.bench.resolve() for run, _ in shown))
    view = {
        (run.name, name): f"http://127.0.0.1:{port}/question/{benches.index(run.bench.resolve())}"
        for run, name in shown
    }
    for at, model in enumerate(record.models):
        own = [pattern for pattern in record.patterns if pattern.model == model]
        if not own:
            continue
        whole = sum(len(pattern.elements) for pattern in own)
        table = Table(
            ("how elements fare", "elements"),
            tuple((pattern.name, count(len(pattern.elements))) for pattern in own),
        )
        lead = (
            f"{whole:,} elements by how they fare with {model}: a check is hit, a cross missed, "
            "numbers are hits of questions asked, nothing was not asked. What is hit in more "
            "than half of its questions counts as hit. A cell leads to its question while this "
            f"runs, and its address was opened once: {command}"
        )
        yield Section(
            f"elements-{at + 1}",
            f"Element by element: {model}",
            lead,
            (Figure(f"Patterns of {model}", table),),
            markup=_Grid(matrix, record, model, view).markup(own, cards=cards),
        )


class _Grid:
    """Write the table of one model."""

    def __init__(
        self, card: Matrix, record: CardRecord, model: str, view: Mapping[tuple[str, str], str]
    ) -> None:
        self.matrix, self.model, self.view = card, model, view
        self.elements = {element.pair: element for element in card.elements}
        used = {cell.column for element in card.elements for cell in element.of(model).values()}
        self.columns = [(at, column) for at, column in enumerate(record.columns) if at in used]
        self.grey = {pillar.name for pillar in record.pillars if not pillar.stands_above(model)}

    def markup(self, patterns: Sequence[CardPattern], *, cards: int) -> str:
        """Write the table, at most so many elements of each pattern."""
        body = []
        for pattern in sorted(patterns[:MOST], key=lambda one: one.name in (MISSED, HIT)):
            body.append(
                f'<tr><th scope="rowgroup" colspan="{len(self.columns) + 1}">'
                f"{escape(pattern.name)} <small>({len(pattern.elements):,})</small></th></tr>"
            )
            own = [self.elements[pair] for pair in pattern.elements]
            own.sort(key=lambda one: -len(one.of(self.model)))
            body += map(self._row, _spread(own)[:cards])
        return (
            f'<div class="scroll tall" tabindex="0" role="region" '
            f'aria-label="Element by element: {escape(self.model)}, table">'
            f'<table class="matrix"><thead>{self._heads()}</thead>'
            f"<tbody>{''.join(body)}</tbody></table></div>"
        )

    def _heads(self) -> str:
        """Write the conditions below their pillars, and say in which nothing follows."""
        widths = Counter(column.pillar for _, column in self.columns)
        pillars = "".join(
            f'<th scope="colgroup" colspan="{wide}">{escape(name)}'
            f"{_GREY * (name in self.grey)}</th>"
            for name, wide in widths.items()
        )
        titles = "".join(
            f'<th scope="col" class="turned"><span>{escape(column.title)}</span></th>'
            for _, column in self.columns
        )
        return f'<tr><th scope="col" rowspan="2">element</th>{pillars}</tr><tr>{titles}</tr>'

    def _row(self, element: CardElement) -> str:
        cells = element.of(self.model)
        picture = self.matrix.pictures.get(element.pair)
        image = small_picture(picture) if picture else ""
        cells_drawn = "".join(self._cell(cells.get(at), column) for at, column in self.columns)
        where = f"<small>{escape(f'{element.role} on {element.page}'.strip())}</small>"
        return f'<tr><th scope="row">{image}{escape(element.words)} {where}</th>{cells_drawn}</tr>'

    def _cell(self, cell: CardCell | None, column: CardColumn) -> str:
        if cell is None:
            return "<td></td>"
        state = "hit" if cell.hits == cell.asked else "mixed" if cell.hits else "miss"
        sign = _SIGNS[state] or f"<small>{cell.hits}/{cell.asked}</small>"
        description = (
            f"{column.pillar}, {column.title}: {_STATES[state]}, {cell.hits} of {cell.asked}"
        )
        tone = f"{state}{' grey' * (column.pillar in self.grey)}"
        if not cell.question:
            named = f'role="img" title="{escape(description)}" aria-label="{escape(description)}"'
            return f'<td class="{tone}"><span {named}>{sign}</span></td>'
        address = (
            f"{self.view[self.model, column.pillar]}/{urllib.parse.quote(cell.question, safe='')}"
        )
        return (
            f'<td class="{tone}"><a href="{escape(address)}" title="{escape(description)}" '
            f'aria-label="{escape(description)}">{sign}</a></td>'
        )


def _spread(elements: Sequence[CardElement]) -> list[CardElement]:
    """Put one element of each page before a second of any."""
    turns: dict[str, int] = {}
    ranked = []
    for order, element in enumerate(elements):
        turns[element.page] = turns.get(element.page, 0) + 1
        ranked.append((turns[element.page], order, element))
    return [element for *_, element in sorted(ranked, key=lambda item: item[:2])]
