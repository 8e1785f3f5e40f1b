"""
The report on a site: what rules find in its controls, what a model misses, and what would help.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.geometry import Box
from surefoot.core.perturbation import variant_title
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.phrasing.headlines import Headline
from surefoot.phrasing.values import Shown, count, measured, p_value
from surefoot.phrasing.words import cluster_words, ends_words
from surefoot.report.html.document import Document, Gallery, write_document
from surefoot.report.html.gallery import Card, Pane, embed_image
from surefoot.report.html.section import Figure, Section, Table
from surefoot.run.fixes.arms import FIX, MendedPage
from surefoot.run.fixes.asking import MissedControl, SiteAnswers
from surefoot.run.fixes.kinds import FIXES
from surefoot.run.fixes.known import ChangedFaults
from surefoot.run.fixes.rules import LEAST_PX, RULES, ControlFacts, SiteFinding, broken_rules
from surefoot.run.fixes.rules import unaskable_words as reason_words
from surefoot.run.folders.folder import read_screens
from surefoot.score.fixes import FixCount, FixFinding, judge_fixes

A_KIND: Final = 6  # controls of a kind, or of a rule, that are shown
BAR_PX: Final = 600  # as wide as the longest label
SHOWN_PX: Final = (480.0, 270.0)  # of the picture around a control
TITLES: Final[Mapping[str, str]] = {kind.name: kind.title for kind in FIXES}
# What is said of one control that breaks a rule, and of several.
SHORT_RULES: Final[Mapping[str, tuple[str, str]]] = {
    "unlabelled": ("has no name at all", "have no name at all"),
    "covered": ("is covered", "are covered"),
    "ambiguous": ("shares its name", "share a name"),
    "look-alike": ("looks like another of another name", "look like another of another name"),
    "icon-alone": ("shows no words of its name", "show no words of their names"),
    "small": ("is less than 24 px wide or high", "are less than 24 px wide or high"),
    "low-contrast": ("hardly stands out", "hardly stand out"),
}


class ShownControl(msgspec.Struct, frozen=True):
    """Say where a picture of a control lies: a folder, the picture's hash, the control's box."""

    folder: str
    image: str
    width: int
    height: int
    box: Box


class FaultShown(msgspec.Struct, frozen=True):
    """
    Hold how many controls have just these ``faults``, and how many of these were missed.

    ``edits`` are kinds that were tried at those, each with how many it brought back of how many.
    """

    faults: tuple[str, ...]
    asked: int
    missed: int
    edits: tuple[tuple[str, int, int], ...] = ()


class MendedControl(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what one fix did to one control, and how to make it.

    ``count`` has its answers, ``words`` what it was asked for by, and ``new_words`` by what with
    the fix, where those are others. ``css``, and HTML ``before`` and ``after``, are to be copied.
    """

    control: str
    page: str
    count: FixCount
    words: str
    new_words: str
    css: str
    before: str
    after: str
    variant: str
    unfixed: ShownControl
    fixed: ShownControl


# What is said of controls with a fault, whatever else they have.
FAULT_WORDS: Final[Mapping[str, str]] = {
    "label": "show no words of their names",
    "size": f"are under {LEAST_PX:.0f} px",
    "contrast": "hardly stand out",
}
NAMED: Final = 5  # new faults in a sentence; the page and --json have all


class SiteReport(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what was found of a site.

    ``missed`` are controls that the model missed, each with its page and the changes under which
    it did; ``unaskable`` are those that cannot be asked for by their names, with the reason, and
    ``unasked`` counts those that were asked for on another page, or cannot be under every change.
    ``idle`` are controls with a page and an edit that had no effect there, which is no attempt.
    Without a model ``model`` is "", and nothing was asked. ``changed`` is what is new since a
    baseline, None where there is none.
    """

    title: str
    pages: int
    controls: int
    findings: tuple[SiteFinding, ...]
    unaskable: tuple[tuple[str, str, str], ...]
    pictures: dict[str, ShownControl]
    model: str = ""
    variants: tuple[str, ...] = ()
    samples: int = 0
    asked: int = 0
    unasked: int = 0
    missed: tuple[tuple[str, str, str], ...] = ()
    faults: tuple[FaultShown, ...] = ()
    idle: tuple[tuple[str, str, str], ...] = ()
    fixes: tuple[FixFinding, ...] = ()
    mended: tuple[MendedControl, ...] = ()
    changed: ChangedFaults | None = None

    def sentences(self) -> tuple[str, ...]:
        """Return what is said of the site: what is missed, what helps, what rules find."""
        return (*self._of_model(), *self._of_rules())

    def _of_rules(self) -> Iterator[str]:
        rules = Counter(one.rule for one in self.findings)
        broken = len({(one.page, one.control.element) for one in self.findings})
        counts = ", ".join(
            f"{rules[rule]} {SHORT_RULES[rule][rules[rule] > 1]}" for rule in RULES if rules[rule]
        )
        yield f"By rules, {broken} of {self.size} are hard to find{f': {counts}' * bool(counts)}."
        if self.changed is not None:
            yield _change_words(self.changed)
        if self.unaskable:
            number = cluster_words(len(self.unaskable), "controls")
            tried = "; edits that name them were tried at these, too" * bool(self.fixes)
            yield (
                f"{number} cannot be asked for by a name of their own, which is a fault itself"
                f"{tried}."
            )

    @property
    def size(self) -> str:
        """Say how many controls there are on how many pages."""
        pages = cluster_words(self.pages, "pages")
        return f"{cluster_words(self.controls, 'controls')} on {pages}"

    def _of_model(self) -> Iterator[str]:
        if not self.model:
            return
        asked = cluster_words(self.asked, "controls")
        yield f"{self.model} misses {len(self.missed)} of {asked} that can be asked for by name."
        if not self.missed:
            return
        yield from self._of_faults()
        helping = [fix for fix in self.fixes if fix.helps]
        listed = "; ".join(f"{TITLES[fix.kind]} ({_back(fix)})" for fix in helping)
        yield f"What helps, proven: {listed}." if listed else "No kind of edit is proven to help."
        few = [fix for fix in self.fixes if not fix.helps and fix.compared_elsewhere < fix.needed]
        if few:
            listed = "; ".join(f"{TITLES[fix.kind]} ({_back(fix)})" for fix in few)
            yield f"Tried at too few controls to tell: {listed}."
        useless = [fix for fix in self.fixes if not fix.helps and fix not in few]
        if useless:
            listed = ", ".join(f"{TITLES[fix.kind]} ({_back(fix)})" for fix in useless)
            yield f"Not shown to help, so not recommended: {listed}."
        if self.idle:
            number = cluster_words(len(self.idle), "edits")
            be = "is" if len(self.idle) == 1 else "are"
            yield f"{number} had no effect, and {be} not counted."

    def _of_faults(self) -> Iterator[str]:
        """Yield how many controls have each fault, and how many of these are missed."""
        parts = []
        for name, words in FAULT_WORDS.items():
            own = [group for group in self.faults if name in group.faults]
            asked = sum(group.asked for group in own)
            if asked:
                parts.append(f"{sum(group.missed for group in own)} of {asked} that {words}")
        parts += [
            f"{group.missed} of {group.asked} that have no such fault"
            for group in self.faults
            if not group.faults
        ]
        under = ", each under each change" * (len(self.variants) > 1)
        several = sum(group.asked for group in self.faults if len(group.faults) > 1)
        more = f"; {several} of these {'has' if several == 1 else 'have'} several faults"
        if parts:
            yield f"It misses {_listed(parts)}{under}{more * bool(several)}."


def _listed(parts: Sequence[str]) -> str:
    """
    Return parts of a sentence in a row.

    >>> _listed(["a", "b", "c"])
    'a, b, and c'
    """
    return ", ".join((*parts[:-1], f"and {parts[-1]}")) if len(parts) > 1 else parts[0]


def _change_words(changed: ChangedFaults) -> str:
    """Say which faults are new since a baseline, and how many are gone."""
    new = changed.new
    listed = "; ".join(
        f"{finding.control.title} on {finding.page}: {RULES[finding.rule]}"
        for finding in new[:NAMED]
    )
    more = f"; and {len(new) - NAMED} more" * (len(new) > NAMED)
    count = f"{cluster_words(len(new), 'new faults')} ({listed}{more})" if new else "no new fault"
    return f"Since the baseline: {count}, {changed.gone} gone."


def site_report(
    folder: Path,
    facts: Mapping[str, Sequence[ControlFacts]],
    answers: SiteAnswers | None,
    *,
    seed: int = 0,
) -> SiteReport:
    """
    Return what was found of a site, from the facts of its controls and a model's answers.

    ``folder`` has its SCREENS.
    """
    screens = {screen.page: screen for screen in read_screens(folder)}
    sites = dict.fromkeys(screen.site or screen.page for screen in screens.values())
    findings = broken_rules(facts)
    unaskable = tuple(
        (one.title, page, one.unaskable)
        for page in sorted(facts)
        for one in facts[page]
        if one.unaskable
    )
    controls = sum(map(len, facts.values()))
    found = SiteReport(
        title=", ".join(sites),
        pages=len(facts),
        controls=controls,
        findings=findings,
        unaskable=unaskable,
        pictures={
            f"{one.page}#{one.control.element}": _shown(
                folder, screens[one.page], one.control.element
            )
            for one in findings
        },
    )
    if answers is None:
        return found
    return msgspec.structs.replace(
        found,
        model=answers.model,
        variants=answers.variants,
        samples=answers.samples,
        asked=len(answers.asked),
        unasked=controls - len(unaskable) - len(answers.asked),
        missed=tuple(
            (one.facts.title, one.page, ", ".join(map(variant_title, one.questions)))
            for one in answers.missed
            if one.questions
        ),
        faults=tuple(_faults(answers)),
        idle=tuple(_idle(answers)),
        fixes=judge_fixes(answers.judged, seed=seed),
        mended=tuple(_mended(answers)),
    )


def _shown(folder: Path, screen: Screen, element: str) -> ShownControl:
    found = screen.element(element)
    box = Box(0.0, 0.0, 0.0, 0.0) if found is None else found.box
    return ShownControl(str(folder), screen.image, screen.width, screen.height, box)


def _faults(answers: SiteAnswers) -> Iterator[FaultShown]:
    """Yield how many questions are about which faults, and what brought back those missed."""
    faults = {control.pair: control.faults for control in answers.missed if control.questions}
    tried: dict[tuple[str, ...], dict[str, list[bool]]] = {}
    for one in answers.counts:
        if one.control in faults:
            own = tried.setdefault(faults[one.control], {})
            own.setdefault(one.kind, []).append(one.back)
    for group in answers.faults:
        edits = [
            (kind, sum(back), len(back)) for kind, back in tried.get(group.faults, {}).items()
        ]
        edits.sort(key=lambda edit: -edit[1] / edit[2])
        yield FaultShown(group.faults, group.asked, group.missed, tuple(edits))


def _idle(answers: SiteAnswers) -> Iterator[tuple[str, str, str]]:
    controls = {control.pair: control for control in answers.missed}
    for name, kind in answers.idle:
        yield controls[name].facts.title, controls[name].page, TITLES[kind]


def _mended(answers: SiteAnswers) -> Iterator[MendedControl]:
    """Yield what each fix did to each control, in the first of the conditions it was made in."""
    if answers.fixes is None:
        return
    controls = {control.pair: control for control in answers.missed}
    unchanged = {(one.page, one.variant): one for one in read_screens(answers.bench)}
    first: dict[tuple[str, str], MendedPage] = {}
    for page in answers.mended:
        for asked in page.asked:
            if page.arm == FIX:
                first.setdefault((f"{page.page}#{asked.element}", page.kind), page)
    for one in answers.judged:
        control, page = controls[one.control], first[one.control, one.kind]
        before = unchanged.get((page.page, page.variant))
        if before is not None:
            yield _mended_control(answers, control, one, page, before)


def _mended_control(
    answers: SiteAnswers,
    control: MissedControl,
    one: FixCount,
    page: MendedPage,
    before: Screen,
) -> MendedControl:
    element = control.facts.element
    change = next(change for change in page.changes if change.element == element)
    asked = next(asked for asked in page.asked if asked.element == element)
    words = control.words(page.variant, renames=False)
    new = asked.instruction
    return MendedControl(
        control=control.facts.title,
        page=page.page,
        count=one,
        words="" if words is None else words.text,
        new_words="" if new is None or (words and words.text == new.text) else new.text,
        css=change.css,
        before=change.before,
        after=change.after,
        variant=page.variant,
        unfixed=_shown(answers.bench, before, element),
        fixed=_shown(answers.fixes or answers.bench, page.screen, element),
    )


def write_site(found: SiteReport, out: Path) -> None:
    """Write the page; its pictures are read from the folders that the report names."""
    first, *more = found.sentences()
    table = _fixes_table(found) if found.fixes else _rules_table(found)
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
            "shown": "Before and after" if found.mended else "Show me",
        },
        sections=tuple(_sections(found)),
        gallery=Gallery(
            "Edits, before and after" if found.mended else "Controls",
            "The control is framed." + " The CSS or HTML is to be copied." * bool(found.mended),
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
    under = ", ".join(map(variant_title, found.variants))
    times = cluster_words(found.samples, "times")
    return (
        f"{cluster_words(found.asked, 'controls')} asked for {times} under each of: {under}; "
        f"{found.unasked} more were asked for on another page, or cannot be under every change"
    )


def _back(fix: FixFinding) -> str:
    return f"{fix.back} of {fix.controls} come back"


def _verdict(fix: FixFinding) -> str:
    if fix.helps:
        return "helps"
    if fix.compared_elsewhere < fix.needed:
        return f"too few to tell: it takes {fix.needed}"
    return "not shown to help"


def _fixes_table(found: SiteReport) -> Table:
    rows: list[tuple[Shown, ...]] = [
        (
            TITLES[fix.kind],
            _verdict(fix),
            f"{fix.back} of {fix.controls}",
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
    rules = Counter(one.rule for one in found.findings)
    return Table(
        ("rule", "what it finds", "controls"),
        tuple((rule, RULES[rule], count(rules[rule])) for rule in RULES),
    )


def _bars(found: SiteReport) -> str:
    """Draw how many controls each edit brings back, beside how many come back without it."""
    parts = []
    for row, fix in enumerate(found.fixes):
        top = 10 + 44 * row
        share, bare = fix.back / fix.controls, fix.back_again / fix.controls
        verdict = _verdict(fix).partition(":")[0]
        label = escape(f"{TITLES[fix.kind]}: {fix.back} of {fix.controls}, {verdict}")
        shade = 1 if fix.helps else 0.35
        parts.append(
            f'<text x="0" y="{top + 12}">{label}</text>'
            f'<rect x="0" y="{top + 18}" width="{BAR_PX}" height="12" fill="currentColor" '
            'fill-opacity="0.08"/>'
            f'<rect x="0" y="{top + 18}" width="{BAR_PX * share:.0f}" height="12" '
            f'fill="var(--accent)" fill-opacity="{shade}"/>'
            f'<rect x="{(BAR_PX - 2) * bare:.0f}" y="{top + 15}" width="2" height="18" '
            'fill="currentColor"/>'
        )
    height = 14 + 44 * len(found.fixes)
    label = "How many controls come back with each edit; a line marks how many do without it"
    return (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 {BAR_PX} {height}" '
        f'style="max-width: 56rem">{"".join(parts)}</svg>'
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
            (one.control.title, one.page, one.rule, one.control.measure(one.rule))
            for one in found.findings
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
    if found.mended:
        for fix in found.fixes:
            own = [one for one in found.mended if one.count.kind == fix.kind]
            own.sort(key=lambda one: (not one.count.back, one.page, one.control))
            yield from (_mended_card(found, fix, one) for one in own[:A_KIND])
        return
    for rule in RULES:
        own_rule = (one for one in found.findings if one.rule == rule)
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


def _mended_card(found: SiteReport, fix: FixFinding, one: MendedControl) -> Card:
    sides = one.count
    note = (
        f"{_of(sides.fix)} hit with the edit, {_of(sides.again)} without it, "
        f"{_of(sides.elsewhere)} with the same edit at other controls. As a kind: {_verdict(fix)}."
    )
    if one.new_words:
        asked = f"{one.new_words} It was asked before: {one.words}" if one.words else one.new_words
        note += f" The words change with the name: {asked}"
    code = [("CSS", one.css)] if one.css else []
    if one.after:
        code.append(("HTML", f"<!-- before -->\n{one.before}\n<!-- after -->\n{one.after}"))
    under = variant_title(one.variant)
    return Card(
        instruction=f"{one.control}: {TITLES[sides.kind]}",
        page=one.page,
        model=found.model,
        role="",
        panes=(
            _pane(f"before ({under})", one.unfixed, f"{_of(sides.again)} hit"),
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
    part = _around(shown)
    picture = embed_image(ObjectStore(Path(shown.folder)).get(shown.image), part)
    box = shown.box
    svg = (
        f'<svg role="img" aria-label="{escape(name)}" viewBox="0 0 {part.width:.0f} '
        f'{part.height:.0f}"><image href="{picture}" width="{part.width:.0f}" '
        f'height="{part.height:.0f}"/><rect class="target" x="{box.left - part.left - 3:.1f}" '
        f'y="{box.top - part.top - 3:.1f}" width="{box.width + 6:.1f}" '
        f'height="{box.height + 6:.1f}"/></svg>'
    )
    return Pane(name, svg, verdict, hit=None)


def _around(shown: ShownControl) -> Box:
    """Return a part of a picture that has the control in it, whole pixels."""
    wide = min(max(SHOWN_PX[0], shown.box.width + 40), float(shown.width))
    high = min(max(SHOWN_PX[1], shown.box.height + 40), float(shown.height))
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
    yield "Helps", f"the gain over both is surely above none: {test} of edits"
