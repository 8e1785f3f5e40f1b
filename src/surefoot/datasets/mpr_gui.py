"""
MPR-GUI-Bench: multiple-choice questions about screens, the same in six languages.

JSON Lines, ``qas/KIND_LANGUAGE.jsonl``: ``question``, ``answer`` (a label), and
``image_path``, written from ``qas/``, so that it begins with ``../images/``. The four
options stand in the question's own words, "A: ... B: ... C: ... D: ...", with a plain or a
full-width colon, and in some rows in another order. Questions are kept as they are written.

Rows whose paths differ in the language alone are one question: they share a pair, and the
language is their variant, English the original. What the set calls a dimension is their kind.
A row of the two dimensions about sequences has ``image_folder_path``, a folder of screens:
they are shown in the order of the numbers in their names, which the set leaves open. The site
is the application on its device, as folder and file are named: 6/camera, rich/camera.

The public release has 2,245 rows a language where the paper counts 2,156, and the right answer
of every row about sequences is A: a model that always says A has them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.datasets.dataset import Reports, ignore
from surefoot.datasets.files.boxes import BoxConvention
from surefoot.datasets.files.json_records import Entry, decode_record, line_records
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.labelled import LabelledSet, Record, label_files, sift
from surefoot.score.scorings.multilingual import MULTILINGUAL

# The names of files, and what the set calls their kind of question.
KINDS: Final = {
    "wf": "wf",
    "wi": "wi",
    "au": "au",
    "ap": "ap",
    "abs_el": "ael",
    "rel_el": "rel",
    "knowledge_rich": "ri",
    "knowledge_sparse": "si",
}
LANGUAGES: Final = ("en", "zh", "fr", "ru", "ja", "th")
LABELS: Final = ("qas/*.jsonl", "*.jsonl")
OPTIONS: Final = "ABCD"
WRITTEN_FROM: Final = "../images/"
_OPTION: Final = re.compile(r"(?<![A-Za-z0-9])([A-D])\s*[:\uff1a]\s*")
_ANSWER: Final = re.compile(r"\s*\(?([A-Da-d])\)?\s*(?:[.:\uff1a].*)?", re.DOTALL)
_SITE: Final = re.compile(r"(?:_episode)?_\d+(?:\.\w+)?$")
_LANGUAGE: Final = re.compile(rf"(?:^|[_-])(?:{'|'.join(LANGUAGES)})(?=[_.-]|$)")


class _Fields(msgspec.Struct, frozen=True):
    question: str
    answer: str
    image_path: str = ""
    image_folder_path: str = ""


def read_options(question: str) -> dict[str, str]:
    """
    Return the four options of a question by their labels, in the order they are written.

    Raises RecordError "bad-options" where a label is absent, comes twice or says nothing.

    >>> read_options("Which? A: one B: two D: four C: three")
    {'A': 'one', 'B': 'two', 'D': 'four', 'C': 'three'}
    """
    found = list(_OPTION.finditer(question))
    ends = [match_.start() for match_ in found] + [len(question)]
    options = {
        match_[1]: question[match_.end() : end].strip()
        for match_, end in zip(found, ends[1:], strict=True)
    }
    labels = "".join(match_[1] for match_ in found)
    if sorted(labels) != list(OPTIONS) or not all(options.values()):
        raise RecordError("bad-options", "A, B, C and D, each once and with words", found=labels)
    return options


def _rows(file: Path) -> Iterator[Entry]:
    _kind(file.name)
    return line_records(file)


def _read(
    path: Path,
    *,
    images: Pictures | None = None,
    strict: bool = False,
    report: Reports = ignore,
) -> Iterator[Record]:
    entries = (entry for file in label_files(path, LABELS) for entry in _rows(file))
    return sift(entries, lambda entry: _record(entry, images), strict=strict, report=report)


def _record(entry: Entry, images: Pictures | None) -> Record:
    fields = decode_record(entry.data, _Fields)
    kind, language = _kind(entry.file)
    image = (fields.image_folder_path or fields.image_path).removeprefix(WRITTEN_FROM)
    shown: tuple[str, ...] = (image,)
    if fields.image_folder_path and images is not None:
        shown = images.sequence(image)
    options = read_options(fields.question)
    answer = _ANSWER.fullmatch(fields.answer)
    if answer is None:
        raise RecordError("malformed", "the label of an option", found=f"'{fields.answer[:80]}'")
    state = _state(image)
    return Record(
        id=f"{kind}/{state}/{language}",
        pair=f"{kind}/{state}",
        variant="original" if language == LANGUAGES[0] else language,
        image=shown[0],
        further=shown[1:],
        text=fields.question,
        kind=kind,
        language=language,
        asks="option",
        answers=(answer[1].upper(),),
        options=tuple(options),
        split="test",
        page=state,
        site=_SITE.sub("", state),
        locale=language,
        facts={"order": "".join(options)} | options,
    )


def _kind(file: str) -> tuple[str, str]:
    """Return the kind of question and the language that a file is named by."""
    kind, _, language = Path(file).stem.rpartition("_")
    if kind not in KINDS or language not in LANGUAGES:
        raise InvalidInputError(
            f"files named {', '.join(KINDS)} and _{', _'.join(LANGUAGES)}",
            found=f"'{file}'",
            remedy="name the folder that holds qas and images",
        )
    return KINDS[kind], language


def _state(image: str) -> str:
    """Return what a path says beside its language: 6/en/sport_en_1.jpg is 6/sport_1.jpg."""
    parts = [part for part in PurePosixPath(image).parts if part not in LANGUAGES]
    return "/".join(_LANGUAGE.sub("", part) for part in parts)


MPR_GUI = LabelledSet(
    name="mpr-gui-bench",
    version=3,
    summary="multiple-choice questions about screens, the same in six languages",
    convention=BoxConvention.PIXEL_XYXY,
    licence="CC BY-NC 4.0",
    labels=LABELS,
    pictures=("images",),
    splits=("test",),
    read=_read,
    repeats=True,
    scoring=MULTILINGUAL,
    clusters="applications",
)
