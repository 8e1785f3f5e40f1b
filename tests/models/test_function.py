"""
A function of one's own is asked like any model, and cannot end a run.
"""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from surefoot.core.errors import InvalidInputError, PlanMismatchError
from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Refusal, Text, Unparsed
from surefoot.models import FunctionModel, Options, named_function, open_model
from surefoot.models.function import PointingFunction
from surefoot.run.asking.run import ask_model
from surefoot.run.folders.folder import read_answers, read_questions

OPTIONS = Options(concurrency=3)


def answered(
    drawn: Path, out: Path, function: PointingFunction, version: str = "1"
) -> list[Answer]:
    """Return the answers of a function to the drawn benchmark."""
    model = FunctionModel(function, "mine", version)
    ask_model(drawn, model, out, options=OPTIONS, check=False, keep_going=True)
    return list(read_answers(out))


@pytest.mark.parametrize(
    ("returned", "parsed"),
    [
        ((3, 4), Point(3.0, 4.0)),
        ([3.5, 4.25], Point(3.5, 4.25)),
        (None, Refusal("the function returned None")),
        ('{"x": 1, "y": 2}', Point(1.0, 2.0)),
    ],
)
def test_what_is_returned_is_the_answer(
    drawn: Path, tmp_path: Path, returned: tuple[float, float] | str | None, parsed: object
) -> None:
    """A pair of numbers is a place, None a refusal, and text is read as any reply."""
    answers = answered(drawn, tmp_path / "run", lambda _image, _words: returned)

    assert {repr(answer.parsed) for answer in answers} == {repr(parsed)}


@pytest.mark.parametrize("returned", [(1.0, float("nan")), (1, 2, 3), 7, "over there", object])
def test_what_is_no_place_is_unparsed(drawn: Path, tmp_path: Path, returned: object) -> None:
    """Nothing is made of a reply that is no place: it is counted as unreadable."""
    answers = answered(drawn, tmp_path / "run", lambda _image, _words: returned)  # type: ignore[arg-type,return-value]

    assert len(answers) == 36
    assert all(isinstance(answer.parsed, Unparsed) for answer in answers)


def test_the_function_gets_the_picture_and_the_words(drawn: Path, tmp_path: Path) -> None:
    """It sees what the question is about, one call at a time in one thread, and may spoil it."""
    seen: list[tuple[tuple[int, int], str]] = []
    threads: set[int] = set()

    def look(image: Image.Image, words: str) -> tuple[int, int]:
        assert image.mode == "RGB"
        assert image.getpixel((300, 190)) == (238, 238, 238)
        seen.append((image.size, words))
        threads.add(threading.get_ident())
        image.paste("black", (0, 0, *image.size))
        return 1, 1

    answered(drawn, tmp_path / "run", look)

    asked = sorted(((q.width, q.height), q.instruction.text) for q in read_questions(drawn))
    assert sorted(seen) == asked
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_an_exception_costs_its_question(drawn: Path, tmp_path: Path) -> None:
    """A question at which the function raises has failed, by its words; the others stand."""

    def fragile(_image: Image.Image, words: str) -> tuple[int, int]:
        if "below" in words:
            raise KeyError("no <such> key")
        return 1, 1

    model = named_function(fragile)
    outcome = ask_model(drawn, model, tmp_path / "run", options=OPTIONS, check=False)

    assert {failure.reason for failure in outcome.failures} == {"raised"}
    assert len(outcome.failures) == 18
    assert "KeyError: 'no <such> key' (line " in outcome.failures[0].message
    assert len(read_answers(tmp_path / "run")) == 18


def test_a_run_goes_on_and_another_version_is_another_run(drawn: Path, tmp_path: Path) -> None:
    """What was answered is not asked again; a raised version belongs to another folder."""
    calls: list[str] = []

    def count(_image: Image.Image, words: str) -> tuple[int, int]:
        calls.append(words)
        return (1, 1) if len(calls) > 10 else (1, 1 // 0)

    model = FunctionModel(count, "mine")
    begun = ask_model(drawn, model, tmp_path / "run", options=OPTIONS, check=False)
    again = {"options": OPTIONS, "check": False, "retry_failed": True}
    ended = ask_model(drawn, model, tmp_path / "run", **again)  # type: ignore[arg-type]

    assert (begun.tally.done, begun.tally.failed, len(calls)) == (26, 10, 46)
    assert (ended.tally.kept, ended.tally.done, ended.tally.failed) == (26, 10, 0)
    with pytest.raises(PlanMismatchError, match="version"):
        answered(drawn, tmp_path / "run", count, version="2")


def test_coordinates_in_another_space_are_found(drawn: Path, tmp_path: Path) -> None:
    """A function that points in shares of the picture is told so before the run begins."""

    def shares(image: Image.Image, _words: str) -> tuple[float, float]:
        blue = image.point(lambda level: level == 29 and 255).split()[0].getbbox()
        assert blue is not None
        return (blue[0] + blue[2]) / 2 / image.width, (blue[1] + blue[3]) / 2 / image.height

    with pytest.raises(InvalidInputError, match="Return x and y in pixels of the picture"):
        ask_model(drawn, named_function(shares), tmp_path / "run", options=OPTIONS)

    assert not (tmp_path / "run").exists()


def test_words_are_answered_in_words(drawn: Path) -> None:
    """Where a question asks for words, the text that is returned is the answer."""
    question = read_questions(drawn)[0]
    asks = msgspec.structs.replace(question, asks="words")
    model = open_model(named_function(lambda _image, _words: "12 May", "mine"))

    async def ask() -> Answer:
        png = (drawn / "objects" / question.image[:2] / f"{question.image}.png").read_bytes()
        try:
            return await model.answer(asks, png)
        finally:
            await model.close()

    assert asyncio.run(ask()).parsed == Text("12 May")


def test_a_function_has_a_name_and_nothing_to_choose() -> None:
    """A lambda without a name is refused, and so are a format and a key that mean nothing."""
    with pytest.raises(InvalidInputError, match="name="):
        named_function(lambda _image, _words: None)
    model = named_function(lambda _image, _words: None, "mine")
    with pytest.raises(InvalidInputError, match="pixels of the picture"):
        open_model(model, format_name="gta1")
