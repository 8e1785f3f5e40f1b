"""
The work behind ``surefoot backtranslate``: sentences come back into English and are compared.

A language model translates each question of a multilingual benchmark, with its options, back into
English; what comes back is compared with the English question of the same item, sentence by
sentence, by chrF (Popović, 2015) as sacrebleu counts it. It judges nothing: a low number, or an
option that comes back nearer to another one, says where somebody should look.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.benchmarks.benchmark import Funnel
from surefoot.benchmarks.dimensions.lines import QUESTION, joined, question_lines, read_lines
from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.extras import missing_package
from surefoot.core.ledger import Failure, Ledger, read_plan
from surefoot.core.question import Question
from surefoot.core.store import ObjectStore
from surefoot.models.model import TextChat
from surefoot.phrasing.words import amount_words, cluster_words, interval_words
from surefoot.run.asking.writer import question_writer
from surefoot.run.engine.outcome import Outcome
from surefoot.run.folders.folder import (
    export,
    manifest_digest,
    read_manifest,
    read_questions,
    read_screens,
)
from surefoot.score.conditions.scores import mean_of
from surefoot.score.metric import GivenMetric
from surefoot.score.stats.intervals import Interval

if TYPE_CHECKING:
    from rich.console import Console


ENGLISH: Final = "en"
PROMPT: Final = (
    "Below is a multiple-choice question about the user interface of a program, with its "
    "options; its language has the code '{language}'. Translate it into English as closely as "
    "you can, also where it reads oddly; do not mend it and do not answer it. Translate words "
    "in quotation marks, which are labels of the interface, too, and keep their quotation "
    "marks. Reply with the same lines in the same order, each beginning with the same letter "
    "and a colon, and with nothing else.\n\n{lines}"
)
LOST: Final = "no reply"
ASKED: Final = "bench"  # in the folder that is written
_CHRF: Final = GivenMetric(
    name="chrf", title="chrF", summary="how far a sentence that came back is as the English one"
)


class BackTranslatedSentence(msgspec.Struct, frozen=True):
    """
    Hold a sentence, its English partner, what came back, and their chrF from 0 to 100.

    ``label`` is "Q" for the question. ``nearer`` is the label of another option of the English
    question that what came back is nearer to, "" where there is none.
    """

    label: str
    english: str
    sentence: str
    back: str
    chrf: float
    nearer: str = ""


class BackTranslatedQuestion(msgspec.Struct, frozen=True):
    """
    Hold what came back of one question; ``sentences`` is empty where ``why`` says what did not.

    ``chrf`` is the mean over sentences, from 0 to 100.
    """

    question: str
    pair: str
    site: str
    dimension: str
    language: str
    chrf: float | None = None
    sentences: tuple[BackTranslatedSentence, ...] = ()
    why: str = ""

    @property
    def nearer(self) -> int:
        """Count the options that came back nearer to another one."""
        return sum(bool(sentence.nearer) for sentence in self.sentences)


class BackTranslationScore(msgspec.Struct, frozen=True):
    """
    Hold the mean chrF of a language, or of a dimension in it ("" for all), from 0 to 100.

    ``nearer`` counts questions with an option that came back nearer to another one, ``unread``
    those of which nothing came back that could be read. The interval is a share.
    """

    language: str
    dimension: str
    questions: int
    chrf: float | None
    interval: Interval | None
    nearer: int
    unread: int


class BackTranslationSummary(msgspec.Struct, frozen=True):
    """Hold the scores, and sacrebleu's signature of how chrF was counted."""

    signature: str
    scores: tuple[BackTranslationScore, ...]


def back_translate(  # noqa: PLR0913 - what is asked of whom, all by name
    bench: Path,
    chat: TextChat,
    out: Path,
    *,
    count: int = 0,
    seed: int = 0,
    worst: int = 10,
    workers: int = 8,
    retry_failed: bool = False,
    console: Console | None = None,
) -> tuple[Outcome, BackTranslationSummary, tuple[BackTranslatedQuestion, ...]]:
    """
    Have a benchmark's questions in other languages translated back, and compare them.

    Of ``count`` items (0 for all), drawn by the seed. Each question is one prompt, and its reply
    is committed: a pass that was stopped goes on. Raises InvalidInputError for a benchmark whose
    items are not asked in English and in another language with named options, and
    MissingComponentError without sacrebleu.
    """
    measure, signature = _chrf()
    items = _items(bench, count, seed)
    writer = question_writer(chat, words=PROMPT, concurrency=workers)
    plan = {
        "kind": "back-translation",
        "bench": manifest_digest(bench, "bench"),
        "translator": writer.identity(),
        "count": count,
        "seed": seed,
        "measure": signature,
    }
    with Ledger.open(out, plan, retry_failed=retry_failed) as ledger:
        prompts = [_prompt(foreign) for foreign, _ in items]
        replies = writer.chat(ledger, console)(prompts)
        compared = tuple(
            _compared(*pair, None if prompt in writer.lost else reply, measure)
            for pair, prompt, reply in zip(items, prompts, replies, strict=True)
        )
        failures = (*ledger.failures(), *writer.unread, *_unread(compared))
    summary = BackTranslationSummary(signature, tuple(_scores(compared)))
    tables = {"translations.jsonl": compared}
    export(out, "back-translation", tables, {"summary.json": summary})
    asked = _write_asked(bench, out / ASKED, plan, zip(items, compared, strict=True))
    line = f"{asked} questions in {out / ASKED}: English as it was, and as it came back"
    lines = (*map(_said, summary.scores), line, *_worst_lines(compared, worst))
    return Outcome(out, writer.tally, failures, lines), summary, compared


def _write_asked(
    bench: Path,
    out: Path,
    plan: Mapping[str, object],
    found: Iterable[tuple[tuple[Question, Question], BackTranslatedQuestion]],
) -> int:
    """
    Write a BENCH of the English questions and of what came back of each, on the English screens.

    A model's accuracy on either is what table 6 of MPR-GUI compares. Returns how many there are.
    """
    asked: dict[str, Question] = {}
    for (foreign, english), back in found:
        if back.sentences:
            asked[english.id] = english
            sentences_back = {sentence.label: sentence.back for sentence in back.sentences}
            options = {label: sentences_back[label] for label in english.options}
            lines = [
                sentences_back[QUESTION],
                *(f"{label}: {words}" for label, words in options.items()),
            ]
            words = msgspec.structs.replace(english.instruction, text="\n".join(lines))
            again = msgspec.structs.replace(
                english,
                id=digest([foreign.id, "back"])[:20],
                cell=msgspec.structs.replace(english.cell, variant=f"{back.language}-to-en"),
                instruction=words,
                facts=english.facts | options,
            )
            asked[again.id] = again
    shown = {question.screen for question in asked.values()}
    there = "screens.jsonl" in read_manifest(bench, "bench").files
    screens = [screen for screen in (read_screens(bench) if there else ()) if screen.id in shown]
    with Ledger.open(out, {**read_plan(bench), "back_translated": digest(plan)}):
        source, target = ObjectStore(bench), ObjectStore(out)
        for image in sorted(
            {item for question in asked.values() for item in question.images if item}
        ):
            target.put(source.get(image))
        tables = {"screens.jsonl": screens, "questions.jsonl": asked.values()}
        export(out, "bench", tables, {"funnel.json": Funnel((), {})})
    return len(asked)


def _items(bench: Path, count: int, seed: int) -> list[tuple[Question, Question]]:
    """Return each question in another language with the English one of its item."""
    by_pair: defaultdict[str, list[Question]] = defaultdict(list)
    for question in read_questions(bench):
        named = question.options and all(map(question.facts.get, question.options))
        if named and "shown" not in question.facts:
            by_pair[question.pair].append(question)
    whole = {
        pair: (english[0], [item for item in own if item.instruction.language != ENGLISH])
        for pair, own in sorted(by_pair.items())
        if len(english := [entry for entry in own if entry.instruction.language == ENGLISH]) == 1
    }
    drawn = sorted(whole, key=lambda pair: digest([seed, pair]))[: count or None]
    found = [(other, whole[pair][0]) for pair in sorted(drawn) for other in whole[pair][1]]
    if not found:
        raise InvalidInputError(
            f"items in English and in another language in {bench}",
            found="none",
            remedy="name what `surefoot build multilingual` wrote",
        )
    return found


def _prompt(question: Question) -> str:
    lines = joined(question_lines(question))
    return PROMPT.replace("{language}", question.instruction.language).replace("{lines}", lines)


def _compared(
    foreign: Question, english: Question, reply: str | None, measure: Callable[[str, str], float]
) -> BackTranslatedQuestion:
    compared = BackTranslatedQuestion(
        question=foreign.id,
        pair=foreign.pair,
        site=foreign.cluster,
        dimension=foreign.cell.instruction,
        language=foreign.instruction.language,
    )
    own, right = question_lines(foreign), question_lines(english)
    read = LOST if reply is None else read_lines(reply, list(own))
    if isinstance(read, str):
        return msgspec.structs.replace(compared, why=read)
    sentences = tuple(
        _sentence(label, own[label], back, right, measure) for label, back in read.items()
    )
    mean = sum(sentence.chrf for sentence in sentences) / len(sentences)
    return msgspec.structs.replace(compared, sentences=sentences, chrf=mean)


def _sentence(
    label: str,
    sentence: str,
    back: str,
    right: Mapping[str, str],
    measure: Callable[[str, str], float],
) -> BackTranslatedSentence:
    chrf = measure(back, right[label])
    others = [] if label == QUESTION else [item for item in right if item not in (label, QUESTION)]
    scores = {other: measure(back, right[other]) for other in others}
    nearest = max(scores, key=lambda other: scores[other], default="")
    nearer = nearest if nearest and scores[nearest] > chrf else ""
    return BackTranslatedSentence(label, right[label], sentence, back, chrf, nearer)


def _scores(compared: Sequence[BackTranslatedQuestion]) -> Iterator[BackTranslationScore]:
    """Yield the score of each language, and of each dimension in it."""
    for language in sorted({question.language for question in compared}):
        own = [question for question in compared if question.language == language]
        yield _score(language, "", own)
        for dimension in sorted({question.dimension for question in own}):
            yield _score(
                language,
                dimension,
                [question for question in own if question.dimension == dimension],
            )


def _score(
    language: str, dimension: str, own: Sequence[BackTranslatedQuestion]
) -> BackTranslationScore:
    found = [(question.site, question.chrf / 100) for question in own if question.chrf is not None]
    mean = mean_of(_CHRF, found, "")
    return BackTranslationScore(
        language=language,
        dimension=dimension,
        questions=len(own),
        chrf=None if mean.amount is None else 100 * mean.amount,
        interval=mean.interval,
        nearer=sum(question.nearer > 0 for question in own),
        unread=len(own) - len(found),
    )


def _said(score: BackTranslationScore) -> str:
    name = f"  {score.dimension}" if score.dimension else score.language
    if score.chrf is None:
        return (
            f"{name}: nothing that could be read of {cluster_words(score.questions, 'questions')}"
        )
    value = amount_words(score.chrf / 100, "share", bare=True)
    return (
        f"{name}: chrF {value} (95 % interval {interval_words(score.interval) or 'none'}) of "
        f"{cluster_words(score.questions, 'questions')}; {score.nearer} with an option nearer to "
        f"another one, {score.unread} not read"
    )


def _worst_lines(compared: Iterable[BackTranslatedQuestion], worst: int) -> Iterator[str]:
    """Yield the sentences that came back worst: first what is nearer to another option."""
    sentences = [(question, sentence) for question in compared for sentence in question.sentences]
    sentences.sort(key=lambda pair: (not pair[1].nearer, pair[1].chrf, pair[0].question))
    for question, line_back in sentences[:worst]:
        nearer = f", nearer to {line_back.nearer}" if line_back.nearer else ""
        where = f"{question.language} {question.dimension} {question.question} {line_back.label}"
        yield f"{where}, chrF {line_back.chrf:.1f}{nearer}"
        yield f"  English: {line_back.english}"
        yield f"  {question.language}: {line_back.sentence}"
        yield f"  back: {line_back.back}"


def _unread(compared: Iterable[BackTranslatedQuestion]) -> Iterator[Failure]:
    """Yield the replies that came and could not be read."""
    for question in compared:
        if question.why not in ("", LOST):
            message = f"the question {question.question} in '{question.language}': {question.why}"
            yield Failure(question.question, "unread-translation", message)


def _chrf() -> tuple[Callable[[str, str], float], str]:
    """Return the measure of a sentence and its partner, from 0 to 100, and its signature."""
    try:
        from sacrebleu.metrics.chrf import CHRF
    except ModuleNotFoundError as error:
        raise missing_package(error) or error from error
    chrf = CHRF()

    def measure(back: str, right: str) -> float:
        score: float = chrf.sentence_score(back, [right]).score
        return score

    measure("a", "a")  # a signature tells of references only once there were some
    return measure, str(chrf.get_signature())
