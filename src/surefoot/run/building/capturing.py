"""
The work behind ``surefoot capture``: pages become a folder SCREENS.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from surefoot.capture.access.secrets import NONE, Secrets
from surefoot.capture.contents import Contents
from surefoot.capture.parallel.languages import PARALLEL, primary
from surefoot.capture.parallel.pages import (
    PARALLEL_TABLE,
    LanguageAttempt,
    PageInLanguage,
    parallel_lines,
    parallel_page,
    reached_alike,
)
from surefoot.capture.parallel.structure import ParallelScreen
from surefoot.capture.settings import Settings
from surefoot.capture.sources import (
    Address,
    contents_of,
    is_still,
    list_addresses,
    locale_of,
    prepare,
    source_versions,
    stills_identity,
)
from surefoot.capture.sources.folder import FOLDER
from surefoot.capture.web.browser import Browser
from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger, read_plan
from surefoot.core.screen import Screen
from surefoot.run.building.entering import (
    REPEATED,
    at_its_moment,
    entered,
    linked_pages,
    refuse_clear_passwords,
    without_repeated,
)
from surefoot.run.building.machine_facts import on_engine
from surefoot.run.consent import agreed
from surefoot.run.engine.outcome import Outcome, record_of, results_of
from surefoot.run.engine.pool import Unit, run_units
from surefoot.run.engine.processes import Workers
from surefoot.run.engine.progress import Progress
from surefoot.run.engine.shards import Shard, end_part, part_of, plan_of_part
from surefoot.run.folders.folder import export
from surefoot.run.folders.objects import pictures_held
from surefoot.run.turns import in_turns

if TYPE_CHECKING:
    from rich.console import Console


# Raised whenever the same page would give other labels or pixels.
CAPTURE_VERSION: Final = 4
MOST_MOVED: Final = 10
# What desktop programs tell of their walls, in a plan.
WALLS: Final = "desktop walls"


def capture_screens(  # noqa: PLR0913 - what a capture is made of, all by name
    specs: Sequence[str],
    out: Path,
    settings: Settings,
    *,
    languages: Sequence[str] = (),
    limit: int = 0,
    links: int = 0,
    shard: Shard | None = None,
    workers: int = 2,
    engine: str = "",
    retry_failed: bool = False,
    console: Console | None = None,
) -> Outcome:
    """
    Capture the original of every page that the specifications name, or go on with it.

    With ``languages`` each page is captured in every one of them, whatever the settings'
    locale, and matched with the first. With ``links`` pages of live servers come with as many
    that they link to. What confines the pages or programs is told first. Of a ``shard`` its
    units are captured, and no table is written.
    Raises UserError for a specification that names nothing and for two pages or sites of one
    name, and PlanMismatchError for a folder that was begun otherwise; a page that fails is a
    recorded failure.
    """
    addresses = named_pages(specs, limit)
    return capture_addresses(
        linked_pages(addresses, settings, out, links) if links else addresses,
        out,
        settings,
        languages=languages,
        shard=shard,
        workers=workers,
        engine=engine,
        retry_failed=retry_failed,
        console=console,
    )


def capture_addresses(  # noqa: PLR0913 - as above
    addresses: Sequence[Address],
    out: Path,
    settings: Settings,
    *,
    languages: Sequence[str] = (),
    shard: Shard | None = None,
    workers: int = 2,
    engine: str = "",
    retry_failed: bool = False,
    console: Console | None = None,
) -> Outcome:
    """Capture the original of every address as ``capture_screens`` does."""
    spoken = {"languages": _checked(languages)} if languages else {}
    bring(addresses, console)
    specs = [address.spec for address in addresses]
    given, settings = settings, at_its_moment(settings, specs, out)
    if shard and settings != given:
        raise InvalidInputError(
            "pages that any machine finds alike, for --shard",
            found="pages that are opened as somebody, now",
            remedy="record them first (surefoot record), and capture the recording in parts",
        )
    secrets = entered(settings, specs, console)
    refuse_clear_passwords(addresses, settings, secrets)
    plan: dict[str, Any] = {
        "kind": "screens",
        "capture": CAPTURE_VERSION,
        "sources": source_versions(addresses),
        "pages": specs,
        "settings": msgspec.to_builtins(settings),
        "renderer": renderer(addresses, console),
        "contents": contents_for(addresses, out),
        **spoken,
    }
    contents = digest(plan["contents"])
    visits = _visits(addresses, languages)
    found = {
        visit: capture_unit(visit.address, plan, contents, locale=visit.locale)
        for visit in visits
        if visit.offered
    }
    units = list(found.values())
    with (
        Ledger.open(out, plan_of_part(plan, shard), retry_failed=retry_failed) as ledger,
        Progress("capturing", console) as progress,
    ):
        crew = capture_workers(out, settings, workers, plan["contents"], secrets=secrets)
        tally = run_units(
            part_of(units, shard),
            ledger,
            on_engine(crew, engine, plan["renderer"], specs),
            progress=progress,
            whole=pictures_held(out),
        )
        if shard:
            return end_part(out, ledger, tally, shard)
        screens, failures = results_of(units, ledger, Screen)
        screens, failures = without_repeated(screens, failures, settings)
        if more := sum(failure.reason == REPEATED for failure in failures):
            tally = msgspec.structs.replace(tally, failed=tally.failed + more)
        tables: dict[str, Sequence[object]] = {"screens.jsonl": screens}
        pages = _matched(visits, found, ledger) if languages else []
        export(out, "screens", tables | ({PARALLEL_TABLE: pages} if languages else {}))
    controls = sum(element.hit for screen in screens for element in screen.elements)
    line = f"{len(screens)} screens with {controls} elements that a click reaches"
    lacking = sum(bool(screen.missing) for screen in screens)
    lost_line = (
        f"{lacking} of them lack something that the page asks for (`missing` in screens.jsonl.zst)"
    )
    lines = (line, *((lost_line,) if lacking else ()), *_moved(screens), *parallel_lines(pages))
    return Outcome(out, tally, failures, lines)


def _moved(screens: Iterable[Screen]) -> list[str]:
    """Name the pages that are kept though their scripts gave them other addresses."""
    moved = [screen for screen in screens if screen.shown_at]
    lines = [
        f"warning: {screen.source} calls itself {screen.shown_at}: see whether it is that page"
        for screen in moved[:MOST_MOVED]
    ]
    if more := len(moved) - len(lines):
        lines.append(f"warning: so do {more} more (`shown_at` in screens.jsonl.zst)")
    return lines


def prepare_sources(specs: Iterable[str], console: Console | None) -> None:
    """Bring what the pages of specifications need and is not here; raises as `prepare` does."""
    bring([address for spec in specs for address in list_addresses(spec)], console)


def renderer(addresses: Iterable[Address], console: Console | None = None) -> dict[str, str]:
    """
    Return what determines the addresses' pixels beside page and settings.

    That is the browser, the fonts and the platform where any of them is a web page, and
    what the other kinds of source say of themselves. What confines the browser and desktop
    programs is told on the console.
    """
    wanted = list(addresses)
    found = stills_identity(wanted)
    if not all(map(is_still, wanted)):
        with Browser() as browser:
            _tell(console, f"confinement: {browser.confinement}")
            found |= browser.identity
    if WALLS in found:
        words = {"True": "within walls", "False": "none: without bubblewrap they have our rights"}
        _tell(console, f"confinement of desktop programs: {words[found[WALLS]]}")
    return found


def bring(addresses: Sequence[Address], console: Console | None) -> None:
    """Bring what addresses need and is not here; asks first for what is large."""
    prepare(addresses, lambda line: _tell(console, line), lambda line: agreed(line, console))


def _tell(console: Console | None, line: str) -> None:
    if console is not None:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def named_pages(specs: Iterable[str], limit: int = 0) -> list[Address]:
    """
    Return the pages that specifications name, at most ``limit``, sites in turn.

    Raises UserError for one that names nothing, and for two pages or folders of one name.
    """
    found = dict.fromkeys(address for spec in specs for address in list_addresses(spec))
    wanted = in_turns(found, lambda address: address.site)[:limit] if limit else list(found)
    pages: dict[str, str] = {}
    for address in wanted:
        if pages.setdefault(address.page, address.spec) != address.spec:
            raise InvalidInputError(
                f"one page named '{address.page}'",
                found=f"{pages[address.page]} and {address.spec}",
                remedy="leave one out, or rename its folder: a page's name stands for the page",
            )
    _check_sites(wanted)
    return wanted


def _check_sites(addresses: Iterable[Address]) -> None:
    """Refuse two folders of one name: they would count as one site, and fall into one split."""
    roots: dict[str, Path] = {}
    for address in addresses:
        scheme, _, place = address.spec.partition(":")
        folder = Path(place.rpartition("#")[0]).resolve()
        if scheme == FOLDER.name and roots.setdefault(address.site, folder) != folder:
            raise InvalidInputError(
                f"one folder named '{address.site}'",
                found=f"{roots[address.site]} and {folder}",
                remedy="rename one of them: a site's name stands for the site",
            )


def contents_for(addresses: Iterable[Address], out: Path) -> dict[str, dict[str, str]]:
    """
    Return the digests of the pages' local files; those added since the plan do not count.

    What was not there when the plan was made is not served for it either.
    """
    found = contents_of(addresses)
    if not (out / "plan.json").is_file():
        return found
    begun = msgspec.convert(read_plan(out).get("contents", {}), Contents)
    return {
        place: {name: value for name, value in files.items() if name in begun.get(place, files)}
        for place, files in found.items()
    }


class _Visit(msgspec.Struct, frozen=True):
    """Name a page and the language to ask it for, "" for that of the settings."""

    address: Address
    language: str = ""
    locale: str = ""

    @property
    def offered(self) -> bool:
        """Tell whether the page's source has the language at all."""
        return bool(self.locale) or not self.language


def _checked(languages: Sequence[str]) -> list[str]:
    if len(languages) < 2 or len({*map(primary, languages)}) < len(languages):  # noqa: PLR2004
        raise InvalidInputError(
            "two or more languages, each once, the one to compare with first",
            found=", ".join(languages),
            remedy=f"name them as in --parallel {','.join(PARALLEL)}",
        )
    return list(languages)


def _visits(addresses: Sequence[Address], languages: Sequence[str]) -> list[_Visit]:
    if not languages:
        return [_Visit(address) for address in addresses]
    return [
        _Visit(address, language, locale_of(address, language))
        for address in addresses
        for language in languages
    ]


def capture_unit(
    address: Address, plan: dict[str, Any], contents: str, *, locale: str = ""
) -> Unit:
    """
    Return the unit of one address under a plan of captures, by the digest of its contents.

    With a ``locale`` the page is asked for in that language, whatever the settings say.
    """
    (source,) = source_versions([address])
    localised = {"locale": locale} if locale else {}
    parts = [plan["settings"] | localised, plan["renderer"], plan["capture"], contents]
    key = digest([address, source, *parts])
    return Unit(key, {"address": msgspec.to_builtins(address), **localised}, site=address.site)


def _matched(
    visits: Iterable[_Visit], units: Mapping[_Visit, Unit], ledger: Ledger
) -> list[PageInLanguage]:
    """Match every page in each language with the first, from what the ledger holds."""
    payloads = dict(ledger.payloads())
    failed = {failure.key: failure for failure in ledger.failures()}
    pages: dict[Address, list[LanguageAttempt]] = {}
    for visit in visits:
        key = units[visit].key if visit in units else ""
        result = record_of(key, payloads[key], ParallelScreen) if key in payloads else None
        attempt = LanguageAttempt(visit.language, visit.locale, result or failed.get(key))
        pages.setdefault(visit.address, []).append(attempt)
    found = {
        address: {
            record.language: record
            for record in parallel_page(address.page, address.site, attempts)
        }
        for address, attempts in pages.items()
    }
    return [
        reached_alike(record, _path(record, address, found))
        for address, records in found.items()
        for record in records.values()
    ]


def _path(
    record: PageInLanguage,
    address: Address,
    found: Mapping[Address, Mapping[str, PageInLanguage]],
) -> list[tuple[str, PageInLanguage]]:
    """Return what was acted on to reach a state, each with the record of the page before."""
    before = [address.entry.after(*address.actions[:at]) for at in range(len(address.actions))]
    return [
        (action.element, found[page][record.language])
        for action, page in zip(address.actions, before, strict=True)
        if page in found
    ]


def capture_workers(
    out: Path,
    settings: Settings,
    count: int,
    contents: Contents,
    *,
    explores: bool = False,
    secrets: Secrets = NONE,
) -> Workers:
    """
    Return the workers whose browsers capture addresses into a folder.

    Where one ``explores``, actions that make pages vanish are failures. Workers hear the
    ``secrets`` through their pipes, and they are written nowhere.
    """
    return Workers(
        factory="surefoot.run.building.page_workers:capturer",
        arguments={
            "folder": str(out.absolute()),
            "settings": msgspec.to_builtins(settings),
            "contents": contents,
            **({"explores": True} if explores else {}),
            **({"secrets": msgspec.to_builtins(secrets)} if secrets else {}),
        },
        count=count,
        unit_s=2 * settings.limits.unit_s,
    )
