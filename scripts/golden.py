"""
Hold scores and reports of real answers to the numbers that were frozen, and freeze new ones.

Usage: golden.py [--freeze] [--exact]

Prints every number that differs from tests/golden, by case and metric; --freeze
then takes the new ones. What was changed on purpose is named in the message of the commit.
Numbers are alike where 12 digits are: other processors add up in another order. --exact
wants them all.
"""

from __future__ import annotations

import contextlib
import html.parser
import io
import json
import lzma
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from surefoot.cli.main import main as surefoot
from surefoot.core.canonical import readable_json
from surefoot.core.plan import plan_digest
from surefoot.diagnose.causes.chance import UsualModes
from surefoot.diagnose.causes.confusions import CONFUSIONS, ConfusionEvidence
from surefoot.diagnose.causes.profile import weaknesses
from surefoot.diagnose.collecting import CheckedMisses
from surefoot.diagnose.findings import ElementFinding
from surefoot.diagnose.search.arms import ArmResult, Subject
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.diagnose.search.trail import Trail
from surefoot.diagnose.summary import distinct_answers, summarise_findings
from surefoot.failures.modes import FailureMode
from surefoot.score.stats.units import Population

GOLDEN: Final = Path(__file__).parent.parent / "tests" / "golden"
ALIKE: Final = ".12g"
REPLIERS: Final = ("careful", "hasty", "lost")


class Case(msgspec.Struct, frozen=True):
    """Name the runs that are scored together, and the options of both verbs."""

    bench: str
    models: tuple[str, ...]
    options: tuple[str, ...] = ()
    report: tuple[str, ...] | None = None


CASES: Final[Mapping[str, Case | None]] = {
    "hits": Case("hits", ("ocr", "random", *REPLIERS), report=("center", "oracle")),
    "hits-tolerance-20-by-element": Case(
        "hits",
        ("ocr", "careful", "lost"),
        ("--tolerance", "20", "--unit", "element", "--seed", "7"),
    ),
    "labelled": Case("labelled", ("random", *REPLIERS), report=("oracle",)),
    "sensitivity": Case("words", ("random", "careful", "hasty"), report=("center",)),
    "sensitivity-pairwise-standard": Case(
        "words",
        ("ocr", "careful", "hasty"),
        ("--shared-only", "--spread", "pairwise", "--tolerance", "10", "--standard", "hits"),
    ),
    "hidden": Case("hidden", REPLIERS, report=("ocr", "random", "center", "flat-mask")),
    "forms": Case("forms", ("", "bare"), report=()),
    "diagnosis": None,
}


def unpack(folder: Path) -> None:
    """Unpack the real answers, and the questions that they answer, into a folder."""
    with tarfile.open(GOLDEN / "inputs.tar.xz") as archive:
        archive.extractall(folder, filter="data")


def recompute(name: str, folder: Path) -> dict[str, Any]:
    """
    Return all that is said of one case: the scores' JSON, and the tables of the report.

    ``folder`` holds what ``unpack`` put there.
    """
    case = CASES[name]
    if case is None:
        return {"diagnosis": _diagnosis(folder / "diagnosis" / "table.json")}
    return _scored(case, folder)


def frozen(name: str) -> dict[str, Any]:
    """Return what was frozen of one case; nothing where it is new."""
    path = _path(name)
    return dict(json.loads(lzma.decompress(path.read_bytes()))) if path.is_file() else {}


def differences(was: object, now: object, *, exact: bool = False) -> list[str]:
    """
    Say, a line each, where two values differ: the path to it, and both.

    >>> differences({"rate": [{"model": "a", "n": 1}]}, {"rate": [{"model": "a", "n": 2}]})
    ['rate / model a / n: 1 -> 2']
    """
    return [
        f"{' / '.join(path)}: {_shown(before)} -> {_shown(after)}"
        for path, before, after in _walk(was, now, ())
        if exact or _alike(before) != _alike(after)
    ]


MISSING: Final = object()
# What tells the entries of a list apart, where they bear it.
NAMES: Final = (
    "model", "agent", "name", "contrast", "metric", "mode", "kind", "feature", "by", "value",
    "instruction", "variant", "mask", "condition", "from", "to", "reasoning", "level", "pair",
    "role", "group", "size", "direction",
)  # fmt: skip


def _walk(
    was: object, now: object, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], object, object]]:
    if isinstance(was, list) and isinstance(now, list):
        was, now = _keyed(was), _keyed(now)
    if isinstance(was, dict) and isinstance(now, dict):
        for key in [*was, *(item for item in now if item not in was)]:
            pair = was.get(key, MISSING), now.get(key, MISSING)
            yield from _walk(*pair, (*path, str(key)))
    elif type(was) is not type(now) or was != now:
        yield path, was, now


def _keyed(items: Sequence[object]) -> dict[str, object]:
    """Key the entries of a list by what they are called, and number those called alike."""
    return dict(zip(_distinct(list(map(_label, items))), items, strict=True))


def _label(item: object) -> str:
    if isinstance(item, dict):
        named = [f"{name} {item[name]}" for name in NAMES if _plain(item.get(name))]
        return ", ".join(named)
    return ""


def _plain(value: object) -> bool:
    return isinstance(value, str | bool) and value != ""


def _alike(value: object) -> object:
    return format(value, ALIKE) if isinstance(value, float) else value


def _shown(value: object) -> str:
    text = "nothing" if value is MISSING else json.dumps(value, ensure_ascii=False)
    return text if len(text) < 200 else f"{text[:200]}..."  # noqa: PLR2004 - a line or three


def _path(name: str) -> Path:
    return GOLDEN / f"{name}.json.xz"


def _scored(case: Case, folder: Path) -> dict[str, Any]:
    verb = ("forms",) if case.bench == "forms" else ()
    runs = _runs(case.bench, case.models, folder)
    json_file, page = folder / "scores.json", folder / "report.html"
    options = list(case.options)
    if "--standard" in options:
        at = options.index("--standard")
        standard = _runs(options[at + 1], case.models, folder)
        options[at:] = [part for run in standard for part in ("--standard", run)]
    _run(*verb, "score", *runs, *options, "--json", json_file)
    found: dict[str, Any] = {"score": json.loads(json_file.read_bytes())}
    if case.report is not None:
        sane = [f"--sanity={run}" for run in _runs(case.bench, case.report, folder)]
        _run(*verb, "report", *runs, *sane, "--cards", "0", "--out", page)
        found["report"] = _tables(page.read_text("utf-8"))
    return found


def _runs(bench: str, models: Sequence[str], folder: Path) -> list[str]:
    return [str(folder / "-".join(filter(None, (bench, model)))) for model in models]


def _run(*arguments: object) -> None:
    """Run a command line in this process; raises SystemExit where it does not end well."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            surefoot([str(argument) for argument in arguments])
        except SystemExit as left:
            if left.code:
                raise


def _diagnosis(path: Path) -> dict[str, Any]:
    table = msgspec.json.decode(path.read_bytes(), type=_Searched)
    checked, baseline = _checked(table.checked), _checked(table.baseline)
    known = [answer for answer in distinct_answers((*checked, *baseline)) if answer.answered]
    shown = {confusion: table.shown[confusion.name] for confusion in CONFUSIONS}
    found = summarise_findings(
        table.plan,
        table.model,
        table.options,
        checked,
        table.findings,
        baseline,
        causes=weaknesses(known, shown, table.model),
        usual=UsualModes(table.blind, ()),
        population=Population(
            unit="site",
            elements=len(table.findings),
            pages=len({finding.page for finding in table.findings}),
            sites=len({finding.cluster for finding in table.findings}),
        ),
    )
    assert found.plan == plan_digest(table.plan)  # noqa: S101 - it is of this very search
    numbers = dict(json.loads(readable_json(found)))
    del numbers["elements"], numbers["unplanned"]  # as they were given
    return numbers


class _Element(msgspec.Struct, frozen=True):
    """Hold one element's search: what was tried, and which of it was a miss of which sort."""

    subject: Subject
    tried: list[ArmResult]
    valid: list[str]
    disputed: list[str]
    invalid: list[str]


class _Searched(msgspec.Struct, frozen=True):
    """Hold what the summary of a diagnosis is made from."""

    plan: dict[str, Any]
    model: str
    options: DiagnoseOptions
    checked: list[_Element]
    findings: list[ElementFinding]
    baseline: list[_Element]
    shown: dict[str, list[ConfusionEvidence]]
    blind: dict[FailureMode, float]


def _checked(elements: Sequence[_Element]) -> list[CheckedMisses]:
    found = []
    for element in elements:
        trail = Trail(element.subject)
        trail.tried = element.tried
        by_id = {tried.arm.question.id: tried for tried in element.tried}
        sorts = (element.valid, element.disputed, element.invalid)
        found.append(CheckedMisses(trail, *(tuple(by_id[one] for one in sort) for sort in sorts)))
    return found


class _Tables(html.parser.HTMLParser):
    """Collect the tables of a report, by section and figure, as rows of words."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, dict[str, list[list[str]]]] = {}
        self._section = self._title = ""
        self._row: list[str] = []
        self._into: Callable[[str], None] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "section":
            self._section = dict(attrs).get("id") or ""
        elif tag == "figcaption":
            self._title = ""
            self._into = self._entitle
        elif tag == "tr":
            self._row = []
        elif tag in ("td", "th"):
            self._row.append("")
            self._into = self._fill

    def handle_endtag(self, tag: str) -> None:
        if tag == "tr":
            section = self.found.setdefault(self._section, {})
            section.setdefault(self._title, []).append(self._row)
        if tag in ("td", "th", "figcaption"):
            self._into = None

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self._into(data)

    def _entitle(self, data: str) -> None:
        self._title += data

    def _fill(self, data: str) -> None:
        self._row[-1] += data


def _tables(page: str) -> dict[str, dict[str, dict[str, dict[str, str]]]]:
    """Return the tables of a report: section, figure, row, column."""
    parser = _Tables()
    parser.feed(page)
    return {
        section: {title: _rows(rows) for title, rows in figures.items()}
        for section, figures in parser.found.items()
    }


def _rows(table: Sequence[Sequence[str]]) -> dict[str, dict[str, str]]:
    head, *rows = table
    columns = _distinct(head)
    labels = _distinct([row[0] for row in rows])
    return {
        name: dict(zip(columns, row, strict=False)) for name, row in zip(labels, rows, strict=True)
    }


def _distinct(names: Sequence[str]) -> list[str]:
    """Return names that differ: the later ones of several alike are numbered."""
    counts: dict[str, int] = {}
    found = []
    for name in names:
        counts[name] = counts.get(name, 0) + 1
        found.append(name if counts[name] == 1 else f"{name} #{counts[name]}")
    return found


def main(arguments: Sequence[str]) -> int:
    """Compare, say what differs, freeze it if that is wanted; 1 where something differs."""
    changed = 0
    with tempfile.TemporaryDirectory() as scratch:
        unpack(Path(scratch))
        for name in CASES:
            now = recompute(name, Path(scratch))
            said = differences(frozen(name), now, exact="--exact" in arguments)
            sys.stdout.writelines(f"{name}: {line}\n" for line in said)
            changed += len(said)
            if "--freeze" in arguments:
                _path(name).write_bytes(lzma.compress(readable_json(now)))
    sys.stdout.write(f"{changed} numbers differ\n")
    return int(changed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
