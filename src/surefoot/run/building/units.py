"""
What all builds share: the plan, the units of work, their workers, and the funnel in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from surefoot.benchmarks.benchmark import Benchmark, BuildOptions, Funnel, require_names
from surefoot.benchmarks.crossing.design import ScreenCell
from surefoot.benchmarks.proofs import RECORDED, proof_words
from surefoot.capture.access.secrets import NONE, Secrets
from surefoot.capture.contents import Contents
from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError, NothingKeptError
from surefoot.core.ledger import Failure
from surefoot.core.screen import Screen
from surefoot.refer.generate.speak import OWN
from surefoot.refer.languages.tables import codes
from surefoot.run.building.capturing import CAPTURE_VERSION
from surefoot.run.engine.pool import Unit
from surefoot.run.engine.processes import Workers

MOST_REASONS = 6  # of an empty build


def plan_of(benchmark: Benchmark, options: BuildOptions) -> dict[str, Any]:
    """
    Return what the plan of a build says whatever it is built from.

    Raises InvalidInputError and UnknownNameError for a language that the benchmark lacks.
    """
    chosen = msgspec.to_builtins(options)
    usual = msgspec.to_builtins(BuildOptions())
    for name in ("over", "design", "budget"):  # plans of benchmarks without them have none
        if chosen[name] == usual[name]:
            del chosen[name]
    if options.language == BuildOptions().language:
        del chosen["language"]
    elif not benchmark.speaks:
        raise InvalidInputError(
            f"English instructions, which are all that {benchmark.name} has",
            found=f"'{options.language}'",
            remedy="leave --language out",
        )
    else:
        require_names([options.language], (*codes(), OWN), "language of instructions")
    return {
        "kind": "bench",
        "benchmark": f"{benchmark.name}@{benchmark.version}",
        "capture": CAPTURE_VERSION,
        "options": chosen,
        "identity": dict(benchmark.identity(options)),
    }


def unit_of(
    screen: Screen,
    plan: dict[str, Any],
    cells: tuple[ScreenCell, ...] = (),
    elsewhere: Mapping[str, Screen] | None = None,
) -> Unit:
    """
    Return the unit of work that a screen is, asked in conditions of its own where given.

    ``elsewhere`` are variants that were captured by themselves, by their names.
    """
    known = [screen, plan["benchmark"], plan["options"], plan["identity"], plan["renderer"]]
    dealt = [cells] if "over" in plan["options"] or "design" in plan["options"] else []
    body = {"screen": msgspec.to_builtins(screen), "cells": cells}
    if elsewhere:
        known.append(elsewhere)
        body["elsewhere"] = msgspec.to_builtins(elsewhere)
    return Unit(digest([*known, *dealt]), body, site=screen.site or screen.page)


def workers_of(
    name: str,
    out: Path,
    options: BuildOptions,
    count: int,
    contents: Contents,
    secrets: Secrets = NONE,
) -> Workers:
    """Return the workers that build pages of a benchmark into a folder, of unchanged contents."""
    return Workers(
        factory="surefoot.run.building.page_workers:builder",
        arguments={
            "benchmark": name,
            "folder": str(out.absolute()),
            "options": msgspec.to_builtins(options),
            "contents": contents,
            **({"secrets": msgspec.to_builtins(secrets)} if secrets else {}),
        },
        count=count,
        unit_s=2
        * options.settings.limits.unit_s
        * len(options.variants)
        * (1 + len(options.over)),
    )


def require_kept(count: int, funnel: Funnel, failures: Sequence[Failure]) -> None:
    """Raise NothingKeptError, with why, for a build without questions where nothing failed."""
    if count or failures:
        return
    falls = [fall for fall in funnel.falls if fall.reason != "considered"]
    falls.sort(key=lambda fall: -fall.count)
    reasons = [f"{fall.stage}: {fall.reason} ({fall.count})" for fall in falls]
    raise NothingKeptError(
        "a question that can be asked",
        found="; ".join(["none", *reasons[:MOST_REASONS]]),
        remedy="" if reasons else "name a folder that has screens with elements or questions",
    )


def funnel_words(
    funnel: Funnel, *, proofs: Mapping[str, int], pairs: int, pages: int
) -> list[str]:
    """
    Say how many candidates fell at each check, what was kept, and what it rests on if guessed.

    ``proofs`` counts the questions by what they rest on.
    """
    lines = [f"{fall.count:7d}  {fall.stage}: {fall.reason}" for fall in funnel.falls]
    lines += [
        f"directions {which}: " + ", ".join(f"{name} {count}" for name, count in counts.items())
        for which, counts in funnel.directions.items()
    ]
    if any(name != RECORDED for name in proofs):
        lines.append(proof_words(proofs))
    total = f"{sum(proofs.values())} questions about {pairs} targets on {pages} pages"
    if counts := funnel.sites.values():
        total += f" of {len(counts)} sites, {min(counts)} to {max(counts)} targets each"
    return [*lines, total]
