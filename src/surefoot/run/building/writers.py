"""
Who writes a benchmark's instructions or questions: what is chosen, and what a build asks.
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from surefoot.benchmarks.benchmark import (
    AssembledBench,
    Benchmark,
    BuildOptions,
    PageResult,
    WrittenPages,
)
from surefoot.benchmarks.seeing.prompts import SeeingPrompts, read_seeing_prompts
from surefoot.benchmarks.seeing.sight import Sight
from surefoot.benchmarks.writing import Chat
from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Failure
from surefoot.core.store import ObjectStore
from surefoot.models import Options, check_one_server, open_chat, open_seeing
from surefoot.models.model import Responder
from surefoot.run.asking.sight import PictureChat
from surefoot.run.asking.writer import Writer, question_writer

TOKENS: Final = 1024  # of what a model that sees replies


class WriterOptions(msgspec.Struct, frozen=True, kw_only=True):
    """
    Say which model writes, what it sees and which one judges, "" for none.

    ``prompt_file`` replaces what both are asked. Raises InvalidInputError for a judge or a
    prompt file without a writer that sees the picture.
    """

    writer: str = ""
    sees: Literal["words", "picture"] = "words"
    judge: str = ""
    prompt_file: Path | None = None
    asking: Options = Options()

    def __post_init__(self) -> None:
        """Refuse what does not go together."""
        sees = self.sees == "picture"
        if (sees or self.judge or self.prompt_file) and not (sees and self.writer):
            raise InvalidInputError(
                "a writer that sees the picture, for a judge and a prompt file",
                found="a writer that sees words alone" if self.writer else "no writer",
                remedy="add --writer openai:NAME@BASE_URL --writer-sees picture",
            )


class Build(msgspec.Struct, frozen=True):
    """
    Hold what a build hands its writer: the pages' results, and how they are made and asked about.

    ``ask`` returns what gives a model's replies, through the build's ledger.
    """

    pages: tuple[PageResult, ...]
    options: BuildOptions
    store: ObjectStore
    ask: Callable[[Writer], Chat]


class BuildWriter(abc.ABC):
    """
    Write what a benchmark says, by one model or by a writer and a judge.
    """

    def __init__(self, *models: Writer) -> None:
        self._models = models

    @property
    def name(self) -> str:
        """Return the writer's name, and the judge's where there is one."""
        return ", judge ".join(model.name for model in self._models)

    @property
    def unread(self) -> tuple[Failure, ...]:
        """Return the requests whose record is no reply."""
        return tuple(failure for model in self._models for failure in model.unread)

    @abc.abstractmethod
    def plan(self, benchmark: Benchmark) -> dict[str, Any]:
        """
        Return all that determines what is written; no secret.

        Raises InvalidInputError for a benchmark that takes no such writer.
        """

    @abc.abstractmethod
    def assemble(self, benchmark: Benchmark, build: Build) -> tuple[AssembledBench, WrittenPages]:
        """Return a benchmark with what was written, and that; raises as ``Writer.chat`` does."""


class WordsWriter(BuildWriter):
    """
    Have a model phrase the instructions of pages, or reword the questions made of them.
    """

    def __init__(self, writer: Writer) -> None:
        super().__init__(writer)
        self._writer = writer

    def plan(self, benchmark: Benchmark) -> dict[str, Any]:
        """Return what determines the model's replies; raises as ``BuildWriter.plan`` does."""
        if benchmark.write is None and benchmark.reword is None:
            raise InvalidInputError(
                "a benchmark that takes a writer",
                found=f"'{benchmark.name}'",
                remedy="leave --writer out, or build sensitivity or multilingual",
            )
        return {"writer": self._writer.identity()}

    def assemble(self, benchmark: Benchmark, build: Build) -> tuple[AssembledBench, WrittenPages]:
        """Return the benchmark with phrases or in other words; raises as ``Writer.chat`` does."""
        chat, written = build.ask(self._writer), WrittenPages(build.pages, ())
        if benchmark.write is not None:
            written = benchmark.write(build.pages, chat, build.store, build.options)
        assembled = benchmark.assemble(written.pages, build.options)
        if benchmark.reword is not None:
            every = {screen.id: screen for page in written.pages for screen in page.screens}
            assembled, phrases = benchmark.reword(assembled, every, chat, build.store)
            written = WrittenPages(written.pages, phrases)
        return assembled, written


class SeeingWriter(BuildWriter):
    """
    Have a model describe what it sees, and another one judge that, None where nobody does.
    """

    def __init__(self, writer: Writer, judge: Writer | None, prompts: SeeingPrompts) -> None:
        super().__init__(*(model for model in (writer, judge) if model is not None))
        self._writer = writer
        self._judge = judge
        self._prompts = prompts

    def plan(self, benchmark: Benchmark) -> dict[str, Any]:
        """Return what determines both models' replies; raises as ``BuildWriter.plan`` does."""
        _seeing(benchmark)
        judge = {} if self._judge is None else {"judge": self._judge.identity()}
        return {"writer": {**self._writer.identity(), "sees": "picture"}, **judge}

    def assemble(self, benchmark: Benchmark, build: Build) -> tuple[AssembledBench, WrittenPages]:
        """Return the benchmark with what was described; raises as ``Writer.chat`` does."""
        sight = Sight(
            write=build.ask(self._writer),
            prompts=self._prompts,
            judge=None if self._judge is None else build.ask(self._judge),
            judge_name="" if self._judge is None else self._judge.name,
        )
        written = _seeing(benchmark)(build.pages, sight, build.store, build.options)
        return benchmark.assemble(written.pages, build.options), written


def _seeing(benchmark: Benchmark) -> Callable[..., WrittenPages]:
    """Return what has a benchmark's targets described; raises InvalidInputError without any."""
    if benchmark.write_seeing is None:
        raise InvalidInputError(
            "a benchmark whose writer can see the picture",
            found=f"'{benchmark.name}'",
            remedy="leave --writer-sees and --judge out, or build sensitivity",
        )
    return benchmark.write_seeing


def open_writer(
    benchmark: Benchmark, chosen: WriterOptions, images: Callable[[str], bytes]
) -> BuildWriter | None:
    """
    Open what writes a benchmark, None where nothing does; ``images`` returns stored bytes.

    Raises as ``open_chat``, ``open_seeing``, ``check_one_server`` and ``read_seeing_prompts`` do.
    """
    if not chosen.writer:
        return None
    if chosen.sees == "words":
        chat = open_chat(chosen.writer, options=chosen.asking)
        return WordsWriter(question_writer(chat) if benchmark.reword else Writer(chat))
    names = [name for name in (chosen.writer, chosen.judge) if name]
    check_one_server(names, chosen.asking)
    writer, *judge = [open_seeing(name, options=chosen.asking) for name in names]
    prompts = read_seeing_prompts(chosen.prompt_file)
    return seeing_writer(writer, judge[0] if judge else None, prompts, images)


def seeing_writer(
    writer: Responder,
    judge: Responder | None,
    prompts: SeeingPrompts,
    images: Callable[[str], bytes],
) -> SeeingWriter:
    """Return a writer and a judge that see pictures, whose stored bytes ``images`` returns."""

    def asked(responder: Responder) -> Writer:
        words = canonical_json(prompts).decode()
        return Writer(PictureChat(responder, images), words=words, tokens=TOKENS)

    return SeeingWriter(asked(writer), None if judge is None else asked(judge), prompts)
