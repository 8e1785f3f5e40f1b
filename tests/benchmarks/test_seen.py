"""
What a writer that sees the picture wrote, and what a judge may and may not do with it.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec
import pytest

from surefoot.benchmarks.benchmark import PageResult, Phrase, WrittenPages
from surefoot.benchmarks.hardest import assemble
from surefoot.benchmarks.seeing.drafts import IDENTIFIERS
from surefoot.benchmarks.seeing.pictures import SeeingRequest, read_request
from surefoot.benchmarks.seeing.prompts import read_seeing_prompts
from surefoot.benchmarks.seeing.sight import Sight
from surefoot.benchmarks.seen import write_seeing
from surefoot.benchmarks.sensitivity import SENSITIVITY
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore

OPTIONS: Final = msgspec.structs.replace(
    SENSITIVITY.defaults, targets=9, parameters={"most": 4, "wordings": "", "dull": 0}
)
PROMPTS: Final = read_seeing_prompts()
# Of the drawn page, what can be acted on and is seen, be it a corner, in the order of the page.
NUMBERED: Final = (
    "copy", "paste", "delete", "field", "link0", "link1", "link2", "link3", "gone",
)  # fmt: skip
# A detector's elements are all numbered: what it takes for words may be a control.
FOUND: Final = ("title", *NUMBERED[:3], "city", *NUMBERED[3:])
NONE: Final = "high: none\nmedium: none\nlow: none"
ALL: Final = ",".join(map(str, range(1, len(NUMBERED) + 1)))
CUED: Final = "Press the wide button to the right of 'Copy'"
T = TypeVar("T")
Say = Callable[[SeeingRequest], str]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ObjectStore:
    """Return a store for the pictures."""
    return ObjectStore(tmp_path_factory.mktemp("seen"))


def page_of(drawn: tuple[Screen, bytes], store: ObjectStore, guessed_by: str = "") -> PageResult:
    """Return the drawn page's result, which nothing has to render."""
    screen, png = drawn
    store.put(png)
    nothing: Any = None
    shown = msgspec.structs.replace(screen, guessed_by=guessed_by)
    return SENSITIVITY.page(shown, nothing, store, OPTIONS)


@pytest.fixture(scope="module")
def page(drawn_page: tuple[Screen, bytes], store: ObjectStore) -> PageResult:
    """Return the drawn page as it was recorded."""
    return page_of(drawn_page, store)


@pytest.fixture(scope="module")
def bare(drawn_page: tuple[Screen, bytes], store: ObjectStore) -> PageResult:
    """Return the drawn page as if a detector had found its elements."""
    return page_of(drawn_page, store, "drawn@1")


class Talk:
    """Reply to requests by a rule, and remember them."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.asked: list[SeeingRequest] = []

    def __call__(self, requests: Sequence[str]) -> list[str]:
        """Reply to each."""
        read = [read_request(text) for text in requests]
        self.asked += read
        return [self.say(request) for request in read]


def target_of(request: SeeingRequest, page: PageResult) -> str:
    """Return the element whose box is framed."""
    (found,) = (
        item.id for item in page.screens[0].elements if item.box == request.pictures[0].frame
    )
    return found


def writer(
    page: PageResult, said: Mapping[tuple[str, str], str], cues: Mapping[str, str] | None = None
) -> Talk:
    """Return a writer of what is said of a target by an identifier, and of cues."""
    ways = {getattr(PROMPTS.identifiers, name): name for name in IDENTIFIERS}

    def say(request: SeeingRequest) -> str:
        if "cue:" in request.words:
            return next(
                (reply for phrase, reply in (cues or {}).items() if phrase in request.words), ""
            )
        (name,) = (name for way, name in ways.items() if way in request.words)
        return said.get((target_of(request, page), name), NONE)

    return Talk(say)


def judge(
    rule: Callable[[str], tuple[str, ...]],
    *,
    seen: str = "yes",
    place: str = "",
    known: tuple[str, ...] = NUMBERED,
) -> Talk:
    """
    Return a judge that tells by a rule which of the elements known an instruction fits.

    What has the words ``place`` says only where, and cues are ``seen`` or not.
    """

    def say(request: SeeingRequest) -> str:
        if "seen:" in request.words:
            return f"seen: {seen}"
        told = re.search(r"is told: (.*)", request.words)
        assert told
        fits = rule(told[1])
        numbers = [str(known.index(name) + 1) for name in fits]
        listed = ", ".join(numbers) or "none"
        relative = "yes" if place and place in told[1] else "no"
        means = numbers[0] if len(numbers) == 1 else "none"
        return f"fits: {listed}\nothers: no\nmeans: {means}\nrelative: {relative}"

    return Talk(say)


def constant(said: T, _asked: object) -> T:
    """Say the same of everything."""
    return said


def see(
    page: PageResult, store: ObjectStore, write: Talk, judged: Talk | None = None
) -> WrittenPages:
    """Have a page described."""
    sight = Sight(write=write, prompts=PROMPTS, judge=judged, judge_name="j")
    return write_seeing([page], sight, store, OPTIONS)


def one(found: WrittenPages, target: str, asked: str) -> Phrase:
    """Return what became of what was asked about a target."""
    (phrase,) = (
        phrase
        for phrase in found.phrases
        if phrase.pair.endswith(f"#{target}") and phrase.asked == asked
    )
    return phrase


def added(found: WrittenPages, before: PageResult) -> list[Instruction]:
    """Return the instructions that a page has more than before, in all its views."""
    (after,) = found.pages
    return [
        instruction
        for old, new in zip(before.candidates, after.candidates, strict=True)
        for screen, instructions in new.instructions.items()
        for instruction in instructions
        if instruction not in old.instructions[screen]
    ]


def reads(told: str) -> tuple[str, ...]:
    """Judge by the words on the drawn page: what has a word that the instruction ends with."""
    words = (
        "Copy",
        "Paste",
        "Delete",
        "",
        "Report",
        "Reports by year",
        "Archive",
        "Contact",
        "Gone",
    )
    wanted = told.rpartition(" ")[2]
    return tuple(
        name for name, text in zip(NUMBERED, words, strict=True) if wanted in text.split()
    )


def test_each_target_is_shown_and_asked_about_by_four_identifiers_once(
    page: PageResult, store: ObjectStore
) -> None:
    """Every target is framed whole and close, once an identifier, and what is none is recorded."""
    talk = writer(page, {})
    found = see(page, store, talk)

    targets = [candidate.target for candidate in page.candidates]
    shown = Counter(target_of(request, page) for request in talk.asked)
    assert shown == dict.fromkeys(targets, len(IDENTIFIERS))
    assert len({request.words for request in talk.asked}) == 2 * len(IDENTIFIERS)  # click, type
    for request in talk.asked:
        whole, close = request.pictures
        assert whole.part is None
        assert close.part is not None
        assert whole.frame == close.frame
    assert len(found.phrases) == len(targets) * len(IDENTIFIERS) * 3
    assert {phrase.fate for phrase in found.phrases} == {"none written"}
    assert found.pages[0].candidates == page.candidates


def test_what_the_resolver_proves_needs_no_judge_and_is_proven_in_every_view(
    page: PageResult, store: ObjectStore
) -> None:
    """A phrase that rules read is a question where it holds; what they do not read is dropped."""
    said = {
        ("paste", "text"): "high: Please press the 'Paste' button\n"
        "medium: Press the 'Delete' button\nlow: Hit whatever reads Paste"
    }
    found = see(page, store, writer(page, said))

    high = one(found, "paste", "text, high")
    assert (high.fate, high.proof, high.loose) == ("kept", "resolver", 1)
    assert one(found, "paste", "text, medium").fate == "not proven"
    assert one(found, "paste", "text, low").fate == "not understood"
    new = added(found, page)
    assert {item.text for item in new} == {"Please press the 'Paste' button"}
    assert {(item.wording, item.proof, item.target) for item in new} == {("writer", "", "paste")}
    assert len(new) == 3  # the screen, the part of it, the desktop


def test_a_judge_vouches_for_what_no_rule_reads(page: PageResult, store: ObjectStore) -> None:
    """It sees numbers and is told no target; what it finds is a question of the original alone."""
    said = {
        ("link2", "text"): (
            "high: Hit whatever reads Archive\nmedium: Follow whatever reads Reports\n"
            "low: Follow whatever reads Nothing"
        ),
        ("link0", "text"): "high: Follow whatever reads Report\nmedium: none\nlow: none",
    }
    judged = judge(reads)
    found = see(page, store, writer(page, said), judged)

    high = one(found, "link2", "text, high")
    assert (high.fate, high.proof, high.loose) == ("kept", "judge j", 1)
    medium, low = (one(found, "link2", f"text, {level}") for level in ("medium", "low"))
    assert (medium.fate, medium.detail) == ("not proven", "judge: another element is meant")
    assert (low.fate, low.detail, low.loose) == ("not proven", "judge: none is meant", 0)
    assert one(found, "link0", "text, high").fate == "kept"
    boxes = {item.id: item.box for item in page.screens[0].elements}
    for request in judged.asked:
        plain, marked = request.pictures
        assert (plain.frame, plain.numbered, marked.frame) == (None, (), None)
        assert marked.numbered == tuple(boxes[name] for name in NUMBERED)
    (new,) = (item for item in added(found, page) if item.target == "link2")
    assert (new.wording, new.proof, new.kind, new.specificity) == (
        "judged", "judge j", "direct", "high",
    )  # fmt: skip
    assert new.expression == Expression()
    (asked,) = (
        question
        for question in assemble(found.pages, OPTIONS).questions
        if question.instruction == new
    )
    assert (asked.cell.variant, asked.cell.instruction) == ("original", "direct+judged")
    assert asked.facts["proven by"] == "judge j"


@pytest.mark.parametrize("guessed", [False, True])
def test_a_judge_that_says_yes_to_all_saves_nothing_that_a_resolver_refuses(
    page: PageResult, bare: PageResult, store: ObjectStore, guessed: bool
) -> None:
    """Words that are false, or fit several, are dropped, whether it names the target or all."""
    shown, known = (bare, FOUND) if guessed else (page, NUMBERED)
    said = {("copy", "text"): (
        "high: Press the 'Delete' button\nmedium: Press the button\n"
        "low: Click the link directly below 'Archive'"
    )}  # fmt: skip
    for fits in (("copy",), known):
        found = see(
            shown,
            store,
            writer(shown, said),
            judge(functools.partial(constant, fits), known=known),
        )
        fates = {
            level: one(found, "copy", f"text, {level}") for level in ("high", "medium", "low")
        }
        assert fates["high"].fate == fates["medium"].fate == "not proven"
        assert fates["low"].fate == "no visual cue"
        assert added(found, shown) == []


def test_all_is_never_the_target_alone(page: PageResult, store: ObjectStore) -> None:
    """A judge for whom everything fits keeps nothing, and neither does one that sees others."""
    said = {("copy", "text"): "high: Hit whatever reads Copy\nmedium: none\nlow: none"}
    for reply, loose in (
        (f"fits: {ALL}\nothers: no\nmeans: 1\nrelative: no", len(NUMBERED)),
        ("fits: 1\nothers: yes\nmeans: 1\nrelative: no", 2),
    ):
        found = see(page, store, writer(page, said), Talk(functools.partial(constant, reply)))
        high = one(found, "copy", "text, high")
        assert (high.fate, high.loose) == ("not proven", loose)


@pytest.mark.parametrize(
    "reply",
    [
        "", "yes", "fits: 1\nmeans: 1", "fits: 1\nothers: no\nmeans: 1\nmeans: 1\nrelative: no",
        "fits: all\nothers: no\nmeans: 1\nrelative: no",
        "fits: 1, 99\nothers: no\nmeans: 1\nrelative: no",
        "fits: 2\nothers: no\nmeans: 1\nrelative: no",
        "fits: 1\nothers: maybe\nmeans: 1\nrelative: no",
        "fits: 1\nothers: no\nmeans: the first\nrelative: no",
    ],
)  # fmt: skip
def test_a_garbled_verdict_is_never_a_yes(
    page: PageResult, store: ObjectStore, reply: str
) -> None:
    """What the judge says in any other form is not understood."""
    said = {("copy", "text"): "high: Hit whatever reads Copy\nmedium: none\nlow: none"}
    found = see(page, store, writer(page, said), Talk(lambda _: reply))

    high = one(found, "copy", "text, high")
    assert high.fate == "not understood"
    assert high.detail.startswith("judge: ")
    assert added(found, page) == []


def test_bare_pictures_need_judge_and_loose_matches_to_agree(
    bare: PageResult, store: ObjectStore
) -> None:
    """What cannot be proven on found elements is kept where both mean the target alone."""
    said = {("paste", "location"): f"high: {CUED}\nmedium: none\nlow: none"}
    alone = see(bare, store, writer(bare, said))
    judged = judge(lambda _: ("paste",), known=FOUND)
    agreed = see(bare, store, writer(bare, said), judged)
    refused = see(bare, store, writer(bare, said), judge(lambda _: ("delete",), known=FOUND))

    where = ("paste", "location, high")
    assert one(alone, *where).fate == one(refused, *where).fate == "not proven"
    kept = one(agreed, *where)
    assert (kept.fate, kept.proof, kept.loose) == ("kept", "judge j", 1)
    boxes = {item.id: item.box for item in bare.screens[0].elements}
    (request,) = judged.asked
    assert request.pictures[1].numbered == tuple(boxes[name] for name in FOUND)
    (new,) = added(agreed, bare)
    assert (new.kind, new.specificity, new.proof) == ("combined", "medium", "judge j")


WHERE: Final = {("paste", "location"): (
    "high: Press the button to the right of 'Copy'\nmedium: Go right from Copy\nlow: none"
)}  # fmt: skip


def test_what_says_only_where_gets_a_visual_cue(page: PageResult, store: ObjectStore) -> None:
    """The writer is asked for a cue, the judge sees it on the crop, and what is read is proven."""
    cues = {
        "to the right of 'Copy'": f"cue: it is wide\ninstruction: {CUED}",
        "Go right from Copy": "cue: it is wide\ninstruction: Hit the wide thing that reads Paste",
    }
    judged = judge(reads, place="Go right")
    judged.say = _paste_for("Go right from Copy", judged.say)
    found = see(page, store, writer(page, WHERE, cues), judged)

    high, medium = (one(found, "paste", f"location, {level}") for level in ("high", "medium"))
    assert (high.phrase, high.before) == (CUED, "Press the button to the right of 'Copy'")
    assert (high.fate, high.proof, high.cue) == ("kept", "resolver", "it is wide")
    assert (medium.fate, medium.proof) == ("kept", "judge j")
    assert medium.before == "Go right from Copy"
    crops = [request for request in judged.asked if "seen:" in request.words]
    assert all(shown.part and shown.frame for request in crops for shown in request.pictures)
    assert len(crops) == 1  # the same cue of the same element is asked once


def _paste_for(phrase: str, say: Say) -> Say:
    """Return a judge for whom a phrase that says only where means the target."""

    def told(request: SeeingRequest) -> str:
        if phrase in request.words:
            return "fits: 2\nothers: no\nmeans: 2\nrelative: yes"
        return say(request)

    return told


@pytest.mark.parametrize(
    ("cue", "seen", "fate"),
    [
        (f"cue: it is wide\ninstruction: {CUED}", "no", "no visual cue"),
        (f"cue: it is wide\ninstruction: {CUED}", "perhaps", "no visual cue"),
        ("cue: it is wide\ninstruction: Press the square button to the right of 'Copy'", "yes",
         "not proven"),
        ("cue: it is wide\ninstruction: Press the button right of 'Copy'", "yes", "no visual cue"),
        ("cue: none\ninstruction: none", "yes", "no visual cue"),
        ("It is wide.", "yes", "no visual cue"),
        ("", "yes", "no visual cue"),
    ],
)  # fmt: skip
def test_without_a_cue_that_is_seen_it_is_dropped(
    page: PageResult, store: ObjectStore, cue: str, seen: str, fate: str
) -> None:
    """A cue that is missing, false, unseen, or left out of the sentence keeps nothing."""
    cues = {"to the right of 'Copy'": cue}
    said = {
        ("paste", "location"): WHERE["paste", "location"].replace("Go right from Copy", "none")
    }
    found = see(page, store, writer(page, said, cues), judge(reads, seen=seen))

    assert one(found, "paste", "location, high").fate == fate
    assert added(found, page) == []


def test_without_a_judge_a_cue_is_proven_by_rule_alone(
    page: PageResult, store: ObjectStore
) -> None:
    """A shape that the pixels show is kept, and one that no rule reads is not."""
    cues = {"to the right of 'Copy'": f"cue: it is wide\ninstruction: {CUED}"}
    found = see(page, store, writer(page, WHERE, cues))

    assert one(found, "paste", "location, high").fate == "kept"
    assert one(found, "paste", "location, medium").fate == "not understood"


def test_other_replies_have_a_fate_of_their_own(page: PageResult, store: ObjectStore) -> None:
    """No reply, one without its lines, another value, and words that were said before."""
    own = next(
        instruction
        for candidate in page.candidates
        for instruction in candidate.instructions[page.screens[0].id][1:]
        if instruction.kind == "label"
    )
    said = {
        ("copy", "text"): "",
        ("copy", "function"): "Click the button that copies.",
        ("field", "text"): "high: Type 'x' into the 'City' field\nmedium: Fill in City\nlow: none",
        (own.target, "appearance"): f"high: {own.text}\nmedium: none\nlow: none",
    }
    found = see(page, store, writer(page, said), judge(lambda _: ("field",)))

    assert one(found, "copy", "text, low").fate == "no reply"
    function = one(found, "copy", "function, high")
    assert (function.fate, function.detail) == ("unreadable", "the line 'high' 0 times")
    for level in ("high", "medium"):
        assert one(found, "field", f"text, {level}").fate == "another action"
    assert one(found, own.target, "appearance, high").fate == "said before"
    assert added(found, page) == []


@pytest.mark.parametrize(("said", "left"), [("yes", 0), ("no", 1), ("maybe", 1)])
def test_a_dull_screen_is_left_out(
    page: PageResult, store: ObjectStore, said: str, left: int
) -> None:
    """A writer that calls a screen dull is asked no more; whatever else it says keeps it."""
    talk = Talk(lambda asked: f"dull: {said}" if "dull:" in asked.words else NONE)
    options = msgspec.structs.replace(OPTIONS, parameters={**OPTIONS.parameters, "dull": 1})

    found = write_seeing([page], Sight(write=talk, prompts=PROMPTS), store, options).pages[0]

    assert [bool(found.candidates), len(talk.asked) > 1] == [bool(left)] * 2
    assert talk.asked[0].pictures[0].frame is None
    told = {fall.reason: fall.count for fall in found.falls}
    dull = "on a screen that the writer calls dull"
    assert told.get(dull, 0) == (0 if left else len(page.candidates))
    assert any("whether a screen is dull" in why for why in told) == (said == "maybe")


def test_fates_stand_by_size_as_well(page: PageResult, store: ObjectStore) -> None:
    """The fates of small and large targets add up to those of all."""
    sight = Sight(write=Talk(functools.partial(constant, NONE)), prompts=PROMPTS)
    falls = write_seeing([page], sight, store, OPTIONS).pages[0].falls
    told = Counter[str]()
    for fall in falls:
        told[fall.stage] += fall.count
    small = {one.id for one in page.screens[0].elements if min(one.box.width, one.box.height) < 24}
    asked = [candidate.target in small for candidate in page.candidates]

    assert told["writer, targets under 24 px"] == 12 * sum(asked)
    assert told["writer, targets of at least 24 px"] == told["writer"] - 12 * sum(asked)
