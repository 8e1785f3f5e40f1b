"""
Outcomes: every answer beside its question, as columns.

What is asked stands once, however many models answered it, and no question or answer is
held longer than it takes to read it, so ten million answers fit into two gigabytes. Failed
units stand in the table too, with their own status, so that nothing disappears between a
run and its report. Statistics work on the columns and never loop over answers.
"""

from __future__ import annotations

import enum
import functools
import itertools
import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.perturbation import DEALT, ORIGINAL, OVER
from surefoot.core.question import Answer, Parsed, Question, Refusal
from surefoot.score.columns import BOX, FAILED, POINT, RECORD, REFUSAL, UNPARSED, AnswerColumns
from surefoot.score.stats.arrays import Bools, Floats, Ints, Labels, combine
from surefoot.score.stats.units import SITES, Population, Unit
from surefoot.score.truths import chance_level, outside, place_of, right_words, words_f1, words_of

Record = tuple[str, Question, Answer | None]
# The name of a model, and its answers.
Run = tuple[str, Iterable[Answer] | AnswerColumns]
Arrange = Callable[[Iterable[Question]], Iterable[Question]]
Describe = Callable[[Question], Mapping[str, str]]
Measure = Callable[[Question, Answer | None], float | None]


_CHUNK: Final = 4096  # questions that are laid out at once


class Status(enum.IntEnum):
    """
    Say what became of a question; a reply of another kind than was asked for is UNPARSED.

    WORDS are a few words, or the label of an option, where that was asked for.
    """

    POINT = 0
    BOX = 1
    REFUSAL = 2
    UNPARSED = 3
    FAILED = 4
    WORDS = 5


class AskedQuestions(msgspec.Struct, frozen=True, eq=False, dict=True):
    """
    Hold one row per question.

    ``truth`` is (rows, 4): left, top, right, bottom; ``size`` is (rows, 2): the image's width
    and height; all are pixels of the image. ``direction`` is the direction of the target from
    its landmark, "" for instructions without one. ``answerable`` is false where a refusal is
    what is right, ``for_place`` where words or an option are asked for, and ``chance`` how
    likely a guess among options is right, NaN where there are none. ``sample`` numbers the times
    that a question is asked from 1, and ``first`` is the row of the first time, its own where it
    is asked once. ``traits`` are further columns of words about the question, its instruction or
    its screen, "" where nothing is known. ``over`` has the base of each variant that stands over
    one, and ``dealt`` is true where a design dealt a part of all conditions.
    ``unit`` is what the questions are a sample of, and ``site_noun`` the plural of what their
    sites are.
    """

    instruction: Labels
    variant: Labels
    pair: Labels
    site: Labels
    page: Labels
    role: Labels
    direction: Labels
    reasoning: Bools
    answerable: Bools
    for_place: Bools
    truth: Floats
    size: Floats
    chance: Floats
    sample: Ints
    first: Ints
    traits: dict[str, Labels]
    unit: Unit = "site"
    site_noun: str = SITES
    over: Mapping[str, str] = {}
    dealt: bool = False

    def __len__(self) -> int:
        return len(self.reasoning)

    @functools.cached_property
    def home(self) -> Labels:
        """Return the page on which each question's element was found, apart by site."""
        return _home_pages(self.site, self.page, self.pair, self.variant)

    @property
    def cluster(self) -> Labels:
        """Return what of the unit each question belongs to."""
        if self.unit == "page":
            return self.home
        return self.pair if self.unit == "element" else self.site

    @property
    def cluster_noun(self) -> str:
        """Return the plural of what a cluster is."""
        return self.site_noun if self.unit == "site" else f"{self.unit}s"

    @property
    def placed(self) -> Bools:
        """Tell for each question whether it is about a place that has an area."""
        wide, tall = (self.truth[:, side + 2] - self.truth[:, side] for side in (0, 1))
        return np.asarray(wide * tall > 0)


class Occurring(msgspec.Struct, frozen=True):
    """
    Say what occurs anywhere in a table: a reply, a question without one, one without an answer.

    ``points`` and ``boxes`` are the models that answered with such.
    """

    answered: bool
    failed: bool
    unanswerable: bool
    points: frozenset[str]
    boxes: frozenset[str]

    def __or__(self, other: Occurring) -> Occurring:
        """Return what occurs in either of two parts."""
        return Occurring(
            *(getattr(self, name) | getattr(other, name) for name in self.__struct_fields__)
        )


class Outcomes(msgspec.Struct, frozen=True, eq=False):
    """
    Hold one row per question and model.

    ``question`` is each row's place in ``asked``, whose columns the properties of the same
    names give for each row. ``place`` is (rows, 2): the predicted x and y in pixels of the
    image, NaN where there is none; a predicted box stands as its centre.

    ``reach`` is (rows,): for a target that is a polygon, or any of several boxes, how many
    pixels the place lies outside of it, 0 inside and NaN without a place; NaN too for every
    target of one box. Where words or an option are asked for it is 0 for the right ones,
    else infinity; ``f1`` is then the token F1 of words, NaN for every other question.
    ``measured`` holds the numbers of metrics that look at one answer at a time, NaN where
    they say nothing. ``whole`` says what occurs in the table of which this is a part, None of a
    table by itself.
    """

    asked: AskedQuestions
    question: Ints
    model: Labels
    place: Floats
    status: Ints
    reach: Floats
    f1: Floats
    measured: dict[str, Floats]
    whole: Occurring | None = None

    def __len__(self) -> int:
        return len(self.status)

    @property
    def occurring(self) -> Occurring:
        """Return what occurs in the table, or in that of which it is a part."""
        return self.whole or Occurring(
            answered=bool(self.answered.any()),
            failed=not self.answered.all(),
            unanswerable=not self.answerable.all(),
            points=self._models_with(Status.POINT),
            boxes=self._models_with(Status.BOX),
        )

    def _models_with(self, status: Status) -> frozenset[str]:
        codes = np.unique(self.model.codes[self.status == status])
        return frozenset(self.model.names[code] for code in codes)

    @property
    def instruction(self) -> Labels:
        """Return the kind of instruction of each row."""
        return self.asked.instruction.take(self.question)

    @property
    def variant(self) -> Labels:
        """Return the variant of each row."""
        return self.asked.variant.take(self.question)

    @property
    def pair(self) -> Labels:
        """Return the pair of each row."""
        return self.asked.pair.take(self.question)

    @property
    def cluster(self) -> Labels:
        """Return the cluster of each row."""
        return self.asked.cluster.take(self.question)

    @property
    def role(self) -> Labels:
        """Return the target's role of each row."""
        return self.asked.role.take(self.question)

    @property
    def direction(self) -> Labels:
        """Return the direction of each row's target from its landmark."""
        return self.asked.direction.take(self.question)

    @property
    def reasoning(self) -> Bools:
        """Tell for each row whether the model was to reason first."""
        return self.asked.reasoning[self.question]

    @property
    def answerable(self) -> Bools:
        """Tell for each row whether there is something to answer."""
        return self.asked.answerable[self.question]

    @property
    def truth(self) -> Floats:
        """Return (rows, 4): each row's true box in pixels."""
        return self.asked.truth[self.question]

    @property
    def size(self) -> Floats:
        """Return (rows, 2): the width and height of each row's image."""
        return self.asked.size[self.question]

    @property
    def chance(self) -> Floats:
        """Return how likely a guess is right, NaN where there are no options."""
        return self.asked.chance[self.question]

    @property
    def sample(self) -> Ints:
        """Return which time each row's question was asked, from 1."""
        return self.asked.sample[self.question]

    @property
    def first(self) -> Ints:
        """Return the place in ``asked`` of the first time that each row's question was asked."""
        return self.asked.first[self.question]

    @property
    def traits(self) -> dict[str, Labels]:
        """Return the traits of each row."""
        return {name: labels.take(self.question) for name, labels in self.asked.traits.items()}

    @property
    def answered(self) -> Bools:
        """Tell for each row whether there was a reply at all."""
        return np.asarray(self.status != Status.FAILED)

    @property
    def placed(self) -> Bools:
        """Tell for each row whether it is about a place on the screen that has an area."""
        return self.asked.placed[self.question]

    @property
    def located(self) -> Bools:
        """Tell for each row whether the reply named a place where there is one to name."""
        return np.asarray((self.status <= Status.BOX) & self.answerable)

    @property
    def population(self) -> Population:
        """Count what the answers are about; what got no reply tells nothing."""
        asked = self.asked
        elements, pages, sites = map(self._told, (asked.pair, asked.home, asked.site))
        return Population(
            unit=asked.unit,
            elements=elements,
            pages=pages,
            sites=sites,
            site_noun=asked.site_noun,
        )

    def _told(self, labels: Labels) -> int:
        """Count the names of what has an answer, without sorting."""
        is_answered = np.zeros(len(labels.names), dtype=np.bool_)
        is_answered[labels.codes[self.question[self.answered]]] = True
        return int(np.count_nonzero(is_answered))

    def over(self, unit: Unit) -> Outcomes:
        """
        Return the table as a sample of sites, pages or elements.

        One site says nothing of others, so the sample of one is one of its elements.
        """
        if unit == "site" and self._told(self.asked.site) == 1:
            unit = "element"
        asked = msgspec.structs.replace(self.asked, unit=unit)
        return msgspec.structs.replace(self, asked=asked)

    def take(self, rows: Bools | Ints | slice) -> Outcomes:
        """Return a selection of the rows; what was asked stays whole."""
        return Outcomes(
            self.asked,
            self.question[rows],
            self.model.take(rows),
            self.place[rows],
            self.status[rows],
            self.reach[rows],
            self.f1[rows],
            {name: column[rows] for name, column in self.measured.items()},
            self.whole,
        )


def _as_they_come(questions: Iterable[Question]) -> Iterable[Question]:
    return questions


def tabulate_runs(
    groups: Iterable[tuple[Iterable[Question], Sequence[Run]]],
    *,
    arrange: Arrange = _as_they_come,
    traits: Sequence[str] = (),
    describe: Describe = lambda _question: {},
    measures: Mapping[str, Measure] | None = None,
    site_noun: str = SITES,
) -> Outcomes:
    """
    Build the table from groups of questions, each with the runs of models that were asked them.

    Every iterable is read once. ``arrange`` may leave questions out, put them under other
    cells, and yield one twice under different cells. ``describe`` gives a question's
    ``traits``, and ``measures`` are computed of each answer; only for these, and for
    questions that are not about one box, are questions held. ``site_noun`` is the plural of what
    the questions' sites are. A question without an answer
    has failed. Raises InvalidInputError for an answer to an unknown question, and for two
    answers or two questions of one id, and for a further sample without the first.
    """
    table = _Table(traits, describe, measures or {})
    for questions, runs in groups:
        first = len(table)
        places: dict[str, tuple[int, ...]] = {}
        again: list[tuple[str, str]] = []
        asked = iter(arrange(_each_once(questions, places)))
        while chunk := list(itertools.islice(asked, _CHUNK)):
            for place, question in enumerate(chunk, start=table.ask(chunk)):
                places[question.id] += (place,)
            several = (item for item in chunk if item.sample > 1)
            again += [(item.first_sample, item.id) for item in several]
        for name, repeated in again:
            if len(places.get(name, ())) != len(places[repeated]):
                raise InvalidInputError(f"question '{name}' beside its sample", found="none")
            table.first.update(zip(places[repeated], places[name], strict=True))
        for model, answers in runs:
            table.run(model, answers, places, first)
    return table.outcomes(site_noun)


def by_model(records: Iterable[Record]) -> list[tuple[list[Question], list[Run]]]:
    """
    Group (model, question, answer or None) records for ``tabulate_runs``: a run a model.

    What a model was not asked is no question of its group.
    """
    groups: dict[str, tuple[list[Question], list[Answer]]] = {}
    for model, question, answer in records:
        questions, answers = groups.setdefault(model, ([], []))
        questions.append(question)
        if answer is not None:
            answers.append(answer)
    return [(questions, [(model, answers)]) for model, (questions, answers) in groups.items()]


def tabulate(
    records: Iterable[Record], *, measures: Mapping[str, Measure] | None = None
) -> Outcomes:
    """
    Build the table from (model, question, answer or None) records, a row each, in their order.

    Raises InvalidInputError for an answer to another question than the one beside it.
    """
    table = _Table((), lambda _question: {}, measures or {})
    for model, question, answer in records:
        if answer is not None and answer.question != question.id:
            raise InvalidInputError(
                f"the answer to question '{question.id}'",
                found=f"the one to '{answer.question}'",
            )
        place = table.ask([question])
        answers = () if answer is None else (answer,)
        table.run(model, answers, {question.id: (place,)}, place)
    return table.outcomes()


def _each_once(
    questions: Iterable[Question], places: dict[str, tuple[int, ...]]
) -> Iterator[Question]:
    for question in questions:
        if question.id in places:
            raise InvalidInputError("questions with different ids", found=f"two '{question.id}'")
        places[question.id] = ()
        yield question


class _Codes(dict[str, int]):
    """Number names in the order in which they come."""

    def __missing__(self, name: str) -> int:
        code = self[name] = len(self)
        return code

    def labels(self, codes: Ints) -> Labels:
        return Labels(tuple(self), codes.astype(np.min_scalar_type(len(self))))


class _Answers:
    """Hold the answers of one run, by the question's place in its group."""

    def __init__(self, count: int, measures: Iterable[str]) -> None:
        self.status = array("b", [Status.FAILED]) * count
        self.x, self.y = (array("d", [math.nan]) * count for _ in range(2))
        self.judged: dict[int, tuple[float, float]] = {}
        self.measured = {name: array("d", [math.nan]) * count for name in measures}

    def note(self, at: int, parsed: Parsed) -> None:
        """Note a reply to a question about one box."""
        if type(parsed) is Point:
            self.status[at], self.x[at], self.y[at] = POINT, parsed.x, parsed.y
        elif type(parsed) is Box:
            middle = parsed.center
            self.status[at], self.x[at], self.y[at] = BOX, middle.x, middle.y
        else:
            self.status[at] = REFUSAL if type(parsed) is Refusal else UNPARSED

    def note_all(
        self, columns: AnswerColumns, places: Mapping[str, tuple[int, ...]], first: int
    ) -> None:
        """Note replies to questions about one box, whose places begin with ``first``."""
        flat, starts, counts = columns.questions.rows(places)
        records = columns.records
        several = counts[records["at"]]
        answer = np.repeat(np.arange(len(records)), several)
        within = np.arange(len(answer)) - np.repeat(np.cumsum(several) - several, several)
        rows = flat[starts[records["at"]][answer] + within] - first
        twice = np.flatnonzero(np.bincount(records["at"], minlength=1) > 1)
        if len(twice):
            raise InvalidInputError(
                "one answer to a question",
                found=f"two to '{columns.questions.ids[int(twice[0])]}'",
            )
        for name, column in (("status", self.status), ("x", self.x), ("y", self.y)):
            np.frombuffer(column, dtype=RECORD[name])[rows] = records[name][answer]


class _Table:
    """Grow a table question by question, and then run by run."""

    def __init__(
        self, traits: Sequence[str], describe: Describe, measures: Mapping[str, Measure]
    ) -> None:
        self.describe = describe
        self.measures = measures
        self.traits = tuple(traits)
        self.names = tuple(_Codes() for _ in range(7 + len(traits)))
        self.codes = tuple(array("i") for _ in self.names)
        self.numbers = tuple(array("d") for _ in range(7))
        self.flags = tuple(array("b") for _ in range(3))
        self.sample = array("i")
        self.first: dict[int, int] = {}
        self.over: dict[str, str] = {}
        self.dealt = False
        self.held: dict[int, Question] = {}
        self.models: list[str] = []
        self.starts: list[int] = []
        self.runs: list[_Answers] = []

    def __len__(self) -> int:
        return len(self.sample)

    def ask(self, questions: Sequence[Question]) -> int:
        """Add questions, at least one, and return the place of the first."""
        start = len(self)
        cells = [question.cell for question in questions]
        for cell, question in zip(cells, questions, strict=True):
            if question.facts:
                self.dealt |= DEALT in question.facts
                if OVER in question.facts:
                    self.over[cell.variant] = question.facts[OVER]
        columns: list[list[str]] = [
            [cell.instruction for cell in cells],
            [cell.variant for cell in cells],
            [question.pair for question in questions],
            [question.cluster for question in questions],
            [question.page or question.cluster for question in questions],  # its page_name
            [question.role for question in questions],
            [question.instruction.expression.direction or "" for question in questions],
        ]
        if self.traits:
            described = list(map(self.describe, questions))
            columns += [[item.get(name, "") for item in described] for name in self.traits]
        for names, codes, column in zip(self.names, self.codes, columns, strict=True):
            codes.extend(map(names.__getitem__, column))
        self._measure(questions)
        if self.measures:
            self.held.update(enumerate(questions, start))
        else:
            special = (item for item in enumerate(questions, start) if not _is_plain(item[1]))
            self.held.update(special)
        return start

    def _measure(self, questions: Sequence[Question]) -> None:
        truths = [question.truth for question in questions]
        numbers = [
            *([getattr(truth, side) for truth in truths] for side in Box.__struct_fields__),
            [question.width for question in questions],
            [question.height for question in questions],
            list(map(chance_level, questions)),
        ]
        for kept, column in zip(self.numbers, numbers, strict=True):
            kept.extend(column)
        flags = [
            [question.cell.reasoning for question in questions],
            [question.answerable for question in questions],
            [question.asks == "place" for question in questions],
        ]
        for kept_flags, flag in zip(self.flags, flags, strict=True):
            kept_flags.extend(flag)
        self.sample.extend([question.sample for question in questions])

    def run(
        self,
        model: str,
        answers: Iterable[Answer] | AnswerColumns,
        places: Mapping[str, tuple[int, ...]],
        first: int,
    ) -> None:
        """Add a run over the questions from ``first`` on; those without an answer failed."""
        kept = _Answers(len(self) - first, self.measures)
        if isinstance(answers, AnswerColumns):
            kept.note_all(answers, places, first)
            answers = answers.others
        strangers: list[str] = []
        for answer in answers:
            for place in places.get(answer.question, (None,)):
                if place is None:
                    strangers.append(answer.question)
                elif kept.status[place - first] != FAILED:
                    raise InvalidInputError(
                        "one answer to a question", found=f"two to '{answer.question}'"
                    )
                elif place in self.held:
                    self._judge(kept, place - first, self.held[place], answer)
                else:
                    kept.note(place - first, answer.parsed)
        if strangers:
            raise InvalidInputError(
                "a question for every answer",
                found=f"{len(strangers)} answers without one, the first to '{min(strangers)}'",
                remedy="score the run together with the benchmark that it was made from",
            )
        for place, question in self.held.items():
            if place >= first and kept.status[place - first] == Status.FAILED:
                self._judge(kept, place - first, question, None)
        self.starts.append(first)
        self.models.append(model)
        self.runs.append(kept)

    def _judge(self, kept: _Answers, at: int, question: Question, answer: Answer | None) -> None:
        parsed = answer.parsed if answer else None
        place, kept.status[at] = _outcome(question, answer)
        kept.x[at], kept.y[at] = place
        kept.judged[at] = _reach(question, parsed), words_f1(question, parsed)
        for name, measure in self.measures.items():
            found = measure(question, answer)
            try:
                kept.measured[name][at] = math.nan if found is None else found
            except (TypeError, ValueError) as error:
                raise InvalidInputError(
                    f"a number or None from the metric '{name}' ({measure.__module__})",
                    found=f"{type(found).__name__}: {found!a:.80}",
                    remedy="mend the metric",
                ) from error

    def outcomes(self, site_noun: str = SITES) -> Outcomes:
        """Return the finished table."""
        numbers = np.stack([np.array(number, dtype=np.float64) for number in self.numbers], axis=1)
        flags = np.stack([np.array(flag, dtype=np.bool_) for flag in self.flags], axis=1)
        instruction, variant, pair, site, page, role, direction, *traits = (
            names.labels(np.array(codes, dtype=np.int32))
            for names, codes in zip(self.names, self.codes, strict=True)
        )
        first_sample = np.arange(len(flags), dtype=np.int32)
        first_sample[list(self.first)] = list(self.first.values())
        asked = AskedQuestions(
            instruction=instruction,
            variant=variant,
            pair=pair,
            site=site,
            page=page,
            role=role,
            direction=direction,
            reasoning=flags[:, 0],
            answerable=flags[:, 1],
            for_place=flags[:, 2],
            truth=numbers[:, :4],
            size=numbers[:, 4:6],
            chance=numbers[:, 6],
            sample=np.array(self.sample, dtype=np.int32),
            first=first_sample,
            traits=dict(zip(self.traits, traits, strict=True)),
            site_noun=site_noun,
            over=self.over,
            dealt=self.dealt,
        )
        counts = [len(run.status) for run in self.runs]
        total = sum(counts)
        question = np.empty(total, dtype=np.int32)
        place, status = np.empty((total, 2), order="F"), np.empty(total, dtype=np.int8)
        reach, f1 = np.broadcast_to(np.nan, (2, total))
        if any(run.judged for run in self.runs):
            reach, f1 = np.full((2, total), np.nan)
        measured = {name: np.empty(total) for name in self.measures}
        models = _Codes()
        model = models.labels(np.array([models[name] for name in self.models]).repeat(counts))
        start = 0
        for first, count in zip(self.starts, counts, strict=True):
            run, rows = self.runs.pop(0), slice(start, start + count)
            question[rows] = np.arange(first, first + count)
            place[rows, 0], place[rows, 1], status[rows] = run.x, run.y, run.status
            for at, (far, shared) in run.judged.items():
                reach[start + at], f1[start + at] = far, shared
            for name, column in run.measured.items():
                measured[name][rows] = column
            start += count
        return Outcomes(
            asked=asked,
            question=question,
            model=model,
            place=place,
            status=status,
            reach=reach,
            f1=f1,
            measured=measured,
        )


def _home_pages(site: Labels, page: Labels, pair: Labels, variant: Labels) -> Labels:
    """
    Return the page of each question's element, told apart from pages of other sites.

    Where an element was asked about on several pages, as in a changed screen of another name,
    that of its original screen counts.
    """
    places = combine(site.codes, page.codes, len(page.names))
    original = np.array([name == ORIGINAL for name in variant.names], dtype=np.bool_)
    order = np.argsort(~original[variant.codes], kind="stable")
    _, first = np.unique(pair.codes[order], return_index=True)
    home = np.zeros(len(pair.names), dtype=np.int64)
    chosen = order[first]
    home[pair.codes[chosen]] = places[chosen]
    present, codes = np.unique(home[pair.codes], return_inverse=True)
    names = (
        f"{page.names[at % len(page.names)]} ({site.names[at // len(page.names)]})"
        for at in present.tolist()
    )
    return Labels(tuple(names), codes.astype(np.int32))


def _is_plain(question: Question) -> bool:
    """Tell whether a question is about one box, which needs no second look at the question."""
    special = question.polygon or question.boxes or question.answers
    return question.asks == "place" and question.answerable and not special


def _reach(question: Question, parsed: Parsed | None) -> float:
    """Return how far a reply is from what is right, NaN where a box or a refusal is."""
    if question.asks != "place":
        return 0.0 if right_words(question, parsed) else math.inf
    place = place_of(parsed)
    if place is None or not question.answerable:
        return math.nan
    simple = not (question.polygon or question.boxes or question.answers)
    return math.nan if simple else outside(question, place)


def _outcome(question: Question, answer: Answer | None) -> tuple[tuple[float, float], Status]:
    nowhere = (math.nan, math.nan)
    if answer is None:
        return nowhere, Status.FAILED
    parsed = answer.parsed
    place = place_of(parsed)
    if place is not None and question.asks == "place":
        return (place.x, place.y), Status.BOX if isinstance(parsed, Box) else Status.POINT
    if words_of(question, parsed) is not None:
        return nowhere, Status.WORDS
    return nowhere, Status.REFUSAL if isinstance(parsed, Refusal) else Status.UNPARSED
