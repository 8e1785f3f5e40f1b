"""
Logs of Inspect AI, ``.eval`` or ``.json``: the samples of one of our tasks.

The metadata of such a log holds the digest of the benchmark, the format and the modes of
reasoning; a sample's id is our question's. Which task ran does not matter, nor its verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.foreign.model_folders import guarded
from surefoot.core.question import Usage
from surefoot.datasets.dataset import Reports, ignore
from surefoot.datasets.results.result import ResultRow, ResultsFile, ResultsHead

FACTS: Final = "surefoot"
CUT: Final = "max_tokens"
CORRECT: Final = "C"
LEFT: Final = frozenset({"events", "store", "attachments", "messages"})  # of no use here


class LogFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Hold what a log's metadata say: the benchmark's digest, and how its questions were put."""

    bench: str
    format: str
    version: int
    reasoning: Literal["off", "on", "both"] = "off"

    def plain(self) -> dict[str, object]:
        """Return what goes into the metadata."""
        return msgspec.structs.asdict(self)


def read_log(path: Path, *, strict: bool = False, report: Reports = ignore) -> Iterator[ResultRow]:  # noqa: ARG001 - a log has no bad rows
    """
    Read the samples of a log; one that ended in an error is a reply that was not had.

    Raises InvalidInputError as the seam says, and MissingComponentError without inspect-ai.
    """
    from inspect_ai.log import read_eval_log_samples

    _header(path)
    for sample in read_eval_log_samples(
        path, all_samples_required=False, exclude_fields=set(LEFT)
    ):
        yield _row(sample)


def _row(sample: Any) -> ResultRow:  # noqa: ANN401 - a type of an extra
    output = sample.output
    failed = str(sample.error.message)[:200] if sample.error else ""
    scores = [score.value for score in (sample.scores or {}).values()]
    return ResultRow(
        key=f"sample {sample.id}, epoch {sample.epoch}",
        question=str(sample.id),
        reply=output.completion,
        sample=sample.epoch,
        verdict=scores[0] == CORRECT if len(scores) == 1 else None,
        failure=failed or ("" if output.choices else output.error or "no reply"),
        cut=bool(output.choices) and output.stop_reason == CUT,
        usage=_usage(sample.model_usage),
    )


def _usage(used: Any) -> Usage:  # noqa: ANN401 - as above
    """Sum what all models of a sample used; tokens read from a cache were read as well."""
    parts = list((used or {}).values())
    cached = (part.input_tokens_cache_read or 0 for part in parts)
    written = (part.input_tokens_cache_write or 0 for part in parts)
    return Usage(
        sum(part.input_tokens for part in parts) + sum(cached) + sum(written),
        sum(part.output_tokens for part in parts),
    )


def _header(path: Path) -> Any:  # noqa: ANN401 - as above
    from inspect_ai.log import read_eval_log

    with guarded(f"a log of Inspect AI at {path}", "name an .eval file"):
        return read_eval_log(path, header_only=True)


def _head(path: Path) -> ResultsHead:
    about = _header(path).eval
    try:
        facts = msgspec.convert((about.metadata or {})[FACTS], LogFacts)
    except (KeyError, msgspec.ValidationError) as error:
        raise InvalidInputError(
            f"the log of a task of surefoot at {path}",
            found=f"one of '{about.task}'",
            remedy="import what `inspect eval surefoot/...` wrote",
        ) from error
    return ResultsHead(
        model=about.model.rpartition("/")[2],
        bench=facts.bench,
        format=facts.format,
        reasoning=facts.reasoning,
        samples=about.config.epochs or 1,
    )


INSPECT_LOG = ResultsFile(
    name="inspect-log",
    version=1,
    summary="a log of Inspect AI, of a task of ours",
    source="UKGovernmentBEIS/inspect_ai, log/_log.py",
    head=_head,
    read=read_log,
)
