"""
Count the valid instructions per target over captured screens, by kind and specificity.

    python bench/expressions.py SCREENS [--most N] [--show N]

Times are CPU time of one process: of a screen's targets together, divided by their number.
"""

from __future__ import annotations

import argparse
import io
import time
from collections import Counter
from pathlib import Path

import numpy as np
from PIL import Image

from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.refer.generate.describe import Description
from surefoot.refer.generate.expressions import expressions
from surefoot.refer.generate.generate import targets
from surefoot.refer.say.realise import realise
from surefoot.refer.scene.scene import Scene
from surefoot.run.folders.folder import read_screens

EVERYTHING = 10_000


def scene_on(folder: Path, screen: Screen) -> Scene:
    """Return a screen's scene with its pixels."""
    png = ObjectStore(folder).get(screen.image)
    with Image.open(io.BytesIO(png)) as image:
        return Scene(screen, np.asarray(image.convert("RGB")))


def main() -> None:
    """Print the counts and times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("screens", type=Path)
    parser.add_argument("--most", type=int, default=EVERYTHING)
    parser.add_argument("--show", type=int, default=0, help="print all words of so many targets")
    given = parser.parse_args()
    counts: list[int] = []
    found: list[Description] = []
    spent: list[float] = []
    for screen in read_screens(given.screens):
        scene = scene_on(given.screens, screen)
        asked = targets(scene)
        started = time.process_time()
        item = [expressions(scene, target.id, most=given.most) for target in asked]
        spent.append((time.process_time() - started) / max(len(asked), 1))
        counts += [len(ways) for ways in item]
        found += [way for ways in item for way in ways]
        for target, ways in list(zip(asked, item, strict=True))[: given.show]:
            print(f"\n{screen.page} {target.id}: {target.role} '{target.name}'")
            for way in ways:
                said = realise(way.expression)
                print(f"  {way.cost:5.2f} {way.kind:10} {way.specificity:6} {said}")
    describe(counts, found, spent)


def describe(counts: list[int], found: list[Description], spent: list[float]) -> None:
    """Print means per target, by kind and by specificity, and times."""
    total = max(len(counts), 1)
    some = sum(count >= 15 for count in counts)  # noqa: PLR2004 - the goal
    quartiles = np.percentile(counts or [0], [0, 25, 50, 75, 100]).astype(int).tolist()
    print(f"\n{len(counts)} targets, {len(found)} instructions, {len(found) / total:.1f} a target")
    print(f"least, quartiles and most {quartiles}; 15 or more for {some / total:.0%}")
    for what in ("kind", "specificity"):
        tally = Counter(str(getattr(description, what)) for description in found)
        print(what, {key: round(count / total, 2) for key, count in tally.most_common()})
    if spent:
        print(f"CPU seconds a target: mean {np.mean(spent):.3f}, slowest screen {max(spent):.3f}")


if __name__ == "__main__":
    main()
