"""
The seam of a benchmark: one page becomes a result, all results become questions.

A benchmark's page half runs in worker processes, one page at a time, with a browser at
hand; its assembling half is pure and sees every page, so that it can balance and sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

import msgspec

from surefoot.benchmarks.seeing.sight import Sight
from surefoot.benchmarks.writing import Chat, Fate
from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.core.edit import Edit
from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.instruction import Direction, Instruction
from surefoot.core.pictures import Pixels
from surefoot.core.question import Question
from surefoot.core.registry import Registry, suggest
from surefoot.core.screen import Screen
from surefoot.score.scoring import Scoring

P = TypeVar("P", bound=msgspec.Struct)


class ImageStore(Protocol):
    """Keep pictures by their hash."""

    def put(self, data: bytes, suffix: str = "png") -> str:
        """Store bytes and return their SHA-256."""

    def get(self, sha: str, suffix: str = "png") -> bytes:
        """Return the bytes of a SHA-256."""


class PageRenderer(Protocol):
    """Render a screen's page again, with edits of one variant or of several."""

    def render(self, screen: Screen, variant: str, edits: Sequence[Edit]) -> Capture:
        """Return the page with edits; raises CaptureError, also where it is no web page."""

    def render_all(
        self, screen: Screen, variants: Mapping[str, Sequence[Edit]]
    ) -> dict[str, Capture]:
        """Return the page under each of its variants, by name, as ``render`` does."""


class BuildOptions(msgspec.Struct, frozen=True):
    """
    Hold everything that a user may choose about a build; it goes into the plan whole.

    ``variants`` follow the variant grammar and include the original; ``targets`` is the
    largest number of targets a page, ``site_targets`` of a site (0 for no limit), whose
    pages then take turns; ``hidden_names`` keeps instructions whose name
    cannot be read in the picture (marked as such); ``parameters`` are the benchmark's own,
    by name. ``language`` is what instructions are in, "own" for that of each screen.
    ``over`` are the bases that ``variants`` are crossed with beside the original, ``design``
    says in which of these conditions each page is asked, and ``budget`` about how many
    questions there are to be, 0 for all.
    """

    variants: tuple[str, ...] = (
        "original", "style", "theme", "order", "precision", "text_shrink",
    )  # fmt: skip
    kinds: tuple[str, ...] = ("direct", "relational")
    targets: int = 16
    site_targets: int = 0
    seed: int = 0
    hidden_names: bool = False
    settings: Settings = Settings()
    parameters: Mapping[str, float | int | str | bool] = {}
    language: str = "en"
    over: tuple[str, ...] = ()
    design: str = "full"
    budget: int = 0


class Fall(msgspec.Struct, frozen=True, order=True):
    """Count the candidates that fell at one check for one reason."""

    stage: str
    reason: str
    count: int


class Candidate(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Hold one target with the instructions that hold in its variants.

    ``relational`` has one instruction a direction; the assembling half chooses among them, and
    ``held`` names for each direction the variants that it is asked in, where not in all.
    ``instructions`` are all others, by the id of the screen that they are asked on,
    ``translated`` those of screens in another language, in its words, and
    ``measures`` what the choice of the target was made by, which ``confusing`` says in words.
    """

    target: str
    role: str
    direct: Instruction | None = None
    relational: dict[Direction, Instruction] = {}
    held: dict[Direction, tuple[str, ...]] = {}
    functional: Instruction | None = None
    instructions: dict[str, tuple[Instruction, ...]] = {}
    translated: dict[str, tuple[Instruction, ...]] = {}
    measures: dict[str, float] = {}
    confusing: str = ""


class PageResult(msgspec.Struct, frozen=True):
    """
    Hold what one page gave: its screens, the original first, candidates and falls.

    ``questions`` are those that need no other page to be written. ``reasons`` says of an
    element (by its id) that was considered why it is not asked for.
    """

    page: str
    site: str
    screens: tuple[Screen, ...]
    candidates: tuple[Candidate, ...]
    falls: tuple[Fall, ...]
    questions: tuple[Question, ...] = ()
    reasons: dict[str, str] = {}


class Phrase(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Record what became of one instruction that a language model was asked to say.

    ``asked`` is the instruction, ``phrase`` what the model said, ``detail`` why that was not
    kept; ``pair`` is as in Question. Of a model that sees the picture, ``asked`` is an identifier
    and a level, ``proof`` who proves what was kept, ``loose`` how many elements it fits
    leniently, and ``before`` the phrase that a visual ``cue`` was put into.
    """

    pair: str
    asked: str
    phrase: str
    fate: Fate
    detail: str = ""
    proof: str = ""
    loose: int | None = None
    before: str = ""
    cue: str = ""


class WrittenPages(msgspec.Struct, frozen=True):
    """Hold results of pages with a model's phrases among them, and what became of each."""

    pages: tuple[PageResult, ...]
    phrases: tuple[Phrase, ...]


class Funnel(msgspec.Struct, frozen=True):
    """
    Count what led to a benchmark's questions.

    ``directions`` holds, under "available" and "kept", how many targets have a relational
    instruction in each direction; ``sites`` how many targets are asked for on each site.
    """

    falls: tuple[Fall, ...]
    directions: dict[str, dict[str, int]]
    sites: dict[str, int] = {}


class AssembledBench(msgspec.Struct, frozen=True):
    """
    Hold a finished benchmark: its questions, and the funnel that led to them.

    ``documents`` are further files of JSON by name, ``lines`` what a person is told besides.
    ``screens`` are ids of screens that answers rest on and that no question shows.
    """

    questions: tuple[Question, ...]
    funnel: Funnel
    documents: dict[str, object] = {}
    lines: tuple[str, ...] = ()
    screens: tuple[str, ...] = ()


def reason_of(falls: Counter[tuple[str, str]], before: Counter[tuple[str, str]]) -> str:
    """
    Return what was counted since ``before``, in words: why an element is not asked for.

    >>> reason_of(Counter({("a", "considered"): 1, ("b", "x"): 2}), Counter({("b", "x"): 1}))
    'b: x'
    """
    since = (key for key in falls - before if key[1] != "considered")
    return "; ".join(f"{stage}: {reason}" for stage, reason in since)


def _always(_options: BuildOptions) -> bool:
    return True


def _anything(_options: BuildOptions) -> None:
    pass


class Benchmark(msgspec.Struct, frozen=True, kw_only=True):
    """
    Describe one benchmark.

    ``page`` receives an original screen, what renders its page again, the picture store
    and the options; ``assemble`` receives every page's result in the order of the pages.
    ``identity`` adds to the plan what the options leave open, such as the versions of
    perturbations. ``renders`` is false where ``page`` never renders: such a benchmark is
    built from any screens, also where they cannot be opened again. ``needs_pages`` says the
    same of the options of one build, and is asked where ``renders`` is true. ``defaults``
    are the options of a user who chooses nothing. ``scoring`` says how answers are scored.
    ``labelled`` makes a result from a screen
    of an imported set and its questions, None where the benchmark is made of screens alone;
    such a result's questions need no assembling, and ``check_labelled`` raises
    InvalidInputError for options that such sets cannot be built with.
    ``parallel`` tells whether it is made of screens in several languages. Others ask in the
    first of them, and one that ``composes`` has the others as variants.
    ``write`` adds a language model's phrases to every page's result, calling the chat once;
    ``write_seeing`` adds those of models that see the picture;
    ``reword`` does so with the questions of an assembled benchmark, given all its screens by id;
    both are None where the benchmark takes no writer. ``doubts`` says which questions about
    one screen cannot be proven again, and ``unmatched`` which of all do not belong together, or
    rest on several screens (by id) that do not prove them; None where a benchmark proves nothing
    once more. ``executed`` gives the screens (by id) before and after each action that an answer
    rests on, so that it can be replayed; None where no answer rests on any.
    ``speaks`` is true where instructions are in the language of the options; others are English.
    ``again`` asks what a page's result asks on a changed screen of it, in the variants of the
    options; only elements that are not marked as asked elsewhere. Where a benchmark
    ``composes``, its variants are sums, and a base is one more part of each. Without either it
    is asked over no bases.
    """

    name: str
    version: int
    summary: str
    page: Callable[[Screen, PageRenderer, ImageStore, BuildOptions], PageResult]
    assemble: Callable[[Iterable[PageResult], BuildOptions], AssembledBench]
    identity: Callable[[BuildOptions], Mapping[str, object]]
    scoring: Scoring
    renders: bool = True
    parallel: bool = False
    needs_pages: Callable[[BuildOptions], bool] = _always
    defaults: BuildOptions = BuildOptions()
    labelled: (
        Callable[[Screen, Sequence[Question], ImageStore, BuildOptions], PageResult] | None
    ) = None
    check_labelled: Callable[[BuildOptions], None] = _anything
    write: (
        Callable[[Sequence[PageResult], Chat, ImageStore, BuildOptions], WrittenPages] | None
    ) = None
    write_seeing: (
        Callable[[Sequence[PageResult], Sight, ImageStore, BuildOptions], WrittenPages] | None
    ) = None
    reword: (
        Callable[
            [AssembledBench, Mapping[str, Screen], Chat, ImageStore],
            tuple[AssembledBench, tuple[Phrase, ...]],
        ]
        | None
    ) = None
    doubts: Callable[[Screen, Pixels, Sequence[Question]], Iterable[str]] | None = None
    unmatched: Callable[[Sequence[Question], Mapping[str, Screen]], Iterable[str]] | None = None
    executed: Callable[[Question], Sequence[tuple[str, str]]] | None = None
    speaks: bool = False
    again: (
        Callable[[Screen, PageResult, PageRenderer, ImageStore, BuildOptions], PageResult] | None
    ) = None
    composes: bool = False


BENCHMARKS = Registry(Benchmark, "surefoot.benchmarks", what="benchmark")


def read_parameters(
    given: Mapping[str, float | int | str | bool], kind: type[P], benchmark: str
) -> P:
    """
    Return a benchmark's parameters with what is given in place of their defaults.

    Raises UnknownNameError for a name that is none of them, and InvalidInputError for a
    value of another type, or out of bounds.
    """
    known = [field.name for field in msgspec.structs.fields(kind)]
    for name in given:
        if name not in known:
            raise UnknownNameError(
                f"a parameter of {benchmark}", found=f"'{name}'", remedy=suggest(name, known)
            )
    try:
        return msgspec.convert(dict(given), kind)
    except msgspec.ValidationError as error:
        raise InvalidInputError("values that fit their parameters", found=error) from error


def require_names(given: Sequence[str], known: Sequence[str], what: str) -> None:
    """
    Refuse an empty list, a name that is not among those known, and one that comes twice.

    Raises UnknownNameError and InvalidInputError, before any page is worked on.
    """
    for name in given or ("",):
        if name not in known:
            raise UnknownNameError(
                f"a {what}", found=f"'{name}'", remedy=suggest(name, list(known))
            )
        if given.count(name) > 1:
            raise InvalidInputError(
                f"each {what} once",
                found=f"'{name}' in '{','.join(given)}'",
                remedy="leave it out",
            )
