"""
Rewards judge what a run reads, and agree with its score.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Choice, Parsed, Question, Refusal, Text, Unparsed
from surefoot.models import worded
from surefoot.models.format import Format
from surefoot.models.model import Model, Reply, Request
from surefoot.models.opening import FORMATS
from surefoot.score.hits import is_hit
from surefoot.train.examples import TrainingExample, example_of
from surefoot.train.grpo import ReplyReader
from surefoot.train.reward import REWARDS, ReplyReward

END = 0
PLACE = Question(
    id="q",
    pair="p",
    cluster="site",
    cell=Cell("original", "direct"),
    screen="s",
    image="i",
    width=400,
    height=200,
    instruction=Instruction("Click Save", "en", "direct", "high", Expression(), "save"),
    truth=Box(100, 50, 140, 70),
)
NOWHERE = msgspec.structs.replace(PLACE, truth=Box(0, 0, 0, 0), answerable=False)
OPTION = msgspec.structs.replace(PLACE, asks="option", options=("A", "B"), answers=("B",))
WORDS = msgspec.structs.replace(PLACE, asks="words", answers=("4:30 PM",))
TWO = msgspec.structs.replace(PLACE, boxes=(Box(0, 0, 40, 20),))
WRITERS = [form for form in FORMATS.entries.values() if form.writes is not None]


class Saying:
    """Reply with one text, cut or not, as a model of a server does."""

    name = "saying"
    speaks = ""

    def __init__(self, text: str, *, cut: bool) -> None:
        self.said = Reply(text, cut=cut)

    def identity(self) -> dict[str, object]:
        """Return nothing that matters here."""
        return {}

    async def reply(self, request: Request) -> Reply:  # noqa: ARG002
        """Return the text."""
        return self.said

    async def close(self) -> None:
        """Do nothing."""


def characters(tokens: Sequence[int]) -> str:
    """Decode tokens that are characters' numbers."""
    return "".join(map(chr, tokens))


def learned(question: Question, form: Format) -> TrainingExample:
    """Return an example of a question, whatever its reply."""
    return example_of(question, form, "bench", reply="unused")


@st.composite
def replies(draw: st.DrawFn, question: Question, form: Format) -> str:
    """Draw replies that are right, nearly right, of another kind, mangled or nonsense."""
    size = question.width, question.height
    x, y = draw(st.floats(90, 150)), draw(st.floats(45, 75))
    assert form.writes is not None
    box = Box(x, y, x + draw(st.floats(0, 20)), y + draw(st.floats(0, 10)))
    place = Point(x, y) if form.writes.point else box
    thought = draw(st.sampled_from(["", "It is on the left.", "<think>so</think>"]))
    choices = {
        "place": [form.write(place, *size, thought=thought)] * 3,
        "option": [worded.write_reply(Choice(label), thought) for label in "AB"],
        "words": [worded.write_reply(Text("4:30 PM"), thought)],
    }
    refusals = [
        form.write(Refusal("none"), *size, thought=thought),
        worded.write_reply(Refusal("none"), thought),
    ]
    said = draw(st.sampled_from([*choices[question.asks] * 2, *choices["option"], *refusals]))
    start = draw(st.sampled_from([0, 0, 0, len(said) // 2, len(said)]))
    tail = draw(
        st.sampled_from(["", "", "\n", " (1, 2)", said]) | st.text("01,{}()<>", max_size=9)
    )
    return said[start:] + tail


@settings(max_examples=600)
@given(data=st.data())
def test_a_reward_never_disagrees_with_the_score(data: st.DataObject) -> None:
    """In every format, what is read in training is what a run reads, and a hit is a hit."""
    form = data.draw(st.sampled_from(WRITERS))
    question = data.draw(st.sampled_from([PLACE, NOWHERE, OPTION, WORDS, TWO]))
    cell = Cell("original", "direct", reasoning=data.draw(st.booleans()))
    question = msgspec.structs.replace(question, cell=cell)
    text = data.draw(replies(question, form))
    cut = data.draw(st.sampled_from([False] * 9 + [True]))
    example = learned(question, form)
    reader = ReplyReader([example], form, characters, [END], limit=len(text) + 1)

    asked = Model(Saying(text, cut=cut), form).answer(question, b"")
    answer = asyncio.run(asked)
    parsed = reader.read(example.id, [*map(ord, text), *[END] * (not cut)])

    assert parsed == answer.parsed
    hit = is_hit(question, answer)
    assert REWARDS.get("hit").of(question, parsed) == hit
    for reward in REWARDS.entries.values():
        value = reward.of(question, parsed)
        assert (value is None) == (question.asks not in reward.asks)
        assert value is None or 0 <= value <= 1
    assert REWARDS.get("format").of(question, parsed) or not hit


def test_a_reply_is_cut_where_a_run_cuts_it() -> None:
    """A reply without an end within its own question's limit is cut, though others go on."""
    form = FORMATS.get("gta1")
    thinking = Cell("original", "direct", reasoning=True)
    short, long = (
        learned(msgspec.structs.replace(PLACE, id=name, cell=cell), form)
        for name, cell in (("short", PLACE.cell), ("long", thinking))
    )
    said = form.write(Point(120, 60), 400, 200)
    tokens = [*map(ord, " " * form.plain_tokens + said), END]

    reader = ReplyReader([short, long], form, characters, [END])

    assert isinstance(reader.read(short.id, tokens), Unparsed)
    assert isinstance(reader.read(long.id, tokens), Point)
    most = ReplyReader([short], form, characters, [END], limit=len(tokens))
    assert isinstance(most.read(short.id, tokens), Point)


@pytest.mark.parametrize(
    ("name", "question", "parsed", "expected"),
    [
        ("gaussian", PLACE, Point(120, 60), 1.0),
        ("gaussian", PLACE, Point(140, 60), math.exp(-0.5)),
        ("gaussian", PLACE, Box(130, 60, 150, 80), math.exp(-1)),
        ("gaussian", PLACE, Refusal("no"), 0.0),
        ("gaussian", NOWHERE, Refusal("no"), 1.0),
        ("gaussian", NOWHERE, Point(0, 0), 0.0),
        ("gaussian", TWO, Point(20, 10), 1.0),
        ("distance", PLACE, Point(120, 60), 1.0),
        ("distance", PLACE, Point(400, 200), 0.0),
        # 0.35 of the width away, of 0.7 to the right and 0.7 down: the farthest corner's half.
        ("distance", PLACE, Point(260, 130), 0.75),
        ("distance", PLACE, Point(9000, 60), 0.0),
        ("iou", PLACE, Box(120, 50, 140, 70), 0.5),
        ("iou", PLACE, Point(120, 60), 0.0),
        ("hit", PLACE, Point(140, 70), 1.0),
        ("hit", PLACE, Point(141, 70), 0.0),
        ("hit", WORDS, Text("4:30 pm"), 1.0),
        ("format", PLACE, Point(0, 0), 1.0),
        ("format", PLACE, Unparsed("no"), 0.0),
        ("format", WORDS, Choice("A"), 0.0),
        ("choice", OPTION, Choice("B"), 1.0),
        ("choice", OPTION, Choice("A"), 0.0),
        ("choice", PLACE, Point(120, 60), None),
        ("iou", OPTION, Choice("B"), None),
    ],
)
def test_a_reward_is_its_formula(
    name: str, question: Question, parsed: Parsed, expected: float | None
) -> None:
    """Values worked out by hand from the papers' formulas come out."""
    value = REWARDS.get(name).of(question, parsed)
    assert value == (expected if expected is None else pytest.approx(expected))


def test_a_reward_outside_0_to_1_is_an_error() -> None:
    """What another package's reward returns is checked, and names it."""
    broken = ReplyReward(name="x", version=1, summary="", source="", judge=lambda *_: math.nan)
    with pytest.raises(InvalidInputError, match="0 to 1 from the reward 'x'"):
        broken.of(PLACE, Point(0, 0))


def test_a_model_that_does_not_speak_the_format_is_refused() -> None:
    """Many unreadable replies in a row end the training with one of them; one read begins anew."""
    form = FORMATS.get("gta1")
    reader = ReplyReader([learned(PLACE, form)], form, characters, [END])
    tokens = [*map(ord, "no idea"), END]
    nothing = Unparsed("no numbers")
    said: list[Parsed] = [*[nothing] * 63, Point(0, 0), *[nothing] * 63]
    for parsed in said:
        reader.refuse_unread(tokens, parsed)
    with pytest.raises(InvalidInputError, match=r"64 in a row.*no idea.*no numbers"):
        reader.refuse_unread(tokens, nothing)
