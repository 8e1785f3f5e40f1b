"""
How a command over a folder ended: what it wrote, what it counted, what failed.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from surefoot.core.canonical import decode
from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.core.ledger import Failure, Ledger
from surefoot.run.engine.pool import Unit
from surefoot.run.engine.progress import Tally

UNREADABLE: Final = "name a new folder to have the unit computed anew; the others are as they were"
T = TypeVar("T")


class Outcome(msgspec.Struct, frozen=True):
    """
    Hold the folder that was written, the tally, the failures, and lines to print.

    ``broken`` says what is wrong with the whole, None where nothing is; ``shard`` is the part of
    its units that it did alone, "" where it did all.
    """

    folder: Path
    tally: Tally
    failures: tuple[Failure, ...] = ()
    lines: tuple[str, ...] = ()
    broken: SurefootError | None = None
    shard: str = ""


def record_of(key: str, payload: bytes, kind: type[T]) -> T | Failure:
    """
    Read a unit's record; one that is none is a failure of that unit alone.

    >>> record_of("u1", b"true", int).reason
    'unreadable-record'
    """
    try:
        return decode(payload, kind, what=f"the record of the unit {key}")
    except InvalidInputError as error:
        cause = InvalidInputError(error.expected, found=error.found, remedy=UNREADABLE)
        return Failure(key, "unreadable-record", str(cause))


def results_of(
    units: Iterable[Unit], ledger: Ledger, kind: type[T]
) -> tuple[list[T], tuple[Failure, ...]]:
    """
    Return the results of all units that have one, in the order of the units, and the failures.

    Among the failures are the units whose record cannot be read.
    """
    keys = [unit.key for unit in units]
    wanted = frozenset(keys)
    # Records are read one by one: a million payloads at once are more than a machine holds.
    found = {
        key: record_of(key, payload, kind) for key, payload in ledger.payloads() if key in wanted
    }
    records = [found[key] for key in keys if key in found]
    failures = [*ledger.failures(), *(item for item in records if isinstance(item, Failure))]
    return [item for item in records if not isinstance(item, Failure)], tuple(failures)
