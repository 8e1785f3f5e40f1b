"""
Replay: gives again the raw replies that a run recorded, by the question's id.

The format's parser reads them anew, so that a mended parser can be tried on old replies
without asking any model.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from surefoot.core.canonical import decode, digest
from surefoot.core.errors import InvalidInputError, ModelError
from surefoot.core.question import Answer
from surefoot.models.backend import Backend, Options
from surefoot.models.model import Reply, Request
from surefoot.models.replies.answering import CUT
from surefoot.models.replies.letters import tokens_of


class Replay:
    """
    Reply from a mapping of question ids to replies.

    ``speaks`` names the format that the replies were recorded in, where that is known.
    """

    def __init__(self, replies: Mapping[str, Reply], *, name: str, speaks: str = "") -> None:
        self.replies = replies
        self.name = name
        self.speaks = speaks

    def identity(self) -> dict[str, object]:
        """Return the hash of all replies; the folder that they came from does not matter."""
        texts = {key: reply.text for key, reply in self.replies.items()}
        cut = sorted(key for key, reply in self.replies.items() if reply.cut)
        return {"backend": "replay", "replies": digest([texts, cut] if cut else texts)}

    async def reply(self, request: Request) -> Reply:
        """Return the recorded reply; raises ModelError("no-reply") where there is none."""
        found = self.replies.get(request.question.id)
        if found is None:
            raise ModelError(
                "no-reply",
                expected=f"a recorded reply to question {request.question.id}",
                found=f"none among {len(self.replies)}",
                remedy="replay the run on the benchmark that it was made with",
            )
        return found

    async def close(self) -> None:
        """Hold nothing, free nothing."""


def recorded_replies(path: Path) -> dict[str, Reply]:
    """
    Read the answers of a run's ``answers.jsonl``, by question id.

    Raises InvalidInputError for a missing file, a malformed line, or two different
    answers to one question.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InvalidInputError(
            f"a run's answers at {path}",
            found=error,
            remedy="name the folder of a finished run: replay:RUN",
        ) from error
    replies: dict[str, Reply] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        answer = decode(line, Answer, what=f"line {number} of {path.name}")
        tokens, cut = tokens_of(answer.probabilities), answer.parsed == CUT
        reply = Reply(answer.raw, answer.usage, tokens, cut)
        if replies.setdefault(answer.question, reply) != reply:
            raise InvalidInputError(
                f"one answer to question {answer.question} in {path}", found="two"
            )
    return replies


def _open(rest: str, options: Options) -> Replay:  # noqa: ARG001 - nothing of a replay can be set
    if not rest:
        raise InvalidInputError("a run's folder", found="none", remedy="write replay:RUN")
    folder = Path(rest)
    name, form = _recorded_model(folder / "plan.json")
    return Replay(
        recorded_replies(folder / "answers.jsonl"),
        name=name or folder.resolve().name,
        speaks=form,
    )


class _RecordedFormat(msgspec.Struct, frozen=True):
    """Read the format out of a recorded model's identity."""

    name: str = ""
    version: int = 0


class _RecordedModel(msgspec.Struct, frozen=True):
    """Read the name and the format out of a recorded model's identity."""

    name: str = ""
    format: _RecordedFormat = _RecordedFormat()
    wrapped: str = ""


class _RecordedPlan(msgspec.Struct, frozen=True):
    """Read the model out of a run's plan."""

    model: _RecordedModel = _RecordedModel()


def _recorded_model(path: Path) -> tuple[str, str]:
    if not path.is_file():
        return "", ""
    model = decode(path.read_bytes(), _RecordedPlan, what=str(path.name)).model
    if model.wrapped:
        raise InvalidInputError(
            "a run with one reply to each question",
            found=f"one of {model.name}, whose answers are made of several",
            remedy=f"replay a run of {model.wrapped}",
        )
    return model.name, model.format.name


REPLAY = Backend(
    name="replay",
    version=1,
    summary="gives again the raw replies that a run recorded",
    usage="replay:RUN",
    open=_open,
    blind=True,
)
