"""
Sections on languages: accuracy by dimension as a table and a radar, and agreement over languages.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from surefoot.phrasing.tables import Rows, language_title
from surefoot.phrasing.values import Shown, amount, count, ends
from surefoot.phrasing.words import model_name
from surefoot.report.html.figures import (
    PHONE_WIDTH,
    break_lines,
    draw_svg,
    draw_twice,
    write_lines,
)
from surefoot.report.html.section import Figure, Section, Table
from surefoot.score.scorings.multilingual import (
    DIMENSIONS,
    CrossedScore,
    LanguageAgreement,
    LanguageProfile,
)

# A colour and a dash each, told apart by day, by night and without colours.
_LINES: Final = (
    ("#1a73c8", "none"),
    ("#d55e00", "10 3"),
    ("#009e73", "3 3"),
    ("#b1498a", "12 3 3 3"),
    ("#b07b00", "6 6"),
    ("#7a6fd0", "2 5"),
)
_RADIUS: Final = 130.0
_AROUND: Final = 110.0  # for the names of dimensions at both sides
_LEAST_AXES: Final = 3


def language_section(profiles: Sequence[LanguageProfile]) -> Section:
    """Lay out accuracy by dimension and language: for each model a radar beside its table."""
    return Section(
        "languages",
        "Dimensions and languages",
        "The share of right answers by dimension, one line a language. FPR-ACC is their mean in "
        "which six dimensions weigh 1, the goals of long sequences 1.5 and of short ones 2; it "
        "stands only where all eight were asked. Of the 42 rows of the paper's table 36 follow "
        "from its own accuracies by these weights, the six of one family of models do not.",
        tuple(_profile_figures(profiles)),
    )


def agreement_section(agreements: Sequence[LanguageAgreement]) -> Section:
    """Lay out how far answers to one item agree over languages, and how they flip."""
    head = ("model", "languages", "items", "right in all", "interval", "right in none")
    whole: Rows = tuple(
        (
            model_name(agreement.model, reasoning=agreement.reasoning),
            ", ".join(map(language_title, agreement.languages)),
            count(agreement.items),
            amount(agreement.all_right.amount, "share"),
            ends(agreement.all_right.interval, "share"),
            amount(agreement.all_wrong, "share"),
        )
        for agreement in agreements
    )
    flips: Rows = tuple(
        (
            model_name(agreement.model, reasoning=agreement.reasoning),
            language_title(flip.language),
            count(flip.n),
            count(flip.lost),
            count(flip.gained),
            amount((flip.lost + flip.gained) / flip.n if flip.n else None, "share"),
        )
        for agreement in agreements
        for flip in agreement.flips
    )
    flip_head = (
        "model",
        "language",
        "items",
        "right in English alone",
        "right here alone",
        "flipped",
    )
    return Section(
        "agreement",
        "One item in every language",
        "An item is one question about one screen, asked in each language. It counts as right in "
        "all where every language's answer is right; a flip is right in one language and wrong "
        "in the other, whatever the balance of both.",
        (
            Figure("Right in every language", Table(head, whole)),
            Figure("Flips against English", Table(flip_head, flips)),
        ),
    )


def crossed_section(scores: Sequence[CrossedScore]) -> Section:
    """Lay out the hit rate by the language of the screen and that of the words."""
    figures = []
    groups: dict[str, dict[tuple[str, str], CrossedScore]] = {}
    for score in scores:
        model = model_name(score.model, reasoning=score.reasoning)
        groups.setdefault(model, {})[score.shown, score.asked] = score
    for model, cells in groups.items():
        languages = list(dict.fromkeys(shown for shown, _ in cells))
        rows: Rows = tuple(
            (
                language_title(shown),
                *(amount(cells[shown, asked].score.amount, "share") for asked in languages),
            )
            for shown in languages
        )
        items = count(next(iter(cells.values())).score.n)
        title = f"{model}: right answers to the same {items.words} items"
        head = ("screen in", *(f"words in {language_title(asked)}" for asked in languages))
        figures.append(Figure(title, Table(head, rows)))
    return Section(
        "crossed",
        "Language of the screen, language of the words",
        "Each item is asked in every language on the screen in every language; names in its "
        "words are those on the screen. Along a row the words change alone, down a column the "
        "screen. Each condition is compared with English in both under 'What each change does'.",
        tuple(figures),
    )


def _profile_figures(profiles: Sequence[LanguageProfile]) -> Iterator[Figure]:
    groups: dict[str, list[LanguageProfile]] = {}
    for profile in profiles:
        groups.setdefault(model_name(profile.model, reasoning=profile.reasoning), []).append(
            profile
        )
    asked = [name for name in DIMENSIONS if any(name in item.accuracy for item in profiles)]
    for model, own in groups.items():
        title = f"{model}: right answers by dimension and language"
        lines = [
            (language_title(item.language), [item.accuracy.get(name) for name in asked])
            for item in own
        ]
        names = [DIMENSIONS[name] for name in asked]
        drawn = radar_figure(names, lines, title=title) if len(asked) >= _LEAST_AXES else ""
        rows = tuple(tuple(_cells(item, asked)) for item in own)
        head = ("language", *names, "answers", "FPR-ACC", "interval")
        yield Figure(title, Table(head, rows), drawn)


def _cells(profile: LanguageProfile, asked: Iterable[str]) -> Iterator[Shown]:
    yield language_title(profile.language)
    for name in asked:
        yield amount(profile.accuracy.get(name), "share")
    yield count(sum(profile.n.values()))
    yield amount(profile.fpr_acc, "share")
    yield ends(profile.interval, "share")


def radar_figure(
    axes: Sequence[str], lines: Sequence[tuple[str, Sequence[float | None]]], *, title: str
) -> str:
    """
    Draw shares on axes around a middle, one line a language; nothing asked breaks the line.

    >>> svg = radar_figure(["a", "b", "c"], [("English", [0.5, 1.0, 0.0])], title="t")
    >>> svg.count("<polygon"), "English" in svg
    (10, True)
    """
    description = "; ".join(
        f"{name}: "
        + ", ".join(
            f"{axis} {100 * share:.0f} %" for axis, share in zip(axes, shares, strict=True)
            if share is not None
        )
        for name, shares in lines
    )  # fmt: skip

    def draw(*, phone: bool) -> str:
        width = PHONE_WIDTH if phone else 2 * (_RADIUS + _AROUND)
        radius = (PHONE_WIDTH - 2 * 84.0) / 2 if phone else _RADIUS
        middle = (width / 2, radius + 40)
        body = [_rings(middle, radius, len(axes)), _axis_names(axes, middle, radius, width)]
        for index, (name, shares) in enumerate(lines):
            body.append(_line(name, shares, index, (*middle, radius)))
        key, bottom = _key(lines, 2 * radius + 84, width)
        return draw_svg(width, bottom, title, description, "".join([*body, key]))

    return draw_twice(draw)


def _point(middle: tuple[float, float], length: float, at: int, of: int) -> tuple[float, float]:
    angle = 2 * math.pi * at / of - math.pi / 2
    return middle[0] + length * math.cos(angle), middle[1] + length * math.sin(angle)


def _rings(middle: tuple[float, float], radius: float, of: int) -> str:
    rings = []
    for step in range(1, 5):
        corners = (_point(middle, radius * step / 4, at, of) for at in range(of))
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        rings.append(f'<polygon class="grid" points="{points}" style="fill:none"/>')
        x, y = _point(middle, radius * step / 4, 0, of)
        rings.append(f'<text class="tick" x="{x + 4:.1f}" y="{y + 4:.1f}">{25 * step} %</text>')
    return "".join(rings)


def _axis_names(
    axes: Sequence[str], middle: tuple[float, float], radius: float, width: float
) -> str:
    drawn = []
    for at, name in enumerate(axes):
        x, y = _point(middle, radius + 10, at, len(axes))
        off = x - middle[0]
        anchor = "middle" if abs(off) < 1 else "start" if off > 0 else "end"
        room = width if anchor == "middle" else width - x if anchor == "start" else x
        lines = break_lines(name, room)
        top = y - 16.0 * len(lines) if y < middle[1] - radius else y - 8.0 * len(lines)
        drawn.append(write_lines(lines, x, top, "label", anchor)[0])
    return "".join(drawn)


def _line(
    name: str, shares: Sequence[float | None], index: int, place: tuple[float, float, float]
) -> str:
    *middle, radius = place
    of = len(shares)
    found = [
        None if share is None else _point((middle[0], middle[1]), radius * share, at, of)
        for at, share in enumerate(shares)
    ]
    points = " ".join(f"{place[0]:.1f},{place[1]:.1f}" for place in found if place)
    shape = "polyline" if None in found else "polygon"
    return (
        f'<g class="level"><title>{escape(name)}</title>'
        f'<{shape} points="{points}" style="{_stroke(index)}"/></g>'
    )


def _key(
    lines: Sequence[tuple[str, Sequence[float | None]]], y: float, width: float
) -> tuple[str, float]:
    drawn, column = [], width / 2
    for index, (name, _) in enumerate(lines):
        x, top = column * (index % 2), y + 20 * (index // 2)
        drawn.append(
            f'<line x1="{x:.1f}" x2="{x + 40:.1f}" y1="{top + 4:.1f}" y2="{top + 4:.1f}" '
            f'style="{_stroke(index)}"/>' + write_lines([name], x + 48, top - 4, "label")[0]
        )
    return "".join(drawn), y + 20 * math.ceil(len(lines) / 2) + 8


def _stroke(index: int) -> str:
    colour, dash = _LINES[index % len(_LINES)]
    return f"fill:none;stroke:{colour};stroke-width:2.5;stroke-dasharray:{dash}"
