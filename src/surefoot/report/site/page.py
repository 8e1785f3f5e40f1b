"""
The page on a site: a table of edits with pictures, and each edit as CSS or HTML.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final

from surefoot.core.geometry import Box
from surefoot.core.perturbation import ORIGINAL, variant_title
from surefoot.core.store import ObjectStore
from surefoot.phrasing.headlines import Headline
from surefoot.phrasing.values import Shown, count, measured, p_value
from surefoot.phrasing.words import cluster_words, ends_words
from surefoot.report.html.document import Document, Gallery, write_document
from surefoot.report.html.gallery import Card, Pane, embed_image
from surefoot.report.html.section import Figure, Section, Table
from surefoot.report.site.found import MendedControl, ShownControl
from surefoot.report.site.report import SiteReport
from surefoot.report.site.sentences import FAULT_WORDS, TITLES, verdict_of
from surefoot.run.fixes.rules import RULES
from surefoot.run.fixes.rules import unaskable_words as reason_words

A_KIND: Final = 6  # controls of a kind, or of a rule, that are shown
BAR_PX: Final = 600  # as wide as the longest label
SHOWN_PX: Final = (480.0, 270.0)  # of the picture around a control
LINE: Final = "The black line marks how many come back unchanged, when they are asked for again."
SHORT: Final = 40  # letters that fit below a picture
SMALL_PX: Final = (290.0, 96.0)  # of those below a bar: before, and after


def write_site(found: SiteReport, out: Path) -> None:
    """Write the page; its pictures are read from the folders that the report names."""
    first, *more = found.sentences()
    table = _fixes_table(found) if found.fixes else _rules_table(found)
    edited = bool(found.mended or found.named)
    document = Document(
        title=f"What agents miss on {found.title}"
        if found.model
        else f"Controls of {found.title}",
        kicker="Surefoot site report",
        facts=_facts(found),
        headlines=(Headline("", first, more=tuple(more)),),
        warnings=(),
        figure=Figure("Controls that come back, by edit", table, _bars(found))
        if found.fixes
        else None,
        questions={
            "fell": "What would help?",
            "where": "Which controls?",
            "shown": "Before and after" if edited else "Show me",
        },
        sections=tuple(_sections(found)),
        gallery=Gallery(
            "Edits, before and after" if edited else "Controls",
            "The control is framed." + " The CSS or HTML is to be copied." * edited,
            (("target", "the control"),),
            tuple(_cards(found)),
            "None.",
        ),
        rulers=tuple(_rulers(found)),
    )
    write_document(document, out)


def _facts(found: SiteReport) -> str:
    if not found.model:
        return f"{found.size}; no model was asked"
    listed = ", ".join(map(variant_title, found.variants))
    under = "" if found.variants == (ORIGINAL,) else f" under each of: {listed}"
    times = "once" if found.samples == 1 else f"{found.samples} times"
    return (
        f"{cluster_words(found.asked, 'controls')} asked for {times}{under}; "
        f"{found.unasked} more were asked for on another page, or cannot be under every change"
    )


def _fixes_table(found: SiteReport) -> Table:
    rows: list[tuple[Shown, ...]] = [
        (
            TITLES[fix.kind],
            verdict_of(fix),
            f"{fix.back} of {fix.controls}",
            count(fix.more),
            f"{fix.back_again} of {fix.controls}",
            f"{fix.back_elsewhere} of {fix.compared_elsewhere}",
            measured(
                f"{100 * fix.gain:+.0f} [{ends_words(fix.interval, 'share', signed=True)}]"
                if fix.interval
                else f"{100 * fix.gain:+.0f}",
                fix.gain,
                fix.interval,
                "share",
            ),
            p_value(fix.adjusted),
        )
        for fix in found.fixes
    ]
    return Table(
        (
            "edit",
            "verdict",
            "come back",
            "with none above",
            "unchanged, asked again",
            "edit at others",
            "answers gained, points",
            "p, corrected",
        ),
        tuple(rows),
    )


def _faults_table(found: SiteReport) -> Table:
    rows: list[tuple[Shown, ...]] = [
        (
            " and ".join(FAULT_WORDS[name] for name in group.faults) or "none of these",
            count(group.asked),
            count(group.missed),
            "; ".join(f"{TITLES[kind]}: {back} of {tried}" for kind, back, tried in group.edits),
        )
        for group in found.faults
    ]
    return Table(("faults", "asked", "missed", "come back with"), tuple(rows))


def _rules_table(found: SiteReport) -> Table:
    rules = Counter(finding.rule for finding in found.findings)
    return Table(
        ("rule", "what it finds", "controls"),
        tuple((rule, RULES[rule], count(rules[rule])) for rule in RULES),
    )


def _bars(found: SiteReport) -> str:
    """Draw how many controls each edit brings back, beside how many come back without it."""
    parts, top = [], 10.0
    for fix in found.fixes:
        share, bare = fix.back / fix.controls, fix.back_again / fix.controls
        verdict = verdict_of(fix).partition(":")[0]
        label = escape(f"{TITLES[fix.kind]} ({fix.back} of {fix.controls}, {verdict})")
        shade = 1 if fix.adds else 0.35
        parts.append(
            f'<text x="0" y="{top + 12}">{label}</text>'
            f'<rect x="0" y="{top + 18}" width="{BAR_PX}" height="12" fill="currentColor" '
            'fill-opacity="0.08"/>'
            f'<rect x="0" y="{top + 18}" width="{BAR_PX * share:.0f}" height="12" '
            f'fill="var(--accent)" fill-opacity="{shade}"/>'
            f'<rect x="{(BAR_PX - 2) * bare:.0f}" y="{top + 15}" width="2" height="18" '
            'fill="currentColor"/>'
        )
        top += 44
        own = (
            control
            for control in found.mended
            if control.count.kind == fix.kind and control.count.back
        )
        shown = next(own, None) if fix.adds else None
        if shown is not None:
            parts.append(_before_and_after(shown, top))
            top += SMALL_PX[1] + 32
    parts.append(f'<text x="0" y="{top + 12}" style="font-size: 11px">{LINE}</text>')
    height = round(top + 20)
    label = "How many controls come back with each edit; a line marks how many do without it"
    return (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 {BAR_PX} {height:.0f}" '
        f'style="max-width: 56rem">{"".join(parts)}</svg>'
    )


def _before_and_after(one: MendedControl, top: float) -> str:
    """Draw a control without its edit and with it, side by side."""
    words = f"{one.control}, before" if len(one.control) <= SHORT else "before"
    sides = ((words, one.unfixed, 0.0), ("after", one.fixed, BAR_PX - SMALL_PX[0]))
    return "".join(
        f'<svg x="{left:.0f}" y="{top:.0f}" width="{SMALL_PX[0]:.0f}" height="{SMALL_PX[1]:.0f}" '
        f'role="img" aria-label="{escape(name)}" '
        f'viewBox="0 0 {part.width:.0f} {part.height:.0f}">'
        f'{_framed(shown, part)}</svg><text x="{left:.0f}" y="{top + SMALL_PX[1] + 14:.0f}" '
        f'style="font-size: 11px">{escape(name)}</text>'
        for name, shown, left in sides
        for part in (_around(shown, SMALL_PX),)
    )


def _sections(found: SiteReport) -> Iterator[Section]:
    if found.fixes:
        yield Section(
            "edits",
            "Edits",
            "Each edit was rendered, and what was missed was asked again with it and without; "
            "one against a fault is judged at controls that have this fault and no other.",
            (Figure("Edits by how often they help", _fixes_table(found)),),
            chapter="fell",
        )
    if found.faults:
        yield Section(
            "faults",
            "Faults",
            "Controls that were asked for, by the faults that they have and no others, and all "
            "edits that were tried at those missed.",
            (Figure("Which edit is against which fault", _faults_table(found)),),
            chapter="fell",
        )
    if found.missed:
        yield Section(
            "missed",
            "Missed",
            "What the model missed in most of its answers, and under which changes.",
            (Figure("Missed controls", Table(("control", "page", "under"), found.missed)),),
        )
    if found.idle:
        yield Section(
            "idle",
            "Edits without effect",
            "The page's own rules left the control as it was, so these edits were not tried.",
            (Figure("Edits", Table(("control", "page", "edit"), found.idle)),),
        )
    if found.findings:
        broken = tuple(
            (
                finding.control.title,
                finding.page,
                finding.rule,
                finding.control.measure(finding.rule),
            )
            for finding in found.findings
        )
        yield Section(
            "controls",
            "Controls that break a rule",
            "The same pages give the same findings; no model is asked.",
            (
                Figure("Rules", _rules_table(found)),
                Figure("Findings", Table(("control", "page", "rule", "measured"), broken)),
            ),
        )
    if found.unaskable:
        rows = tuple((title, page, reason_words(why)) for title, page, why in found.unaskable)
        yield Section(
            "unaskable",
            "Cannot be asked for",
            "Nobody can ask for these by their names, an agent's user neither.",
            (Figure("Controls", Table(("control", "page", "because"), rows)),),
        )


def _cards(found: SiteReport) -> Iterator[Card]:
    if found.mended or found.named:
        for fix in found.fixes:
            own = [control for control in found.mended if control.count.kind == fix.kind]
            own.sort(key=lambda one: (not one.count.back, one.page, one.control))
            as_kind = f" As a kind: {verdict_of(fix)}."
            yield from (_mended_card(found, item, as_kind) for item in own[:A_KIND])
        yield from (_mended_card(found, item) for item in found.named[:A_KIND])
        return
    for rule in RULES:
        own_rule = (finding for finding in found.findings if finding.rule == rule)
        for one in itertools.islice(own_rule, A_KIND):
            shown = found.pictures[f"{one.page}#{one.control.element}"]
            caption = f"{rule}: {RULES[rule]} {one.control.measure(rule)}".rstrip()
            yield Card(
                instruction=one.control.title,
                page=one.page,
                model="",
                role=one.control.role,
                panes=(_pane("the control", shown, caption),),
                caption=f"on {one.page}",
            )


def _mended_card(found: SiteReport, one: MendedControl, as_kind: str = "") -> Card:
    sides = one.count
    note = (
        f"{_of(sides.fix)} hit with the edit, {_of(sides.again)} without it, "
        f"{_of(sides.elsewhere)} with the same edit at other controls.{as_kind}"
    )
    if one.new_words and not one.words:
        note += " Its name is what its icon or its section says; a better one is yours to find."
    if one.new_words:
        asked = f"{one.new_words} It was asked before: {one.words}" if one.words else one.new_words
        note += f" The words change with the name: {asked}"
    code = [("CSS", one.css)] if one.css else []
    if one.after:
        code.append(("HTML", f"<!-- before -->\n{one.before}\n<!-- after -->\n{one.after}"))
    under = "" if one.variant == ORIGINAL else f" ({variant_title(one.variant)})"
    return Card(
        instruction=f"{one.control}: {TITLES[sides.kind]}",
        page=one.page,
        model=found.model,
        role="",
        panes=(
            _pane(f"before{under}", one.unfixed, f"{_of(sides.again)} hit"),
            _pane("after", one.fixed, f"{_of(sides.fix)} hit"),
        ),
        caption=f"on {one.page}",
        note=note,
        code=tuple(code),
    )


def _of(counted: tuple[int, int]) -> str:
    return f"{counted[0]} of {counted[1]} answers" if counted[1] else "no answers"


def _pane(name: str, shown: ShownControl, verdict: str) -> Pane:
    """Draw the part of a picture around a control, and frame it."""
    part = _around(shown, SHOWN_PX)
    svg = (
        f'<svg role="img" aria-label="{escape(name)}" viewBox="0 0 {part.width:.0f} '
        f'{part.height:.0f}">{_framed(shown, part)}</svg>'
    )
    return Pane(name, svg, verdict, hit=None)


def _framed(shown: ShownControl, part: Box) -> str:
    picture = embed_image(ObjectStore(Path(shown.folder)).get(shown.image), part)
    box = shown.box
    return (
        f'<image href="{picture}" width="{part.width:.0f}" '
        f'height="{part.height:.0f}"/><rect class="target" x="{box.left - part.left - 3:.1f}" '
        f'y="{box.top - part.top - 3:.1f}" width="{box.width + 6:.1f}" '
        f'height="{box.height + 6:.1f}"/>'
    )


def _around(shown: ShownControl, least: tuple[float, float]) -> Box:
    """Return a part of a picture that has the control in it, at least so wide and high."""
    wide = min(max(least[0], shown.box.width + 40), float(shown.width))
    high = min(max(least[1], shown.box.height + 40), float(shown.height))
    middle = shown.box.center
    left = round(min(max(middle.x - wide / 2, 0.0), shown.width - wide))
    top = round(min(max(middle.y - high / 2, 0.0), shown.height - high))
    return Box(float(left), float(top), float(left + round(wide)), float(top + round(high)))


def _rulers(found: SiteReport) -> Iterator[tuple[str, str]]:
    for rule, words in RULES.items():
        yield f"Rule: {rule}", words
    if not found.model:
        return
    idle = "no larger, clearer, further from others or named otherwise than before it"
    yield "Without effect", f"with the edit the control is {idle}: that is no attempt of it"
    yield "Missed", "at most half of the answers to a question hit the control"
    yield "Comes back", "more than half of the answers hit with the edit, at most half without it"
    yield (
        "Without the edit",
        "missed controls were asked once more unchanged: some are hit at a second asking anyway",
    )
    yield (
        "Edit at others",
        "the same edit at other controls of the page: any change may tip an answer",
    )
    test = "an exact test that swaps whole controls, one-sided, corrected by Holm over the kinds"
    beyond = "what came back with no edit above that helps"
    left = "an edit is recommended only if it is proven, at 5 %, at what those leave"
    yield "With none above", f"{beyond}; {left}"
    yield "Helps", f"the gain over both is surely above none: {test} of edits"
