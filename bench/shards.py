"""
Print what a build of many drawn screens takes, whole and in parts, and whether both are equal.

    python bench/shards.py 100000 4

An imported set of so many screens with a picture each is built into `perturbed` with
pictures that are resized, once by one process after the other and once in parts; CPU seconds
are those of all processes that a command starts, bytes those that the folders take on disk.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from PIL import Image, ImageDraw

from surefoot.core.seeds import random_source
from surefoot.run.folders.folder import read_manifest

SIZE = (160, 96)
SCREENS_PER_SITE = 40
VARIANTS = "original,resize:0.5"


def write_set(folder: Path, count: int) -> None:
    """Write a set of ScreenSpot's layout: a picture with a box and a command each."""
    pictures = folder / "screenspot_imgs"
    pictures.mkdir(parents=True)
    source = random_source(1, "screens")
    rows = []
    for number in range(count):
        image = Image.new("L", SIZE, source.randrange(128, 256))
        left, top = source.randrange(4, 100), source.randrange(4, 60)
        ImageDraw.Draw(image).rectangle((left, top, left + 40, top + 20), fill=number % 120)
        ImageDraw.Draw(image).text((2, 80), str(number), fill=0)
        name = f"{number // SCREENS_PER_SITE:05d}-{number:07d}.png"
        image.save(pictures / name)
        rows.append(
            {
                "img_filename": name,
                "bbox": [left, top, 40, 20],
                "instruction": f"press {number}",
                "data_source": "ios",
            }
        )
    (folder / "screenspot_mobile.json").write_text(json.dumps(rows))


def surefoot(*words: object) -> float:
    """Run a command, and return the CPU seconds of it and of what it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    line = [sys.executable, "-P", "-m", "surefoot", *map(str, words)]
    subprocess.run(line, check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def size(folder: Path, names: Iterable[str]) -> int:
    """Return the bytes of the files of a folder by some names."""
    files = (path for name in names for path in folder.glob(name))
    return sum(path.stat().st_size for path in files if path.is_file())


def main() -> None:
    """Build whole and in parts, and compare."""
    count, parts = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        write_set(root / "set", count)
        taken = surefoot("import", "screenspot", root / "set", "--out", root / "bench")
        print(f"import of {count:,} screens: {taken:.0f} CPU s")
        build = ("build", "perturbed", "--screens", root / "bench", "--variants", VARIANTS)
        taken = surefoot(*build, "--out", root / "whole", "--workers", 2)
        print(f"whole: {taken:.0f} CPU s")
        folders = [root / f"part-{part}" for part in range(1, parts + 1)]
        costs = [
            surefoot(*build, "--shard", f"{part}/{parts}", "--out", folder, "--workers", 2)
            for part, folder in enumerate(folders, start=1)
        ]
        print(
            f"{parts} parts: {min(costs):.0f} to {max(costs):.0f} CPU s, {sum(costs):.0f} in all"
        )
        taken = surefoot("merge", *folders, "--out", root / "merged")
        print(f"merge: {taken:.0f} CPU s")
        whole, merged = read_manifest(root / "whole"), read_manifest(root / "merged")
        print(f"equal manifests: {whole == merged}")
        screens, asked = whole.files["screens.jsonl"].count, whole.files["questions.jsonl"].count
        for what, names, number in (
            ("a screen, its table", ("screens.jsonl*",), screens),
            ("a screen, the ledger", ("ledger.sqlite",), screens),
            ("a question, its table", ("questions.jsonl",), asked),
        ):
            print(f"bytes of {what}: {size(root / 'whole', names) / number:,.0f}")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**10
        print(f"largest process: {peak:,.0f} MiB")
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
