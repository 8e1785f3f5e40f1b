"""
A language model that phrases instructions or writes letters, asked through a build's ledger.

Each prompt is a unit of the build: its reply is committed, and never asked for twice. What
a text means is not the model's to say; that is read and proven by whoever asks.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.benchmarks.benchmark import Phrase
from surefoot.benchmarks.dimensions.rewording import REWORDING
from surefoot.benchmarks.writing import PROMPT, Chat
from surefoot.core.canonical import digest, record_json
from surefoot.core.errors import ModelError, SurefootError
from surefoot.core.ledger import Failure, Ledger
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply, TextChat
from surefoot.models.reading import writable
from surefoot.phrasing.words import amount_words, interval_words
from surefoot.run.engine.lanes import Got, ask_all
from surefoot.run.engine.outcome import record_of
from surefoot.run.engine.progress import Progress, Tally
from surefoot.run.engine.stopping import run_interruptible
from surefoot.score.conditions.scores import mean_of
from surefoot.score.metric import GivenMetric
from surefoot.score.stats.intervals import CONFIDENCE

if TYPE_CHECKING:
    from rich.console import Console


MAX_TOKENS: Final = 256
LONGEST: Final = 4000  # characters of a reply that are kept; nothing near it can be an instruction
QUESTION_TOKENS: Final = 2048
LONGEST_QUESTION: Final = 16_000
SHOWN: Final = 60  # characters of a prompt that name it where it failed
# Reasons for which no other prompt can fare better, as long as none has been replied to.
LASTING: Final = frozenset({"connection", "http-401", "http-403", "http-404"})
KEPT: Final = GivenMetric(
    name="kept", title="texts kept", summary="a writer's text is proven to mean what it should"
)


class Writer:
    """
    Ask a chat for texts, so many at a time, each prompt once in a folder's life.

    ``words`` are those that all its prompts share, ``tokens`` what a reply may have, and
    ``longest`` how many characters of one are kept. ``unread`` are the prompts whose record
    is no reply, ``lost`` those without a reply, and ``tally`` counts those that were asked last.
    """

    def __init__(
        self,
        chat: TextChat,
        *,
        words: str = PROMPT,
        tokens: int = MAX_TOKENS,
        longest: int = LONGEST,
        concurrency: int = 8,
    ) -> None:
        self._chat = chat
        self._words = words
        self._tokens = tokens
        self._longest = longest
        self._concurrency = concurrency
        self._replied = False
        self.unread: list[Failure] = []
        self.lost: set[str] = set()
        self.tally = Tally()

    @property
    def name(self) -> str:
        """Return the model's name."""
        return self._chat.name

    def identity(self) -> dict[str, object]:
        """Return all that determines replies: model, address, sampling, prompt; no secret."""
        own = self._chat.identity()
        return {"name": self.name, **own, "prompt": digest(self._words), "tokens": self._tokens}

    def chat(self, ledger: Ledger, console: Console | None = None) -> Chat:
        """
        Return what gives the reply to each prompt, "" where it failed.

        Replies come from the ledger where it has them; a prompt without a reply becomes a
        recorded failure. Raises SurefootError, and records nothing, where the server cannot
        be reached or refuses before it gave any reply.
        """
        return functools.partial(self._replies, ledger, console)

    def _replies(
        self, ledger: Ledger, console: Console | None, prompts: Sequence[str]
    ) -> list[str]:
        identity = self.identity()
        keys = [digest({"prompt": prompt, "writer": identity}) for prompt in prompts]
        with Progress(f"asking {self.name}", console) as progress:
            run_interruptible(self._ask(dict(zip(keys, prompts, strict=True)), ledger, progress))
            self.tally = progress.tally
        failed = {failure.key for failure in ledger.failures()}
        self.lost |= {prompt for key, prompt in zip(keys, prompts, strict=True) if key in failed}
        return ["" if key in failed else self._kept(ledger, key) for key in keys]

    async def _ask(self, wanted: dict[str, str], ledger: Ledger, progress: Progress) -> None:
        try:
            await ask_all(
                wanted,
                self._one,
                ledger,
                concurrency=self._concurrency,
                progress=progress,
                order=lambda prompt: (prompt,),
                name=lambda prompt: f"{self.name}, asked '...{_tail(prompt)}'",
            )
        finally:
            await self._chat.close()

    async def _one(self, prompt: str) -> Got:
        try:
            reply = await self._chat.say(ChatMessages("", prompt), self._tokens)
        except ModelError as error:
            if error.reason in LASTING and not self._replied:
                parts = {"found": error.found, "remedy": error.remedy}
                raise SurefootError(error.expected, **parts) from error
            raise
        self._replied = True
        text = writable(reply.text[: self._longest])
        kept = msgspec.structs.replace(reply, text=text)
        return Got(record_json(kept, Reply, what="a reply"), cost=reply.usage.cost)

    def _kept(self, ledger: Ledger, key: str) -> str:
        reply = record_of(key, ledger.payload(key), Reply)
        if isinstance(reply, Failure):
            self.unread.append(reply)
            return ""
        return reply.text


def question_writer(chat: TextChat, *, words: str = REWORDING, concurrency: int = 8) -> Writer:
    """Return a writer with room for a question and its options."""
    room = {"tokens": QUESTION_TOKENS, "longest": LONGEST_QUESTION, "concurrency": concurrency}
    return Writer(chat, words=words, **room)


def writer_line(name: str, phrases: Iterable[Phrase], sites: Mapping[str, str]) -> str:
    """
    Say how many of a writer's phrases were kept, with the interval over sites.

    ``sites`` names the site of each phrase's pair.

    >>> said = Phrase("page#save", "Click 'Save'", "Press 'Save'", "kept")
    >>> writer_line("m", [said], {"page#save": "shop"})
    'writer m: 1 of 1 phrases kept (100.0 %, 95 % interval unknown)'
    """
    kept = [(sites[phrase.pair], phrase.fate == "kept") for phrase in phrases]
    return f"writer {name}: {kept_words(kept, 'phrases') if kept else 'nothing to say'}"


def _tail(prompt: str) -> str:
    return " ".join(prompt.split())[-SHOWN:]


def kept_words(kept: Iterable[tuple[str, bool]], what: str, unit: str = "sites") -> str:
    """
    Say how many of some were kept, from (cluster, kept), of which there is at least one.

    ``unit`` is the plural of what the clusters are.

    >>> kept_words([("a", True), ("a", False), ("b", False), ("c", False)], "papers", "forms")
    '1 of 4 papers kept (25.0 %, 95 % interval 0.8 to 93.0 (3 forms))'
    """
    score = mean_of(KEPT, kept, "", unit=unit)
    share = amount_words(score.amount, KEPT.unit)
    ends = f"{100 * CONFIDENCE:.0f} % interval {interval_words(score.interval) or 'unknown'}"
    return f"{score.total:.0f} of {score.n} {what} kept ({share}, {ends})"
