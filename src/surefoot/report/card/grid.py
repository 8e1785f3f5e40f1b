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

MOST: Final = 12  # patterns whose elements are shown
_SIGNS: Final = {"hit": "\N{CHECK MARK}", "miss": "\N{MULTIPLICATION X}", "mixed": ""}
_STATES: Final = {"hit": "hit", "miss": "missed", "mixed": "hit at times"}


def matrix_sections(
    matrix: Matrix, record: CardRecord, sources: CardSources, *, cards: int, port: int
) -> Iterator[Section]:
    """Lay out how elements fare with each model; cells lead to ``view`` at a port."""
    runs = [run for one in sources.pillars for run in one.runs]
    folders = [str(run.folder) for run in runs if run.name not in sources.references]
    command = f"surefoot view {shlex.join(folders)} --port {port}"
    # So view numbers the benchmarks: in the order of its runs.
    view = {
        one.name: f"http://127.0.0.1:{port}/question/{number}"
        for number, one in enumerate(sources.pillars)
    }
    for at, model in enumerate(record.models):
        own = [one for one in record.patterns if one.model == model]
        if not own:
            continue
        whole = sum(len(one.elements) for one in own)
        table = Table(
            ("how elements fare", "elements"),
            tuple((one.name, count(len(one.elements))) for one in own),
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
            markup=_markup(matrix, record, model, own, cards=cards, view=view),
        )


def _markup(
    matrix: Matrix,
    record: CardRecord,
    model: str,
    patterns: Sequence[CardPattern],
    *,
    cards: int,
    view: Mapping[str, str],
) -> str:
    elements = {one.pair: one for one in matrix.elements}
    used = {cell.column for one in matrix.elements for cell in one.cells if cell.model == model}
    columns = [(at, column) for at, column in enumerate(record.columns) if at in used]
    body = []
    told = sorted(patterns[:MOST], key=lambda one: one.name in (MISSED, HIT))
    for pattern in told:
        body.append(
            f'<tr><th scope="rowgroup" colspan="{len(columns) + 1}">{escape(pattern.name)} '
            f"<small>({len(pattern.elements):,})</small></th></tr>"
        )
        shown = sorted(
            (elements[pair] for pair in pattern.elements), key=lambda one: -len(one.of(model))
        )
        body += [_row(matrix, one, model, columns, view) for one in _spread(shown)[:cards]]
    return (
        f'<div class="scroll tall" tabindex="0" role="region" '
        f'aria-label="Element by element: {escape(model)}, table"><table class="matrix"><thead>'
        f"{_heads(columns)}</thead>"
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def _spread(elements: Sequence[CardElement]) -> list[CardElement]:
    """Put one element of each page before a second of any."""
    turns: dict[str, int] = {}
    ranked = []
    for order, one in enumerate(elements):
        turns[one.page] = turns.get(one.page, 0) + 1
        ranked.append((turns[one.page], order, one))
    return [one for *_, one in sorted(ranked, key=lambda item: item[:2])]


def _heads(columns: Sequence[tuple[int, CardColumn]]) -> str:
    """Write the conditions below their pillars."""
    widths = Counter(one.pillar for _, one in columns)
    pillars = "".join(
        f'<th scope="colgroup" colspan="{wide}">{escape(name)}</th>'
        for name, wide in widths.items()
    )
    titles = "".join(
        f'<th scope="col" class="turned"><span>{escape(one.title)}</span></th>'
        for _, one in columns
    )
    return f'<tr><th scope="col" rowspan="2">element</th>{pillars}</tr><tr>{titles}</tr>'


def _row(
    matrix: Matrix,
    element: CardElement,
    model: str,
    columns: Sequence[tuple[int, CardColumn]],
    view: Mapping[str, str],
) -> str:
    cells = element.of(model)
    picture = matrix.pictures.get(element.pair)
    image = small_picture(picture) if picture else ""
    told = "".join(_cell(cells.get(at), column, view) for at, column in columns)
    where = f"<small>{escape(f'{element.role} on {element.page}'.strip())}</small>"
    return f'<tr><th scope="row">{image}{escape(element.words)} {where}</th>{told}</tr>'


def _cell(cell: CardCell | None, column: CardColumn, view: Mapping[str, str]) -> str:
    if cell is None:
        return '<td class="none"></td>'
    state = "hit" if cell.hits == cell.asked else "mixed" if cell.hits else "miss"
    sign = _SIGNS[state] or f"<small>{cell.hits}/{cell.asked}</small>"
    address = f"{view[column.pillar]}/{urllib.parse.quote(cell.question, safe='')}"
    said = f"{column.pillar}, {column.title}: {_STATES[state]}, {cell.hits} of {cell.asked}"
    return (
        f'<td class="{state}"><a href="{escape(address)}" title="{escape(said)}" '
        f'aria-label="{escape(said)}">{sign}</a></td>'
    )
