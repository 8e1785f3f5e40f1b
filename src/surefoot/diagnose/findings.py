"""
What a diagnosis found, as data: what ``diagnosis.json`` holds.

Every record is plain and typed, so that reports and other programs read it without the
code that made it.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.instruction import Instruction, InstructionKind, Specificity
from surefoot.core.perturbation import variant_title
from surefoot.core.question import Parsed
from surefoot.diagnose.selection import Selection
from surefoot.failures.modes import FailureMode
from surefoot.score.conditions.scores import Score
from surefoot.score.contrasts.comparisons import Comparison
from surefoot.score.stats.intervals import Interval
from surefoot.score.stats.units import SITES

Judged: TypeAlias = Literal["valid", "invalid", "not judged"]
# The moves of the paper's Diagnosis Agent (section 4), which ``search.moves`` defines.
Move: TypeAlias = Literal["spatial", "look-alike", "overlap", "nearby text"]
MUCH_WEAKER: Final = 0.5  # times the first rate
LEANS: Final = 0.1
Outcome: TypeAlias = Literal["hit", "missed once", "failed", "not valid", "no reply"]


class LooseMatch(msgspec.Struct, frozen=True):
    """
    Name another element that fits an expression leniently but for one part of it.

    ``parts`` are the parts of which leaving out any one lets the element fit.
    """

    element: str
    parts: tuple[str, ...]


class Repeats(msgspec.Struct, frozen=True):
    """
    Hold what asking every miss a second time came to.

    ``asked`` misses had a second reply, ``held`` of them missed again, and ``same`` second
    replies are the first ones to the letter. ``chance`` is how often a question is missed for
    no reason, and ``elements`` how many elements would be said to fail by that alone; None
    where all second replies are the same, since a model that repeats itself does not show it.
    """

    asked: int
    held: int
    same: int
    chance: float | None
    elements: float | None


class FailingInstruction(msgspec.Struct, frozen=True):
    """
    Hold one valid instruction that the model failed.

    ``question`` is its id in the folder ``failing`` and in the ledger; ``view`` the
    screen's variant. ``parsed`` is in pixels of the image, ``landed`` the id of the
    smallest element under the click, "" where there is none. ``judged`` is what the second
    resolver says. ``features`` are the names of what the expression is like.
    """

    question: str
    view: str
    instruction: Instruction
    raw: str
    parsed: Parsed
    landed: str
    taxonomy: FailureMode
    why: str
    matches: tuple[LooseMatch, ...]
    judged: Judged
    round: int
    features: tuple[str, ...] = ()


class AskedInstruction(msgspec.Struct, frozen=True):
    """
    Hold one question of the search, and what became of it.

    ``text`` is the instruction, asked in ``view``; ``side`` is the target's shorter side
    there, in pixels of a screen at scale 1. "missed once" is what was hit when it was asked
    again, "failed" is a valid instruction that was missed each time, "not valid" one that a
    resolver disputes. ``matches`` counts the loose matches of what was missed, ``moves`` are the
    traps that it sets.
    """

    question: str
    text: str
    view: str
    kind: InstructionKind
    specificity: Specificity
    side: float
    outcome: Outcome
    matches: int = 0
    moves: tuple[Move, ...] = ()

    @property
    def shown(self) -> str:
        """Return the instruction, with its view where that is not the screen as captured."""
        captured = self.view in ("original", "base")
        return self.text if captured else f"{self.text} [{variant_title(self.view)}]"

    @property
    def candidate(self) -> bool:
        """Tell whether it was missed when it was asked first."""
        return self.outcome in ("missed once", "failed", "not valid")


class AskedRound(msgspec.Struct, frozen=True):
    """
    Hold one round of the search for an element: what it tried, why, and what came of it.

    ``round`` is -1 for what was drawn at random, 0 for the seeds, then the planner's. A round
    in which nothing is asked says why the element was left.
    """

    round: int
    tries: tuple[Move, ...]
    why: str
    asked: tuple[AskedInstruction, ...]


class ShrunkInstruction(msgspec.Struct, frozen=True):
    """
    Hold the smallest expression and view that still fail, and what it took to find them.

    ``of`` is the question that was reduced, ``steps`` say what was taken away, in order;
    ``asked`` counts the questions that this took, those of failed attempts included.
    ``minimal`` is false where the budget ended before every further step was tried.
    """

    of: str
    failing: FailingInstruction
    steps: tuple[str, ...]
    asked: int
    minimal: bool


class ElementFinding(msgspec.Struct, frozen=True):
    """
    Hold what was found for one element.

    ``pool`` counts the valid instructions that the planner could choose from; ``asked``
    the questions of the search, without those of shrinking and of the baseline. ``best``
    is the question id of the failure that stands for it, ``selected`` that of the one that
    the same rule selects among all misses, before they are asked again and checked. ``easy``
    says what the instructions that hit had in common, ``unanswered`` counts questions without
    a reply. ``name`` is what the element is called or shows, cut to 60 letters, ``side`` its
    shorter side as captured, in pixels of a screen at scale 1. ``trail`` are the rounds, and
    ``confuses`` says of the best failure why the element confuses the model.
    """

    pair: str
    cluster: str
    screen: str
    target: str
    role: str
    toolkit: str
    platform: str
    pool: int
    rounds: int
    asked: int
    unanswered: int
    first_failure: int
    failures: tuple[FailingInstruction, ...]
    best: str
    shrunk: tuple[ShrunkInstruction, ...]
    easy: tuple[str, ...]
    page: str = ""
    name: str = ""
    side: float = 0.0
    trail: tuple[AskedRound, ...] = ()
    selected: str = ""
    confuses: str = ""

    @property
    def asked_instructions(self) -> tuple[AskedInstruction, ...]:
        """Return all questions of the search, in the order in which they were asked."""
        return tuple(instruction for turn in self.trail for instruction in turn.asked)

    @property
    def shown(self) -> str:
        """Return what people call the element: its role and name, or its id without one."""
        return f"{self.role} '{self.name}'" if self.name else f"{self.role} {self.target}"

    @property
    def page_name(self) -> str:
        """Return the page's name, which is the cluster where no other is told."""
        return self.page or self.cluster


class Confirmation(msgspec.Struct, frozen=True):
    """
    Hold what fresh questions say of a cause that a search has named.

    ``inside`` and ``outside`` count those that it is about and those that it is held against,
    the other two how many of them failed. ``effect`` and ``interval`` are of the comparison
    that named it, on these questions alone, None where they cannot tell. ``held`` says that
    they confirm it, on the sites that were captured at least, and ``beyond`` for others as well:
    then the test is over sites (``p``), else over elements (``p_here``). Both are of one side,
    and held to ``level``, the part of the level that this test of the cause has
    (``causes.spending``); ``tests`` says which test it is, and ``last`` that none is left.
    ``sites`` and ``elements`` count those that the cause was asked on.
    Of ``changed`` failures, asked with the one thing changed that the cause names, ``mended``
    were hit.
    """

    inside: int
    failed_inside: int
    outside: int
    failed_outside: int
    effect: float | None
    interval: Interval | None
    held: bool
    changed: int = 0
    mended: int = 0
    beyond: bool = False
    sites: int = 0
    elements: int = 0
    p: float = 1.0
    p_here: float = 1.0
    level: float = 0.0
    tests: int = 1
    last: bool = False

    @property
    def rate(self) -> float | None:
        """Return the failure rate of the fresh questions that it is about."""
        return self.failed_inside / self.inside if self.inside else None


class ClassExample(msgspec.Struct, frozen=True):
    """
    Show one question in or out of a class: its page, its words, and what is around its target.

    ``picture`` is a data URI; ``hit`` tells whether the model hit it.
    """

    page: str
    instruction: str
    picture: str
    hit: bool


class ClassFacts(msgspec.Struct, frozen=True):
    """
    Hold what is told of a cause beside its numbers.

    ``inside`` are questions that it fails, ``outside`` some that it hits. ``more`` of all ``of``
    controls on the benchmark's screens are of the class and were not asked about, 0 where the
    instructions alone tell what is of it. ``data``,
    ``asking`` and ``page`` say what to do: what to train on, how to ask otherwise, what to change
    on the page; "" where nothing of the kind helps.
    """

    inside: tuple[ClassExample, ...]
    outside: tuple[ClassExample, ...]
    more: int
    of: int
    data: str
    asking: str
    page: str

    @property
    def to_do(self) -> str:
        """Return all that can be done, in one sentence without its stop."""
        page = f"on the page, {self.page}" if self.page else ""
        return "; or ".join(filter(None, (self.data, self.asking, page)))


class Weakness(msgspec.Struct, frozen=True):
    """
    Compare how often the model fails with a feature and without it.

    ``named`` tells whether the evidence is clear, ``words`` say it in a sentence. ``explains``
    is the share of all failures that the cause accounts for and no cause before it does, and
    ``confirmed`` what fresh questions say of it, None where none were asked. ``facts`` are those
    of a cause that is said. ``pillars`` are the benchmarks in which it shows, none where there is
    one alone; ``unconfirmed`` says why no fresh question can be asked about it, "" where some
    can. The contrast of ``comparison`` is one of three:

    "feature": a slice of the questions. Its change is the difference of the two failure
    rates, and p that of the search for slices.
    "reply": what the replies show by themselves. ``n_with`` counts the failures that could
    show it, and ``failed_with`` those that do.
    "confusion": where a click lands. ``n_with`` counts the answers that could show it and
    ``failed_with`` those that do, ``n_without`` the misses among them that are compared, and
    the change is the share of these that show it beyond that of the model's misses without
    the mistake.
    """

    words: str
    failed_with: int
    n_with: int
    failed_without: int
    n_without: int
    named: bool
    comparison: Comparison
    explains: float = 0.0
    confirmed: Confirmation | None = None
    facts: ClassFacts | None = None
    pillars: tuple[str, ...] = ()
    unconfirmed: str = ""

    @property
    def sliced(self) -> bool:
        """Tell whether it is a slice of the questions."""
        return self.comparison.contrast == "feature"

    @property
    def is_spent(self) -> bool:
        """Tell whether no further test of its cause is left."""
        return self.confirmed is not None and self.confirmed.last

    @property
    def is_open(self) -> bool:
        """Tell whether fresh questions lean to it, though they do not confirm it yet."""
        confirmation = self.confirmed
        return (
            confirmation is not None
            and not confirmation.held
            and not confirmation.last
            and (confirmation.effect or 0.0) >= LEANS
        )

    @property
    def is_weaker(self) -> bool:
        """Tell whether fresh questions show it at most half as much as those that named it."""
        confirmation = self.confirmed
        if confirmation is None or not confirmation.inside or not self.n_with:
            return False
        if self.sliced:
            return (confirmation.rate or 0.0) <= MUCH_WEAKER * self.failed_with / self.n_with
        return (confirmation.effect or 0.0) <= MUCH_WEAKER * (self.comparison.change or 0.0)

    @property
    def said(self) -> bool:
        """Tell whether it is named, and held on fresh questions where it can be held to any."""
        confirmation = self.confirmed
        return self.named and (confirmation is None or confirmation.held or bool(self.unconfirmed))


class Profile(msgspec.Struct, frozen=True):
    """
    Hold what causes a model's failures, the causes that are named first.

    ``unnameable`` says in words of what no effect could have been named, because too few sites
    or answers have it or lack it. ``left`` is the share of the failures that no named cause
    explains.
    """

    weaknesses: tuple[Weakness, ...]
    unnameable: tuple[str, ...]
    left: float


class TransferCell(msgspec.Struct, frozen=True):
    """
    Hold how often one model fails the instructions that another one failed.

    ``unanswered`` counts questions without a reply, which are in no rate. ``base`` is how often
    the model that was asked fails random questions, as its own diagnosis found.
    """

    found_on: str
    asked_of: str
    failed: Score
    unanswered: int
    base: float | None = None


class Transfer(msgspec.Struct, frozen=True):
    """Hold the failure rate of every model on every other's failing instructions."""

    models: tuple[str, ...]
    cells: tuple[TransferCell, ...]


class Diagnosis(msgspec.Struct, frozen=True):
    """
    Hold all that one diagnosis found about one model on one benchmark.

    ``plan`` is the digest of the plan. ``questions`` is the cost of the search,
    of which ``explored`` were drawn at random and ``rare`` among those of what few have (in no
    rate), ``shrink_questions`` and
    ``baseline_questions`` that of shrinking and of the random baseline, and
    ``confirm_questions`` that of the confirming round, which are reported apart. ``success``
    counts the elements for which a failing instruction was found. ``per_hundred`` are failures
    found per 100 questions, by the planner
    and (``baseline_per_hundred``) by random valid instructions on the same elements; ``ratio``
    is the first over the second with an interval over sites, None without either.
    Without a baseline they are held against the questions drawn at random.
    ``agreement`` is the share of failing instructions that the second resolver finds valid
    too. ``taxonomy`` counts the failures of each mode, without the modes that only a thought
    can show where no reply has one; ``usual_taxonomy`` is what they would count
    if those that name a place landed as the model's misses of other elements do, and ``telling``
    are the modes that are more frequent than that. ``names`` are the weaknesses that were
    named, in words; ``unnameable`` and ``unexplained`` are those of ``Profile``. ``repeats``
    tells of the second askings, None where nothing was asked twice. ``select`` is the rule by
    which one failure stands for an element. ``unplanned`` are the elements as the random
    baseline found them, which tells what the plan brings. ``unit`` is the plural of what intervals
    are over. ``pillars`` names the benchmarks, one alone or several whose answers were compared
    each with its own; ``recorded`` counts the answers that runs over forms had already.
    """

    plan: str
    bench: str
    model: str
    planner: str
    elements: tuple[ElementFinding, ...]
    questions: int
    shrink_questions: int
    baseline_questions: int
    unanswered: int
    success: Score
    failures: int
    per_hundred: Score
    baseline_per_hundred: Score
    ratio: float | None
    ratio_interval: Interval | None
    agreement: Score
    taxonomy: dict[FailureMode, int]
    profile: tuple[Weakness, ...]
    unnameable: tuple[str, ...]
    unexplained: float
    names: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    repeats: Repeats | None = None
    explored: int = 0
    rare: int = 0
    confirm_questions: int = 0
    select: Selection = "fewest"
    unit: str = SITES
    usual_taxonomy: dict[FailureMode, float] = {}
    telling: tuple[FailureMode, ...] = ()
    unplanned: tuple[ElementFinding, ...] = ()
    pillars: tuple[str, ...] = ()
    recorded: int = 0
