"""
Write what was measured into docs/measured, and from there into the documents that quote it.

Usage: measured.py [demo OUT | install MEGABYTES]

"demo" reads the folder OUT of a finished `surefoot quickstart` and makes docs/report.png of it;
"install" notes what the base install takes. Either writes its file, with the version that was
measured, and then, as without either, all documents are filled in. A document quotes a number
between marks, <!--m FILE.NAME--> and <!--/m-->; a test compares them.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeAlias

import surefoot
from surefoot.core.ledger import read_plan
from surefoot.run.folders.folder import read_questions

ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = ROOT / "docs" / "measured"
PAGES: Final = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MARK: Final = re.compile(r"<!--m (?P<name>[a-z_]+\.[a-z_]+)-->(?P<told>.*?)<!--/m-->", re.DOTALL)
SIZE: Final = (1280, 960)  # of README's picture, in CSS pixels
COLOURS: Final = 128

Measured: TypeAlias = dict[str, str]


def read_measured(folder: Path = FOLDER) -> Measured:
    """Return every value of the files in a folder, spelt as documents have it, by FILE.NAME."""
    return {
        f"{file.stem}.{name}": _spelt(value)
        for file in sorted(folder.glob("*.json"))
        for name, value in json.loads(file.read_bytes()).items()
    }


def quoted(text: str) -> list[tuple[str, str]]:
    """
    Return what a document quotes, and under which name.

    >>> quoted("On <!--m demo.sites-->29<!--/m--> sites.")
    [('demo.sites', '29')]
    """
    return [(match["name"], match["told"]) for match in MARK.finditer(text)]


def fill(text: str, known: Mapping[str, str]) -> str:
    """
    Return a document with what was measured; raises KeyError for a name that nobody wrote.

    >>> fill("On <!--m demo.sites-->26<!--/m--> sites.", {"demo.sites": "29"})
    'On <!--m demo.sites-->29<!--/m--> sites.'
    """
    return MARK.sub(lambda match: f"<!--m {match['name']}-->{known[match['name']]}<!--/m-->", text)


def _spelt(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(["", *map(str, value), ""])
    return f"{value:,}" if isinstance(value, int) else str(value)


def _demo(folder: Path) -> dict[str, object]:
    """Count what a demo asked, and take down what its scores say of the built-in model."""
    questions = read_questions(folder / "bench")
    homes = {question.pair: question.cluster for question in questions}
    each = [list(homes.values()).count(site) for site in set(homes.values())]
    scores = surefoot.score(folder / "run-ocr")
    return {
        "benchmark": str(read_plan(folder / "bench")["benchmark"]),
        "sites": len(each),
        "pages": len({question.page_name for question in questions}),
        "targets": len(homes),
        "questions": len(questions),
        "fewest": min(each),
        "most": max(each),
        "said": [f"> {sentence}" for sentence in scores.sentences],
    }


def _picture(folder: Path, out: Path) -> None:
    """Take the picture of README: the first screen of the report on the built-in model."""
    width, height = SIZE
    with tempfile.TemporaryDirectory() as work:
        page = Path(work) / "report.html"
        surefoot.report(folder / "run-ocr", out=page, cards=0)
        screens = surefoot.capture(
            str(page), out=Path(work) / "screens", width=width, height=height
        )
        # Few colours, as a repository keeps every picture for good.
        screens[0].picture().quantize(COLOURS).save(out, optimize=True)


def _write(name: str, told: Mapping[str, object]) -> None:
    when = f"{datetime.now(UTC):%B %Y}"
    whole = {"surefoot": surefoot.__version__, "when": when, **told}
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{name}.json"
    path.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n", "utf-8")
    sys.stdout.write(f"wrote {path.relative_to(ROOT)}\n")


def main(arguments: Sequence[str]) -> int:
    """Write what was measured, and fill the documents in."""
    match list(arguments):
        case ["demo", out]:
            _write("demo", _demo(Path(out)))
            _picture(Path(out), ROOT / "docs" / "report.png")
        case ["install", megabytes]:
            _write("install", {"base_mb": int(megabytes)})
        case []:
            pass
        case _:
            sys.stderr.write(f"{__doc__}\n")
            return 2
    known = read_measured()
    for page in PAGES:
        text = page.read_text("utf-8")
        filled = fill(text, known)
        if filled != text:
            page.write_text(filled, "utf-8")
            sys.stdout.write(f"wrote {page.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
