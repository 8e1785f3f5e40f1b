"""
lmms-eval's samples: ``{date}_samples_{task}.jsonl``, in a folder that bears the model's name.

A line has ``doc_id`` (the row of the task's split, from 0), ``filtered_resps`` (the reply, alone
or in lists), ``input`` (the prompt), ``target``, and each metric, for the ScreenSpot tasks an
object with ``correct``, or with ``pred``, ``bbox``, ``instruction`` and ``ann_id`` (the picture).
The document itself is not there: since 2025 it is taken out before a line is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.datasets.dataset import BadRecord, Reports, ignore
from surefoot.datasets.files.boxes import BoxConvention
from surefoot.datasets.files.json_records import decode_record, line_records
from surefoot.datasets.results.result import ResultRow, ResultsFile, ResultsHead

CONVENTIONS: Final = (
    BoxConvention.NORM1_XYXY,
    BoxConvention.PIXEL_XYXY,
    BoxConvention.PIXEL_XYWH,
)
SIDES: Final = 4


class _Line(msgspec.Struct, frozen=True):
    doc_id: int
    filtered_resps: Any = ()
    resps: Any = ()
    input: Any = ""


def read_samples(
    path: Path, *, strict: bool = False, report: Reports = ignore
) -> Iterator[ResultRow]:
    """Read the lines of a file of samples; raises InvalidInputError as the seam says."""
    for entry in line_records(path):
        try:
            yield _row(entry.data, entry.number)
        except InvalidInputError as error:
            if strict:
                raise
            reason = error.reason if isinstance(error, RecordError) else "malformed"
            report(BadRecord(entry.number, str(error), reason, entry.file))


def _row(data: bytes, number: int) -> ResultRow:
    line = decode_record(data, _Line)
    metrics = [
        value for value in decode_record(data, dict[str, Any]).values() if isinstance(value, dict)
    ]
    about: dict[str, Any] = {}
    for metric in metrics:
        about = {**metric, **about}
    replies = _texts(line.filtered_resps) or _texts(line.resps)
    if len(replies) != 1:
        raise RecordError(
            "several-replies", f"one reply in line {number}", found=f"{len(replies)}"
        )
    return ResultRow(
        key=f"doc_id {line.doc_id}",
        reply=replies[0],
        row=line.doc_id,
        text=_word(about.get("instruction")),
        prompt="\n".join(_texts(line.input)),
        picture=_word(about.get("ann_id")),
        box=_numbers(about.get("bbox")),
        conventions=CONVENTIONS,
        verdict=_verdict(about),
    )


def _texts(value: object) -> list[str]:
    """Return all texts of a value that may stand in lists."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list | tuple):
        return [text for part in value for text in _texts(part)]
    return []


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _numbers(value: object) -> tuple[float, ...]:
    listed = isinstance(value, list) and all(type(item) in {int, float} for item in value)
    return tuple(value) if listed and isinstance(value, list) else ()


def _verdict(about: dict[str, Any]) -> bool | None:
    """Return the task's verdict: told, or whether its box's centre lies in the true one."""
    if isinstance(correct := about.get("correct"), bool):
        return correct
    truth, found = _numbers(about.get("bbox")), _numbers(about.get("pred"))
    if len(truth) != SIDES or len(found) != SIDES:
        return None
    x, y = (found[0] + found[2]) / 2, (found[1] + found[3]) / 2
    return truth[0] <= x <= truth[2] and truth[1] <= y <= truth[3]


def _head(path: Path) -> ResultsHead:
    return ResultsHead(model=path.resolve().parent.name.rpartition("__")[2])


LMMS_EVAL_SAMPLES = ResultsFile(
    name="lmms-eval-samples",
    version=1,
    summary="lmms-eval's ..._samples_TASK.jsonl, joined by the row of the data set",
    source="EvolvingLMMs-Lab/lmms-eval, loggers/evaluation_tracker.py",
    head=_head,
    read=read_samples,
)
