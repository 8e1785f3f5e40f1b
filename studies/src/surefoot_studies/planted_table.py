"""
The table of planted faults: what a diagnosis says of models whose fault is known.

A finding is what was planted where the questions that it is about are those of the planted
class: the phi coefficient of the two, over all questions that the diagnosis could ask about the
benchmark's elements, is at least 0.6. Two classes of the same size agree so much where four in
five of one are of the other, while both are rare. A mistake is known by its name instead, as
its class is not what makes it one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from surefoot.core.canonical import canonical_json, decode
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.core.pictures import Pixels, pixels_of
from surefoot.core.plan import plan_digest
from surefoot.diagnose.causes.checking import Checker
from surefoot.diagnose.causes.confirming import wanted_for
from surefoot.diagnose.causes.table import AND, slice_of
from surefoot.diagnose.diagnosing import diagnose_model, diagnosis_plan
from surefoot.diagnose.findings import Diagnosis, Weakness
from surefoot.diagnose.folder import read_diagnosis
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.diagnose.search.pool import BenchPool, open_pool
from surefoot.models import Options, open_model
from surefoot.phrasing.words import ends_words
from surefoot.score.stats.arrays import Bools
from surefoot_studies.pages import write_between
from surefoot_studies.planted import FAULTS, GIVEN, OWN, Fault, PlantedQuestion, read_faults

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.diagnose.search.arms import Arm


BEGIN: Final = "<!-- measured by surefoot-studies planted{} -->"
END: Final = "<!-- end of what is measured -->"
CHOSEN: Final = DiagnoseOptions(shrink=0, budget=400)
AGREED: Final = 0.6  # phi, from which on two classes of questions count as one


class _Agreement(msgspec.Struct, frozen=True):
    """
    Hold how far each finding's questions are those that were planted, by the finding's name.

    ``plan`` is the digest of the diagnosis's plan. None stands where one of the two is all
    questions, or none. ``needless`` are the conditions of a finding without which it agrees as
    well; None in folders of earlier versions, which are made up for.
    """

    plan: str
    of: dict[str, float | None]
    needless: dict[str, tuple[str, ...]] | None = None


class PlantedRow(msgspec.Struct, frozen=True):
    """
    Say what a diagnosis said of one planted fault.

    ``named`` tells whether what was said first is what was planted, ``said`` and ``dropped``
    are the words of all that was said, and of what did not hold on fresh questions.
    ``agreement`` is that of what was said first, None where there is none to tell, ``needless``
    are its conditions without which it agrees as well (None where that is not known), and
    ``tests`` how often it was tested.
    """

    name: str
    fault: Fault
    found: Diagnosis
    named: bool
    said: tuple[str, ...]
    dropped: tuple[str, ...]
    agreement: float | None
    needless: tuple[str, ...] | None = None
    tests: int = 0


def known_faults(more: Path | None = None) -> dict[str, Fault]:
    """Return the planted faults by name, those of a file last; raises InvalidInputError."""
    return {**FAULTS, **(read_faults(more) if more else {})}


def diagnose_planted(
    bench: Path,
    out: Path,
    faults: Sequence[str] = (),
    *,
    more: Path | None = None,
    console: Console | None = None,
) -> None:
    """
    Diagnose models with planted faults on a benchmark, a folder each, or go on with it.

    Without any named they are those of the file ``more``, or else all. What is finished is
    left as it is. Raises InvalidInputError for a fault that is not known.
    """
    known = known_faults(more)
    chosen = faults or [name for name in known if more is None or name not in FAULTS]
    if unknown := [name for name in chosen if name not in known]:
        raise InvalidInputError(f"faults among {', '.join(known)}", found=f"'{unknown[0]}'")
    pool: BenchPool | None = None
    checker: Checker | None = None
    questions: _Questions | None = None
    for name in chosen:
        spec = f"simulated:{name if name in FAULTS else f'{more}#{name}'}@{bench}"
        plan = plan_digest(diagnosis_plan(bench, open_model(spec), CHOSEN))
        finished = _finished(out, name, plan)
        if finished and _agreement(out, name).needless is not None:
            continue
        pool = pool or open_pool(bench, out / "pictures", seed=CHOSEN.seed, most=CHOSEN.most)
        if finished:
            questions = questions or _Questions(pool)
            _agree(out, name, plan, known[name], read_diagnosis(out / name), questions)
            continue
        checker = checker or Checker(pool.scenes)
        _, found = diagnose_model(
            bench,
            spec,
            out / name,
            CHOSEN,
            options=Options(),
            console=console,
            pool=pool,
            checker=checker,
        )
        questions = questions or _Questions(pool)
        _agree(out, name, plan, known[name], found, questions)


def _agree(
    out: Path, name: str, plan: str, fault: Fault, found: Diagnosis, questions: _Questions
) -> None:
    """Keep how far the findings about a fault are the fault, and what they could do without."""
    agreement = _Agreement(plan, *questions.agreements(fault, found))
    path = _agreement_path(out, name)
    path.parent.mkdir(exist_ok=True)
    write_atomic(path, canonical_json(agreement))


def _agreement_path(out: Path, name: str) -> Path:
    return out / "agreement" / f"{name}.json"


def _finished(out: Path, name: str, plan: str) -> bool:
    if not (out / name / "diagnosis.json").is_file() or not _agreement_path(out, name).is_file():
        return False
    return {read_diagnosis(out / name).plan, _agreement(out, name).plan} == {plan}


def _agreement(out: Path, name: str) -> _Agreement:
    path = _agreement_path(out, name)
    return decode(path.read_bytes(), _Agreement, what=str(path))


class _Questions:
    """Hold all questions that a diagnosis could ask about a benchmark's elements."""

    def __init__(self, pool: BenchPool) -> None:
        self._pool = pool
        arms = [arm for subject in pool.subjects() for arm in pool.arms(subject)]
        # Screen by screen, since neither scenes nor pixels are kept for long.
        self._arms = sorted(arms, key=lambda arm: (arm.question.screen, arm.question.id))

    def agreements(
        self, fault: Fault, found: Diagnosis
    ) -> tuple[dict[str, float | None], dict[str, tuple[str, ...]]]:
        """
        Return how far the questions of each finding that is named are those of a fault.

        Besides, the conditions of each without which they would be as far.
        """
        named = [weakness for weakness in found.profile if weakness.named]
        if not named:
            return {}, {}
        held = self._held(fault)
        agreed, needless = {}, {}
        for weakness in named:
            value = weakness.comparison.value
            agreed[value] = phi(self._inside(weakness), held)
            needless[value] = tuple(
                left_out
                for left_out, rest in _without_one(weakness)
                if (phi(self._inside(rest), held) or 0.0) >= (agreed[value] or 0.0)
            )
        return agreed, needless

    def _inside(self, weakness: Weakness) -> Bools:
        inside = wanted_for(weakness, [weakness], self._pool.scenes).inside
        return np.array([inside(arm) for arm in self._arms], dtype=bool)

    def _held(self, fault: Fault) -> Bools:
        images: dict[str, Pixels] = {}
        return np.array([fault.holds(self._told(arm, images)) for arm in self._arms], dtype=bool)

    def _told(self, arm: Arm, images: dict[str, Pixels]) -> PlantedQuestion:
        question = arm.question
        scene = self._pool.scenes.scene(question.screen)
        if question.image not in images:
            images.clear()
            images[question.image] = pixels_of(self._pool.pictures.get(question.image))
        place = scene.place[question.instruction.target]
        return PlantedQuestion(question, images[question.image], scene, place)


def _without_one(weakness: Weakness) -> Iterator[tuple[str, Weakness]]:
    """Yield each condition of a finding, and the finding without it."""
    parts = weakness.comparison.value.split(AND)
    for at in range(not weakness.sliced, len(parts)):
        rest = [part for place, part in enumerate(parts) if place != at]
        if rest:
            compared = msgspec.structs.replace(weakness.comparison, value=AND.join(rest))
            yield parts[at], msgspec.structs.replace(weakness, comparison=compared)


def phi(one: Bools, other: Bools) -> float | None:
    """
    Return the phi coefficient of two classes; None where one has all or nothing.

    >>> phi(np.array([True, True, False, False]), np.array([True, True, False, False]))
    1.0
    """
    if not (one.any() and other.any()) or one.all() or other.all():
        return None
    return round(float(np.corrcoef(one, other)[0, 1]), 6)


def planted_rows(out: Path, faults: Mapping[str, Fault] = FAULTS) -> Iterator[PlantedRow]:
    """Yield what was said of each fault whose diagnosis is finished."""
    for name, fault in faults.items():
        if (out / name / "diagnosis.json").is_file() and _agreement_path(out, name).is_file():
            yield _row(name, fault, read_diagnosis(out / name), _agreement(out, name))


def _row(name: str, fault: Fault, found: Diagnosis, agreement: _Agreement) -> PlantedRow:
    said = [weakness for weakness in found.profile if weakness.said]
    first = said[0].comparison.value if said else ""
    told = said[0].confirmed if said else None
    agreed = agreement.of.get(said[0].comparison.value) if said else None
    if fault.reply is not None and fault.named:
        named = bool(said) and bool(_names(said[0]) & fault.named)
    else:
        named = agreed is not None and agreed >= AGREED
    return PlantedRow(
        name=name,
        fault=fault,
        found=found,
        named=named,
        said=tuple(weakness.words for weakness in said),
        dropped=tuple(
            weakness.words for weakness in found.profile if weakness.named and not weakness.said
        ),
        agreement=agreed,
        needless=None if agreement.needless is None else agreement.needless.get(first, ()),
        tests=0 if told is None else told.tests,
    )


def _names(weakness: Weakness) -> set[str]:
    """Return the features and measures, or the cause, that a finding is about."""
    if weakness.sliced:
        return set(slice_of(weakness.comparison.value).names)
    return {weakness.comparison.varies}


def planted_lines(rows: Iterable[PlantedRow]) -> Iterator[str]:
    """Yield the table in Markdown, and before it what it comes to."""
    rows = list(rows)
    faulty = [row for row in rows if not row.fault.control]
    controls = [row for row in rows if row.fault.control]
    given = [row for row in faulty if row.name in GIVEN]
    of_given = f" ({sum(row.named for row in given)} of the {len(given)} given)" if given else ""
    yield (
        f"{sum(row.named for row in faulty)} of {len(faulty)} planted faults are named first and "
        f"confirmed{of_given}; no cause is named for {sum(not row.said for row in controls)} of "
        f"{len(controls)} controls."
    )
    told = [row for row in faulty if row.said]
    once = sum(row.tests == 1 for row in told)
    needless = sum(bool(row.needless) for row in told)
    extra = f"; {needless} had a condition without which they agree as well with what was planted"
    known = all(row.needless is not None for row in told)
    yield (
        f"A cause is named for {len(told)}; {once} of these were tested once, the others "
        f"twice{extra * known}."
    )
    ratios = sorted(row.found.ratio for row in faulty if row.found.ratio is not None)
    if ratios:
        middle = ratios[len(ratios) // 2]
        yield (
            f"Failures a question are {middle:.2f} times those of questions drawn at random in "
            f"the median ({ratios[0]:.2f} to {ratios[-1]:.2f})."
        )
    yield ""
    head = (
        "planted", "in words", "named first", "agreement", "times random", "said", "fresh",
        "not confirmed",
    )  # fmt: skip
    yield from (_line(cells) for cells in (head, ("---",) * len(head), *map(_cells, rows)))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(row: PlantedRow) -> tuple[str, ...]:
    found = row.found
    ends = ends_words(found.ratio_interval, "", digits=2)
    ratio = "" if found.ratio is None else f"{found.ratio:.2f}{f' ({ends})' * bool(ends)}"
    return (
        f"`{row.name}`{' *' if row.name in OWN else ''}",
        row.fault.words,
        "control" if row.fault.control else "yes" if row.named else "no",
        "" if row.agreement is None else f"{row.agreement:.2f}",
        ratio,
        "; ".join(row.said) or "nothing",
        _fresh(row.found),
        "; ".join(row.dropped),
    )


def _fresh(found: Diagnosis) -> str:
    """Say how what was said first held on fresh questions, and where."""
    first = next((weakness.confirmed for weakness in found.profile if weakness.said), None)
    if first is None:
        return ""
    outside = f" against {first.failed_outside} of {first.outside}" if first.outside else ""
    sites = "1 site" if first.sites == 1 else f"{first.sites} sites"
    where = f"confirmed over {sites}" if first.beyond else f"holds on {sites}"
    return f"{first.failed_inside} of {first.inside}{outside}, {where}"


def write_planted(page: Path, rows: Iterable[PlantedRow], more: Path | None = None) -> None:
    """
    Write the table into a page, between its marks; raises as ``write_between`` does.

    The first mark of the faults of a file ``more`` has its name without the suffix.
    """
    begin = BEGIN.format(f" {more.stem}" if more else "")
    write_between(page, begin, END, planted_lines(rows))
