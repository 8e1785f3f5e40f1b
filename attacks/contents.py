"""
Attacks on what plans are made of: files edited between a capture and what follows it.

A page, an archive, a package in the cache or a described screen is captured; one of its files
is edited, replaced or removed; then a benchmark is built of it, or the capture is begun again.
The same bytes come out as without the edit, or the file is named. Bytes that differ, and are
not refused, have broken the promise.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import random
import shutil
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image

from attacks.attack import Attack, Trial
from surefoot.benchmarks.benchmark import BuildOptions
from surefoot.capture.settings import Settings
from surefoot.core.errors import SurefootError
from surefoot.core.seeds import random_source
from surefoot.run.building.capturing import capture_screens
from surefoot.run.building.pages import build_benchmark

SMALL: Final = Settings(width=500, height=400)
OPTIONS: Final = BuildOptions(variants=("original", "text-size:1.25"), settings=SMALL)
TABLES: Final = ("screens.jsonl", "questions.jsonl")
BUTTONS: Final = "".join(f"<button>{name}</button> " for name in ("Save", "Send", "Close"))
FILES: Final = {
    "index.html": "<!doctype html><title>Desk</title><link rel=stylesheet href=look/styles.css>"
    f"<h1>Desk</h1>{BUTTONS}<img src=picture.png><img src=absent.png><script src=script.js>"
    "</script>",
    "look/styles.css": "button { margin-left: 12px }",
    "script.js": "document.body.append('ready')",
}
NPM: Final = '#!/bin/sh\nfor last; do :; done\ncp "{base}/package.tgz" "$last/"\n'


class Case(NamedTuple):
    """A source, and the files of it that a trial may edit."""

    spec: str
    files: tuple[Path, ...]
    renders: bool


def write_site(root: Path) -> tuple[Path, ...]:
    """Write a small site and return its files."""
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    Image.new("RGB", (60, 40), "navy").save(root / "picture.png")
    return (*(root / name for name in FILES), root / "picture.png")


def folder_case(base: Path) -> Case:
    """Return a folder of pages."""
    return Case(f"folder:{base / 'site'}", write_site(base / "site"), renders=True)


def archive_case(base: Path) -> Case:
    """Return an archived page."""
    picture = io.BytesIO()
    Image.new("RGB", (60, 40), "navy").save(picture, "PNG")
    html = f"<!doctype html><title>Desk</title><h1>Desk</h1>{BUTTONS}<img src=p.png>"
    parts = [("text/html", "", html.encode()), ("image/png", "p.png", picture.getvalue())]
    lines = [
        "From: <Saved>",
        "Snapshot-Content-Location: http://desk.example/",
        "MIME-Version: 1.0",
        'Content-Type: multipart/related; type="text/html"; boundary="b0"',
        "",
    ]
    for kind, name, content in parts:
        lines += ["--b0", f"Content-Type: {kind}", "Content-Transfer-Encoding: base64"]
        lines += [f"Content-Location: http://desk.example/{name}", ""]
        lines += [*base64.encodebytes(content).decode().splitlines(), ""]
    base.mkdir(parents=True, exist_ok=True)
    file = base / "desk.mhtml"
    file.write_bytes("\r\n".join([*lines, "--b0--", ""]).encode())
    return Case(str(file), (file,), renders=True)


def package_case(base: Path) -> Case:
    """Return a package that a stand-in for npm has packed into a cache of its own."""
    write_site(base / "package")
    with tarfile.open(base / "package.tgz", "w:gz") as tar:
        tar.add(base / "package", "package")
    program = base / "npm"
    program.write_text(NPM.format(base=base))
    program.chmod(0o755)
    root = base / "cache" / "npm" / "desk" / "1.0.0"
    files = tuple(root / name for name in (*FILES, "picture.png"))
    return Case("npm:desk@1.0.0", files, renders=True)


def described_case(base: Path) -> Case:
    """Return a described screen."""
    base.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (200, 100), "white").save(base / "desk.png")
    button = {"id": "a", "role": "button", "name": "Save", "box": [10, 10, 90, 40]}
    described = {"platform": "desktop", "role_space": "aria", "box": "xyxy", "space": "pixels"}
    (base / "desk.json").write_text(
        json.dumps({"version": 1, "scale": 1, "elements": [button], **described})
    )
    for suffix in (".json", ".png"):
        shutil.copy(base / f"desk{suffix}", base / f"other{suffix}")
    return Case(f"screens:{base}", (base / "desk.json", base / "desk.png"), renders=False)


CASES: Final[tuple[Callable[[Path], Case], ...]] = (
    described_case,
    folder_case,
    archive_case,
    package_case,
)


def edit(file: Path, others: tuple[Path, ...], chance: random.Random) -> str:
    """Edit a file in one way and say which."""
    content = file.read_bytes()
    ways = ["grown", "shifted", "removed", "emptied"]
    ways += ["a link to another file"] if len(others) > 1 else []
    way = chance.choice(ways)
    if way == "grown":
        added = b" <p style='padding: 40px'>more</p>" if file.suffix == ".html" else b" "
        file.write_bytes(content + added)
    elif way == "shifted":
        swapped = content.replace(b"12px", b"248px").replace(b"Save", b"Open")
        file.write_bytes(swapped if swapped != content else content[:-1] + b"#")
    elif way == "removed":
        file.unlink()
    elif way == "emptied":
        file.write_bytes(b"")
    else:
        file.unlink()
        file.symlink_to(chance.choice([other for other in others if other != file]))
    return way


def follow(case: Case, screens: Path, out: Path) -> tuple[str, str]:
    """Do what comes after the edit; return what was refused, and the bytes that came out."""
    try:
        if case.renders:
            outcome = build_benchmark("perturbed", screens, out, OPTIONS, workers=1)
        else:
            outcome = capture_screens([case.spec], screens, SMALL, workers=1)
    except SurefootError as error:
        return str(error), ""
    where = out if case.renders else screens
    bytes_out = "".join((where / name).read_text() for name in TABLES if (where / name).exists())
    return "; ".join(failure.message for failure in outcome.failures), bytes_out


@contextlib.contextmanager
def stand_in_for_npm(base: Path) -> Iterator[None]:
    """Let the package of a case come from its own folder, by way of a cache of its own."""
    path = f"{base}:{os.environ['PATH']}"
    ours = {"PATH": path, "SUREFOOT_CACHE": str(base / "cache")}
    kept = {name: os.environ.get(name) for name in ours}
    os.environ |= ours
    try:
        yield
    finally:
        for name, value in kept.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def edited(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Edit one file after the capture, build or capture again, and put the file back."""
    with stand_in_for_npm(folder / f"case-{CASES.index(package_case)}"):
        yield from tried(seed, number, folder)


def tried(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Yield the trials."""
    chance = random_source(seed, "attack", "contents")
    captured: dict[int, tuple[Case, Path, str]] = {}
    for at in range(number):
        kind = at % len(CASES)
        base = folder / f"case-{kind}"
        if kind not in captured:
            case = CASES[kind](base)
            screens = base / "screens"
            outcome = capture_screens([case.spec], screens, SMALL, workers=1)
            if outcome.failures:
                yield Trial(case.spec, held=False, seen=outcome.failures[0].message)
                return
            (_, whole) = follow(case, screens, base / "whole")
            captured[kind] = case, screens, whole
        case, screens, whole = captured[kind]
        file = chance.choice(case.files)
        kept = file.read_bytes()
        way = edit(file, case.files, chance)
        refused, came = follow(case, screens, base / f"out-{at}")
        file.unlink(missing_ok=True)
        file.write_bytes(kept)
        shutil.rmtree(base / f"out-{at}", ignore_errors=True)
        wrong = ""
        if not refused and came != whole:
            wrong = "other bytes, silently"
        elif refused and file.stem not in refused:
            wrong = f"refused without the file's name: {refused}"
        elif not refused and not case.renders:
            wrong = "the changed plan was not refused"
        yield Trial(f"{case.spec.rpartition('/')[2]}: {file.name} {way}", not wrong, wrong)


ATTACKS: Final = (
    Attack(
        name="edited-contents",
        promise="One seed, same bytes",
        does="A file of a page, an archive, a package in the cache or a described screen is "
        "edited, emptied, removed or replaced by a link between capture and build",
        trials=edited,
        many=4,
        whole=32,
    ),
)
