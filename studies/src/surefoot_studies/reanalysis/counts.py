"""
GUI-Perturbed's published tables: counts, tests and intervals of 390 steps, as CSV.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from surefoot.core.errors import InvalidInputError

T = TypeVar("T", bound=msgspec.Struct)


class PublishedRate(msgspec.Struct, frozen=True):
    """Hold one row of the intervals: k hits of n, with bootstrap and exact bounds."""

    model: str
    use_reasoning: str
    query_type: str
    variant: str
    n: int
    k: int
    hit_rate: float
    boot_ci_lo: float
    boot_ci_hi: float
    cp_ci_lo: float
    cp_ci_hi: float

    @property
    def condition(self) -> tuple[str, bool, str, str]:
        """Return model, reasoning, instruction kind and variant in our words."""
        return self.model, self.use_reasoning == "True", _kind(self.query_type), self.variant


class PublishedTest(msgspec.Struct, frozen=True):
    """
    Hold one row of the paired tests; ``diff`` is the original's rate minus the variant's.

    ``mcnemar_p_exact`` is the exact p under 25 discordant pairs and a copy of
    ``mcnemar_p``, the chi-square one, from there on.
    """

    model: str
    use_reasoning: str
    query_type: str
    perturbation: str
    n_matched: int
    diff: float
    diff_ci_lo: float
    diff_ci_hi: float
    mcnemar_chi2: float
    mcnemar_p: float
    mcnemar_p_exact: float
    a_both_correct: int
    b_orig_only: int
    c_pert_only: int
    d_both_wrong: int

    @property
    def condition(self) -> tuple[str, bool, str, str]:
        """Return model, reasoning, instruction kind and variant in our words."""
        return self.model, self.use_reasoning == "True", _kind(self.query_type), self.perturbation


def read_rates(path: Path) -> tuple[PublishedRate, ...]:
    """Read published_confidence_intervals.csv; raises InvalidInputError for another table."""
    return tuple(_rows(path, PublishedRate))


def read_tests(path: Path) -> tuple[PublishedTest, ...]:
    """Read published_mcnemar.csv; raises InvalidInputError for another table."""
    return tuple(_rows(path, PublishedTest))


def _rows(path: Path, kind: type[T]) -> Iterator[T]:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                yield msgspec.convert(row, kind, strict=False)
    except (OSError, UnicodeDecodeError, csv.Error, msgspec.MsgspecError) as error:
        raise InvalidInputError(f"a published table at {path}", found=error) from error


def _kind(query_type: str) -> str:
    return query_type.removesuffix("_query")
