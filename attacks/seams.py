"""
What other people put beside us: files in our folders, plug-ins, pipes in shared folders, letters.

The ideas are from outside lists: OWASP (A01 links and paths, A08 plug-ins, path traversal), CVEs
of temporary folders (CWE-377, CWE-379), Unicode's list of ignorable code points, Trojan Source.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final

from attacks.attack import Attack, Trial
from attacks.faults import lay_out
from attacks.warm import CASES, prepare, warm_process
from surefoot.core.seeds import random_source
from surefoot.core.terminal import harmless

ROOT: Final = Path(__file__).parent.parent
LONGEST_S: Final = 120
MINE: Final = b"mine"
# Where a user's file may lie in a folder of ours, by what is drawn of its paths.
NAMES: Final = (
    "notes.txt", "photo.png", ".hidden", ".holiday.jpg.partial", "f" * 64, "0" * 64 + ".png",
    "plan.json.bak", "ä ü.txt", "a/b/c/deep.txt", ".git/config", "ab/" + "0" * 64 + ".png",
)  # fmt: skip
PLUGINS: Final = {
    "exits": "import sys; sys.exit()", "exits with 0": "raise SystemExit(0)",
    "exits with words": "raise SystemExit('bye')", "asserts": "assert False",
    "throws": "raise RuntimeError('no CUDA')", "divides": "1 / 0", "recurses": "def f(): f()\nf()",
    "lacks memory": "raise MemoryError", "lacks a package": "import no_such_package",
    "has bad syntax": "def :", "throws its own": "class Mine(BaseException): pass\nraise Mine",
    "throws without words": "class M(Exception):\n def __str__(self): raise self\nraise M",
    "is cancelled": "import asyncio; raise asyncio.CancelledError", "prints": "print('{}')\n1 / 0",
    "parses our options": "import argparse; argparse.ArgumentParser().parse_args()",
    "has nothing": "X = 1", "stops an iteration": "raise StopIteration",
    "throws a group": "raise ExceptionGroup('many', [ValueError('a')])",
    "warns": "import warnings; warnings.warn('x'); raise ImportError('x')",
    "reads bytes": "b'\\xff'.decode()", "opens nothing": "open('/nowhere/at/all')",
    "takes our names": "from surefoot.models.formats import json_point as j\nX = vars(j)\n1 / 0",
}  # fmt: skip


def _users_files(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    draw = random_source(seed, "users-files")
    case = CASES["import"]
    with warm_process(folder / "warm") as warm:
        prepare(warm, folder / "world", [case])
        for at in range(number):
            here = folder / f"trial-{at}"
            lay_out(folder / "world", case, here, finished=True)
            place = _linked(here / case.out, draw)
            mine = place / draw.choice(NAMES)
            mine.parent.mkdir(parents=True, exist_ok=True)
            mine.write_bytes(MINE)
            ended = warm.run(here, ("verify", case.out, "--repair"))
            kept = mine.is_file() and mine.read_bytes() == MINE
            seen = "" if kept and ended.code in {0, 1} else f"{ended.code}: {ended.err[-200:]}"
            yield Trial(f"{mine.relative_to(here)}", not seen, seen or "")
            shutil.rmtree(here)


def _linked(out: Path, draw: Random) -> Path:
    """Return where a file is put: a folder of ours, or one behind a link that takes its place."""
    shelves = sorted(path for path in (out / "objects").iterdir() if path.is_dir())
    place = draw.choice([out, out / "objects", draw.choice(shelves)])
    if place != out and draw.random() < 0.5:  # noqa: PLR2004 - half of them
        elsewhere = out.parent / "elsewhere"
        place.rename(elsewhere)
        place.symlink_to(elsewhere)
        return elsewhere
    return place


def _plugins(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    draw = random_source(seed, "plug-ins")
    kinds = list(PLUGINS.items())
    draw.shuffle(kinds)
    plain = _surefoot(folder, "models", "--json")
    for name, code in kinds[:number]:
        here = folder / name.replace(" ", "-")
        facts = here / "outside-1.0.dist-info"
        facts.mkdir(parents=True)
        (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
        points = "[surefoot.models.formats]\nx = outside_code\n"
        (facts / "entry_points.txt").write_text(points)
        (here / "outside_code.py").write_text(code)
        ended = _surefoot(folder, "models", "--json", path=here)
        held = (
            ended.returncode == 0 and ended.stdout == plain.stdout and "'outside'" in ended.stderr
        )
        yield Trial(name, held, "" if held else f"{ended.returncode}: {ended.stderr[-200:]}")


def _surefoot(
    folder: Path, *arguments: str, path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    paths = [*([str(path)] if path else []), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "TMPDIR": str(folder)}
    command = [sys.executable, "-m", "surefoot", *arguments]
    with contextlib.suppress(subprocess.TimeoutExpired):
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            env=environment,
            timeout=LONGEST_S,
            check=False,
        )
    return subprocess.CompletedProcess(command, 999, "", "did not end")


def _socket(path: Path) -> None:
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as listening:
        listening.bind(str(path))


PUT: Final[dict[str, Callable[[Path], None]]] = {
    "a pipe": os.mkfifo,
    "a socket": _socket,
    "a folder": Path.mkdir,
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to a terminal": lambda path: path.symlink_to("/dev/tty"),
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "a link to itself": lambda path: path.symlink_to(path),
    "a link to a file of the user's": lambda path: path.symlink_to(path.parents[1] / "mine"),
    "a file without rights": lambda path: path.touch(mode=0),
}


def _shared(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    del seed
    for name in list(PUT)[:number]:
        shared = folder / name.replace(" ", "-").replace("'", "")
        (shared / "surefoot-x").mkdir(parents=True)
        (shared / "mine").write_bytes(MINE)
        PUT[name](shared / "surefoot-x" / ".owner")
        ended = _surefoot(shared, "models", "--json")
        held = ended.returncode == 0 and (shared / "mine").read_bytes() == MINE
        yield Trial(name, held, "" if held else f"{ended.returncode}: {ended.stderr[-200:]}")


def _letters(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    del folder
    kinds = {"Cc", "Cf", "Zl", "Zp", "Cs"}
    every = [
        letter
        for letter in map(chr, range(sys.maxunicode + 1))
        if (unicodedata.category(letter) in kinds and letter not in "\t\n")
        or 0xFE00 <= ord(letter) <= 0xFE0F  # noqa: PLR2004 - variation selectors
    ]
    # They are of the category Cf and have a picture.
    seen_signs = {
        *"\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd",
        *map(chr, range(0x600, 0x606)),
    }
    hidden = [
        letter
        for letter in every
        if letter not in seen_signs and not 0x13430 <= ord(letter) <= 0x1343F  # noqa: PLR2004
    ]
    for letter in random_source(seed, "letters").sample(hidden, min(number, len(hidden))):
        told = harmless(f"pay{letter}pal")
        yield Trial(f"U+{ord(letter):04X}", told.isascii(), "" if told.isascii() else "printed")


ATTACKS: Final = (
    Attack(
        name="users-files",
        promise="A file that is not ours is left",
        does="Files of a user in our folders and behind links, called as ours are; then verify "
        "--repair",
        trials=_users_files,
        many=60,
        whole=200,
    ),
    Attack(
        name="plug-ins",
        promise="A plug-in that misbehaves is named, and the others go on",
        does="A distribution whose module exits, throws, prints or lacks what it needs",
        trials=_plugins,
        many=len(PLUGINS),
        whole=len(PLUGINS),
    ),
    Attack(
        name="shared-folder",
        promise="Nothing that others put into the shared temporary folder stops anybody",
        does="Pipes, sockets, links and folders in the place of our lock",
        trials=_shared,
        many=len(PUT),
        whole=len(PUT),
    ),
    Attack(
        name="hidden-letters",
        promise="No letter that hides, reorders or commands reaches a terminal",
        does="Controls, format characters, separators, tags and variation selectors of Unicode "
        "among letters that are seen",
        trials=_letters,
        many=5000,
        whole=5000,
    ),
)
