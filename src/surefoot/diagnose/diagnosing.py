"""
The work behind ``surefoot diagnose``: a model is diagnosed on folders BENCH, into a folder DIR.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.core.errors import InvalidInputError, ModelError
from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer, Question
from surefoot.diagnose.causes.chance import usual_modes
from surefoot.diagnose.causes.checking import Checker
from surefoot.diagnose.causes.confirming import confirmation, wanted_for
from surefoot.diagnose.causes.profile import profile
from surefoot.diagnose.causes.spending import Spending
from surefoot.diagnose.classes import class_facts, class_questions
from surefoot.diagnose.collecting import CheckedMisses, check_trail, element_finding
from surefoot.diagnose.findings import Diagnosis, Profile, Weakness
from surefoot.diagnose.folder import (
    remember_model,
    write_asked,
    write_diagnosis,
    write_failing,
)
from surefoot.diagnose.search.arms import Arm, ArmResult
from surefoot.diagnose.search.asker import Asker
from surefoot.diagnose.search.fresh import Wanted, changed_arms, fresh_arms
from surefoot.diagnose.search.heuristics import HeuristicPlanner
from surefoot.diagnose.search.llm_planner import LlmPlanner
from surefoot.diagnose.search.loop import search
from surefoot.diagnose.search.moves import Moves
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.diagnose.search.planner import RandomPlanner, SearchPlanner
from surefoot.diagnose.search.planning import Planner
from surefoot.diagnose.search.pool import BenchPool
from surefoot.diagnose.search.recorded import FORMS
from surefoot.diagnose.search.shrink import Reduction, shrink_all, shrinking
from surefoot.diagnose.search.suite import OpenedSuite, SuitePool, open_suite
from surefoot.diagnose.search.trail import Trail
from surefoot.diagnose.summary import diagnosis_lines, distinct_answers, summarise_findings
from surefoot.models import BACKENDS, Model, ModelSpec, Options, check_one_server, open_model
from surefoot.models.model import Responder
from surefoot.run.asking.recorded import RecordedForms
from surefoot.run.asking.run import check_first, check_note
from surefoot.run.asking.runs import remember_bench
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Progress
from surefoot.run.engine.stopping import run_interruptible
from surefoot.run.folders.folder import CLASSES, is_kind, manifest_digest

if TYPE_CHECKING:
    from rich.console import Console


VERSION: Final = 6  # of what a diagnosis asks and finds
MOST_SETTLED: Final = 8  # causes that are held to fresh questions


def diagnose_model(  # noqa: PLR0913 - what a diagnosis is made of, all by name
    bench: Path | Sequence[Path],
    spec: ModelSpec,
    out: Path,
    chosen: DiagnoseOptions,
    *,
    format_name: str = "",
    options: Options,
    check: bool = True,
    retry_failed: bool = False,
    console: Console | None = None,
    pool: BenchPool | OpenedSuite | None = None,
    checker: Checker | None = None,
    forms: Mapping[Path, RecordedForms] | None = None,
) -> tuple[Outcome, Diagnosis]:
    """
    Diagnose a model on the elements of one benchmark or several, or go on diagnosing it.

    Runs over ``forms``, by their folders, are not asked anew: what they recorded is evidence like
    any other. The same plan gives the same bytes, however often it was stopped; no question is
    asked twice. ``pool`` and ``checker`` are those of the benchmarks, where they are at hand.
    Raises InvalidInputError as ``ask_model`` does, and ModelError where the planner's server
    gives no reply.
    """
    benches = [bench] if isinstance(bench, Path) else list(bench)
    if pool is None:
        suite = open_suite(
            benches, out, seed=chosen.seed, most=chosen.most, unit=chosen.unit, forms=forms
        )
    elif isinstance(pool, OpenedSuite):
        suite = pool
    else:
        suite = OpenedSuite(SuitePool.of([pool]))
    model: Model | RecordedModel
    if suite.pool.pools:
        model = open_model(spec, format_name=format_name, options=options)
        check_one_server([spec, chosen.planner_model], options)
    else:
        model = RecordedModel(", ".join(suite.agents))
    helper = _helper(chosen, options)
    plan = diagnosis_plan([*benches, *(forms or ())], model, chosen, helper)
    screens = suite.pool.scenes.screens
    sizes = [(screen.width, screen.height) for screen in screens.values()]
    checked = check and isinstance(model, Model) and model.checkable
    seen = check_first(out, spec, format_name, options, sizes=sizes) if checked else None
    note = check_note(seen)
    with (
        Ledger.open(out, plan, retry_failed=retry_failed) as ledger,
        Progress(f"diagnosing {model.name}", console) as progress,
    ):
        remember_bench(out, [*benches, *(forms or ())][0])
        # What a function is cannot be written down, so no other diagnosis can ask it.
        remember_model(out, spec if isinstance(spec, str) else "", format_name)
        judges = checker or Checker(suite.pool.scenes, suite.pool)
        work = _Work(suite, judges, model, helper, ledger, chosen, options.concurrency)
        diagnosis = run_interruptible(work.diagnose(progress, plan))
        recorded = [result for trail in suite.recorded for result in trail.tried]
        known = [result.answer for result in recorded if result.answer is not None]
        failures = (
            *write_diagnosis(
                out, diagnosis, work.asker.questions, model.identity(), ledger, known
            ),
            *work.planner.unread,
        )
        asked = work.asker.questions | {
            result.arm.question.id: result.arm.question for result in recorded
        }
        pictures = screens, suite.pool.pictures.get
        failing = write_failing(out, diagnosis, asked, *pictures)
        if work.in_classes:
            write_asked(out / CLASSES, diagnosis, work.in_classes, *pictures)
    lines = (*((note,) if note else ()), *diagnosis_lines(diagnosis, len(failing)))
    return Outcome(out, progress.tally, failures, lines), diagnosis


def diagnosis_plan(
    bench: Path | Sequence[Path],
    model: Model | RecordedModel,
    chosen: DiagnoseOptions,
    helper: Responder | None = None,
) -> dict[str, object]:
    """Return the plan of a diagnosis: benchmarks, model, and all that was chosen."""
    folders = [bench] if isinstance(bench, Path) else bench
    digests = (
        manifest_digest(folder, FORMS if is_kind(folder, FORMS) else "bench") for folder in folders
    )
    return {
        "kind": "diagnosis",
        "version": VERSION,
        "bench": " ".join(digests),
        "model": model.identity(),
        "options": msgspec.to_builtins(chosen),
        "planner": {} if helper is None else {"name": helper.name, **helper.identity()},
    }


class RecordedModel:
    """Stand for who filled forms in, where nothing is left to ask."""

    def __init__(self, name: str) -> None:
        self.name = name

    def identity(self) -> dict[str, object]:
        """Return who it was."""
        return {"name": self.name}

    async def answer(
        self,
        question: Question,  # noqa: ARG002
        image: bytes,  # noqa: ARG002
        *further: bytes,  # noqa: ARG002
    ) -> Answer:
        """Raise ModelError: a run that is over answers nothing."""
        raise ModelError("recorded", expected="a model that can be asked", found=self.name)

    async def close(self) -> None:
        """Leave all as it is."""


class _Work:
    """Hold what a diagnosis works with, and do it step by step."""

    def __init__(
        self,
        suite: OpenedSuite,
        checker: Checker,
        model: Model | RecordedModel,
        helper: Responder | None,
        ledger: Ledger,
        chosen: DiagnoseOptions,
        concurrency: int,
    ) -> None:
        self.suite = suite
        self.pool = pool = suite.pool
        self.checker = checker
        self.chosen = chosen
        self.model = model
        self.helper = helper
        self.ledger = ledger
        self.asker = Asker(
            model, pool.pictures.get, ledger, concurrency=concurrency, twice=chosen.twice
        )
        self.moves = Moves(pool.scenes)
        self.planner = self._planner()
        self.in_classes: tuple[Question, ...] = ()

    async def diagnose(self, progress: Progress, plan: Mapping[str, object]) -> Diagnosis:
        """Search, check, shrink, ask the baseline, and sum it up; closes the models."""
        try:
            trails = await search(self.pool, self.planner, self.asker, self.chosen, progress)
            searched = self._checked(trails)
            reduced = await self._shrunk(searched)
            random = await self._baseline()
            baseline = self._checked(random)
            # What a form asks for needs no proof: its own page says which field it is.
            known = [
                CheckedMisses(trail, tuple(trail.failures), (), ())
                for trail in self.suite.recorded
            ]
            checked = [*searched, *known]
            answers = distinct_answers((*checked, *baseline))
            causes, confirming = await self._causes(answers, trails)
        finally:
            await self.model.close()
            if self.helper is not None:
                await self.helper.close()
        findings, unplanned = (
            [
                element_finding(
                    misses,
                    shrunk.get(misses.trail.subject.pair, []),
                    self.pool.scenes,
                    self.moves,
                    select=self.chosen.select,
                )
                for misses in several
            ]
            for several, shrunk in ((checked, reduced), (baseline, {}))
        )
        # Of a form's page the fields alone are known, which is too little to say why by rules.
        failures = [tried for misses in searched for tried in misses.valid]
        usual = usual_modes(failures, self.pool.scenes, self.chosen.seed)
        return summarise_findings(
            plan,
            self.model.name,
            self.chosen,
            checked,
            findings,
            baseline,
            causes=causes,
            usual=usual,
            confirming=confirming,
            population=self.pool.population(misses.trail.subject for misses in checked),
            unplanned=unplanned,
            pillars=self._pillars(checked),
            notes=self._notes(),
        )

    def _pillars(self, checked: Sequence[CheckedMisses]) -> tuple[str, ...]:
        """Return the benchmarks in the order in which they were named."""
        answers = (result for misses in checked for result in misses.trail.tried)
        names = (pool.pillar for pool in self.pool.pools)
        return tuple(dict.fromkeys((*names, *(answer.arm.pillar for answer in answers))))

    def _notes(self) -> list[str]:
        """Say what is to be known of runs over forms."""
        unknown, agents = self.suite.unknown, self.suite.agents
        notes = {
            f"{unknown} fields were filled in without a click, of which nothing is known": unknown,
            f"the forms were filled in by {', '.join(agents)}": (
                bool(agents) and set(agents) != {self.model.name}
            ),
        }
        return [words for words, holds in notes.items() if holds]

    async def _causes(
        self, answers: Sequence[ArmResult], trails: Sequence[Trail]
    ) -> tuple[Profile, int]:
        """
        Name causes and hold them to fresh questions; return how many were asked as well.

        Without what did not hold causes are named anew. What it was held to is then evidence
        like any other, and what is named next is held to other questions.
        """
        settled: list[Weakness] = []
        spending = Spending()
        known, asked = list(answers), 0
        used = {answer.arm.question.id for answer in answers}
        while True:
            causes = profile(known, self.pool.scenes, self.model.name, settled)
            before = {weakness.comparison.value for weakness in settled}
            named = [weakness for weakness in causes.weaknesses if weakness.named]
            new = [weakness for weakness in named if weakness.comparison.value not in before]
            if not new or not self.chosen.confirm or len(settled) >= MOST_SETTLED:
                break
            judged, fresh, changed = await self._confirmed(
                new, named, known, used, trails, spending
            )
            judged = [self._excused(weakness) for weakness in judged]
            asked += len(fresh) + changed
            used |= {answer.arm.question.id for answer in fresh}
            settled += judged
            if all(weakness.said for weakness in judged):
                known += fresh
                break
            held = [
                wanted_for(weakness, named, self.pool.scenes)
                for weakness in settled
                if weakness.said
            ]
            known += [
                result for result in fresh if not any(want.inside(result.arm) for want in held)
            ]
        found = _settled(causes, settled, tested=self.chosen.confirm > 0)
        return self._described(found, known), asked

    def _excused(self, weakness: Weakness) -> Weakness:
        """Say of a cause of which nothing is left to ask why its benchmarks make nothing new."""
        confirmation = weakness.confirmed
        if confirmation is None or confirmation.inside:
            return weakness
        names = weakness.pillars or tuple(pool.pillar for pool in self.pool.pools) or (FORMS,)
        reasons = [self.pool.cannot_ask(name) for name in names]
        if not all(reasons):
            return weakness
        return msgspec.structs.replace(
            weakness, confirmed=None, unconfirmed="; ".join(dict.fromkeys(reasons))
        )

    def _described(self, causes: Profile, answers: Sequence[ArmResult]) -> Profile:
        """Add pictures, counts and advice to the causes that are said."""
        named = [weakness for weakness in causes.weaknesses if weakness.said]
        wanted = {
            weakness.comparison.value: wanted_for(weakness, named, self.pool.scenes)
            for weakness in named
        }
        self.in_classes = class_questions(named, wanted, answers)
        described = (
            msgspec.structs.replace(
                weakness,
                facts=class_facts(weakness, wanted[weakness.comparison.value], self.pool, answers),
            )
            if weakness.said
            else weakness
            for weakness in causes.weaknesses
        )
        return msgspec.structs.replace(causes, weaknesses=tuple(described))

    async def _confirmed(
        self,
        new: Sequence[Weakness],
        named: Sequence[Weakness],
        known: Sequence[ArmResult],
        used: AbstractSet[str],
        trails: Sequence[Trail],
        spending: Spending,
    ) -> tuple[list[Weakness], list[ArmResult], int]:
        """
        Hold new causes to fresh questions; return them, the answers, and how many more.

        Those of which the answers cannot tell, though they lean to it, get as many once more.
        """
        wanted = [wanted_for(weakness, named, self.pool.scenes) for weakness in new]
        fresh = await self._fresh(wanted, used)
        failures = [(trail.subject, failure) for trail in trails for failure in trail.failures]
        changed: list[list[ArmResult]] = []
        for weakness, want in zip(new, wanted, strict=True):
            arms = list(changed_arms(self.pool, failures, want)) if weakness.sliced else []
            changed.append(await self.asker.results(self._valid(arms)))

        def judged(place: int) -> Weakness:
            level, tests = spending.spend(new[place], known)
            confirmed = confirmation(
                new[place],
                wanted[place],
                fresh,
                changed[place],
                self.pool.scenes,
                level=level,
                tests=tests,
            )
            return msgspec.structs.replace(new[place], confirmed=confirmed)

        verdicts = [judged(place) for place in range(len(new))]
        open_ = [place for place, verdict in enumerate(verdicts) if verdict.is_open]
        if open_:
            asked = used | {result.arm.question.id for result in fresh}
            fresh += await self._fresh([wanted[place] for place in open_], asked)
            for place in open_:
                verdicts[place] = judged(place)
        return verdicts, fresh, sum(map(len, changed))

    async def _fresh(self, wanted: Sequence[Wanted], used: AbstractSet[str]) -> list[ArmResult]:
        count, seed = self.chosen.confirm, self.chosen.seed
        arms = fresh_arms(self.pool, wanted, used, count=count, seed=seed)
        return list(await self.asker.results(self._valid(arms)))

    def _valid(self, arms: Sequence[Arm]) -> list[Arm]:
        return [arm for arm in arms if self.checker.valid(arm.question)]

    def _planner(self) -> Planner:
        if self.helper is not None:
            scenes, images = self.pool.scenes, self.pool.pictures.get
            return LlmPlanner(self.helper, self.pool, scenes, images, self.ledger)
        if self.chosen.planner == "random":
            return RandomPlanner(self.chosen.seed)
        if self.chosen.planner == "heuristics":
            return HeuristicPlanner(self.moves.of)
        return SearchPlanner(self.chosen.seed, self.pool, thorough=self.chosen.thorough)

    def _checked(self, trails: Sequence[Trail]) -> list[CheckedMisses]:
        return [check_trail(trail, self.checker) for trail in trails]

    async def _baseline(self) -> list[Trail]:
        if not self.chosen.baseline:
            return []
        random, silent = RandomPlanner(self.chosen.seed), Progress("baseline")
        return await search(self.pool, random, self.asker, self.chosen, silent)

    async def _shrunk(self, checked: Sequence[CheckedMisses]) -> dict[str, list[Reduction]]:
        if not self.chosen.shrink:
            return {}
        found: dict[str, list[Reduction]] = {}
        size = self.chosen.together
        for start in range(0, len(checked), size):
            batch = checked[start : start + size]
            works = [(misses, tried) for misses in batch for tried in misses.valid]
            done = await shrink_all([self._reduce(*work) for work in works], self.asker)
            for (misses, _), reduced in zip(works, done, strict=True):
                found.setdefault(misses.trail.subject.pair, []).append(reduced)
        return found

    def _reduce(
        self, checked: CheckedMisses, tried: ArmResult
    ) -> Generator[Arm, ArmResult, Reduction]:
        subject = checked.trail.subject
        arms = [*checked.trail.left, *(result.arm for result in checked.trail.tried)]
        budget, valid = self.chosen.shrink, self.checker.valid
        return shrinking(tried, subject, self.pool, arms, budget, valid=valid)


def _settled(causes: Profile, settled: Sequence[Weakness], *, tested: bool) -> Profile:
    """
    Put what was held to fresh questions in the place of what is named.

    Where causes are ``tested``, what no test was left for is not named. What a cause explains
    is what it does without those that did not hold.
    """
    last = {
        weakness.comparison.value: weakness.explains
        for weakness in causes.weaknesses
        if weakness.named
    }
    settled = [
        msgspec.structs.replace(
            weakness, explains=last.get(weakness.comparison.value, weakness.explains)
        )
        for weakness in settled
    ]
    by_value = {weakness.comparison.value: weakness for weakness in settled}
    others = [
        msgspec.structs.replace(weakness, named=weakness.named and not tested)
        for weakness in causes.weaknesses
        if weakness.comparison.value not in by_value
    ]
    found = [*settled, *others]
    found.sort(key=lambda one: (not one.named, -one.explains))
    left = max(0.0, 1 - sum(weakness.explains for weakness in found if weakness.said))
    return msgspec.structs.replace(causes, weaknesses=tuple(found), left=left)


def _helper(chosen: DiagnoseOptions, options: Options) -> Responder | None:
    """Open the model of the planner "llm"; raises InvalidInputError where none is named."""
    if chosen.planner != "llm":
        return None
    head, _, rest = chosen.planner_model.partition(":")
    if not head:
        raise InvalidInputError(
            "a model for the planner",
            found="none",
            remedy="write --planner-model openai:NAME@BASE_URL",
        )
    return BACKENDS.get(head).open(rest, options)
