"""
The work behind ``surefoot build``: a folder SCREENS becomes a folder BENCH.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from surefoot.benchmarks.benchmark import (
    BENCHMARKS,
    AssembledBench,
    Benchmark,
    BuildOptions,
    PageResult,
    WrittenPages,
)
from surefoot.benchmarks.crossing.bases import check_bases, opens_pages, with_bases
from surefoot.benchmarks.crossing.budget import cost_words, pages_within, within_budget
from surefoot.benchmarks.crossing.design import read_design
from surefoot.benchmarks.drawing import (
    NOT_CHOSEN,
    REPEAT,
    only_those,
    spread_recurring,
    with_partners,
)
from surefoot.benchmarks.proofs import count_proofs
from surefoot.capture.access.secrets import NONE
from surefoot.capture.contents import Contents
from surefoot.capture.parallel.pages import ParallelScreens
from surefoot.capture.parallel.versions import as_version
from surefoot.capture.settings import Settings
from surefoot.capture.sources import address_of
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Failure, Ledger, read_plan
from surefoot.core.perturbation import (
    LANGUAGE,
    ORIGINAL,
    VERSION,
    is_captured,
    parse_variant,
    variant_title,
)
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.asking.writer import Writer, writer_line
from surefoot.run.building.capturing import capture_addresses, renderer
from surefoot.run.building.entering import entered
from surefoot.run.building.machine_facts import on_engine
from surefoot.run.building.sets import build_from_set
from surefoot.run.building.units import funnel_words, plan_of, require_kept, unit_of, workers_of
from surefoot.run.building.writers import Build, BuildWriter
from surefoot.run.engine.outcome import Outcome, results_of
from surefoot.run.engine.pool import Unit, run_units
from surefoot.run.engine.progress import Progress, Tally
from surefoot.run.engine.shards import Shard, end_part, part_of, plan_of_part
from surefoot.run.folders.folder import (
    export,
    manifest_digest,
    read_manifest,
    read_questions,
    read_screens,
)
from surefoot.run.folders.objects import pictures_held
from surefoot.run.folders.parallel import is_parallel, read_parallel

if TYPE_CHECKING:
    from rich.console import Console


AGAIN: Final = "screens"  # in a BENCH: what was captured again for it


def build_benchmark(  # noqa: PLR0913 - what a build is made of, all by name
    name: str,
    screens: Path | Sequence[Path],
    out: Path,
    options: BuildOptions,
    *,
    targets_of: Path | None = None,
    version: Path | None = None,
    writer: BuildWriter | None = None,
    recapture: bool = False,
    shard: Shard | None = None,
    workers: int = 2,
    engine: str = "",
    retry_failed: bool = False,
    console: Console | None = None,
) -> Outcome:
    """
    Render every variant of every screen and write the questions that hold in all of them.

    The captures' own settings are taken from SCREENS. Raises InvalidInputError where the
    browser or the fonts are no longer those that SCREENS was captured with, unless every
    variant changes pictures alone, or ``recapture`` has the screens captured again first, into
    ``screens`` of the BENCH. ``screens`` may be several folders that were captured in
    one way, or the BENCH of one or several imported sets, for benchmarks made of such sets too.
    Raises NothingKeptError where nothing failed and no question is left.
    With ``targets_of``, a BENCH over the same screens, its elements alone are asked for.
    ``version`` is a SCREENS of the same pages in another version, which is one more variant.
    A ``writer`` phrases the instructions of benchmarks that take one; InvalidInputError for
    others, and for imported sets. Of a ``shard`` its pages are rendered, and no table is written.
    """
    benchmark = BENCHMARKS.get(name)
    further = {} if writer is None else writer.plan(benchmark)
    folders = (screens,) if isinstance(screens, Path) else tuple(screens)
    how: dict[str, Any] = {"workers": workers, "engine": engine}
    how |= {"retry_failed": retry_failed, "console": console}
    if all(read_manifest(folder).kind == "bench" for folder in folders):
        if writer is not None:
            raise InvalidInputError(
                "captured screens for a writer",
                found=f"{folders[0]}, a benchmark",
                remedy="leave --writer out: a set has words of its own",
            )
        if targets_of is not None or version is not None:
            raise InvalidInputError(
                "captured screens for the targets of another benchmark, or another version",
                found=f"{folders[0]}, a benchmark",
                remedy="leave --targets-of and --version-of out: a set has what it has",
            )
        return build_from_set(benchmark, folders, out, options, shard=shard, **how)
    refound: tuple[Failure, ...] = ()
    options, named = _with_version(benchmark, options, version)
    further |= named
    check_bases(benchmark, options, written=writer is not None)
    if recapture and opens_pages(benchmark, options):
        folders, refound = _captured_again(folders, out, how)
    pairs = None
    if targets_of is not None:
        pairs = {question.pair for question in read_questions(targets_of)}
        further |= {"targets_of": manifest_digest(targets_of, "bench")}
    made = page_results(
        name, folders, out, options, pairs=pairs, version=version, more=further, shard=shard, **how
    )
    if shard:
        with Ledger.open(out, made.plan) as ledger:
            return end_part(out, ledger, made.tally, shard)
    options, results, failures = made.options, made.results, made.failures
    written = WrittenPages(results, ())
    with Ledger.open(out, made.plan) as ledger:
        if writer is None:
            assembled = benchmark.assemble(written.pages, options)
        else:
            ask = functools.partial(Writer.chat, ledger=ledger, console=console)
            build = Build(written.pages, options, ObjectStore(out), ask)
            assembled, written = writer.assemble(benchmark, build)
            _, failures = results_of(made.units, ledger, PageResult)
            failures = (*failures, *writer.unread)
        assembled = within_budget(with_bases(assembled, options), options)
        if targets_of is not None:
            assembled = by_the_other_name(assembled)
        failures = (*refound, *failures)
        require_kept(len(assembled.questions), assembled.funnel, failures)
        finish_bench(assembled, written, out)
    lines = list(made.lines)
    if writer is not None:
        sites = {question.pair: question.cluster for question in assembled.questions}
        lines = [writer_line(writer.name, written.phrases, sites)]
    return Outcome(out, made.tally, failures, (*lines, *funnel_lines(assembled), *assembled.lines))


class MadePages(msgspec.Struct, frozen=True):
    """
    Hold what a benchmark made of each page, before the pages come together.

    ``options`` have the captures' own settings; ``lines`` say which pages have what was
    captured by itself.
    """

    plan: dict[str, Any]
    options: BuildOptions
    units: list[Unit]
    results: tuple[PageResult, ...]
    failures: tuple[Failure, ...]
    tally: Tally
    lines: tuple[str, ...] = ()


def page_results(  # noqa: PLR0913 - what a build is made of, all by name
    name: str,
    folders: Sequence[Path],
    out: Path,
    options: BuildOptions,
    *,
    pairs: Collection[str] | None = None,
    version: Path | None = None,
    more: Mapping[str, Any] | None = None,
    shard: Shard | None = None,
    workers: int = 2,
    engine: str = "",
    retry_failed: bool = False,
    console: Console | None = None,
) -> MadePages:
    """
    Make each page's result of a benchmark, in the ledger of the folder ``out``.

    Where ``pairs`` are given, their elements alone are asked for; ``more`` is what the plan says
    besides. Of a ``shard`` its pages alone are made. Raises InvalidInputError as
    ``build_benchmark`` does.
    """
    options, plan, units = _from_screens(
        BENCHMARKS.get(name), folders, options, pairs, version, console
    )
    plan = plan_of_part({**plan, **(more or {})}, shard)
    contents: Contents = {}
    for folder in folders:
        contents |= msgspec.convert(read_plan(folder).get("contents", {}), Contents)
    with Ledger.open(out, plan, retry_failed=retry_failed) as ledger:
        for folder in (*folders, *([version] if version else [])):
            _copy_images(read_screens(folder), ObjectStore(folder), ObjectStore(out))
        sources = {screen.source for folder in folders for screen in read_screens(folder)}
        opens = opens_pages(BENCHMARKS.get(name), options)
        secrets = entered(options.settings, sources, console) if opens else NONE
        made = workers_of(name, out, options, workers, contents, secrets)
        renders = _renderer_of(plan) if opens else {}
        made = on_engine(made, engine, renders, sorted(sources) if opens else ())
        with Progress(f"building {name}", console) as progress:
            part = part_of(units, shard)
            tally = run_units(part, ledger, made, progress=progress, whole=pictures_held(out))
        results, failures = results_of(units, ledger, PageResult)
    lines = (*loads_words(progress.notes), *_captured_words(units))
    return MadePages(plan, options, units, tuple(results), failures, tally, lines)


def loads_words(notes: Mapping[str, int]) -> tuple[str, ...]:
    """
    Say how many pages were loaded more than once for their variants, and why.

    ``notes`` count the pages by why, "" where they were not.

    >>> loads_words({"": 26, "timers": 1, "requests": 1})
    ('2 of 28 pages were loaded anew for some variants: requests 1, timers 1',)
    """
    if not notes:
        return ()
    anew = {reason: count for reason, count in notes.items() if reason}
    reasons = ", ".join(f"{reason} {anew[reason]}" for reason in sorted(anew))
    total = f"{sum(anew.values())} of {sum(notes.values())} pages were loaded anew"
    return (f"{total} for some variants{f': {reasons}' if reasons else ''}",)


def funnel_lines(assembled: AssembledBench) -> list[str]:
    """Say how many candidates fell at each check, and what was kept."""
    questions = assembled.questions
    return funnel_words(
        assembled.funnel,
        proofs=count_proofs(questions),
        pairs=len({question.pair for question in questions}),
        pages=len({question.page_name for question in questions}),
    )


def by_the_other_name(assembled: AssembledBench) -> AssembledBench:
    """Say of elements that another benchmark does not ask for that they were not chosen."""
    falls = (
        msgspec.structs.replace(fall, reason=NOT_CHOSEN) if fall.reason == REPEAT else fall
        for fall in assembled.funnel.falls
    )
    funnel = msgspec.structs.replace(assembled.funnel, falls=tuple(falls))
    return msgspec.structs.replace(assembled, funnel=funnel)


def _from_screens(
    benchmark: Benchmark,
    folders: Sequence[Path],
    options: BuildOptions,
    pairs: Collection[str] | None,
    version: Path | None,
    console: Console | None,
) -> tuple[BuildOptions, dict[str, Any], list[Unit]]:
    """Return the options with the captures' own settings, the plan and the units."""
    if pairs is not None and benchmark.parallel:
        raise InvalidInputError(
            "a benchmark whose questions are about elements, for the targets of another",
            found=f"'{benchmark.name}'",
            remedy="leave --targets-of out",
        )
    captured = read_plan(folders[0])
    rendered: dict[str, str] = {}
    for folder in folders:
        _verify_alike(captured, read_plan(folder), folder)
        rendered = _joined(rendered, _renderer_of(read_plan(folder)), folder)
    named = {name for name in options.variants if name.startswith(LANGUAGE)}
    screens, elsewhere = _screens_of(benchmark, folders, named)
    if version is None and VERSION in options.variants:
        parse_variant(VERSION)  # which no perturbation is called
    languages = dict.fromkeys(name for variants in elsewhere.values() for name in variants)
    options = msgspec.structs.replace(
        options,
        settings=msgspec.convert(captured["settings"], Settings),
        variants=(
            *options.variants,
            *(name for name in languages if name not in options.variants),
        ),
    )
    if pairs is None:
        originals = spread_recurring(screens, options.seed)
    else:
        originals = only_those(screens, pairs)
    if opens_pages(benchmark, options):
        _verify_renderer(rendered, originals)
    digests = [manifest_digest(folder, "screens") for folder in folders]
    plan = {
        "screens": digests[0] if len(digests) == 1 else digests,
        "renderer": rendered,
        **plan_of(benchmark, options),
    }
    sites = {screen.page: screen.site or screen.page for screen in originals}
    needed = pages_within(sites, options)
    for page, other in (_versions(originals, version, captured) if version else {}).items():
        elsewhere.setdefault(page, {})[VERSION] = other
    dealt = read_design(options.design).deal(
        (ORIGINAL, *options.over),
        [name for name in options.variants if not is_captured(name)],
        {page: site for page, site in sites.items() if page in needed},
        options.seed,
    )
    for page in dealt:  # what was captured by itself is asked as it is, over no base
        dealt[page] += tuple((ORIGINAL, name) for name in elsewhere.get(page, {}))
    if console is not None and (options.over or options.budget or options.design != "full"):
        console.print(cost_words(dealt, options), highlight=False, soft_wrap=True)
    units = [
        unit_of(screen, plan, dealt[screen.page], elsewhere.get(screen.page))
        for screen in originals
        if screen.page in needed
    ]
    return options, plan, units


def _with_version(
    benchmark: Benchmark, options: BuildOptions, version: Path | None
) -> tuple[BuildOptions, dict[str, str]]:
    """
    Return options with another version of each page as one more variant, and the plan's word.

    Raises InvalidInputError where it is no variant of a benchmark.
    """
    if version is None:
        return options, {}
    if not benchmark.composes:
        raise InvalidInputError(
            "perturbed, for --version-of",
            found=f"'{benchmark.name}'",
            remedy="leave --version-of out",
        )
    found = msgspec.structs.replace(options, variants=(*options.variants, VERSION))
    return found, {"version": manifest_digest(version, "screens")}


def _versions(
    originals: Sequence[Screen], folder: Path, captured: Mapping[str, Any]
) -> dict[str, Screen]:
    """
    Return the other version of each page that has one, by the page's name.

    A page is the same where its site is, and its path below the package or the host.
    """
    _verify_alike(captured, read_plan(folder), folder)
    there = {_place_of(screen): screen for screen in read_screens(folder)}
    found = {
        screen.page: as_version(screen, there[place], VERSION)
        for screen in originals
        if (place := _place_of(screen)) in there
    }
    if not found:
        raise InvalidInputError(
            f"a page of these screens in {folder}",
            found=f"none of {len(there)}",
            remedy="capture the same pages of the other version",
        )
    return found


def _screens_of(
    benchmark: Benchmark, folders: Sequence[Path], named: Collection[str]
) -> tuple[list[Screen], dict[str, dict[str, Screen]]]:
    """
    Return the screens that a benchmark is made of, and by page its other languages.

    Where languages are ``named`` ("language:fr"), the others are left out. Raises
    InvalidInputError for one that no page was captured in.
    """
    screens: list[Screen] = []
    elsewhere: dict[str, dict[str, Screen]] = {}
    for folder in folders:
        own = read_screens(folder)
        if is_parallel(folder):
            pages = read_parallel(folder)
            if benchmark.parallel:
                own = with_partners(own, pages.records)
            else:
                own, languages = _by_language(pages)
                elsewhere = {**(languages if benchmark.composes else {}), **elsewhere}
        # A state of one exploration may be where another one's trials begin.
        there = {(item.page, item.locale) for item in screens}
        screens += [item for item in own if (item.page, item.locale) not in there]
    known = {name for variants in elsewhere.values() for name in variants}
    if unknown := sorted(set(named) - known):
        raise InvalidInputError(
            f"a language that the screens were captured in, too: {', '.join(sorted(known))}"
            if known
            else "screens that were captured in several languages",
            found=", ".join(unknown),
            remedy="leave it out, or capture them with --parallel",
        )
    return screens, {
        page: {name: screen for name, screen in variants.items() if name in (named or known)}
        for page, variants in elsewhere.items()
    }


def _by_language(
    pages: ParallelScreens,
) -> tuple[tuple[Screen, ...], dict[str, dict[str, Screen]]]:
    """
    Return each page in its first language, and in each other one as a variant of it, by page.

    Pages that are in one language alone are among the first.
    """
    pairs = {(item.page, item.language): item.pairs for item in pages.records}
    firsts: dict[str, Screen] = {}
    others: dict[str, dict[str, Screen]] = {}
    for record in pages.records:
        screen = pages.screen(record.page, record.language)
        if screen is None:
            continue
        first = firsts.setdefault(record.page, screen)
        if screen is not first:
            name = f"{LANGUAGE}{record.language}"
            made = as_version(first, screen, name, pairs[record.page, record.language])
            others.setdefault(record.page, {})[name] = made
    return tuple(firsts.values()), others


def _captured_words(units: Sequence[Unit]) -> tuple[str, ...]:
    """Say how many pages have another version, and other languages."""
    counts: Counter[str] = Counter()
    for unit in units:
        counts.update(msgspec.convert(unit.body.get("elsewhere", {}), dict[str, Any]).keys())
    return tuple(
        f"{count} of {len(units)} pages are there in {variant_title(name)}, too"
        if name.startswith(LANGUAGE)
        else f"{count} of {len(units)} pages have another version"
        for name, count in counts.items()
    )


def _place_of(screen: Screen) -> tuple[str, str]:
    return screen.site, screen.page.partition("/")[2]


def _captured_again(
    folders: Sequence[Path], out: Path, how: Mapping[str, Any]
) -> tuple[tuple[Path, ...], tuple[Failure, ...]]:
    """
    Return folders that today's renderer captured, those given or new ones of the same pages.

    What failed on the way comes with them.
    """
    found: list[Path] = []
    failures: list[Failure] = []
    for number, folder in enumerate(folders, start=1):
        plan = read_plan(folder)
        sources = dict.fromkeys(screen.source for screen in read_screens(folder))
        addresses = [address_of(source) for source in sources]
        if renderer(addresses).items() <= _renderer_of(plan).items():
            found.append(folder)
            continue
        again = out / (f"{AGAIN}-{number}" if len(folders) > 1 else AGAIN)
        settings = msgspec.convert(plan["settings"], Settings)
        languages = msgspec.convert(plan.get("languages", ()), tuple[str, ...])
        made = capture_addresses(addresses, again, settings, languages=languages, **how)
        found.append(made.folder)
        failures += made.failures
    return tuple(found), tuple(failures)


def _verify_alike(first: Mapping[str, Any], other: Mapping[str, Any], folder: Path) -> None:
    """Raise InvalidInputError where a folder was captured in another way than the first."""
    for name in ("capture", "settings"):
        if other.get(name) != first.get(name):
            raise InvalidInputError(
                f"screens that were all captured with the same {name}",
                found=f"another in {folder}",
                remedy="build from that folder alone, or capture it as the others were",
            )


def _renderer_of(plan: Mapping[str, object]) -> dict[str, str]:
    return msgspec.convert(plan["renderer"], dict[str, str])


def _joined(first: Mapping[str, str], other: Mapping[str, str], folder: Path) -> dict[str, str]:
    """
    Return the parts of two renderers, each desktop program being one.

    Raises InvalidInputError where both have a part that differs.
    """
    differing = [name for name in first if other.get(name, first[name]) != first[name]]
    if differing:
        raise InvalidInputError(
            f"screens that were all captured with {_parts(first, differing)}",
            found=f"{_parts(other, differing)} in {folder}",
            remedy="build from that folder alone, or capture it as the others were",
        )
    return {**first, **other}


def finish_bench(assembled: AssembledBench, written: WrittenPages, out: Path) -> None:
    """Write the exports of a BENCH whose plan and ledger lie there."""
    shown = (image for question in assembled.questions for image in question.screen_images)
    used = {image.screen for image in shown} | {*assembled.screens}
    screens = [screen for page in written.pages for screen in page.screens if screen.id in used]
    tables = {"screens.jsonl": screens, "questions.jsonl": assembled.questions}
    phrases = {"phrases.jsonl": written.phrases} if written.phrases else {}
    documents = {"funnel.json": assembled.funnel, **assembled.documents}
    export(out, "bench", {**tables, **phrases}, documents)


def _verify_renderer(was: Mapping[str, str], screens: Iterable[Screen]) -> None:
    here = renderer(address_of(screen.source) for screen in screens)
    changed = [name for name in sorted(here) if was.get(name) != here[name]]
    if changed:
        raise InvalidInputError(
            f"the renderer of the screens, {_parts(was, changed)}",
            found=_parts(here, changed),
            remedy="have them captured again (--recapture), or name variants that change "
            "pictures alone",
        )


def _parts(renderer: Mapping[str, str], names: Iterable[str]) -> str:
    return ", ".join(f"{name} '{renderer.get(name, '')}'" for name in names)


def _copy_images(screens: Iterable[Screen], source: ObjectStore, target: ObjectStore) -> None:
    for screen in screens:
        target.put(source.get(screen.image))
