"""
The one look at the test: before and after, with both controls, in every language.

A folder OUT holds ``results.json``, ``results.md``, ``states.safetensors`` for the picture, the
benchmark ``test`` of the items that were asked, and one RUN for each condition, which ``surefoot
score`` and ``surefoot report`` read like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import numpy as np

from surefoot.benchmarks.benchmark import Funnel
from surefoot.core.canonical import canonical_json, record_json, sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.core.ledger import Done, Ledger, read_plan
from surefoot.core.question import Answer, Question
from surefoot.core.store import ObjectStore
from surefoot.intervene.asking import (
    TOKENS,
    InjectionSetting,
    SteeredAnswer,
    SteeredAsker,
    is_right,
)
from surefoot.intervene.batches import QuestionBatch, batches_of, work_through
from surefoot.intervene.items import (
    ENGLISH,
    ParallelItem,
    ReasoningMode,
    in_mode,
    parallel_items,
    turn_of,
    unused,
)
from surefoot.intervene.looks import PAPER, note_look
from surefoot.intervene.memory import ParallelMemory, read_memory, require_model, require_pools
from surefoot.intervene.results import (
    BEFORE,
    ENGLISH_ROW,
    NEIGHBOURS,
    STEERED,
    InjectedSizes,
    InterventionResults,
    SteeredItem,
    results_of,
)
from surefoot.intervene.retrieval import voted
from surefoot.intervene.search import SearchResult, read_search
from surefoot.intervene.steering import SingleFloats, Steerable
from surefoot.intervene.tables import result_lines, results_page
from surefoot.models.wording import WORDINGS, Wording
from surefoot.run.asking.answers import answer_key, export_answers
from surefoot.run.asking.runs import asked_questions, remember_bench
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Progress
from surefoot.run.folders.folder import (
    export,
    manifest_digest,
    read_document,
    read_screens,
    run_plan,
    seal,
)
from surefoot.run.folders.lines import ExportedFile

if TYPE_CHECKING:
    from rich.console import Console


RESULTS: Final = "results.json"
PAGE: Final = "results.md"
STATES: Final = "states.safetensors"
SECONDS: Final = "seconds.json"
TEST: Final = "test"
_VERSION: Final = 3


class _Condition(NamedTuple):
    name: str
    language: str
    setting: InjectionSetting | None
    wording: Wording | None


def apply_settings(  # noqa: PLR0913 - what an application is made of, all by name
    memory: Path,
    search: Path,
    bench: Path,
    model: Steerable,
    out: Path,
    *,
    baselines: Sequence[str] = (),
    seed: int = 0,
    max_tokens: int = 0,
    reasoning: ReasoningMode = "off",
    batch: int = 8,
    console: Console | None = None,
) -> Outcome:
    """
    Ask the test's items before and after, and with both controls, or go on asking.

    All items count that show no screen of memory or choice. ``baselines`` are names of wordings
    that are asked, too, with nothing added. Raises PlanMismatchError for a second look at these
    screens under another choice.
    """
    require_model(memory, model)
    known, chosen = read_memory(memory), read_search(search)
    _require_memory(search, memory)
    wordings = tuple(WORDINGS.get(name) for name in baselines)
    plain = unused(parallel_items(bench, known.languages), chosen.used)
    items = in_mode(plain, reasoning)
    if not items:
        raise InvalidInputError(
            "items on screens that neither memory nor choice has seen",
            found=f"none in {bench}",
            remedy="leave screens over with lower shares, or name another benchmark",
        )
    require_pools(known, items)
    choice = {"search": manifest_digest(search, "xli-search"), "chosen": chosen.chosen}
    most = max_tokens or TOKENS[reasoning]
    plan = {
        "kind": "xli",
        "version": _VERSION,
        "memory": manifest_digest(memory, "xli-memory"),
        "search": choice["search"],
        "protocol": chosen.protocol,
        "bench": manifest_digest(bench, "bench"),
        "model": model.identity(),
        "baselines": [wording.identity() for wording in wordings],
        "seed": seed,
        "max_tokens": most,
        "reasoning": reasoning,
        "batch": batch,
    }
    note_look(memory, items, dict(msgspec.to_builtins(choice)), held_out=chosen.protocol != PAPER)
    with Ledger.open(out, plan) as ledger:
        asker = SteeredAsker(model, known, bench, ledger, max_tokens=most, batch=batch)
        conditions = list(_conditions(chosen, wordings, seed))
        with Progress(f"asking {model.name}", console) as progress:
            found = asker.ask_several(
                items,
                [
                    (condition.language, condition.setting, condition.wording)
                    for condition in conditions
                ],
                progress,
            )
        answers = {
            (condition.name, condition.language): replies
            for condition, (replies, _) in zip(conditions, found, strict=True)
        }
        states = _states(items, chosen, bench, model, ledger, batch, console)
        results = results_of(
            _rows(items, answers, _guesses(items, chosen, known, states)),
            model=model.name,
            protocol=chosen.protocol,
            at=chosen.at,
            top_k=chosen.top_k,
            chosen=chosen.chosen,
            reasoning=reasoning,
            sizes=tuple(_sizes(answers)),
        )
        seconds = _seconds(conditions, found)
        _write(out, results, seconds, states)
        _export_runs(out, bench, plain, model, plan, answers, reasoning)
    return Outcome(out, progress.tally, lines=tuple(result_lines(results)))


def read_results(folder: Path) -> InterventionResults:
    """Read the results of an application; raises InvalidInputError."""
    return read_document(folder, RESULTS, InterventionResults, kind="xli")


def _require_memory(search: Path, memory: Path) -> None:
    wanted = read_plan(search).get("memory")
    if wanted != manifest_digest(memory, "xli-memory"):
        raise InvalidInputError(
            f"the memory that {search} was made with", found=f"another one in {memory}"
        )


def _conditions(
    chosen: SearchResult, wordings: Sequence[Wording], seed: int
) -> Iterable[_Condition]:
    yield _Condition(ENGLISH_ROW, ENGLISH, None, None)
    for item in chosen.chosen:
        yield _Condition(BEFORE, item.language, None, None)
        for kind in STEERED:
            setting = InjectionSetting(
                item.layer,
                item.alpha,
                chosen.at,
                chosen.top_k,
                kind,
                seed,
            )
            yield _Condition(kind, item.language, setting, None)
        for wording in wordings:
            yield _Condition(wording.name, item.language, None, wording)


def _guesses(
    items: Sequence[ParallelItem],
    chosen: SearchResult,
    known: ParallelMemory,
    states: Mapping[str, SingleFloats],
) -> dict[tuple[str, str], str]:
    """Return what the nearest items would have answered, by language and pair."""
    found = {}
    for setting in chosen.chosen:
        there = [item for item in items if setting.language in item.questions]
        for item, state in zip(there, states.get(f"before.{setting.language}", ()), strict=True):
            memory = known.at(setting.layer, setting.language, item.dimension)
            found[setting.language, item.pair] = voted(memory, state[None], chosen.top_k)[0]
    return found


def _rows(
    items: Sequence[ParallelItem],
    answers: Mapping[tuple[str, str], Mapping[str, SteeredAnswer]],
    guesses: Mapping[tuple[str, str], str],
) -> Iterable[SteeredItem]:
    names = list(dict.fromkeys(name for name, _ in answers if name != ENGLISH_ROW))
    for item in items:
        english = item.questions[ENGLISH]
        first = answers[ENGLISH_ROW, ENGLISH][item.pair].answer
        for language, question in sorted(item.questions.items()):
            if language == ENGLISH or (BEFORE, language) not in answers:
                continue
            right = {
                name: is_right(question, answers[name, language][item.pair].answer)
                for name in names
            }
            right[NEIGHBOURS] = guesses[language, item.pair] in question.answers
            right[ENGLISH_ROW] = is_right(english, first)
            yield SteeredItem(item.pair, language, item.dimension, item.group, right)


def _sizes(
    answers: Mapping[tuple[str, str], Mapping[str, SteeredAnswer]],
) -> Iterable[InjectedSizes]:
    for (name, language), replies in answers.items():
        rows = [reply.injected for reply in replies.values() if reply.injected is not None]
        if rows:
            values = np.array([[row.length, row.added, row.angle] for row in rows]).mean(axis=0)
            yield InjectedSizes(language, name, len(rows), *map(float, values))


def _seconds(
    conditions: Sequence[_Condition], found: Sequence[tuple[Mapping[str, object], float]]
) -> dict[str, float]:
    """Return the seconds that a question took under each condition, whatever the language."""
    taken: dict[str, tuple[int, float]] = {}
    for condition, (replies, seconds) in zip(conditions, found, strict=True):
        count, total = taken.get(condition.name, (0, 0.0))
        taken[condition.name] = count + len(replies), total + seconds
    return {name: total / max(count, 1) for name, (count, total) in taken.items()}


def _states(
    items: Sequence[ParallelItem],
    chosen: SearchResult,
    bench: Path,
    model: Steerable,
    ledger: Ledger,
    batch: int,
    console: Console | None,
) -> dict[str, SingleFloats]:
    """Return the items' states at the chosen layers, in the language and in English."""
    images = ObjectStore(bench).get
    found: dict[str, SingleFloats] = {}
    for setting in chosen.chosen:
        there = [item for item in items if setting.language in item.questions]
        if not there:
            continue
        for language in (setting.language, ENGLISH):
            questions = [item.questions[language] for item in there]
            known = {"states": setting.layer, "model": model.identity()}
            units = batches_of(questions, batch, known)

            def compute(unit: QuestionBatch, layer: int = setting.layer) -> bytes:
                turns = [turn_of(question, images) for question in unit.questions]
                return np.ascontiguousarray(model.states(turns, [layer]), "<f4").tobytes()

            title = f"reading states at layer {setting.layer} in '{language}'"
            with Progress(title, console) as progress:
                work_through(units, compute, ledger, progress)
            rows: dict[str, SingleFloats] = {}
            for unit in units:
                values = np.frombuffer(ledger.payload(unit.key), "<f4")
                parts = values.reshape(len(unit.questions), -1).astype(np.float32)
                rows |= {q.pair: row for q, row in zip(unit.questions, parts, strict=True)}
            side = "english" if language == ENGLISH else "before"
            found[f"{side}.{setting.language}"] = np.stack([rows[item.pair] for item in there])
    return found


def _write(
    out: Path,
    results: InterventionResults,
    seconds: Mapping[str, float],
    states: Mapping[str, SingleFloats],
) -> None:
    from safetensors.numpy import save

    tensors = save(dict(states))
    write_atomic(out / STATES, tensors)
    # Times differ from machine to machine: they are no part of what the manifest names.
    write_atomic(out / SECONDS, canonical_json(seconds))
    write_atomic(out / PAGE, results_page(results, seconds).encode())
    files = {STATES: ExportedFile(sha256(tensors), 1)}
    seal(out, "xli", files, {RESULTS: results})


def _export_runs(
    out: Path,
    bench: Path,
    items: Sequence[ParallelItem],
    model: Steerable,
    plan: Mapping[str, object],
    answers: Mapping[tuple[str, str], Mapping[str, SteeredAnswer]],
    reasoning: ReasoningMode,
) -> None:
    """Write the items as a BENCH, and a RUN for each condition; English is as it was in each."""
    languages = sorted({language for name, language in answers if name == BEFORE})
    questions = {
        question.id: question
        for item in items
        for language, question in item.questions.items()
        if language in {ENGLISH, *languages}
    }
    test = _export_bench(out / TEST, bench, questions, plan)
    asked = {question.id: question for question in asked_questions(test, reasoning, limit=0)}
    choices: dict[str, object] = {"reasoning": reasoning, "limit": 0}
    english = list(answers[ENGLISH_ROW, ENGLISH].values())
    for name in dict.fromkeys(name for name, _ in answers if name != ENGLISH_ROW):
        own = [answer for language in languages for answer in answers[name, language].values()]
        identity = {"name": f"{model.name} {name}", **model.identity(), "xli": dict(plan)}
        _export_run(out / name, test, identity, choices, [*own, *english], asked)


def _export_bench(
    folder: Path, bench: Path, questions: Mapping[str, Question], plan: Mapping[str, object]
) -> Path:
    source = read_plan(bench)
    keys = sorted(source.keys() & {"benchmark", "dataset"})
    named: dict[str, object] = {key: source[key] for key in keys}
    kept: dict[str, object] = {
        "kind": "bench",
        **named,
        "of": plan["bench"],
        "questions": sorted(questions),
    }
    wanted = list(questions.values())
    shown = {image.screen for question in wanted for image in question.screen_images}
    screens = [screen for screen in read_screens(bench) if screen.id in shown]
    with Ledger.open(folder, kept):
        there, here = ObjectStore(bench), ObjectStore(folder)
        pictures = {sha for question in wanted for sha in question.images if sha}
        for sha in sorted(pictures):
            here.put(there.get(sha))
        tables: dict[str, Sequence[object]] = {
            "screens.jsonl": screens,
            "questions.jsonl": wanted,
        }
        export(folder, "bench", tables, {"funnel.json": Funnel((), {})})
    return folder


def _export_run(
    folder: Path,
    test: Path,
    identity: dict[str, object],
    choices: dict[str, object],
    answers: Sequence[SteeredAnswer],
    questions: Mapping[str, Question],
) -> None:
    with Ledger.open(folder, run_plan(test, identity, choices)) as ledger:
        remember_bench(folder, test)
        finished = ledger.finished()
        pairs = (
            (answer_key(questions[answer.answer.question], identity), answer) for answer in answers
        )
        ledger.record_many(
            Done(key, record_json(answer.answer, Answer, what="an answer"))
            for key, answer in pairs
            if key not in finished
        )
        export_answers(folder, questions.values(), identity, ledger)
