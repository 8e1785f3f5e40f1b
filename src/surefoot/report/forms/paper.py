"""
FormFactory's table 2 and figures 4 to 7, drawn from attempts of our own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from surefoot.forms.scoring.descriptions import Overlap
from surefoot.forms.scoring.paper import (
    COLUMNS,
    EPISODIC,
    PAPER_METRICS,
    PaperScores,
    Trait,
    smoothed,
)
from surefoot.phrasing.values import Shown, amount, count, number
from surefoot.report.answers.sections import wide_table
from surefoot.report.html.curves import Curve, curve_plot
from surefoot.report.html.figures import HeatCell, heat_map
from surefoot.report.html.section import Figure, Section, Table
from surefoot.score.conditions.scores import Score
from surefoot.score.summary import Summary, metric_facts

_FACTS: Final = {item.name: metric_facts(item, compared=True) for item in PAPER_METRICS}
_MOST_TICKS: Final = 8
_LEAD: Final = (
    "What FormFactory's paper tells of a model, told of these attempts, so that both can be laid "
    "side by side. As there, a value counts wherever it was said; how many arrived where they "
    "belong, the sections above tell. The paper says neither how BLEU is tokenised and averaged "
    "nor which forms make a group; what was decided here stands at each figure."
)
_TABLE: Final = (
    "Read a row as one column of the paper's table 2. Click: a click met the field, of radio "
    "buttons and of boxes to choose several (Checkbox) each right one. Value: the value was said "
    "letter for letter, or a field held it; of a Description it is BLEU from 0 to 1, the mean "
    "over texts (in percent in the table below the drawing). Check is a single box to be ticked; "
    "one to be left alone is asked of nobody. String has all that is typed in a line, numbers "
    "among it, since the table has no column for them. Episodic asks for every field of a form "
    "at once, descriptions in Click alone, for their BLEU is no yes or no. Files are in no "
    "column, as there, and published values that no form takes in no number."
)
_BLEU: Final = (
    "Of each description the nearest text that the agent said is compared with the right one, "
    "letters as they are written; one that was not said counts 0. The paper's "
    "table gives BLEU from 0 to 1, most libraries from 0 to 100: both stand here. Whether its "
    "number is that of all texts together or a mean over them it does not say."
)
_GROUPS: Final = (
    "Read from left to right: 0 is all forms, 1 to 5 are groups of forms with more and more "
    "fields. The paper does not say which forms it put together; here the forms are ordered by "
    "number of fields, then of types, and cut into five equal parts. The changes above compare "
    "the same fields with and without a ruler."
)
_ONE_RULER: Final = (
    " All attempts here were drawn alike: add --ruler 0 --ruler 100 to surefoot forms run to have "
    "each form with a ruler, too."
)
_SMOOTH: Final = (
    "Read from left to right, from small forms to large ones. Marks are what was measured for "
    "each number of fields that occurs, the line is the mean of three neighbours (of two at the "
    "ends); the paper draws such a line alone, and does not say how its ends were made."
)
_UNSMOOTHED: Final = (
    "Read from left to right, from forms of few types of field to forms of many, counted as in "
    "the paper's table 1: names, addresses, telephone numbers and passwords are one type."
)
_BUT_TEXTS: Final = " Descriptions, which BLEU measures, are not among these values."
_TYPED_ONLY: Final = " As in the paper, only String and Description are asked about."
_JOINT: Final = (
    "Read a cell as the forms of so many types (down) and so many fields (across); the paper "
    "draws the same as a surface. It does not say which fields it counts; here they are those of "
    "figure 6. An empty cell means that there is no such form."
)
_FEW: Final = " There is one number alone: take more forms, as with --forms 25."


def paper_section(summary: Summary) -> Section:
    """Lay out the paper's table and figures; without any where nobody watched the attempts."""
    by_agent: Mapping[str, PaperScores] = summary.details.get("paper", {})
    title = "FormFactory's table 2 and figures 4 to 7"
    if not by_agent:
        return Section("paper", title, _LEAD, ())
    figures = (
        _table(by_agent),
        _bleu(by_agent),
        _groups(by_agent),
        _curves(by_agent, "accuracy", "fields", "Figure 5, left: Value by number of fields"),
        _curves(by_agent, "accuracy", "types", "Figure 5, right: Value by number of types"),
        _curves(by_agent, "typed_click", "fields", "Figure 6, left: Click by number of fields"),
        _curves(by_agent, "typed_click", "types", "Figure 6, right: Click by number of types"),
        *_joint(by_agent),
    )
    return Section(
        "paper", title, _LEAD, tuple(figure for figure in figures if figure is not None)
    )


def bleu_lines(summary: Summary) -> list[str]:
    """Say of each agent how near the descriptions came that it said, on both scales."""
    return [
        f"{name}: BLEU of {found.n:,} descriptions as they were said: {found.bleu:.1f} of 100, "
        f"or {found.bleu / 100:.3f} of 1; mean of single texts "
        f"{found.sentence_bleu / 100:.3f} of 1"
        for name, found in _overlaps(summary.details.get("paper", {}))
    ]


def _overlaps(by_agent: Mapping[str, PaperScores]) -> Iterator[tuple[str, Overlap]]:
    for agent, found in by_agent.items():
        for ruler, overlap in found.bleu.items():
            yield _name(by_agent, agent, ruler), overlap


def _conditions(by_agent: Mapping[str, PaperScores]) -> Iterator[tuple[str, PaperScores, str]]:
    """Yield each agent with each ruler that it was shown, and the name of both."""
    for agent, found in by_agent.items():
        for ruler in found.rulers:
            yield _name(by_agent, agent, ruler), found, ruler


def _name(by_agent: Mapping[str, PaperScores], agent: str, ruler: str) -> str:
    alone = len({item for found in by_agent.values() for item in found.rulers}) == 1
    return agent if alone else f"{agent}, {ruler}"


def _table(by_agent: Mapping[str, PaperScores]) -> Figure:
    cells: dict[tuple[str, str], HeatCell] = {}
    for name, found, ruler in _conditions(by_agent):
        for metric in ("click", "value"):
            for score in found.of(metric, "column", ruler):
                text = (metric, score.value) == ("value", "Description")
                cells[score.value, f"{name}: {_FACTS[metric].title}"] = _cell(score, text=text)
    columns = list(dict.fromkeys(column for _, column in cells))
    rows = [name for name in (*COLUMNS, EPISODIC) if any(row == name for row, _ in cells)]
    title = "Table 2: Click and Value by type of field"
    scores = [
        score
        for row in rows
        for found in by_agent.values()
        for score in found.scores
        if (score.trait, score.value) == ("column", row)
    ]
    facts = [_FACTS[name] for name in ("click", "value", "by_meaning")]
    svg = heat_map(rows, columns, cells, title=title, absent="unknown")
    return Figure(title, wide_table(scores, facts), svg, _TABLE)


def _bleu(by_agent: Mapping[str, PaperScores]) -> Figure | None:
    head = ("agent", "texts", "BLEU of all, 0 to 100", "0 to 1", "mean of texts, 0 to 1", "chrF")
    rows = tuple(
        (
            name,
            count(found.n),
            number(found.bleu, ".1f"),
            number(found.bleu / 100, ".3f"),
            number(found.sentence_bleu / 100, ".3f"),
            number(found.chrf, ".1f"),
        )
        for name, found in _overlaps(by_agent)
    )
    title = "BLEU of descriptions, as they were said"
    return Figure(title, Table(head, rows), note=_BLEU) if rows else None


def _groups(by_agent: Mapping[str, PaperScores]) -> Figure | None:
    cells: dict[tuple[str, str], HeatCell] = {}
    scores: list[Score] = []
    for name, found, ruler in _conditions(by_agent):
        whole, parts = found.of("click", "", ruler), found.of("click", "group", ruler)
        cells |= {(name, score.value or "0: all"): _cell(score) for score in (*whole, *parts)}
        scores += [*whole, *parts]
    if not cells:
        return None
    drawn = {ruler for found in by_agent.values() for ruler in found.rulers}
    both = ", with and without a ruler" * (len(drawn) > 1)
    title = f"Figure 4: Click by group of difficulty{both}"
    columns = sorted({column for _, column in cells})
    svg = heat_map(list(dict.fromkeys(row for row, _ in cells)), columns, cells, title=title)
    note = _GROUPS + _ONE_RULER * (len(drawn) == 1)
    return Figure(title, wide_table(scores, [_FACTS["click"]]), svg, note)


def _curves(
    by_agent: Mapping[str, PaperScores], metric: str, trait: Trait, title: str
) -> Figure | None:
    """Draw a metric over a number that forms have; smoothed over the number of fields."""
    curves: list[Curve] = []
    rows: list[tuple[Shown, ...]] = []
    width = 5 if trait == "fields" else 4
    for name, found, ruler in _conditions(by_agent):
        scores = sorted(found.of(metric, trait, ruler), key=lambda one: int(one.value))
        numbers = [int(score.value) for score in scores]
        shares = [score.amount or 0.0 for score in scores]
        line = smoothed(shares) if trait == "fields" else shares
        if scores:
            points = tuple(zip(numbers, line, strict=True))
            curves.append(Curve(name, points, tuple(zip(numbers, shares, strict=True))))
        for at, one, mean in zip(numbers, scores, line, strict=True):
            shown = (amount(one.amount, "share"), amount(mean, "share"))
            rows.append((name, count(at), count(one.n), *shown)[:width])
    if not curves:
        return None
    ticks = _ticks({int(at) for curve in curves for at, _ in curve.points})
    words = f"number of {trait} of a form"
    head = ("agent", trait, "n", _FACTS[metric].title, "mean of three")[:width]
    note = _SMOOTH if trait == "fields" else _UNSMOOTHED
    note += _BUT_TEXTS if metric == "accuracy" else _TYPED_ONLY
    svg = curve_plot(curves, ticks, title=title, words=words)
    return Figure(title, Table(head, tuple(rows)), svg, note + _FEW * (len(ticks) == 1))


def _joint(by_agent: Mapping[str, PaperScores]) -> Iterator[Figure]:
    for name, found, ruler in _conditions(by_agent):
        scores = sorted(found.of("typed_click", "fields and types", ruler), key=_size)
        sizes = [_size(score) for score in scores]
        if not sizes:
            continue
        cells = {
            (_types(types), str(fields)): _cell(score)
            for (fields, types), score in zip(sizes, scores, strict=True)
        }
        rows = [_types(types) for types in sorted({types for _, types in sizes})]
        columns = [str(fields) for fields in sorted({fields for fields, _ in sizes})]
        title = f"Figure 7: Click by number of fields and of types, {name}"
        svg = heat_map(rows, columns, cells, title=title)
        yield Figure(title, wide_table(scores, [_FACTS["typed_click"]]), svg, _JOINT)


def _size(score: Score) -> tuple[int, int]:
    """Return how many fields and types "8 fields, 3 types" says."""
    fields, _, types, _ = score.value.split()
    return int(fields), int(types)


def _types(types: int) -> str:
    return f"{types} type{'s' * (types != 1)}"


def _cell(score: Score, *, text: bool = False) -> HeatCell:
    """Return a share in percent, or the BLEU of texts from 0 to 1, as the paper writes both."""
    share = score.amount or 0.0
    return HeatCell(share, f"{share:.2f}" if text else f"{100 * share:.0f} %")


def _ticks(numbers: Iterable[int]) -> Sequence[int]:
    """
    Return the numbers themselves where they are few, else even steps that reach over them.

    >>> _ticks([4, 7, 5]), _ticks(range(4, 23))
    ([4, 5, 7], [4, 7, 10, 13, 16, 19, 22])
    """
    found = sorted(numbers)
    if len(found) <= _MOST_TICKS:
        return found
    step = -(-(found[-1] - found[0]) // (_MOST_TICKS - 1))
    return list(range(found[0], found[-1] + step, step))
