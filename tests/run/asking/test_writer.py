"""
A writer through the ledger: each prompt once, whatever the chat does.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from surefoot.benchmarks.benchmark import Phrase
from surefoot.core.canonical import digest
from surefoot.core.errors import ModelError, SurefootError
from surefoot.core.ledger import Ledger
from surefoot.core.question import Usage
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply
from surefoot.run.asking.writer import Writer, writer_line
from surefoot.score.stats.clusters import RATE, interval_bounds, ratio

PROMPTS = [f"prompt {number}" for number in range(9)]


class Chat:
    """Reply as told, or with the prompt in capitals."""

    name = "speaker"

    def __init__(self, said: Mapping[str, str | Exception] | None = None) -> None:
        self.said = said or {}
        self.asked: list[str] = []
        self.closed = self.now = self.most = 0

    def identity(self) -> dict[str, object]:
        """Return where it is."""
        return {"base_url": "here", "temperature": 0.0}

    async def say(self, messages: ChatMessages, max_tokens: int) -> Reply:
        """Reply, or raise."""
        assert (messages.system, max_tokens > 0, self.closed) == ("", True, 0)
        self.asked.append(messages.user)
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.01)
        self.now -= 1
        said = self.said.get(messages.user, messages.user.upper())
        if isinstance(said, Exception):
            raise said
        return Reply(said, Usage(cost=0.5))

    async def close(self) -> None:
        """Count."""
        self.closed += 1


def ask(folder: Path, chat: Chat, prompts: list[str], **options: Any) -> list[str]:  # noqa: ANN401
    """Ask once, in a folder that may have been begun."""
    with Ledger.open(folder, {"kind": "bench"}, **options) as ledger:
        return list(Writer(chat, concurrency=3).chat(ledger)(prompts))


def trouble(reason: str) -> ModelError:
    """Return what a chat raises."""
    return ModelError(reason, expected="a reply", found="none")


def test_a_record_that_is_no_reply_is_counted(tmp_path: Path) -> None:
    """Where a ledger holds no reply under a prompt's key, the prompt has none, and it is told."""
    writer = Writer(Chat(), concurrency=3)
    with Ledger.open(tmp_path, {"kind": "bench"}) as ledger:
        key = digest({"prompt": PROMPTS[4], "writer": writer.identity()})
        ledger.done(key, b'{"text": true}')
        replies = writer.chat(ledger)(PROMPTS)
    assert [number for number, reply in enumerate(replies) if not reply] == [4]
    assert [(failure.key, failure.reason) for failure in writer.unread] == [
        (key, "unreadable-record")
    ]


def test_replies_come_in_the_order_of_the_prompts_and_once(tmp_path: Path) -> None:
    """A second call takes all from the ledger, a third asks for what is new."""
    first, second, third = Chat(), Chat(), Chat()
    assert ask(tmp_path, first, PROMPTS) == [prompt.upper() for prompt in PROMPTS]
    assert (sorted(first.asked), first.closed, first.most) == (PROMPTS, 1, 3)
    assert ask(tmp_path, second, PROMPTS[::-1]) == [prompt.upper() for prompt in PROMPTS[::-1]]
    assert (second.asked, second.closed) == ([], 1)
    assert ask(tmp_path, third, [*PROMPTS, "new"])[-1] == "NEW"
    assert third.asked == ["new"]


def test_an_interrupted_pass_keeps_what_was_said(tmp_path: Path) -> None:
    """Whatever ends the run, replies that came before are not asked for again."""
    stop = SurefootError("room", found="none")
    cut = Chat({PROMPTS[6]: stop})
    with pytest.raises(SurefootError, match="room"):
        ask(tmp_path, cut, PROMPTS)
    assert cut.closed == 1
    rest = Chat()
    assert ask(tmp_path, rest, PROMPTS) == [prompt.upper() for prompt in PROMPTS]
    assert not set(rest.asked) & set(PROMPTS[:4])


def test_a_failure_is_no_reply_until_it_is_tried_again(tmp_path: Path) -> None:
    """A failed prompt is recorded with its reason, and not asked again unless that is wanted."""
    bad = Chat({PROMPTS[2]: trouble("timeout"), PROMPTS[7]: trouble("connection")})
    found = ask(tmp_path, bad, PROMPTS)
    assert [number for number, item in enumerate(found) if not item] == [2, 7]
    with Ledger.read(tmp_path) as ledger:
        assert {failure.reason for failure in ledger.failures()} == {"timeout", "connection"}
    again = Chat()
    assert ask(tmp_path, again, PROMPTS) == found
    assert again.asked == []
    retried = Chat()
    assert ask(tmp_path, retried, PROMPTS, retry_failed=True)[2] == PROMPTS[2].upper()
    assert sorted(retried.asked) == [PROMPTS[2], PROMPTS[7]]


@pytest.mark.parametrize("reason", ["connection", "http-401", "http-403", "http-404"])
def test_a_server_that_was_never_there_fails_nothing(tmp_path: Path, reason: str) -> None:
    """Before any reply, what cannot get better by asking on ends the pass, unrecorded."""
    away = Chat(dict.fromkeys(PROMPTS, trouble(reason)))
    with pytest.raises(SurefootError) as error:
        ask(tmp_path, away, PROMPTS)
    assert not isinstance(error.value, ModelError)
    assert len(away.asked) <= 3
    with Ledger.read(tmp_path) as ledger:
        assert ledger.finished() == set()


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("\ud800 press", "? press"),
        ("x" * 10**6, "x" * 4000),
        ("", ""),
        ("\0\x1b[2J\n'", "\0\x1b[2J\n'"),
    ],
)
def test_hostile_replies_are_kept_as_text(tmp_path: Path, said: str, kept: str) -> None:
    """Whatever a chat says is written down, cut to what an instruction could need."""
    for _ in range(2):
        assert ask(tmp_path, Chat({PROMPTS[0]: said}), PROMPTS[:1]) == [kept]
    with Ledger.read(tmp_path) as ledger:
        (payload,) = (payload for _, payload in ledger.payloads())
    assert json.loads(payload) == {"text": kept, "usage": {"cost": 0.5}}


def test_one_writer_asks_in_rounds(tmp_path: Path) -> None:
    """A second round opens what the first one closed, under words and limits of its own."""

    class Again(Chat):
        async def say(self, messages: ChatMessages, max_tokens: int) -> Reply:
            assert max_tokens == 7
            self.closed = 0
            return await super().say(messages, max_tokens)

    chat = Again({PROMPTS[1]: "x" * 99})
    with Ledger.open(tmp_path, {"kind": "bench"}) as ledger:
        writer = Writer(chat, words="Write.", tokens=7, longest=9)
        ask_round = writer.chat(ledger)
        assert list(ask_round(PROMPTS[:1])) == ["PROMPT 0"]
        assert list(ask_round(PROMPTS[:2])) == ["PROMPT 0", "x" * 9]
    assert chat.asked == PROMPTS[:2]
    assert writer.identity() != Writer(chat).identity()


def test_no_prompts_ask_nothing(tmp_path: Path) -> None:
    """A build without targets closes the chat and no more."""
    chat = Chat()
    assert ask(tmp_path, chat, []) == []
    assert (chat.asked, chat.closed) == ([], 1)


def test_the_rate_counts_every_phrase() -> None:
    """Nothing said has no rate; phrases that were not kept count, and sites are independent."""
    assert writer_line("m", [], {}) == "writer m: nothing to say"
    sites = {"p": "a", "q": "b", "r": "c"}
    said = [Phrase("p", "a", "b", "kept"), *(Phrase(pair, "a", "", "no reply") for pair in "pqr")]
    sums = ratio(np.array([[1.0], [0.0], [0.0]]), np.array([[2.0], [1.0], [1.0]]))
    low, high = 100 * interval_bounds(sums, RATE)[:, 0]
    told = f"1 of 4 phrases kept (25.0 %, 95 % interval {low:.1f} to {high:.1f} (3 sites))"
    assert writer_line("m", said, sites) == f"writer m: {told}"
