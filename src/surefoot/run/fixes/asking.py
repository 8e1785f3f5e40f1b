"""
What a model missed, asked again: unchanged, with each fix that applies, and with it elsewhere.

Elements were chosen because they were missed, so some would be hit at a second asking anyway; and
any change of a page may tip an answer. A fix is therefore compared with both: the same control
asked again on the unchanged page, and on a page where others got the same fix.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.capture.contents import Contents
from surefoot.capture.settings import Settings
from surefoot.core.canonical import digest
from surefoot.core.edit import Relabel
from surefoot.core.instruction import Instruction
from surefoot.core.ledger import Ledger, read_plan
from surefoot.core.perturbation import parse_variant
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.refer.scene.scene import Scene
from surefoot.run.asking.runs import FinishedRun, open_run
from surefoot.run.building.entering import entered
from surefoot.run.engine.outcome import Outcome, results_of
from surefoot.run.engine.pool import Unit, run_units
from surefoot.run.engine.processes import Workers
from surefoot.run.engine.progress import Progress
from surefoot.run.fixes.arms import (
    AGAIN,
    ELSEWHERE,
    FIX,
    ArmName,
    FixArm,
    MendedPage,
    WantedAnswer,
    as_seen,
)
from surefoot.run.fixes.faults import FaultCount, SeenFacts, count_faults, faults_of, worst_of
from surefoot.run.fixes.kinds import FIXES, FixKind, fix_named, fixes_of, is_judged
from surefoot.run.fixes.rules import ControlFacts, control_facts
from surefoot.run.folders.folder import export, read_screens, read_table
from surefoot.run.folders.objects import pictures_held
from surefoot.score.fixes import FixCount
from surefoot.score.hits import judge

if TYPE_CHECKING:
    from rich.console import Console

VERSION: Final = 5  # of the fixes, their arms and the questions about them
TOGETHER: Final = 4  # controls of a page that are fixed in one rendering
MENDED: Final = "mended.jsonl"


class MissedControl(msgspec.Struct, frozen=True):
    """
    Hold a control that a model missed, and the questions about it that it missed, by variant.

    ``facts`` are those of the original, ``seen`` those under each variant that it is asked in
    again. Of what cannot be asked for by its name there are no questions, but ``variants`` to
    ask in.
    """

    page: str
    facts: ControlFacts
    kinds: tuple[str, ...]
    questions: dict[str, Question] = {}
    variants: tuple[str, ...] = ()
    seen: dict[str, ControlFacts] = {}

    @property
    def faults(self) -> tuple[str, ...]:
        """Return the faults that it has where it was missed."""
        return faults_of(worst_of(self.facts, self.seen.values()))

    @property
    def pair(self) -> str:
        """Return what names the control over all pages, as benchmarks do."""
        return f"{self.page}#{self.facts.element}"

    @property
    def asked_in(self) -> tuple[str, ...]:
        """Return the variants that it is asked in again."""
        return tuple(self.questions) or self.variants

    def words(self, variant: str, *, renames: bool) -> Instruction | None:
        """Return what it is asked for by, None where that is its new name."""
        question = self.questions.get(variant)
        return None if renames or question is None else question.instruction


class SiteAnswers(msgspec.Struct, frozen=True):
    """
    Hold what a model was asked of a site, and what came of it.

    ``bench`` and ``fixes`` are the folders BENCH of what was asked first and again, None where
    nothing was missed; ``asked`` are the controls that were asked for by their names, and
    ``faults`` says how many of these have which faults. ``idle`` names a control and a kind of
    fix that had no effect there.
    """

    model: str
    variants: tuple[str, ...]
    samples: int
    bench: Path
    asked: tuple[str, ...]
    missed: tuple[MissedControl, ...]
    faults: tuple[FaultCount, ...] = ()
    fixes: Path | None = None
    mended: tuple[MendedPage, ...] = ()
    counts: tuple[FixCount, ...] = ()
    idle: tuple[tuple[str, str], ...] = ()

    @property
    def judged(self) -> tuple[FixCount, ...]:
        """
        Return the counts at controls that have just the faults that the fix is against.

        What had no name to be asked for by is not among them: nobody has missed it, and no screen
        without the fix shows the name that the fix invents.
        """
        faults = {control.pair: control.faults for control in self.missed if control.questions}
        return tuple(
            count
            for count in self.counts
            if count.control in faults and is_judged(count.kind, faults[count.control])
        )

    @property
    def named(self) -> tuple[FixCount, ...]:
        """Return the count at each control that had no name, with the fix that did best there."""
        nameless = {control.pair for control in self.missed if not control.questions}
        best: dict[str, FixCount] = {}
        for count in self.counts:
            first = best.get(count.control, count)
            if count.control in nameless:
                best[count.control] = first if first.fix[0] >= count.fix[0] else count
        return tuple(best.values())


def read_missed(
    run: Path, facts: Mapping[str, Sequence[ControlFacts]], variants: Sequence[str]
) -> SiteAnswers:
    """Return what a run over a site's BENCH missed, before anything is asked again."""
    found = open_run(run)
    hits = _answered(found)
    seen = _seen_facts(found.bench)
    missed = missed_controls(found.questions, hits, facts, variants, seen)
    lost = [question.id for control in missed for question in control.questions.values()]
    answered = {item.first_sample for item in found.questions if item.id in hits}
    return SiteAnswers(
        model=found.name,
        variants=tuple(variants),
        samples=found.samples,
        bench=found.bench,
        asked=tuple(sorted({question.pair for question in found.questions})),
        missed=tuple(missed),
        faults=count_faults([item for item in found.questions if item.id in answered], lost, seen),
    )


def _seen_facts(bench: Path) -> dict[tuple[str, str], dict[str, ControlFacts]]:
    """Return the facts of the controls of every screen of a BENCH, by page and variant."""
    store = ObjectStore(bench)
    return {
        (screen.page, screen.variant): {
            fact.element: fact
            for fact in control_facts(screen, pixels_of(store.get(screen.image)))
        }
        for screen in read_screens(bench)
    }


def with_fixes(answers: SiteAnswers, run: Path) -> SiteAnswers:
    """Return answers with those of a run over the BENCH of fixes."""
    found = open_run(run)
    hits = _answered(found)
    mended = read_table(found.bench, MENDED, MendedPage, kind="bench")
    return msgspec.structs.replace(
        answers,
        fixes=found.bench,
        mended=mended,
        counts=count_fixes(answers.missed, mended, found.questions, hits),
        idle=idle_fixes(answers.missed, mended),
    )


def _answered(run: FinishedRun) -> dict[str, bool]:
    """Tell of each question with an answer whether it hit: a server that fails misses nothing."""
    answered = {answer.question for answer in run.answers}
    hits = judge(run.questions, run.answers)
    return {name: hit for name, hit in hits.items() if name in answered}


def missed_controls(
    questions: Iterable[Question],
    hits: Mapping[str, bool],
    facts: Mapping[str, Sequence[ControlFacts]],
    variants: Sequence[str],
    seen: SeenFacts,
) -> list[MissedControl]:
    """
    Return what was missed, with the fixes that apply, by page and id.

    ``hits`` are by the ids of samples that have an answer, ``facts`` of the originals by page,
    and ``seen`` those of all screens. A question is missed where at most half of its answers hit.
    Fixes apply to what a control is like where it was missed. What cannot be asked for, and could
    be by another name, is among them, on one page of its site where several have it.
    """
    counts: dict[str, list[bool]] = {}
    first: dict[str, Question] = {}
    for question in questions:
        if question.sample == 1:
            first[question.id] = question
        if question.id in hits:
            counts.setdefault(question.first_sample, []).append(hits[question.id])
    missed: dict[str, dict[str, Question]] = {}
    for name, given in counts.items():
        if 2 * sum(given) <= len(given):
            question = first[name]
            missed.setdefault(question.pair, {})[question.cell.variant] = question
    sites = {question.page_name: question.cluster for question in first.values()}
    found = []
    for page, controls in sorted(facts.items()):
        for control in controls:
            own = missed.get(f"{page}#{control.element}", {})
            where = own or (variants if control.unaskable and page in sites else ())
            screens = {name: seen.get((page, name), {}).get(control.element) for name in where}
            looks = {name: look for name, look in screens.items() if look is not None}
            worst = worst_of(control, looks.values())
            kinds = tuple(kind.name for kind in fixes_of(worst, controls))
            unnamed = () if own or not kinds else tuple(where)
            if own or unnamed:
                found.append(MissedControl(page, control, kinds, own, unnamed, looks))
    return list(_without_repeats(found, sites))


def _without_repeats(
    missed: Iterable[MissedControl], sites: Mapping[str, str]
) -> Iterator[MissedControl]:
    """
    Leave out what would be called as one of another page of its site, and has no own name.

    A button of every page is one control; what is asked for by name is, too, on one page alone.
    """
    called: set[tuple[str, ...]] = set()
    for item in missed:
        names = [fix_named(kind).words(item.facts) for kind in item.kinds]
        identity = (sites.get(item.page, item.page), item.facts.role, *names)
        if item.questions or identity not in called:
            yield item
        if not item.questions:
            called.add(identity)


def fix_arms(
    missed: Sequence[MissedControl],
    facts: Mapping[str, Sequence[ControlFacts]],
    originals: Mapping[str, Screen],
    seed: int,
) -> Iterator[FixArm]:
    """Yield every rendering that is needed, a few controls of a page at a time."""
    for page in dict.fromkeys(control.page for control in missed):
        own = [control for control in missed if control.page == page]
        taken = {control.facts.element for control in own if control.questions}
        others = [fact for fact in facts[page] if fact.element not in taken and not fact.unaskable]
        for kind in FIXES:
            fixed = [control for control in own if kind.name in control.kinds]
            # Neighbours would push one another about, so each rendering has some from all over.
            renderings = math.ceil(len(fixed) / TOGETHER)
            for at in range(renderings):
                some = fixed[at::renderings]
                rivals = _elsewhere(kind, others, len(some), (seed, page, kind.name, str(at)))
                yield from _arms_of(kind, some, rivals, originals[page], seed)


def _elsewhere(
    kind: FixKind, others: Sequence[ControlFacts], count: int, uses: tuple[int, str, str, str]
) -> list[ControlFacts]:
    """Draw controls that were not missed, those first to which the fix applies."""
    drawn = list(others)
    random_source(uses[0], *uses[1:]).shuffle(drawn)
    drawn.sort(key=lambda one: not kind.applies(one))
    return [
        item
        for item in drawn
        if all(edit.text for edit in kind.edits(item) if isinstance(edit, Relabel))
    ][:count]


def _arms_of(
    kind: FixKind,
    some: Sequence[MissedControl],
    rivals: Sequence[ControlFacts],
    original: Screen,
    seed: int,
) -> Iterator[FixArm]:
    arms: list[tuple[ArmName, list[ControlFacts]]] = [(FIX, [item.facts for item in some])]
    if rivals:
        arms.append((ELSEWHERE, list(rivals)))
    for variant in dict.fromkeys(name for item in some for name in item.asked_in):
        asked = [item for item in some if variant in item.asked_in]
        edits = parse_variant(variant).edits(original, seed)
        for arm, changed in arms:
            # A fix that gives another name has its controls asked for by that.
            renames = [arm == FIX and bool(kind.words(item.facts)) for item in asked]
            wanted = tuple(
                WantedAnswer(item.facts.element, item.words(variant, renames=renamed))
                for item, renamed in zip(asked, renames, strict=True)
            )
            own = tuple(edit for item in changed for edit in kind.edits(item))
            yield FixArm(original.page, variant, kind.name, arm, (*edits, *own), wanted, seed)


def build_fixes(  # noqa: PLR0913 - what it is made of, all by name
    missed: Sequence[MissedControl],
    facts: Mapping[str, Sequence[ControlFacts]],
    screens: Path,
    bench: Path,
    out: Path,
    *,
    seed: int = 0,
    workers: int = 2,
    retry_failed: bool = False,
    console: Console | None = None,
) -> Outcome:
    """
    Render every fix, and write a BENCH of what is asked again.

    Its questions say in their ``facts`` of which ``kind`` and ``arm`` they are, and under which
    ``variant``; ``mended.jsonl`` has what was rendered. Raises PlanMismatchError for a folder of
    other misses.
    """
    captured = read_plan(screens)
    settings = msgspec.convert(captured["settings"], Settings)
    contents = msgspec.convert(captured.get("contents", {}), Contents)
    originals = {screen.page: screen for screen in read_screens(screens)}
    arms = list(fix_arms(missed, facts, originals, seed))
    plan = {
        **read_plan(bench),
        "fixes": VERSION,
        "missed": digest([[item.pair, item.kinds, item.asked_in] for item in missed]),
    }
    units = [
        Unit(
            digest([originals[arm.page], plan["renderer"], arm, VERSION]),
            {"screen": msgspec.to_builtins(originals[arm.page]), "arm": msgspec.to_builtins(arm)},
            name=f"{arm.page} ({arm.name})",
        )
        for arm in arms
    ]
    secrets = entered(settings, {originals[item.page].source for item in missed}, console)
    how = Workers(
        factory="surefoot.run.fixes.workers:mender",
        arguments={
            "folder": str(out.absolute()),
            "settings": msgspec.to_builtins(settings),
            "contents": contents,
            **({"secrets": msgspec.to_builtins(secrets)} if secrets else {}),
        },
        count=workers,
        unit_s=2 * settings.limits.unit_s,
    )
    with (
        Ledger.open(out, plan, retry_failed=retry_failed) as ledger,
        Progress("rendering fixes", console) as progress,
    ):
        tally = run_units(units, ledger, how, progress=progress, whole=pictures_held(out))
        mended, failures = results_of(units, ledger, MendedPage)
        source, target = ObjectStore(bench), ObjectStore(out)
        unchanged = {(item.page, item.variant): item for item in read_screens(bench)}
        questions = list(_questions(missed, mended, unchanged, source))
        for image in sorted({question.image for question in questions}):
            if not target.holds(image):
                target.put(source.get(image))
        shown = {item.screen.id: item.screen for item in mended}
        shown |= {item.id: item for item in unchanged.values()}
        used = {question.screen for question in questions}
        export(
            out,
            "bench",
            {
                "questions.jsonl": questions,
                "screens.jsonl": [shown[name] for name in sorted(used)],
                MENDED: mended,
            },
        )
    line = f"{len(questions)} questions about {len(missed)} controls on {len(mended)} renderings"
    return Outcome(out, tally, failures, (line,))


def _questions(
    missed: Sequence[MissedControl],
    mended: Sequence[MendedPage],
    unchanged: Mapping[tuple[str, str], Screen],
    store: ObjectStore,
) -> Iterator[Question]:
    """Yield what is asked under each arm, and on the unchanged page."""
    controls = {(item.page, item.facts.element): item for item in missed}
    renamed: dict[tuple[str, str, str], Instruction] = {
        (page.page, asked.element, page.kind): asked.instruction
        for page in mended
        for asked in page.asked
        if page.arm == FIX and asked.instruction is not None
    }
    for page in mended:
        for asked in page.asked:
            control = controls[page.page, asked.element]
            words = asked.instruction
            if words is None and not asked.unaskable:  # asked for by the name that it will have
                words = _unseen(renamed.get((page.page, asked.element, page.kind)))
            if words is not None:
                yield _question(control, page.screen, words, page.kind, page.arm, page.variant)
    scenes: dict[str, Scene] = {}
    for control in missed:
        for screen in (unchanged.get((control.page, variant)) for variant in control.asked_in):
            if screen is not None:
                if screen.id not in scenes:
                    scenes[screen.id] = Scene(screen, pixels_of(store.get(screen.image)))
                yield from _unchanged(control, scenes[screen.id], renamed)


def _unchanged(
    control: MissedControl, scene: Scene, renamed: Mapping[tuple[str, str, str], Instruction]
) -> Iterator[Question]:
    """Yield what is asked of a control on an unchanged page: once more, or by its new names."""
    screen, element = scene.screen, control.facts.element
    old = control.words(screen.variant, renames=False)
    seen = as_seen(scene, WantedAnswer(element, old))
    if seen.unaskable:
        return
    if seen.instruction is not None:
        yield _question(control, screen, seen.instruction, "", AGAIN, screen.variant)
        return
    for kind in control.kinds:
        words = _unseen(renamed.get((control.page, element, kind)))
        if words is not None:
            yield _question(control, screen, words, kind, AGAIN, screen.variant)


def _unseen(words: Instruction | None) -> Instruction | None:
    """Return words that name what a screen does not show."""
    return None if words is None else msgspec.structs.replace(words, name_visible=False)


def _question(
    control: MissedControl,
    screen: Screen,
    words: Instruction,
    kind: str,
    arm: ArmName,
    variant: str,
) -> Question:
    target = screen.element(control.facts.element)
    if target is None:  # which as_seen has found to be there
        raise AssertionError(control.pair)
    again = f"{kind}-{arm}" if kind and arm != FIX else kind or arm
    return Question(
        id=digest([control.pair, variant, kind, arm])[:20],
        pair=control.pair,
        cluster=screen.site or screen.page,
        cell=Cell(f"{variant}+{again}", words.kind),
        screen=screen.id,
        image=screen.image,
        width=screen.width,
        height=screen.height,
        instruction=words,
        truth=target.box,
        role=target.role,
        facts={"kind": kind, "arm": arm, "variant": variant},
        page=control.page,
    )


def idle_fixes(
    missed: Iterable[MissedControl], mended: Iterable[MendedPage]
) -> tuple[tuple[str, str], ...]:
    """Return each control and kind of fix that was rendered and had no effect, in order."""
    found = _effects(missed, mended)
    return tuple(key for key, variants in found.items() if not variants)


def _effects(
    missed: Iterable[MissedControl], mended: Iterable[MendedPage]
) -> dict[tuple[str, str], list[str]]:
    """Return the variants in which each fix of each control that was rendered had an effect."""
    controls = {control.pair: control for control in missed}
    found: dict[tuple[str, str], list[str]] = {}
    for page in mended:
        touched = {change.element for change in page.changes}
        for asked in page.asked if page.arm == FIX else ():
            name = f"{page.page}#{asked.element}"
            before = controls[name].seen.get(page.variant, controls[name].facts)
            own = found.setdefault((name, page.kind), [])
            # What is not there any more was changed.
            if asked.element in touched and (
                asked.facts is None or fix_named(page.kind).took(before, asked.facts)
            ):
                own.append(page.variant)
    return found


def count_fixes(
    missed: Iterable[MissedControl],
    mended: Sequence[MendedPage],
    questions: Iterable[Question],
    hits: Mapping[str, bool],
) -> tuple[FixCount, ...]:
    """
    Count the answers to each control under each fix that had an effect on it.

    ``questions`` are those of ``build_fixes`` in all their samples, ``hits`` by the ids of those
    that have an answer.
    """
    counted: dict[tuple[str, str, str, str], tuple[int, int]] = {}
    samples = 1
    for question in questions:
        facts = question.facts
        key = question.pair, facts["kind"], facts["arm"], facts["variant"]
        samples = max(samples, question.sample)
        hit, total = counted.get(key, (0, 0))
        answered = question.id in hits
        counted[key] = hit + hits.get(question.id, False), total + answered
    changed = _effects(missed, mended)
    found = []
    for control in missed:
        for kind in control.kinds:
            own = changed.get((control.pair, kind), [])
            arms = {
                arm: [counted.get((control.pair, name, arm, variant)) for variant in own]
                for arm, name in (
                    (FIX, kind),
                    (ELSEWHERE, kind),
                    (AGAIN, "" if control.questions else kind),
                )
            }
            # What the fix itself makes impossible to ask for is missed.
            fixed = [item or (0, samples) for item in arms[FIX]]
            again, elsewhere = _sum(arms[AGAIN]), _sum(arms[ELSEWHERE])
            if again[1] and _sum(fixed)[1]:
                found.append(FixCount(control.pair, kind, _sum(fixed), again, elsewhere))
    return tuple(found)


def _sum(counts: Iterable[tuple[int, int] | None]) -> tuple[int, int]:
    known = [count for count in counts if count is not None]
    return sum(hits for hits, _ in known), sum(asked for _, asked in known)
