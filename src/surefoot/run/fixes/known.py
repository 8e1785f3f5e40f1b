"""
The faults that rules found in an earlier state of a product, kept in a file of its repository.

A fault is known again by its page, without host and port, its rule, and the control's role, name
and heading; of equal ones as many are known as there were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from surefoot.core.canonical import canonical_json, decode
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.run.fixes.rules import RULES, SiteFinding


class KnownFault(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """Name a fault that a product has, so that the next release's is known to be the same."""

    page: str
    rule: str
    role: str
    words: str
    section: str

    @classmethod
    def of(cls, finding: SiteFinding) -> KnownFault:
        """Return the fault of a finding."""
        control = finding.control
        page = finding.page.partition("/")[2] or finding.page
        return cls(page, finding.rule, control.role, control.words, control.section)


class ChangedFaults(msgspec.Struct, frozen=True):
    """Hold the findings that are new since a baseline, and how many of its faults are gone."""

    new: tuple[SiteFinding, ...]
    gone: int


def write_faults(file: Path, findings: Iterable[SiteFinding]) -> None:
    """Write the faults of a product, one a line, sorted, so that changes read well."""
    faults = sorted(map(KnownFault.of, findings))
    write_atomic(file, b"".join(canonical_json(fault) + b"\n" for fault in faults))


def changed_faults(file: Path, findings: Iterable[SiteFinding]) -> ChangedFaults:
    """
    Compare findings with the faults in a file.

    Raises InvalidInputError for a file that is none, or that `surefoot site` did not write.
    """
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise InvalidInputError(
            f"a file of known faults, {file}",
            found=error.strerror or "no such file",
            remedy="write it with --update, of a state that you are content with",
        ) from error
    known: Counter[KnownFault] = Counter()
    for number, line in enumerate(lines, start=1):
        fault = decode(line, KnownFault, what=f"{file}, line {number},")
        if fault.rule not in RULES:
            raise InvalidInputError(
                f"a rule in {file}, line {number}", found=f"'{fault.rule}'", remedy="give --update"
            )
        known[fault] += 1
    new = []
    for finding in findings:
        fault = KnownFault.of(finding)
        if known[fault]:
            known[fault] -= 1
        else:
            new.append(finding)
    return ChangedFaults(tuple(new), known.total())
