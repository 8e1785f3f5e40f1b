"""
What coordinator and worker say to each other: JSON messages, each behind its length.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import BinaryIO, Final, TypeAlias

import msgspec

from surefoot.core import errors
from surefoot.core.errors import InvalidInputError, SurefootError

HEADER: Final = 8  # bytes that hold a message's length, big-endian
LARGEST: Final = 2**31


class StartMessage(msgspec.Struct, frozen=True, tag="start"):
    """Tell a new worker what to become: "module:function" and its keyword arguments."""

    factory: str
    arguments: Mapping[str, object]


class TaskMessage(msgspec.Struct, frozen=True, tag="task"):
    """Give a worker one unit."""

    body: Mapping[str, object]


class FinishMessage(msgspec.Struct, frozen=True, tag="finish"):
    """Ask a worker to close what it holds and end."""


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """Say that a worker has started."""


class Result(msgspec.Struct, frozen=True, tag="result"):
    """Return what a unit came to; ``notes`` say how, and are counted, not kept."""

    payload: bytes
    seconds: float
    notes: tuple[str, ...] = ()


class Trouble(msgspec.Struct, frozen=True, tag="trouble"):
    """
    Return why there is no result: a reason for people and programs.

    ``stops`` names the error class, of ``core.errors``, that has to end the whole run, ""
    where only the unit failed; ``parts`` are then its expected, found and remedy.
    """

    reason: str
    message: str
    stops: str = ""
    parts: tuple[str, str, str] = ("", "", "")
    seconds: float = 0.0

    def told_of(self, name: str) -> str:
        """
        Return the message; its last line, which is the one shown, names what failed.

        Of a defect the message is a traceback, any other is one line.

        >>> Trouble("timeout", "Expected a reply, found none.").told_of("question 'q1'")
        "question 'q1': Expected a reply, found none."
        """
        if self.reason == "bug":
            *before, last = self.message.strip().split("\n")
        else:
            before, last = [], " ".join(self.message.split())
        named = last if name in last else f"{name}: {last}"
        return "\n".join([*before, named])

    def end_run(self) -> None:
        """Raise the error that has to end the run, if there is one."""
        if self.stops:
            expected, found, remedy = self.parts
            kind = getattr(errors, self.stops, SurefootError)
            raise kind(expected, found=found, remedy=remedy)


ToWorker: TypeAlias = StartMessage | TaskMessage | FinishMessage
FromWorker: TypeAlias = Ready | Result | Trouble


def frame(message: ToWorker | FromWorker) -> bytes:
    r"""
    Spell a message with its length before it.

    >>> frame(FinishMessage())
    b'\x00\x00\x00\x00\x00\x00\x00\x11{"type":"finish"}'
    """
    body = msgspec.json.encode(message)
    return len(body).to_bytes(HEADER, "big") + body


def body_length(header: bytes) -> int:
    """Read a message's length; raises InvalidInputError where it cannot be one."""
    length = int.from_bytes(header, "big")
    if length > LARGEST:
        raise InvalidInputError(f"a message of at most {LARGEST} bytes", found=str(length))
    return length


def parse_reply(body: bytes) -> FromWorker:
    """Read what a worker said; raises InvalidInputError."""
    try:
        return msgspec.json.decode(body, type=Ready | Result | Trouble)
    except msgspec.MsgspecError as error:
        raise InvalidInputError("a worker's reply", found=error) from error


def read_task(stream: BinaryIO) -> ToWorker | None:
    """Read the coordinator's next message from a blocking stream, None at its end."""
    header = stream.read(HEADER)
    if len(header) < HEADER:
        return None
    length = body_length(header)
    body = stream.read(length)
    if len(body) < length:
        return None
    return msgspec.json.decode(body, type=StartMessage | TaskMessage | FinishMessage)
