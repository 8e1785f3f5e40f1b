"""
The results of ScreenSpot-Pro's own script: one JSON object with ``details``, a row each.

A row has ``img_path``, ``prompt_to_evaluate``, ``bbox`` (left, top, right, bottom in pixels),
``raw_response``, ``correctness`` ("correct", "wrong" or "wrong_format"), and says how it was
asked: ``lang``, ``instruction_style`` and ``gt_type``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.datasets.dataset import BadRecord, Reports, ignore
from surefoot.datasets.files.boxes import BoxConvention
from surefoot.datasets.files.json_records import Entry, decode_record, section_records
from surefoot.datasets.results.result import ResultRow, ResultsFile, ResultsHead

DETAILS: Final = "details"


class _Detail(msgspec.Struct, frozen=True):
    img_path: str
    prompt_to_evaluate: str
    raw_response: Any = None
    bbox: list[float] = []
    correctness: str = ""
    lang: str = "en"
    instruction_style: str = "instruction"
    gt_type: str = "positive"


def read_details(
    path: Path, *, strict: bool = False, report: Reports = ignore
) -> Iterator[ResultRow]:
    """
    Read the details; those of other words, or of nothing on the screen, are reported.

    Raises InvalidInputError as the seam says.
    """
    for entry in section_records(path):
        if entry.key != DETAILS:
            continue
        try:
            yield _row(entry)
        except InvalidInputError as error:
            if strict:
                raise
            reason = error.reason if isinstance(error, RecordError) else "malformed"
            report(BadRecord(entry.number, str(error), reason, entry.file))


def _row(entry: Entry) -> ResultRow:
    detail = decode_record(entry.data, _Detail)
    asked = (detail.lang, detail.instruction_style, detail.gt_type)
    if asked != ("en", "instruction", "positive"):
        raise RecordError(
            "asked-otherwise",
            "the English instruction about what is on the screen",
            found=", ".join(asked),
        )
    reply = detail.raw_response
    return ResultRow(
        key=f"detail {entry.number}",
        reply=reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False),
        text=detail.prompt_to_evaluate,
        picture=detail.img_path,
        box=tuple(detail.bbox),
        conventions=(BoxConvention.PIXEL_XYXY,),
        verdict=detail.correctness == "correct" if detail.correctness else None,
        failure="" if reply is not None else "no raw_response",
    )


SCREENSPOT_PRO_RESULTS = ResultsFile(
    name="screenspot-pro-results",
    version=1,
    summary="the JSON that ScreenSpot-Pro's own script writes, joined by words, picture and box",
    source="likaixin2000/ScreenSpot-Pro-GUI-Grounding, eval_screenspot_pro.py",
    head=lambda path: ResultsHead(model=path.stem),
    read=read_details,
)
