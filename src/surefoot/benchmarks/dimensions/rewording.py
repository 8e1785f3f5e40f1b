"""
Questions of the multilingual benchmark in a language model's words, kept where they are proven.

The model never judges, and is not told which option is right. It is asked once for each question,
in that question's language, by what its dimension is about. What it wrote is kept where the words
of the interface stand in it as they did, no two options are alike, each line is nearer to what it
was than to any other option or question of the benchmark, and the benchmark's own second proof
holds of it; and that in every language of the item, which else stays in the words of the tables.

Nearness counts letters (Dice's coefficient of pairs of them). It finds what was exchanged or lost
and no negation: what a sentence means is not computed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import AssembledBench, Fall, Funnel, ImageStore, Phrase
from surefoot.benchmarks.dimensions.baselines import AskedOptions, baseline_lines, baselines
from surefoot.benchmarks.dimensions.lines import QUESTION, joined, question_lines, read_lines
from surefoot.benchmarks.dimensions.proving import doubts, unmatched
from surefoot.benchmarks.dimensions.sentences import DimensionSentences, sentences_of
from surefoot.benchmarks.writing import WRITER, Chat
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Question
from surefoot.core.screen import Screen

LEAST: Final = 0.3  # nearness to what was written over, below which words are no rewording of it
LONGER: Final = 3  # times as long as what was written over, and so many letters
ROOM: Final = 60


class QuestionIntent(msgspec.Struct, frozen=True):
    """
    Say what a writer is to know of a dimension's questions, as ends of the request's sentences.

    ``asks`` is their subject, ``tests`` what a reader has to be able to do, ``tempts`` how wrong
    options tempt. These are the intents of the paper's seven prompts (appendix A.4, tables 7
    to 13), as far as they hold of questions that are proven.
    """

    asks: str
    tests: str
    tempts: str


_GOAL: Final = QuestionIntent(
    "what somebody wanted to achieve who went through the screens shown",
    "infer an intention from the traces that each screen shows of the steps before it",
    "are goals that these screens could be mistaken for: other things done in the same program",
)
INTENTS: Final[Mapping[str, QuestionIntent]] = {
    "wf": QuestionIntent(
        "which of four elements of the screen does a certain thing",
        "tell what an element is for by what is seen of it (its words, its icon, its state, what "
        "stands around it), without knowing the program",
        "are elements close by that do something else",
    ),
    "wi": QuestionIntent(
        "in which way an element of the screen is operated",
        "tell what can be acted on from what is only there to be read, and how each is used",
        "are ways to use other kinds of elements, or say that there is nothing to use",
    ),
    "ael": QuestionIntent(
        "in which part of the whole picture an element lies",
        "find an element and place it within the layout of the whole picture, by its corners, "
        "its sides and its middle",
        "are other parts of the same picture",
    ),
    "rel": QuestionIntent(
        "in which direction a first element lies as seen from a second one",
        "find two elements and relate the place of one to that of the other",
        "are the other directions",
    ),
    "au": QuestionIntent(
        "what becomes visible once an action has been done on the screen",
        "foresee what an action brings about at once: another page or state, changed data, a "
        "message, a way that is open or closed from then on",
        "are what other controls of the same screen bring about",
    ),
    "ap": QuestionIntent(
        "which actions lead to a certain result",
        "plan for a goal: the kind of each action, the element that it is done to, what is typed, "
        "and the order",
        "are courses of action that go wrong in little: another element, another action, a step "
        "too few, or a wrong order",
    ),
    "si": _GOAL,
    "ri": _GOAL,
}
# Lines whose meaning hangs on an order that is not computed, or that are names: they stay.
_FIXED: Final[Mapping[str, str]] = {"rel": QUESTION, "wf": "ABCD", "ap": "ABCD"}
REWORDING: Final = (
    "Below is a multiple-choice question about screenshots of a program, in the language with "
    "the code '{language}'. It asks {asks}. Whoever answers it has to {tests}; wrong options "
    "{tempts}, and have to tempt as much as they do now. Say it in other words of the same "
    "language, as somebody would who writes such questions: plain, and each option in the same "
    "manner as the others, so that none stands out. Every line has to mean exactly what it means "
    "now, whether it is right or wrong; do not answer the question. Copy whatever stands in "
    "quotation marks letter by letter, with the quotation marks and with the bracket behind "
    "them{copied}. Reply with the same lines in the same order, each beginning with the same "
    "letter and a colon, and with nothing else.\n\n{lines}"
)


def prompt_of(question: Question) -> str:
    """Return what a model is asked, to have a question in its own words."""
    dimension = question.cell.instruction
    fixed = _FIXED.get(dimension, "")
    copied = f", and the lines {', '.join(fixed)} as they are" if fixed else ""
    slots = {
        **msgspec.structs.asdict(INTENTS[dimension]),
        "language": question.instruction.language,
        "copied": copied,
        "lines": joined(question_lines(question)),
    }
    return re.sub(r"\{(\w+)\}", lambda found: slots[found[1]], REWORDING)


def reword(
    assembled: AssembledBench, screens: Mapping[str, Screen], chat: Chat, store: ImageStore
) -> tuple[AssembledBench, tuple[Phrase, ...]]:
    """
    Return a benchmark with the items in a model's words that are proven in every language.

    ``screens`` are all that answers rest on, by id; the chat is called once, with each prompt
    once. What became of each question is told, and blind readers read anew.
    """
    asked = assembled.questions
    prompts = list(dict.fromkeys(map(prompt_of, asked)))
    replies = dict(zip(prompts, chat(prompts), strict=True))
    written: dict[str, Question] = {}
    phrases: dict[str, Phrase] = {}
    for question in asked:
        reply = replies[prompt_of(question)]
        phrase, reworded = _judged(question, reply)
        phrases[question.id] = phrase
        if reworded is not None:
            written[question.id] = reworded
    for question, why in _unproven(asked, written, screens, store):
        phrases[question.id] = _dropped(phrases[question.id], why)
        del written[question.id]
    whole = _in_every_language(asked, written)
    for question in asked:
        if question.id in written and question.pair not in whole:
            phrases[question.id] = _dropped(phrases[question.id], "not kept in every language")
    questions = tuple(
        written[question.id] if question.pair in whole else question for question in asked
    )
    readings = baselines(_blind(questions))
    fates = Counter(phrase.fate for phrase in phrases.values())
    falls = (*assembled.funnel.falls, *(Fall(WRITER, fate, fates[fate]) for fate in sorted(fates)))
    again = msgspec.structs.replace(
        assembled,
        questions=questions,
        funnel=Funnel(falls, assembled.funnel.directions, assembled.funnel.sites),
        documents=assembled.documents | {"baselines.json": readings},
        lines=tuple(baseline_lines(readings)),
    )
    return again, tuple(phrases.values())


def fault_of(question: Question, lines: Mapping[str, str]) -> str:
    """Return why a question in other words is not proven, "" where it is."""
    own, table = question_lines(question), sentences_of(question.instruction.language)
    fixed = _FIXED.get(question.cell.instruction, "")
    for label, words in lines.items():
        if not words.isprintable() or len(words) > LONGER * len(own[label]) + ROOM:
            return f"{label} is too long, or no plain text"
        if label in fixed and words != own[label]:
            return f"{label} was to stay as it is"
        if _quoted(words, table) != _quoted(own[label], table):
            return f"{label} has not the interface's words"
    options = [lines[label] for label in question.options]
    if len({words.casefold() for words in options}) < len(options):
        return "two options are the same"
    for label in question.options:
        rest = [own[other] for other in question.options if other != label]
        if not _is_nearest(lines[label], own[label], rest):
            return f"{label} is not nearest to what it was"
    return _question_fault(question, own[QUESTION], lines[QUESTION], table)


def _question_fault(question: Question, own: str, words: str, table: DimensionSentences) -> str:
    """Return why the question itself is not proven: by what is put into it, and by the rest."""
    values, skeleton = _taken_apart(own, question, table)
    if any(words.count(value) != own.count(value) for value in values):
        return f"{QUESTION} has not the interface's words"
    for value in values:
        words = words.replace(value, " ")
    others = [other for other in _questions(table) if other != skeleton]
    if not _is_nearest(words, skeleton, others):
        return f"{QUESTION} is not nearest to what it was"
    return ""


def _judged(question: Question, reply: str) -> tuple[Phrase, Question | None]:
    own = question_lines(question)
    phrase = Phrase(question.pair, joined(own), reply.strip(), "no reply")
    if not reply.strip():
        return phrase, None
    lines = read_lines(reply, list(own))
    if isinstance(lines, str):
        return msgspec.structs.replace(phrase, fate="not understood", detail=lines), None
    if lines == own:
        return msgspec.structs.replace(phrase, fate="unchanged"), None
    if why := fault_of(question, lines):
        return _dropped(phrase, why), None
    options = [(label, lines[label]) for label in question.options]
    text = "\n".join([lines[QUESTION], *(f"{label}: {words}" for label, words in options)])
    reworded = msgspec.structs.replace(
        question,
        instruction=msgspec.structs.replace(question.instruction, text=text, wording=WRITER),
        facts=question.facts | dict(options),
    )
    return msgspec.structs.replace(phrase, fate="kept"), reworded


def _dropped(phrase: Phrase, why: str) -> Phrase:
    return msgspec.structs.replace(phrase, fate="not proven", detail=why)


def _unproven(
    asked: Sequence[Question],
    written: Mapping[str, Question],
    screens: Mapping[str, Screen],
    store: ImageStore,
) -> list[tuple[Question, str]]:
    """Return the questions that the second proof doubts once they are in other words, and why."""
    now = [written.get(question.id, question) for question in asked]
    complaints = list(unmatched(now, screens))
    by_screen: defaultdict[str, list[Question]] = defaultdict(list)
    for question in written.values():
        by_screen[question.screen].append(question)
    for name, own in by_screen.items():
        screen = screens[name]
        complaints += doubts(screen, pixels_of(store.get(screen.image)), own)
    found = []
    for question in asked:
        starts = (f"question {question.id}: ", f"item {question.pair}: ")
        why = next((doubt for doubt in complaints if doubt.startswith(starts)), "")
        if why and question.id in written:
            found.append((question, why.partition(": ")[2]))
    return found


def _in_every_language(asked: Iterable[Question], written: Mapping[str, Question]) -> set[str]:
    lost = {question.pair for question in asked if question.id not in written}
    return {question.pair for question in asked} - lost


def _blind(questions: Sequence[Question]) -> Iterator[AskedOptions]:
    """Yield what can be read of questions without looking, by sites where there are several."""
    sites: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for question in questions:
        sites[question.cell.instruction, question.instruction.language].add(question.cluster)
    # Elements are called by their ids, which are other ones in each language.
    keys = {
        question.pair: question.facts["keys"]
        for question in questions
        if question.cell.variant == ORIGINAL
    }
    for question in questions:
        if "shown" in question.facts:
            continue  # the same words as on the screen in their own language
        lines = question_lines(question)
        dimension, language = question.cell.instruction, question.instruction.language
        by_site = len(sites[dimension, language]) > 1
        yield AskedOptions(
            dimension=dimension,
            group=question.cluster if by_site else question.page_name,
            words=lines.pop(QUESTION),
            keys=tuple(keys[question.pair].split("|")),
            options=tuple(lines.values()),
            right=question.options.index(question.answers[0]),
            language=language,
            item=question.pair,
        )


def _quoted(words: str, table: DimensionSentences) -> list[str]:
    """Return what stands in the quotation marks of a language, in order."""
    left, right = (re.escape(mark.strip()) for mark in table.bare.split("{name}"))
    return [found.strip() for found in re.findall(f"{left}(.+?){right}", words)]


def _taken_apart(
    words: str, question: Question, table: DimensionSentences
) -> tuple[list[str], str]:
    """Return what was put into a question of a table, and its words without that."""
    pattern = _pattern(question, table)
    parts = re.split(r"\{\w+\}", " ".join(pattern.split()))
    found = re.fullmatch("(.+)".join(map(re.escape, parts)), words)
    values = list(found.groups()) if found is not None else [words]
    return values, " ".join(parts)


def _pattern(question: Question, table: DimensionSentences) -> str:
    dimension = question.cell.instruction
    if dimension == "wf":
        return table.wf[question.facts["function"]]  # type: ignore[index]
    section: dict[str, str] = getattr(table, dimension, table.goals)
    return section["question"]


def _questions(table: DimensionSentences) -> list[str]:
    """Return the questions of a language, without what is put into them."""
    sections = (table.ael, table.rel, table.wi, table.au, table.ap, table.goals)
    patterns = [*table.wf.values(), *(section["question"] for section in sections)]
    return [" ".join(re.split(r"\{\w+\}", " ".join(pattern.split()))) for pattern in patterns]


def _is_nearest(words: str, own: str, others: Iterable[str]) -> bool:
    nearness = _nearness(words, own)
    return nearness >= LEAST and all(nearness > _nearness(words, other) for other in others)


def _nearness(one: str, other: str) -> float:
    """
    Return Dice's coefficient of the pairs of letters of two texts (Dice, 1945).

    Spaces at both ends count, so that a text of one letter has pairs, too.

    >>> _nearness("to the left", "on the left"), _nearness("up", "down")
    (0.75, 0.0)
    """
    pairs = [Counter(pairwise(f" {' '.join(text.casefold().split())} ")) for text in (one, other)]
    return 2 * (pairs[0] & pairs[1]).total() / (pairs[0].total() + pairs[1].total())
