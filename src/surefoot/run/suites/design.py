"""
A suite's file: its sources, its targets, and how each pillar is built.

A file may extend another one or a preset (``quick``, ``standard``, ``full``): its tables are
laid over those of the other, key by key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from surefoot.benchmarks.benchmark import BENCHMARKS, Benchmark, BuildOptions
from surefoot.benchmarks.crossing.bases import check_bases
from surefoot.benchmarks.suite import SuiteTargets
from surefoot.core.errors import InvalidInputError

PRESETS: Final = ("quick", "standard", "full")
MULTILINGUAL: Final = "multilingual"  # what asks in several languages
ALL_OF_PAGE: Final = 10_000  # targets: a suite chooses among all
_LAST: Final = ("hidden",)  # it draws a picture an element and mask
_MOST_EXTENDED: Final = 8


class PillarDesign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold what a suite chooses of one pillar's build; the rest are the pillar's own defaults.

    ``over`` are bases that the variants are crossed with, ``design`` which of the conditions are
    asked; ``set`` are the benchmark's parameters by name.
    """

    variants: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    design: str = ""
    kinds: tuple[str, ...] = ()
    language: str = ""
    set: dict[str, float | int | str | bool] = {}


class LanguagesDesign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold what a suite asks in several languages: pages captured in each, by ``multilingual``.

    ``pages`` is the most of a source, ``targets`` of a page, ``kinds`` are dimensions; what is
    not given is as the benchmark has it. Without ``languages`` nothing is asked.
    """

    sources: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    pages: Annotated[int, Meta(ge=0)] = 0
    targets: Annotated[int, Meta(ge=0)] = 0
    kinds: tuple[str, ...] = ()


class FormsDesign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold how many forms of the catalogue a suite has filled in; 0 for none."""

    forms: Annotated[int, Meta(ge=0)] = 0


class DiagnosisDesign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold how many questions a suite spends on finding out why a model misses; 0 for none."""

    questions: Annotated[int, Meta(ge=0)] = 0


class SuiteDesign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold a suite: what `surefoot capture` would be given, which targets, which pillars.

    ``pages`` is the most pages of a source, 0 for all; ``budget`` about how many questions all
    pillars ask together about their elements, 0 for as many as there are.
    """

    name: str
    pillars: dict[str, PillarDesign]
    version: int = 1
    seed: int = 0
    sources: tuple[str, ...] = ()
    pages: Annotated[int, Meta(ge=0)] = 0
    budget: Annotated[int, Meta(ge=0)] = 0
    targets: SuiteTargets = SuiteTargets()
    languages: LanguagesDesign = LanguagesDesign()
    forms: FormsDesign = FormsDesign()
    diagnosis: DiagnosisDesign = DiagnosisDesign()

    @property
    def order(self) -> list[str]:
        """Return the pillars as they are built, whatever their order in a file: dear ones last."""
        return sorted(self.pillars, key=lambda name: (*(name == other for other in _LAST), name))

    def options(self, pillar: str) -> BuildOptions:
        """Return how a pillar is built: of every target that it can ask for."""
        if pillar == MULTILINGUAL:
            few = {"targets": self.languages.targets, "kinds": self.languages.kinds}
            return msgspec.structs.replace(
                BENCHMARKS.get(pillar).defaults,
                **{name: value for name, value in few.items() if value},
                seed=self.seed,
            )
        own, benchmark = self.pillars[pillar], BENCHMARKS.get(pillar)
        named = ("variants", "over", "design", "kinds", "language")
        chosen = {name: getattr(own, name) for name in named}
        return msgspec.structs.replace(
            benchmark.defaults,
            **{name: value for name, value in chosen.items() if value},
            targets=ALL_OF_PAGE,
            seed=self.seed,
            parameters=own.set,
        )


def read_suite(name: str | Path) -> SuiteDesign:
    """
    Read a preset by its name, or a file; raises InvalidInputError for what is no suite.

    >>> read_suite("quick").targets.site
    3
    """
    table = _read(name, ())
    table.pop("extends", None)
    try:
        design = msgspec.convert(table, SuiteDesign)
    except msgspec.ValidationError as error:
        raise InvalidInputError(
            f"a suite in {name}",
            found=error,
            remedy="compare it with a preset (`surefoot build suite --help`)",
        ) from error
    for pillar in design.pillars:
        _check_pillar(BENCHMARKS.get(pillar))
        BENCHMARKS.get(pillar).identity(design.options(pillar))
        check_bases(BENCHMARKS.get(pillar), design.options(pillar))
    if not design.pillars:
        raise InvalidInputError(f"a pillar in {name}", found="none", remedy="add [pillars.hidden]")
    return design


def _check_pillar(benchmark: Benchmark) -> None:
    if benchmark.parallel:
        raise InvalidInputError(
            "a benchmark whose questions are about elements as a pillar of a suite",
            found=f"'{benchmark.name}'",
            remedy="write [languages] for it",
        )


def _read(name: str | Path, seen: tuple[str, ...]) -> dict[str, Any]:
    """Read a suite's table, over that which it extends."""
    if str(name) in seen or len(seen) == _MOST_EXTENDED:
        raise InvalidInputError(
            "suites that extend each other in a line",
            found=" -> ".join((*seen, str(name))),
            remedy="remove one `extends`",
        )
    try:
        table = tomllib.loads(_text(name))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInputError(f"a suite's file, {name}", found=error) from error
    base = table.get("extends", "")
    if not isinstance(base, str):
        raise InvalidInputError(f"`extends` in {name} to name a suite", found=repr(base))
    if not base:
        return table
    beside = base if base in PRESETS else Path(name).parent / base
    return _over(_read(beside, (*seen, str(name))), table)


def _text(name: str | Path) -> str:
    if str(name) in PRESETS:
        return resources.files(__package__).joinpath(f"{name}.toml").read_text("utf-8")
    try:
        return Path(name).read_bytes().decode()
    except OSError as error:
        raise InvalidInputError(
            f"a suite: {', '.join(PRESETS)}, or a file",
            found=f"'{name}' ({error.strerror})",
            remedy="name a preset, or write a file that extends one",
        ) from error


def _over(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table laid over another, key by key."""
    merged = dict(base)
    for key, value in own.items():
        under = merged.get(key)
        both = isinstance(under, dict) and isinstance(value, dict)
        merged[key] = _over(under, value) if both else value  # type: ignore[arg-type]
    return merged
