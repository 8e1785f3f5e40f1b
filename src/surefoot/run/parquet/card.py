"""
The dataset card of the published form: what Hugging Face reads of it, and what people do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

__all__ = ["CardFigures", "card", "stem_of"]

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

```python
from datasets import load_dataset

questions = load_dataset("path/to/this", "questions")
screens = load_dataset("path/to/this", "screens", split="test")
```

Made from the benchmark with the manifest `{bench}`. The pages keep their own licences.
`surefoot import surefoot-hf DIR --out BENCH` gives the benchmark back.
"""


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


def stem_of(split: str) -> str:
    """
    Return a split's name as Hugging Face and a file's name can bear it.

    >>> stem_of("validation"), stem_of("../test set"), stem_of("")
    ('validation', '_test_set', '')
    """
    return re.sub(r"\W+", "_", split)


def card(figures: CardFigures) -> str:
    """Return the card, README.md."""
    languages = [each for each in figures.languages if _LANGUAGE.fullmatch(each)]
    listed = "".join(f"- {each}\n" for each in languages)
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
    )


def _split(stem: str, stems: Mapping[str, int]) -> str:
    """Name the split of questions that have none: test, where no other is named."""
    return stem or ("test" if len(stems) == 1 else "unsplit")


def _path(stem: str, stems: Mapping[str, int]) -> str:
    if stem:
        return f"questions-{stem}-*.parquet"
    return "questions-*.parquet" if len(stems) == 1 else "questions-0*.parquet"
