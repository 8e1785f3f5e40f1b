"""
The published form of a BENCH: parquet shards, a manifest and a dataset card.

Two tables: ``screens`` holds each picture once, with its elements; ``questions`` refers to
them by screen, and is written split by split. Both are read by DuckDB, polars and, as two
configurations of one data set, by Hugging Face's ``datasets``, to which the schema says that
``image`` is a picture. Memory holds one group of rows at a time.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from surefoot.core.canonical import readable_json, sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import open_atomic, remove_partial, write_atomic
from surefoot.core.question import Question
from surefoot.core.scratch import scratch_database
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.folders.folder import manifest_digest, require_questions
from surefoot.run.folders.lines import ExportedFile
from surefoot.run.folders.tables import stream_table
from surefoot.run.parquet.layout import (
    CANARY,
    FURTHER,
    IMAGE,
    QUESTIONS,
    SCREENS,
    features,
    leaf,
    question_row,
    screen_row,
)

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")
_SIZES: Final = (
    (10**3, "n<1K"),
    (10**4, "1K<n<10K"),
    (10**5, "10K<n<100K"),
    (10**6, "100K<n<1M"),
)
_LARGEST: Final = "1M<n<10M"
_CARD: Final = """---
pretty_name: A Surefoot benchmark
{languages}size_categories:
- {size}
configs:
- config_name: questions
  default: true
  data_files:
{splits}
- config_name: screens
  data_files:
  - split: test
    path: screens-*.parquet
tags:
- gui-grounding
- robustness
---

# A Surefoot benchmark

{questions} questions about {pairs} targets on {sites} sites, asked of {screens} screens.

| split | questions |
| --- | --- |
{counts}

`questions` holds what is asked: `text`, the true box `truth` (left, top, right, bottom in
pixels of the image, origin top left) and the cell (`variant`, `kind`, `reasoning`).
Questions that share `pair` differ only in their cell; questions that share `cluster` are
of one site and not independent. `screens` holds each picture once, with its `elements`;
`questions.screen` is `screens.id`.

`boxes` are further places that are as right as `truth`. Where `polygon` has corners, its
inside is right, and `truth` is the box around it. Where `answerable` is false only a refusal
is right. `asks` says what a reply has to be: a `place`, `words`, or the label of one of the
`options`; `answers` are the right words or labels. `split`, `platform`, `system` and `facts`
(JSON) are as the source gave them; `instruction` (JSON) holds the logical form of the words.
{further}
```python
from datasets import load_dataset

questions = load_dataset("path/to/this", "questions")
screens = load_dataset("path/to/this", "screens", split="test")
```

Made from the benchmark with the manifest `{bench}`. The pages keep their own licences.
`surefoot import surefoot-hf DIR --out BENCH` gives the benchmark back.
"""
_FURTHER: Final = """
`further` (JSON) names the pictures that are shown after the first, in their order, each by
its `screen`.
"""
PLACE: Final = "path/to/this"  # where a card loads its data set from, if nobody says
SHARD_BYTES: Final = 384 * 2**20
GROUP_ROWS: Final = 100  # of pictures of a megabyte each
LABEL_ROWS: Final = 5000  # what parquet remembers of each group stays in memory to the end

_OURS: Final = re.compile(r"(questions|screens)(-\w+)?-\d{5,}\.parquet|README\.md|manifest\.json")


class CardFigures(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what a card counts; ``splits`` are questions by the stem of their files' names.
    """

    questions: int
    pairs: int
    sites: int
    screens: int
    splits: Mapping[str, int]
    languages: Sequence[str]
    bench: str
    several: bool = False


def stem_of(split: str) -> str:
    """
    Return a split's name as Hugging Face and a file's name can bear it.

    >>> stem_of("validation"), stem_of("../test set"), stem_of("")
    ('validation', '_test_set', '')
    """
    return re.sub(r"\W+", "_", split)


def card(figures: CardFigures) -> str:
    """Return the card, README.md."""
    languages = [language for language in figures.languages if _LANGUAGE.fullmatch(language)]
    listed = "".join(f"- {language}\n" for language in languages)
    shown = {_split(stem, figures.splits): count for stem, count in figures.splits.items()}
    return _CARD.format(
        languages=f"language:\n{listed}" if listed else "",
        size=next((name for most, name in _SIZES if figures.questions < most), _LARGEST),
        splits="\n".join(
            f"  - split: {_split(stem, figures.splits)}\n    path: {_path(stem, figures.splits)}"
            for stem in figures.splits
        ),
        questions=figures.questions,
        pairs=figures.pairs,
        sites=figures.sites,
        screens=figures.screens,
        counts="\n".join(f"| {name} | {count} |" for name, count in shown.items()),
        bench=figures.bench,
        further=_FURTHER if figures.several else "",
    )


def _split(stem: str, stems: Mapping[str, int]) -> str:
    """Name the split of questions that have none: test, where no other is named."""
    return stem or ("test" if len(stems) == 1 else "unsplit")


def _path(stem: str, stems: Mapping[str, int]) -> str:
    if stem:
        return f"questions-{stem}-*.parquet"
    return "questions-*.parquet" if len(stems) == 1 else "questions-0*.parquet"


def publish(
    bench: Path,
    out: Path,
    *,
    canary: str = "",
    shard_bytes: int = SHARD_BYTES,
    place: str = PLACE,
) -> None:
    """
    Write a BENCH as parquet shards with a dataset card, README.md, and ``manifest.json``.

    A shard is closed once it is larger than ``shard_bytes``; the manifest is written last. A
    ``canary`` stands in each row of the questions, in a column of its own; the card loads the
    data set from its ``place``.
    Equal benchmarks give equal bytes with one version of pyarrow. Raises InvalidInputError
    where ``bench`` is no finished BENCH or lacks a picture, or ``out`` holds other things, and
    NothingKeptError for a benchmark without questions.
    """
    require_questions(bench)
    digest = manifest_digest(bench, "bench")
    store = ObjectStore(bench)
    splits, languages, several = _survey(bench)
    _make_empty(out)
    files: dict[str, ExportedFile] = {}
    for stem in splits:
        name = f"questions-{stem}" if stem else "questions"
        own = (e for e in _questions(bench) if stem_of(e.split) == stem)
        rows = ({**question_row(e), "canary": canary} for e in own)
        schema = QUESTIONS.append(FURTHER) if several else QUESTIONS
        schema = schema.append(CANARY) if canary else schema
        files |= _write(out, name, schema, rows, shard_bytes)
    pairs, sites = _distinct(bench)
    screens = stream_table(bench, "screens.jsonl", Screen, kind="bench")
    shown = (screen_row(e, store.get(e.image) if e.image else b"") for e in screens)
    screen_files = _write(out, "screens", SCREENS, shown, shard_bytes)
    figures = CardFigures(
        questions=sum(splits.values()),
        pairs=pairs,
        sites=sites,
        screens=sum(file.count for file in screen_files.values()),
        splits=splits,
        languages=languages,
        bench=digest,
        several=several,
    )
    readme = card(figures).replace(PLACE, place).encode()
    _finish(out, files | screen_files, readme, digest)


def _finish(out: Path, files: dict[str, ExportedFile], readme: bytes, digest: str) -> None:
    write_atomic(out / "README.md", readme)
    described = {**files, "README.md": ExportedFile(sha256(readme), 1)}
    write_atomic(out / "manifest.json", readable_json({"bench": digest, "files": described}))


def _questions(bench: Path) -> Iterator[Question]:
    return stream_table(bench, "questions.jsonl", Question, kind="bench")


def _survey(bench: Path) -> tuple[dict[str, int], list[str], bool]:
    """Count the questions by the stem of their split, list languages, look for sequences."""
    splits: Counter[str] = Counter()
    languages: set[str] = set()
    several = False
    for question in _questions(bench):
        splits[stem_of(question.split)] += 1
        languages.add(question.instruction.language)
        several = several or bool(question.further)
    return dict(sorted(splits.items())), sorted(languages), several


def _distinct(bench: Path) -> tuple[int, int]:
    """Count the pairs and the sites of the questions, in a temporary file if need be."""
    with scratch_database(
        "CREATE TABLE seen (pair TEXT PRIMARY KEY) WITHOUT ROWID;"
    ) as connection:
        sites: set[str] = set()
        for question in _questions(bench):
            connection.execute("INSERT OR IGNORE INTO seen VALUES (?)", (question.pair,))
            sites.add(question.cluster)
        (pairs,) = connection.execute("SELECT count(*) FROM seen").fetchone()
    return int(pairs), len(sites)


def _make_empty(out: Path) -> None:
    """Clear what an earlier publication left; refuse a folder that holds anything else."""
    out.mkdir(parents=True, exist_ok=True)
    remove_partial(out)
    present = sorted(out.iterdir())
    strange = [path.name for path in present if not _OURS.fullmatch(path.name)]
    if strange:
        raise InvalidInputError(
            f"{out} to be empty or an earlier publication",
            found=f"'{strange[0]}' in it",
            remedy="name another folder",
        )
    for path in reversed(present):
        path.unlink()


def _write(
    out: Path, name: str, schema: pa.Schema, rows: Iterator[dict[str, Any]], shard_bytes: int
) -> dict[str, ExportedFile]:
    """Write one table in shards; an empty one is one shard without rows."""
    files: dict[str, ExportedFile] = {}
    more = True
    while more:
        shard = f"{name}-{len(files):05d}.parquet"
        with open_atomic(out / shard) as stream:
            count, more = _write_shard(stream, schema, rows, shard_bytes)
        if count == 0 and files:
            (out / shard).unlink()
        else:
            with (out / shard).open("rb") as stream:
                files[shard] = ExportedFile(
                    hashlib.file_digest(stream, "sha256").hexdigest(), count
                )
    return files


def _write_shard(
    stream: BinaryIO, schema: pa.Schema, rows: Iterator[dict[str, Any]], shard_bytes: int
) -> tuple[int, bool]:
    """Return how many rows went into the shard, and whether it ended because it was full."""
    described = schema.with_metadata({"huggingface": features(schema)})
    compression = {leaf(field): "none" if field.type == IMAGE else "zstd" for field in schema}
    most = GROUP_ROWS if IMAGE in schema.types else LABEL_ROWS
    count = 0
    with pq.ParquetWriter(
        stream, described, compression=compression, use_dictionary=False, write_page_index=True
    ) as writer:
        while group := list(itertools.islice(rows, most)):
            writer.write_table(pa.Table.from_pylist(group, schema=described))
            count += len(group)
            if stream.tell() >= shard_bytes:
                return count, True
    return count, False
