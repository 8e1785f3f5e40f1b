"""
Time a page of a form, drawn, filled in by the oracle and scored, and split what it took.

The looks take turns, form by form, so that what else the machine does falls on all alike;
the time of a form is shared out to its pages. "beyond" is what of the rest between actions
went beyond the frames that it always takes: animations, replies, scripts at work. The CPU
seconds are those of browser, driver and server together, and say more than the others on a
machine that does other work besides.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import functools
import gc
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
import numpy as np
import psutil

from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.driver.executor import Executor
from surefoot.forms.driver.hands import BrowserHands
from surefoot.forms.driver.window import FormWindow
from surefoot.forms.rendering import RENDERERS, Rendering
from surefoot.run.engine.worker import UnitFunction
from surefoot.run.forms.units import FormChoices, FormResult, FormUnit, units_of
from surefoot.run.forms.workers import filler

FORMS: Final = ("A15", "D11", "E13", "G13")
FRAME_S: Final = 1 / 60
PARTS: Final = {
    "load": ((FormWindow, "__init__"), (FormWindow, "open"), (FormWindow, "resize")),
    "hands": tuple((BrowserHands, literal) for literal in ("click", "type", "press", "scroll")),
    "rest": ((FormWindow, "rest"),),
    "look": ((FormWindow, "state"), (FormWindow, "ask")),
    "picture": ((FormWindow, "picture"),),
    "files": ((Executor, "_choose"),),
}


class Clock:
    """Share time out to named parts; a part within another counts for itself alone."""

    def __init__(self) -> None:
        self.spent: collections.defaultdict[str, float] = collections.defaultdict(float)
        self._open: list[str] = []
        self._since = 0.0

    def turn(self, name: str) -> None:
        """Go on to a part, or back from the last one with ""."""
        now = time.monotonic()
        if self._open:
            self.spent[self._open[-1]] += now - self._since
        if name:
            self._open.append(name)
        else:
            self._open.pop()
        self._since = now

    @contextlib.contextmanager
    def within(self, name: str) -> Iterator[None]:
        """Count a block for a part."""
        self.turn(name)
        try:
            yield
        finally:
            self.turn("")

    def watching(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the same function, counted for a part; a rest while loading is loading."""

        @functools.wraps(function)
        def watched(*given: object, **named: object) -> object:
            resting = name == "rest" and self._open[-1:] != ["load"]
            begun = time.monotonic()
            with self.within("load" if name == "rest" and not resting else name):
                found = function(*given, **named)
            if resting:
                frames = given[1] if len(given) > 1 and isinstance(given[1], int) else 1
                self.spent["beyond"] += max(0.0, time.monotonic() - begun - frames * FRAME_S)
            return found

        return watched


@contextlib.contextmanager
def watched(clock: Clock) -> Iterator[None]:
    """Have the driver's parts counted for the length of a block."""
    kept = [
        (owner, method, getattr(owner, method), name)
        for name, methods in PARTS.items()
        for owner, method in methods
    ]
    for owner, method, function, name in kept:
        setattr(owner, method, clock.watching(name, function))
    try:
        yield
    finally:
        for owner, method, function, _ in kept:
            setattr(owner, method, function)


class Taken(msgspec.Struct):
    """Hold what a page of one form took in one round, in seconds."""

    seconds: float
    cpu: float
    parts: dict[str, float]


def looks() -> tuple[Rendering, ...]:
    """Return each renderer that is there, and each library of widgets."""
    return tuple(
        Rendering(entry.name, theme)
        for entry in RENDERERS.entries.values()
        if not entry.missing()
        for theme in (entry.themes if entry.name == "rjsf" else ("",))
    )


def take(work: UnitFunction, body: dict[str, Any], pages: int) -> Taken:
    """Let the oracle fill in one form; raises AssertionError where it is not right."""
    clock = Clock()
    gc.collect()
    busy, begun = cpu_seconds(), time.monotonic()
    with watched(clock), clock.within("other"):
        result = msgspec.json.decode(work(body), type=FormResult)
    seconds, spent = time.monotonic() - begun, cpu_seconds() - busy
    assert result.score.right, (result.score.form, result.score.rendering)
    parts = {name: value / pages for name, value in clock.spent.items()}
    return Taken(seconds / pages, spent / pages, parts)


def cpu_seconds() -> float:
    """Return the CPU time of this process and of all below it that still run."""
    here = psutil.Process()
    total = 0.0
    for process in (here, *here.children(recursive=True)):
        with contextlib.suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def show(look: Rendering, all_taken: list[Taken], base: float) -> float:
    """Print one look's line, with its ratio to a median, and return its own median."""
    low, middle, high = np.percentile([taken.seconds for taken in all_taken], [25, 50, 75])
    cpu = np.median([taken.cpu for taken in all_taken])
    means = {
        part: np.mean([taken.parts.get(part, 0.0) for taken in all_taken])
        for part in (*PARTS, "beyond", "other")
    }
    split = " ".join(f"{means[part]:7.2f}" for part in means)
    name = f"{look.renderer} {look.theme}"
    print(
        f"{name:16} {middle:6.2f} {low:6.2f} {high:6.2f} {middle / (base or middle):6.1f}x"
        f" {cpu:6.2f} {split}"
    )
    return float(middle)


def main() -> None:
    """Let the oracle fill in each form in each look, so many times, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--forms", nargs="+", default=list(FORMS), metavar="FORM")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    forms = tuple(map(find_form, given.forms))
    pages = {form.id: len(form.pages) for form in forms}
    taken: dict[Rendering, list[Taken]] = {look: [] for look in looks()}
    with tempfile.TemporaryDirectory() as folder, filler(folder=folder) as work:
        for number in range(given.rounds + 1):
            for unit in units_of(FormChoices(forms, ("oracle",), tuple(taken))):
                told = msgspec.convert(unit.body["unit"], FormUnit)
                found = take(work, dict(unit.body), pages[told.form.id])
                # The first round fills caches and is left out.
                if number:
                    taken[told.rendering].append(found)
    print(
        f"{len(forms)} forms, {sum(pages.values())} pages, {given.rounds} rounds; seconds a page"
    )
    heads = " ".join(f"{part:>7}" for part in (*PARTS, "beyond", "other"))
    print(f"{'':16} median     q1     q3  plain    cpu {heads}")
    base = 0.0
    for look in sorted(taken, key=lambda item: item.renderer != "plain"):
        base = base or show(look, taken[look], base)
        if look.renderer != "plain":
            show(look, taken[look], base)


if __name__ == "__main__":
    main()
