"""
Tasks of Inspect AI over a BENCH: ``inspect eval surefoot/perturbed -T bench=DIR``.

Questions are asked in the words of our formats and read by their parsers, so that a reply counts
here as it does in ``surefoot run``. Pictures go by their paths; ``--no-log-images`` keeps their
bytes out of the log. What a log needs to become a RUN is in its metadata under ``surefoot``.
This module is the entry point of the group ``inspect_ai``; nothing else imports it.
"""

from __future__ import annotations

import functools
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    GenerateConfig,
    get_model,
)
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Score,
    Scorer,
    Target,
    accuracy,
    grouped,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Answer, Question
from surefoot.core.store import ObjectStore
from surefoot.datasets.results.inspect_log import CUT, FACTS, LogFacts
from surefoot.models.format import ChatMessages, Format
from surefoot.models.model import messages_about, parsed_reply
from surefoot.models.opening import FORMATS, format_of
from surefoot.models.reading import writable
from surefoot.run.asking.runs import Reasoning, asked_questions, benchmark_of
from surefoot.run.folders.folder import manifest_digest
from surefoot.run.folders.tables import cluster_by_site
from surefoot.score.hits import is_hit


@task
def perturbed(bench: str, format: str = "", reasoning: Reasoning = "off") -> Task:  # noqa: A002
    """
    Ask for elements of screens, each also with one thing changed.

    ``bench`` is what ``surefoot build perturbed`` wrote; ``format`` is how the model replies,
    chosen by its name if not given; ``reasoning`` is "off", "on" or "both".
    """
    return _task(bench, format, reasoning, only="perturbed")


@task
def sensitivity(bench: str, format: str = "", reasoning: Reasoning = "off") -> Task:  # noqa: A002
    """Ask for elements under graded changes of the screen; as ``perturbed``."""
    return _task(bench, format, reasoning, only="sensitivity")


@task
def hidden(bench: str, format: str = "", reasoning: Reasoning = "off") -> Task:  # noqa: A002
    """Ask for elements whose words are masked; as ``perturbed``."""
    return _task(bench, format, reasoning, only="hidden")


@task
def multilingual(bench: str, format: str = "", reasoning: Reasoning = "off") -> Task:  # noqa: A002
    """Ask in several languages, for places, words and options; as ``perturbed``."""
    return _task(bench, format, reasoning, only="multilingual")


@task
def questions(bench: str, format: str = "", reasoning: Reasoning = "off") -> Task:  # noqa: A002
    """Ask any benchmark, an imported one too; as ``perturbed``."""
    return _task(bench, format, reasoning)


def _task(bench: str, format_name: str, reasoning: Reasoning, *, only: str = "") -> Task:
    folder = Path(bench).expanduser().resolve()
    digest = manifest_digest(folder, "bench")
    if only and (found := benchmark_of(folder)) != only:
        raise InvalidInputError(
            f"the benchmark '{only}' in {folder}",
            found=f"'{found}'" if found else "another one",
            remedy="run the task of its name, or surefoot/questions, which takes any",
        )
    form = FORMATS.get(format_name or format_of(get_model().name))
    asked = list(cluster_by_site(folder, asked_questions(folder, reasoning, 0)))
    if bare := sum(not all(question.images) for question in asked):
        raise InvalidInputError(
            f"a picture for each question in {folder}", found=f"none for {bare:,}"
        )
    store = ObjectStore(folder)
    facts = LogFacts(bench=digest, format=form.name, version=form.version, reasoning=reasoning)
    return Task(
        dataset=MemoryDataset([_sample(question, form, store) for question in asked], name=only),
        solver=ask(),
        scorer=hit(str(folder), form.name, reasoning),
        config=GenerateConfig(temperature=0.0, seed=0),
        metadata={FACTS: facts.plain()},
    )


def _sample(question: Question, form: Format, store: ObjectStore) -> Sample:
    cell, truth = question.cell, question.truth
    return Sample(
        id=question.id,
        input=_messages(messages_about(question, form), question, store),
        target=list(question.answers) or f"{truth.as_tuple()}",
        metadata={
            "site": question.cluster,
            "pair": question.pair,
            "variant": cell.variant,
            "instruction": cell.instruction,
            "language": question.instruction.language,
            "reasoning": cell.reasoning,
            "screen": question.screen,
            "max_tokens": form.tokens(reasoning=cell.reasoning),
        },
    )


def _messages(words: ChatMessages, question: Question, store: ObjectStore) -> list[ChatMessage]:
    shown: list[Content] = [ContentImage(image=str(store.path(sha))) for sha in question.images]
    text: list[Content] = [ContentText(text=words.user)]
    user = ChatMessageUser(content=shown + text if words.image_first else text + shown)
    return [*([ChatMessageSystem(content=words.system)] if words.system else []), user]


@solver
def ask() -> Solver:
    """Ask once, with the limit of tokens that the format gives a question."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await generate(state, max_tokens=state.metadata["max_tokens"])

    return solve


@scorer(metrics=[accuracy(), stderr(cluster="site"), grouped(accuracy(), "variant", all=False)])
def hit(bench: str, format: str, reasoning: Reasoning = "off") -> Scorer:  # noqa: A002
    """
    Judge a reply as ``surefoot score`` does: a hit is a place in the target.

    The standard error takes sites as independent, and accuracy is also given by variant.
    """

    @functools.cache
    def asked() -> dict[str, Question]:
        return {item.id: item for item in asked_questions(Path(bench), reasoning, 0)}

    form = FORMATS.get(format)

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        question = asked()[str(state.sample_id)]
        text = writable(state.output.completion)
        parsed = parsed_reply(text, question, form, cut=state.output.stop_reason == CUT)
        found = is_hit(question, Answer(question.id, text, parsed))
        kind = type(parsed).__name__.lower()
        return Score(
            value=CORRECT if found else INCORRECT, answer=f"{parsed}", metadata={"parsed": kind}
        )

    return score
