"""
The report on a site, from the facts of its controls and a model's answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from surefoot.core.geometry import Box
from surefoot.core.perturbation import variant_title
from surefoot.core.screen import Screen
from surefoot.report.site.found import FaultShown, MendedControl, ShownControl, SiteFound
from surefoot.report.site.sentences import TITLES, site_sentences
from surefoot.run.fixes.arms import FIX, MendedPage
from surefoot.run.fixes.asking import MissedControl, SiteAnswers
from surefoot.run.fixes.rules import ControlFacts, broken_rules
from surefoot.run.folders.folder import read_screens
from surefoot.score.fixes import FixCount, judge_fixes


class SiteReport(SiteFound, frozen=True, kw_only=True):
    """Hold what was found of a site, and say it."""

    def sentences(self) -> tuple[str, ...]:
        """Return what is said of the site: what is missed, what helps, what rules find."""
        return tuple(site_sentences(self))


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
        (fact.title, page, fact.unaskable)
        for page in sorted(facts)
        for fact in facts[page]
        if fact.unaskable
    )
    controls = sum(map(len, facts.values()))
    found = SiteReport(
        title=", ".join(sites),
        pages=len(facts),
        controls=controls,
        findings=findings,
        unaskable=unaskable,
        pictures={
            f"{finding.page}#{finding.control.element}": _shown(
                folder, screens[finding.page], finding.control.element
            )
            for finding in findings
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
            (control.facts.title, control.page, ", ".join(map(variant_title, control.questions)))
            for control in answers.missed
            if control.questions
        ),
        faults=tuple(_faults(answers)),
        idle=tuple(_idle(answers)),
        fixes=judge_fixes(answers.judged, seed=seed),
        mended=tuple(_mended(answers, answers.judged)),
        named=tuple(_mended(answers, answers.named)),
    )


def _shown(folder: Path, screen: Screen, element: str) -> ShownControl:
    found = screen.element(element)
    box = Box(0.0, 0.0, 0.0, 0.0) if found is None else found.box
    return ShownControl(str(folder), screen.image, screen.width, screen.height, box)


def _faults(answers: SiteAnswers) -> Iterator[FaultShown]:
    """Yield how many questions are about which faults, and what brought back those missed."""
    faults = {control.pair: control.faults for control in answers.missed if control.questions}
    tried: dict[tuple[str, ...], dict[str, list[bool]]] = {}
    for count in answers.counts:
        if count.control in faults:
            own = tried.setdefault(faults[count.control], {})
            own.setdefault(count.kind, []).append(count.back)
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


def _mended(answers: SiteAnswers, counts: Iterable[FixCount]) -> Iterator[MendedControl]:
    """Yield what each fix did to each control, in the first of the conditions it was made in."""
    if answers.fixes is None:
        return
    controls = {control.pair: control for control in answers.missed}
    unchanged = {(screen.page, screen.variant): screen for screen in read_screens(answers.bench)}
    first: dict[tuple[str, str], MendedPage] = {}
    for page in answers.mended:
        for asked in page.asked:
            if page.arm == FIX:
                first.setdefault((f"{page.page}#{asked.element}", page.kind), page)
    for count in counts:
        control, page = controls[count.control], first[count.control, count.kind]
        before = unchanged.get((page.page, page.variant))
        if before is not None:
            yield _mended_control(answers, control, count, page, before)


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
