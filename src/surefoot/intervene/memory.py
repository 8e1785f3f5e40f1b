"""
The memory of parallel items: states of prompts in a language, and what leads to English.

A folder with ``states.safetensors`` (``keys`` and ``differences``: rows, layers, width),
``items.parquet`` with what each row is of, and ``memory.json``. A row is an item in a language.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from surefoot.core.canonical import decode, sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.extras import missing_package
from surefoot.core.files import write_atomic
from surefoot.core.ledger import Ledger, read_plan
from surefoot.core.plan import first_difference
from surefoot.core.store import ObjectStore
from surefoot.intervene.batches import QuestionBatch, batches_of, work_through
from surefoot.intervene.items import (
    ENGLISH,
    SEQUENCES,
    ParallelItem,
    ReasoningMode,
    UsedScreens,
    draw_items,
    in_mode,
    parallel_items,
    turn_of,
)
from surefoot.intervene.retrieval import LayerMemory
from surefoot.intervene.steering import SingleFloats, Steerable
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Progress
from surefoot.run.folders.folder import manifest_digest, read_document, seal
from surefoot.run.folders.lines import ExportedFile

if TYPE_CHECKING:
    from rich.console import Console


STATES: Final = "states.safetensors"
ITEMS: Final = "items.parquet"
FACTS: Final = "memory.json"
_VERSION: Final = 2


class MemoryRow(msgspec.Struct, frozen=True):
    """Say what a row of a memory is of; ``answer`` is the label of its right option."""

    pair: str
    language: str
    dimension: str
    page: str
    question: str
    answer: str


class MemoryFacts(msgspec.Struct, frozen=True):
    """Hold which layers a memory has, and which screens it was made of."""

    layers: tuple[int, ...]
    used: UsedScreens


class _Chain(msgspec.Struct, frozen=True):
    question: str
    chain: str


class ParallelMemory(msgspec.Struct, frozen=True, eq=False):
    """
    Hold a memory: ``keys`` and ``differences`` are (rows, layers, width).
    """

    folder: Path
    facts: MemoryFacts
    rows: tuple[MemoryRow, ...]
    keys: SingleFloats
    differences: SingleFloats

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the languages that it has states in, sorted."""
        return tuple(sorted({row.language for row in self.rows}))

    def at(self, layer: int, language: str, dimension: str) -> LayerMemory:
        """
        Return what is remembered for a dimension in a language at a layer.

        For a dimension about sequences of screens it is all that is about one screen. Raises
        InvalidInputError where nothing is.
        """
        if layer not in self.facts.layers:
            raise InvalidInputError(
                f"a layer that {self.folder} has states of",
                found=f"{layer}",
                remedy=f"choose among {', '.join(map(str, self.facts.layers))}",
            )
        whole = dimension in SEQUENCES
        rows = [
            at
            for at, row in enumerate(self.rows)
            if row.language == language
            and (row.dimension not in SEQUENCES if whole else row.dimension == dimension)
        ]
        if not rows:
            raise InvalidInputError(
                f"items of '{dimension}' in '{language}' in {self.folder}",
                found="none",
                remedy="build a memory that has some",
            )
        place = self.facts.layers.index(layer)
        answers = tuple(self.rows[at].answer for at in rows)
        return LayerMemory(self.keys[rows, place], self.differences[rows, place], answers)


def require_pools(memory: ParallelMemory, items: Iterable[ParallelItem]) -> None:
    """Raise InvalidInputError where a memory has nothing for what an item asks in a language."""
    wanted = {
        (language, item.dimension)
        for item in items
        for language in item.questions
        if language != ENGLISH
    }
    for language, dimension in sorted(wanted):
        memory.at(memory.facts.layers[0], language, dimension)


def build_memory(  # noqa: PLR0913 - what a memory is made of, all by name
    bench: Path,
    model: Steerable,
    out: Path,
    *,
    languages: Sequence[str] = (),
    layers: Sequence[int] = (),
    share: float = 1 / 3,
    seed: int = 0,
    batch: int = 8,
    chains: Path | None = None,
    reasoning: ReasoningMode = "off",
    console: Console | None = None,
) -> Outcome:
    """
    Read the states of a share of a benchmark's items in each language, or go on reading.

    ``layers`` are all where none is named; ``chains`` is a file of reasoning, see
    ``read_chains``. Raises as ``parallel_items`` and ``draw_items`` do.
    """
    chains_read = read_chains(chains) if chains else {}
    plain = draw_items(parallel_items(bench, languages), share, seed)
    items = in_mode(plain, reasoning)
    behind = {
        question.id: chains_read.get(item.questions[language].id, "")
        for item, asked in zip(plain, items, strict=True)
        for language, question in asked.questions.items()
    }
    chosen = tuple(sorted(set(layers))) or tuple(range(model.layers))
    plan = {
        "kind": "xli-memory",
        "version": _VERSION,
        "bench": manifest_digest(bench, "bench"),
        "model": model.identity(),
        "languages": sorted(languages),
        "layers": list(chosen),
        "share": share,
        "seed": seed,
        "batch": batch,
        "chains": sha256(chains.read_bytes()) if chains else "",
        "reasoning": reasoning,
    }
    questions = [question for item in items for question in item.questions.values()]
    determined = {"model": model.identity(), "layers": list(chosen), "chains": plan["chains"]}
    images = functools.lru_cache(maxsize=64)(ObjectStore(bench).get)

    def compute(unit: QuestionBatch) -> bytes:
        turns = [
            turn_of(question, images, chain=behind[question.id]) for question in unit.questions
        ]
        return np.ascontiguousarray(model.states(turns, chosen), "<f4").tobytes()

    with Ledger.open(out, plan) as ledger:
        units = batches_of(questions, batch, determined)
        with Progress(f"reading states of {model.name}", console) as progress:
            work_through(units, compute, ledger, progress)
        states = _states(units, ledger, len(chosen))
        rows = _write(out, items, states, MemoryFacts(chosen, UsedScreens().with_items(items)))
    groups = len({item.group for item in items})
    line = (
        f"{rows} states in other languages of {len(items)} items on {groups} groups of screens, "
        f"at {len(chosen)} layers"
    )
    return Outcome(out, progress.tally, lines=(line,))


def read_memory(folder: Path) -> ParallelMemory:
    """Read a memory; raises InvalidInputError where it is none, or not as it was written."""
    from safetensors.numpy import load

    facts = read_document(folder, FACTS, _Kept, kind="xli-memory")
    tensors = load(_verified(folder, STATES, facts.states))
    found = _read_rows(_verified(folder, ITEMS, facts.items))
    return ParallelMemory(folder, facts.facts, found, tensors["keys"], tensors["differences"])


def read_chains(path: Path) -> dict[str, str]:
    """
    Read chains of reasoning by question: JSON Lines of "question", its id, and "chain".

    Raises InvalidInputError for a file that cannot be read.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"a file of reasoning at {path}", found=error) from error
    found = (
        decode(line, _Chain, what=f"{path}, line {number},")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    )
    return {chain.question: chain.chain for chain in found}


def require_model(folder: Path, model: Steerable) -> None:
    """Raise InvalidInputError where a folder's states are another model's."""
    difference = first_difference(read_plan(folder).get("model"), model.identity())
    if difference:
        raise InvalidInputError(
            f"the model that {folder} is of",
            found=f"another one ({difference})",
            remedy="give the same model, --device and --dtype as before",
        )


class _Kept(msgspec.Struct, frozen=True):
    facts: MemoryFacts
    states: str
    items: str


def _states(
    units: Sequence[QuestionBatch], ledger: Ledger, layers: int
) -> dict[str, SingleFloats]:
    found: dict[str, SingleFloats] = {}
    for unit in units:
        values = np.frombuffer(ledger.payload(unit.key), "<f4").astype(np.float32)
        rows = values.reshape(len(unit.questions), layers, -1)
        found |= {question.id: row for question, row in zip(unit.questions, rows, strict=True)}
    return found


def _write(
    out: Path,
    items: Sequence[ParallelItem],
    states: Mapping[str, SingleFloats],
    facts: MemoryFacts,
) -> int:
    from safetensors.numpy import save

    pairs = [
        (item, language, question)
        for item in items
        for language, question in sorted(item.questions.items())
        if language != ENGLISH
    ]
    keys = np.stack([states[question.id] for _, _, question in pairs])
    english = np.stack([states[item.questions[ENGLISH].id] for item, _, _ in pairs])
    rows = [
        MemoryRow(
            item.pair,
            language,
            item.dimension,
            question.page_name,
            question.id,
            question.answers[0],
        )
        for item, language, question in pairs
    ]
    written = {
        STATES: save({"keys": keys, "differences": english - keys}),
        ITEMS: _parquet(rows),
    }
    for name, data in written.items():
        write_atomic(out / name, data)
    files = {name: ExportedFile(sha256(data), 1) for name, data in written.items()}
    kept = _Kept(facts, files[STATES].sha256, files[ITEMS].sha256)
    seal(out, "xli-memory", files, {FACTS: _sorted(kept)})
    return len(rows)


def _sorted(kept: _Kept) -> dict[str, object]:
    """Return what is kept with its sets in one order."""
    used = kept.facts.used
    facts = {
        "layers": kept.facts.layers,
        "used": {"pages": sorted(used.pages), "images": sorted(used.images)},
    }
    return {"facts": facts, "states": kept.states, "items": kept.items}


def _parquet(rows: Sequence[MemoryRow]) -> bytes:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise missing_package(error) or error from error
    written = io.BytesIO()
    columns = {
        name: pa.array([getattr(row, name) for row in rows], pa.string())
        for name in MemoryRow.__struct_fields__
    }
    parquet.write_table(pa.table(columns), written)
    return written.getvalue()


def _read_rows(data: bytes) -> tuple[MemoryRow, ...]:
    from pyarrow import parquet

    rows = parquet.read_table(io.BytesIO(data)).to_pylist()
    return tuple(msgspec.convert(row, MemoryRow) for row in rows)


def _verified(folder: Path, name: str, expected: str) -> bytes:
    data = (folder / name).read_bytes()
    if sha256(data) != expected:
        raise InvalidInputError(
            f"{folder / name} as memory.json describes it",
            found="other bytes",
            remedy="run `surefoot xli build` again to write it anew",
        )
    return data
