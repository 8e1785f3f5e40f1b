"""
The work behind ``surefoot release``: a suite that others can cite, build again and be measured on.

A release is a folder: a data set a pillar (parquet with its card), the raw replies of models that
were asked, the hash of every row and picture, and ``release.json``. That file alone is enough to
capture and build all of it anew, on another machine, and to compare it to the byte.
"""

from __future__ import annotations

import shutil
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from surefoot.capture.applications.installing import RECIPES
from surefoot.capture.settings import Settings
from surefoot.capture.sources.catalog import demo_sites
from surefoot.core.canonical import canonical_json, decode, readable_json, sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.core.ledger import read_plan
from surefoot.core.question import Question
from surefoot.core.screen import Screen
from surefoot.core.version import __version__
from surefoot.run.building.capturing import capture_addresses, named_pages, renderer
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.exporting import partial_beside
from surefoot.run.folders.folder import manifest_digest, read_screens
from surefoot.run.folders.lines import ExportedFile
from surefoot.run.folders.tables import stream_table
from surefoot.run.suites.building import build_suite
from surefoot.run.suites.design import SuiteDesign
from surefoot.run.suites.folder import read_benches

if TYPE_CHECKING:
    from rich.console import Console

MANIFEST, ROWS, RESULTS = "release.json", "rows.tsv", "results"
UNKNOWN: Final = "unknown: ask who made the pages"
_PICTURE_SIDE: Final = 64.0  # pixels; smaller ones are icons
_README: Final = """# {name} {version}

{questions} questions about {pairs} elements of {sites} sites, through {pillars}.

## Where it comes from

`surefoot build suite` (Surefoot {surefoot}) rendered the pages below, knows every element on them,
and asks only what holds for exactly one element; every answer has its proof in the benchmark.
`{manifest}` names all pages, the browser and the fonts by their hashes:

```console
surefoot release verify {manifest} --out out/again
```

builds it again and compares it to the byte.

## What is in it

| folder | is |
| --- | --- |
{folders}
| `{rows}` | the SHA-256 of each row and each picture |
| `{results}` | raw replies of models that were asked |
| `ERRATA.md` | what was found wrong; the data stay as they are, a correction is another version |

## Licences

The questions are given under Apache-2.0; each picture shows a page that has its own licence:

| pages of | licence | by | pages | with photographs or drawings |
| --- | --- | --- | ---: | ---: |
{sources}

Pictures inside of pages, and their icon fonts, may be of other hands than the page; nobody has
cleared them one by one.

## Do not train on it

`{canary}` stands in every row. Who trains on it says so.
"""
_CITATION: Final = """cff-version: 1.2.0
message: If you use these data, please cite them by name and version.
title: {name}
version: {version}
type: dataset
authors:
  - name: The authors of Surefoot
identifiers:
  - type: other
    value: sha256:{digest}
    description: the SHA-256 of {manifest}
"""
_ERRATA: Final = """# Errata of {name} {version}

None yet.
Each entry names a row, what is wrong, and since when it is known.
"""


class ReleasedSource(msgspec.Struct, frozen=True):
    """
    Say under which licence pages of a site are, and how many have pictures larger than an icon.
    """

    site: str
    licence: str
    maker: str
    pages: int
    pictured: int


class Release(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold all that a suite is built from, and the hash of all that was built.

    ``captured`` has for each SCREENS what its plan says of pages, settings, languages and
    renderer, ``screens`` their digests, ``benches`` those of the pillars. ``files`` describes
    the folder's other files.
    """

    name: str
    version: str
    canary: str
    surefoot: str
    design: SuiteDesign
    captured: tuple[dict[str, Any], ...]
    screens: tuple[str, ...]
    benches: dict[str, str]
    sources: tuple[ReleasedSource, ...]
    files: dict[str, ExportedFile]


class Difference(msgspec.Struct, frozen=True):
    """Name what came out otherwise when a release was built again, and the first such record."""

    what: str
    expected: str
    found: str


def make_release(
    suite: Path,
    screens: Sequence[Path],
    out: Path,
    *,
    name: str,
    version: str,
    runs: Sequence[Path] = (),
) -> Release:
    """
    Write a SUITE as a release; ``screens`` are the folders that it was built from.

    Raises InvalidInputError where they are others, for a run over none of its pillars, and where
    ``out`` is not empty.
    """
    plan, benches = read_plan(suite), read_benches(suite)
    digests = [manifest_digest(folder, "screens") for folder in screens]
    if digests != plan["screens"]:
        raise InvalidInputError(
            f"the screens that {suite} was built from, in their order",
            found=", ".join(map(str, screens)) or "none",
            remedy="name them by --screens",
        )
    canary = f"SUREFOOT CANARY {uuid.uuid5(uuid.NAMESPACE_URL, f'surefoot:{name}:{version}')}"
    partial = partial_beside(out)
    try:
        files = _write_data(suite, benches, partial, f"{name}-{version}", canary)
        files |= _write_results(runs, benches, partial)
        shown = [screen for folder in screens for screen in read_screens(folder)]
        release = Release(
            name=name,
            version=version,
            canary=canary,
            surefoot=__version__,
            design=msgspec.convert(plan["design"], SuiteDesign),
            captured=tuple(_captured(folder) for folder in screens),
            screens=tuple(digests),
            benches=benches,
            sources=tuple(_sources(shown)),
            files=dict(sorted(files.items())),
        )
        data = readable_json(release)
        write_atomic(partial / MANIFEST, data)
        words = {"name": name, "version": version, "manifest": MANIFEST}
        texts = {
            "README.md": _readme(release, suite),
            "CITATION.cff": _CITATION.format(**words, digest=sha256(data)),
            "ERRATA.md": _ERRATA.format(**words),
        }
        for file, text in texts.items():
            write_atomic(partial / file, text.encode())
        partial.replace(out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return release


def read_release(path: Path) -> Release:
    """Read a release's manifest, or that in its folder; raises InvalidInputError."""
    file = path / MANIFEST if path.is_dir() else path
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InvalidInputError(
            f"a release's manifest, {file}",
            found=error.strerror or "no such file",
            remedy="name the release.json that `surefoot release make` wrote",
        ) from error
    return decode(data, Release, what=str(file))


def check_files(folder: Path, release: Release) -> list[Difference]:
    """Compare the files of a release's folder with its manifest."""
    found = []
    for name, expected in release.files.items():
        path = folder / name
        digest = sha256(path.read_bytes()) if path.is_file() else "no such file"
        if digest != expected.sha256:
            found.append(Difference(name, expected.sha256, digest))
    return found


def build_again(
    release: Release, out: Path, *, workers: int = 2, console: Console | None = None
) -> tuple[Outcome, list[Difference]]:
    """
    Capture and build a release anew, and return what differs from it; nothing if all is well.

    Raises InvalidInputError where the browser or the fonts are others than the release's.
    """
    how: dict[str, Any] = {"workers": workers, "console": console}
    folders, outcomes, differences = [], [], []
    for number, plan in enumerate(release.captured, start=1):
        addresses = named_pages(plan["pages"])
        here, there = renderer(addresses, console), plan["renderer"]
        other = [part for part in sorted(there) if here.get(part) != there[part]]
        if other:
            raise InvalidInputError(
                f"the release's {', '.join(f'{part} {there[part]}' for part in other)}",
                found=", ".join(str(here.get(part, "none")) for part in other),
                remedy="install what it was made with: another browser draws other pictures",
            )
        folder = out / f"screens-{number}"
        outcomes.append(
            capture_addresses(
                addresses,
                folder,
                msgspec.convert(plan["settings"], Settings),
                languages=plan["languages"],
                **how,
            )
        )
        folders.append(folder)
    for folder, expected in zip(folders, release.screens, strict=True):
        found = manifest_digest(folder, "screens")
        if found != expected:
            differences.append(Difference(folder.name, expected, found))
    suite = out / "suite"
    outcomes.append(build_suite(folders, suite, release.design, **how))
    again = read_benches(suite)
    for pillar, expected in release.benches.items():
        if again.get(pillar) != expected:
            differences.append(Difference(pillar, expected, again.get(pillar, "none")))
    failures = tuple(failure for outcome in outcomes for failure in outcome.failures)
    total = sum(outcome.tally.total for outcome in outcomes)
    return Outcome(suite, Tally(total, 0, total - len(failures)), failures), differences


def _captured(folder: Path) -> dict[str, Any]:
    plan = read_plan(folder)
    named = ("pages", "settings", "renderer")
    return {**{name: plan[name] for name in named}, "languages": plan.get("languages", [])}


def _write_data(
    suite: Path, benches: Mapping[str, str], out: Path, prefix: str, canary: str
) -> dict[str, ExportedFile]:
    """Write each pillar as a data set, and the hash of each row and picture."""
    from surefoot.run.parquet.shards import publish

    lines = ["row\trow_sha256\timage_sha256\n"]
    for pillar in benches:
        publish(suite / pillar, out / pillar, canary=canary)
        for question in stream_table(suite / pillar, "questions.jsonl", Question, kind="bench"):
            row = sha256(canonical_json(question))
            lines.append(f"{prefix}/{pillar}/{question.id}\t{row}\t{question.image}\n")
    write_atomic(out / ROWS, "".join(lines).encode())
    return {
        str(path.relative_to(out)): ExportedFile(sha256(path.read_bytes()), 1)
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


def _write_results(
    runs: Iterable[Path], benches: Mapping[str, str], out: Path
) -> dict[str, ExportedFile]:
    """Copy each run but its ledger, under its model and its pillar."""
    pillars = {digest: pillar for pillar, digest in benches.items()}
    files = {}
    for run in runs:
        manifest_digest(run, "run")
        plan = read_plan(run)
        pillar = pillars.get(str(plan["bench"]))
        if pillar is None:
            raise InvalidInputError(
                "runs over the pillars of the suite",
                found=f"{run}, over another benchmark",
                remedy="leave it out, or run the suite's own benchmarks",
            )
        identity = msgspec.convert(plan["model"], dict[str, Any])
        model = str(identity.get("name", "model")).replace("/", "_")
        for name in ("plan.json", "manifest.json", "answers.jsonl", "failures.jsonl"):
            data = (run / name).read_bytes()
            place = f"{RESULTS}/{model}/{pillar}/{name}"
            (out / place).parent.mkdir(parents=True, exist_ok=True)
            write_atomic(out / place, data)
            files[place] = ExportedFile(sha256(data), data.count(b"\n"))
    return files


def _sources(screens: Iterable[Screen]) -> Iterator[ReleasedSource]:
    """Yield what is known of each site's licence, and count its pages with pictures."""
    known = {site.source: (site.licence, site.maker) for site in demo_sites()}
    pages: Counter[tuple[str, str, str]] = Counter()
    pictured: Counter[tuple[str, str, str]] = Counter()
    for screen in screens:
        source = next((spec for spec in known if screen.source.startswith(spec)), "")
        name = screen.source.removeprefix("app:").partition("/")[0]
        licence, maker = known.get(source, (UNKNOWN, ""))
        if not source and screen.source.startswith("app:") and name in RECIPES.entries:
            licence = RECIPES.get(name).licence
        key = (screen.site or screen.page, licence, maker)
        pages[key] += 1
        pictured[key] += any(
            element.role in ("img", "image")
            and min(element.box.width, element.box.height) >= _PICTURE_SIDE
            for element in screen.elements
        )
    for key, count in sorted(pages.items()):
        yield ReleasedSource(*key, pages=count, pictured=pictured[key])


def _readme(release: Release, suite: Path) -> str:
    counts, pairs, sites = Counter[str](), set(), set()
    for pillar in release.benches:
        for question in stream_table(suite / pillar, "questions.jsonl", Question, kind="bench"):
            counts[pillar] += 1
            pairs.add(question.pair)
            sites.add(question.cluster)
    return _README.format(
        name=release.name,
        version=release.version,
        surefoot=release.surefoot,
        manifest=MANIFEST,
        rows=ROWS,
        results=RESULTS,
        canary=release.canary,
        questions=counts.total(),
        pairs=len(pairs),
        sites=len(sites),
        pillars=", ".join(release.benches),
        folders="\n".join(
            f"| `{pillar}` | {count} questions as parquet, and their pictures |"
            for pillar, count in counts.items()
        ),
        sources="\n".join(
            f"| {item.site} | {item.licence} | {item.maker} | {item.pages} | {item.pictured} |"
            for item in release.sources
        ),
    )
