"""
A model of one's own: a Python function from a picture and an instruction to a place.
"""

from __future__ import annotations

import asyncio
import functools
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError, ModelError
from surefoot.core.question import Question
from surefoot.models.local import answer_reply, place_reply, refusal_reply
from surefoot.models.model import Reply, Request

if TYPE_CHECKING:
    from PIL import Image

PointingFunction: TypeAlias = Callable[["Image.Image", str], tuple[float, float] | str | None]
SequenceFunction: TypeAlias = Callable[
    [list["Image.Image"], str], tuple[float, float] | str | None
]

REFUSED = "the function returned None"
LONGEST = 300  # characters of what a function returned or raised that are repeated


class FunctionModel(msgspec.Struct, frozen=True):
    """
    Name a function that is asked like any model.

    It is given the picture (RGB) and the instruction's words, and returns x and y in pixels of
    that picture, or None to refuse. Where a question asks for words or an option, it returns
    text. ``name`` is what reports call it; a raised ``version`` makes it another model, whose
    answers are asked for anew. A function of ``several`` pictures is given the list of all
    that a question has, in their order, also where there is one.
    """

    function: PointingFunction | SequenceFunction
    name: str
    version: str = "1"
    several: bool = False


def named_function(
    function: PointingFunction, name: str = "", version: str = "1"
) -> FunctionModel:
    """
    Return a function as a model, called as it is itself where no name is given.

    Raises InvalidInputError for one that has no name of its own, such as a lambda.

    >>> def corner(image, instruction):
    ...     return 0, 0
    >>> named_function(corner).name
    'corner'
    """
    own = name or str(getattr(function, "__name__", type(function).__name__))
    if not own.strip() or own == "<lambda>":
        raise InvalidInputError(
            "a name for the model", found="a function without one", remedy="give name='...'"
        )
    return FunctionModel(function, own, version)


class FunctionResponder:
    """
    Reply with what a function returns.

    It is called in one thread of its own, one call at a time, however many are in flight. An
    exception that it raises costs the question, which then failed with the reason "raised".
    """

    speaks = "json"

    def __init__(self, model: FunctionModel) -> None:
        self.name = model.name
        self._model = model
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="model")
        self._picture = functools.lru_cache(maxsize=1)(_picture)

    def identity(self) -> dict[str, object]:
        """Return the version; what the function does cannot be told from outside."""
        several = {"several": True} if self._model.several else {}
        return {"backend": "function", "version": self._model.version, **several}

    async def reply(self, request: Request) -> Reply:
        """Return the function's place as text; raises ModelError where it raises."""
        loop = asyncio.get_running_loop()
        called = loop.run_in_executor(self._thread, self._call, request)
        return Reply(_spelt(await called, request.question))

    async def close(self) -> None:
        """Let the call that is running end by itself; no other begins."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _call(self, request: Request) -> object:
        # A copy, since the function may draw on what it is given.
        pictures = [self._picture(data).copy() for data in (request.image, *request.further)]
        shown: Any = pictures if self._model.several else pictures[0]
        try:
            return self._model.function(shown, request.question.instruction.text)
        except (Exception, SystemExit) as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            failure = f"{type(error).__name__}: {error}"[:LONGEST]
            raise ModelError(
                "raised",
                expected=f"a place, None or text from the function '{self.name}'",
                found=f"{failure} (line {where.lineno}, in {where.name})",
            ) from error


def _picture(data: bytes) -> Image.Image:
    from surefoot.core.pictures import opened

    return opened(data)


def _spelt(returned: object, question: Question) -> str:
    """Spell what a function returned as a reply; what is no place stays what it is."""
    if returned is None:
        return refusal_reply(REFUSED)
    if isinstance(returned, str):
        return answer_reply(returned) if question.asks != "place" else returned
    try:
        x, y = map(float, returned)  # type: ignore[call-overload]
        return place_reply(x, y)
    except (TypeError, ValueError):
        return repr(returned)[:LONGEST]
