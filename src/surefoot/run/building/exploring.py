"""
The work behind ``surefoot explore``: states of an interface that only actions reach.

Breadth first, so that the first path that leads to a state is a shortest one. Every action is
tried from a page that is opened anew, and every state has to come back at a second try.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from surefoot.capture.access.secrets import is_live
from surefoot.capture.actions import Action
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, is_still, source_versions
from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError, NothingKeptError
from surefoot.core.ledger import Failure, Ledger
from surefoot.core.screen import Screen
from surefoot.exploration.effects import effect_of, state_digest
from surefoot.exploration.hubs import (
    Steps,
    chosen_hubs,
    onward_from,
    second_steps,
    shared_links,
)
from surefoot.exploration.records import ActionEffect, ExploredState, ExploredTrial, Transition
from surefoot.exploration.steps import candidates_on
from surefoot.exploration.trials import trials_of
from surefoot.run.building.capturing import (
    CAPTURE_VERSION,
    bring,
    capture_unit,
    capture_workers,
    contents_for,
    named_pages,
    renderer,
)
from surefoot.run.building.entering import at_its_moment, entered, refuse_clear_passwords
from surefoot.run.engine.outcome import Outcome, record_of
from surefoot.run.engine.pool import Crew, Unit, kept, run_units
from surefoot.run.engine.processes import Workers
from surefoot.run.engine.progress import Progress, Tally
from surefoot.run.folders.folder import export
from surefoot.run.folders.objects import pictures_held

if TYPE_CHECKING:
    from rich.console import Console


# Raised whenever the same interface would be explored otherwise.
EXPLORE_VERSION: Final = 9
# Faults of the machinery, which say nothing of what an action does.
MACHINERY: Final = frozenset({"worker-died", "browser-error", "bug", "not-started"})
NOT_AGAIN: Final = "not-again"
DESTROYS: Final = "destroys"
# What one round brought decides what the next one tries first.
ROUNDS: Final = 3  # of one depth
COMMON: Final = 4  # pages of a site; what a link on so many leads to is mostly one of them


class ExploreOptions(msgspec.Struct, frozen=True):
    """
    Say how far an exploration goes.

    At most ``budget`` actions are tried at each site, on paths of at most ``depth`` of them;
    ``seed`` draws which. In ``hubs`` states of a site several more are tried, so that their
    effects can be compared.
    """

    budget: int = 60
    depth: int = 2
    seed: int = 0
    hubs: int = 8

    def __post_init__(self) -> None:
        if self.hubs < 0:
            raise InvalidInputError("'hubs' of at least 0", found=str(self.hubs))
        for name in ("budget", "depth"):
            if getattr(self, name) < 1:
                raise InvalidInputError(f"'{name}' of at least 1", found=str(getattr(self, name)))


class _Found(NamedTuple):
    address: Address
    screen: Screen


class _Trial(NamedTuple):
    state: _Found
    steps: tuple[Action, ...]

    @property
    def address(self) -> Address:
        return self.state.address.after(*self.steps)


class _Exploration:
    """Hold what is known so far of all sites, and do what is not yet in the ledger."""

    def __init__(
        self,
        folder: Path,
        plan: dict[str, Any],
        ledger: Ledger,
        workers: Workers,
        crew: Crew,
        console: Console | None,
    ) -> None:
        self._held = pictures_held(folder)
        self._plan, self._contents = plan, digest(plan["contents"])
        self._ledger, self._console = ledger, console
        self._workers, self._crew = workers, crew
        self.known: dict[tuple[str, str], str] = {}
        self.found: list[_Found] = []
        self.transitions: list[Transition] = []
        self.failures: list[Failure] = []
        self.destroying: set[tuple[str, ...]] = set()
        self._vain: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
        self.units = 0

    def begin(self, addresses: Sequence[Address]) -> list[_Found]:
        """Capture the entry pages; of two that are alike the first is kept."""
        frontier = []
        for address, result in zip(addresses, self._visit("pages", addresses), strict=True):
            if isinstance(result, Failure):
                self.failures.append(result)
            elif self.known.setdefault(_key(result), address.page) == address.page:
                frontier.append(_Found(address, result))
        self.found += frontier
        return frontier

    def go_on(self, trials: Sequence[_Trial], title: str) -> list[_Found]:
        """Try actions, and return the states that are new and that came back."""
        results = self._visit(title, [trial.address for trial in trials])
        fresh: dict[str, _Found] = {}
        for trial, result in zip(trials, results, strict=True):
            if self._is_new(trial, result) and isinstance(result, Screen):
                page = self.known[_key(result)] = trial.address.page
                fresh[page] = _Found(trial.address, result)
        again = self._visit(f"{title} again", [new.address for new in fresh.values()], again=True)
        gone: dict[str, str] = {}
        for new, result in zip(fresh.values(), again, strict=True):
            if isinstance(result, Failure):
                gone[new.address.page] = result.reason
            elif _key(result) != _key(new.screen):
                gone[new.address.page] = NOT_AGAIN
        for trial, result in zip(trials, results, strict=True):
            made = self._transition(trial, result, gone)
            self.transitions.append(made)
            if made.name and made.result != trial.address.page and made.reason not in MACHINERY:
                self._vain[made.site].add((made.role, made.name))
            if made.reason == DESTROYS:
                self.destroying.add(_sender(trial))
        kept = [new for page, new in fresh.items() if page not in gone]
        self.found += kept
        return kept

    def compare(self, options: ExploreOptions) -> None:
        """Try several actions in a few states of a site, how it goes on, and what all link to."""
        sites: defaultdict[str, dict[str, _Found]] = defaultdict(dict)
        for found in self.found:
            sites[found.screen.site][found.address.page] = found
        first: list[tuple[_Trial, Screen]] = []
        links: list[tuple[_Trial, Screen]] = []
        for own in sites.values() if options.hubs else ():
            screens = {page: found.screen for page, found in own.items()}
            unfit = {
                (made.role, made.name)
                for made in self.transitions
                if made.state in own and made.reason
            }
            shared = shared_links(screens, unfit=unfit, seed=options.seed)
            links += [(_Trial(own[page], steps), screens[page]) for page, steps in shared]
            hubs = chosen_hubs(screens, options.hubs, unfit=unfit, seed=options.seed)
            for page, drawn in hubs.items():
                first += [(_Trial(own[page], steps), screens[page]) for steps in drawn]
        self._compared(links, "what most states link to")
        results = self._compared(first, "comparing")
        by_hub: defaultdict[str, list[tuple[Steps, ActionEffect]]] = defaultdict(list)
        for (trial, screen), result in zip(first, results, strict=True):
            if result is not None:
                effect = effect_of(screen, result, trial.steps[-1].element)
                by_hub[trial.state.address.page].append((trial.steps, effect))
        onward = {page: onward_from(tried) for page, tried in by_hub.items()}
        second = [
            (_Trial(trial.state, (*trial.steps, *steps)), result)
            for (trial, screen), result in zip(first, results, strict=True)
            if result is not None and trial.steps in onward[trial.state.address.page]
            for steps in second_steps(screen, result, trial.steps[-1].element, seed=options.seed)
        ]
        self._compared(second, "comparing, on from there")

    def _compared(
        self, trials: Sequence[tuple[_Trial, Screen]], title: str
    ) -> list[Screen | None]:
        """
        Try actions, each given with the screen before its last step.

        Records those that did something, and returns their screens, None for the others.
        """
        known = {(made.state, made.actions) for made in self.transitions}
        found: list[Screen | None] = []
        results = self._visit(title, [trial.address for trial, _ in trials])
        for (trial, before), result in zip(trials, results, strict=True):
            made = self._transition(trial, result, {})
            if made.reason == DESTROYS:
                self.destroying.add(_sender(trial))
            did = (
                isinstance(result, Screen)
                and effect_of(before, result, trial.steps[-1].element).kind != "nothing"
            )
            if did and (made.state, made.actions) not in known:
                self.transitions.append(made)
            found.append(result if did and isinstance(result, Screen) else None)
        return found

    def familiar(self, site: str) -> set[tuple[str, str]]:
        """Return roles and names of controls that most likely lead to what is known."""
        links = Counter(
            link
            for found in self.found
            if found.screen.site == site and not found.address.actions
            for link in {(item.role, item.name) for item in found.screen.elements}
            if link[0] == "link"
        )
        common = {link for link, pages in links.items() if pages >= COMMON}
        return common | self._vain[site]

    def _is_new(self, trial: _Trial, result: Screen | Failure) -> bool:
        """Tell whether a screen is of a state not seen before; a box that is ticked is none."""
        if isinstance(result, Failure) or _key(result) in self.known:
            return False
        effect = effect_of(trial.state.screen, result, trial.steps[-1].element)
        return effect.kind != "switch"

    def _transition(
        self, trial: _Trial, result: Screen | Failure, gone: dict[str, str]
    ) -> Transition:
        before = trial.state.screen
        element = before.element(trial.steps[0].element)
        made = Transition(
            site=before.site,
            state=trial.state.address.page,
            actions=trial.steps,
            role=element.role if element else "",
            name=element.name if element else "",
        )
        if isinstance(result, Failure):
            if result.reason in MACHINERY:
                self.failures.append(result)
            return msgspec.structs.replace(made, reason=result.reason, found=result.message)
        page = self.known.get(_key(result), "")
        if page in gone:  # what was seen of it may be another thing at each visit
            return msgspec.structs.replace(made, reason=gone[page])
        effect = effect_of(before, result, trial.steps[-1].element)
        return msgspec.structs.replace(made, result=page, effect=effect)

    def _visit(
        self, title: str, addresses: Sequence[Address], *, again: bool = False
    ) -> list[Screen | Failure]:
        """Return the screens of addresses, or why there is none, in their order."""
        units = [capture_unit(address, self._plan, self._contents) for address in addresses]
        if again:
            units = [Unit(digest([unit.key, "again"]), unit.body) for unit in units]
        self.units += len(units)
        with Progress(f"exploring, {title}", self._console) as progress:
            run_units(
                units,
                self._ledger,
                self._workers,
                progress=progress,
                whole=self._held,
                crew=self._crew,
            )
        failures = {failure.key: failure for failure in self._ledger.failures()}
        return [
            failures[unit.key]
            if unit.key in failures
            else record_of(unit.key, self._ledger.payload(unit.key), Screen)
            for unit in units
        ]


def explore_sources(
    specs: Sequence[str],
    out: Path,
    settings: Settings,
    options: ExploreOptions,
    *,
    workers: int = 2,
    retry_failed: bool = False,
    console: Console | None = None,
) -> Outcome:
    """
    Find the states that actions lead to from the pages that specifications name, or go on.

    Writes a folder SCREENS with the screen of every state, and beside it what every action did.
    Where a source can put its state back, it is put back after every path that wrote; elsewhere
    nothing is written. Raises UserError for a specification that names nothing or no web page,
    PlanMismatchError for a folder that was begun otherwise, and NothingKeptError where there was
    nothing to act on.
    """
    addresses = named_pages(specs)
    if stills := [address.spec for address in addresses if is_still(address)]:
        raise InvalidInputError(
            "web pages to act on", found=stills[0], remedy="name web pages or an application"
        )
    bring(addresses, console)
    specs = [address.spec for address in addresses]
    if any(map(is_live, specs)):  # what is written there cannot be undone
        held = msgspec.structs.replace(settings.reached, read_only=True)
        settings = msgspec.structs.replace(settings, access=held)
    settings = at_its_moment(settings, specs, out)
    secrets = entered(settings, specs, console)
    refuse_clear_passwords(addresses, settings, secrets)
    plan: dict[str, Any] = {
        "kind": "screens",
        "capture": CAPTURE_VERSION,
        "explored": {"version": EXPLORE_VERSION, **msgspec.to_builtins(options)},
        "sources": source_versions(addresses),
        "pages": specs,
        "settings": msgspec.to_builtins(settings),
        "renderer": renderer(addresses, console),
        "contents": contents_for(addresses, out),
    }
    with Ledger.open(out, plan, retry_failed=retry_failed) as ledger, kept() as crew:
        working = capture_workers(
            out, settings, workers, plan["contents"], explores=True, secrets=secrets
        )
        exploration = _Exploration(out, plan, ledger, working, crew, console)
        frontier = exploration.begin(addresses)
        entries = len(frontier)
        drawing = _Drawing(options)
        for depth in range(1, options.depth + 1):
            fresh: list[_Found] = []
            for number in range(1, ROUNDS + 1):
                left = ROUNDS * (options.depth - depth) + ROUNDS + 1 - number
                trials = drawing.draw(frontier, exploration, left)
                title = f"step {depth} of {options.depth}, {number} of {ROUNDS}"
                fresh += exploration.go_on(trials, title)
            frontier = fresh
        exploration.compare(options)
    if not exploration.transitions and not exploration.failures:
        raise NothingKeptError(
            f"a control to act on, on the {entries} pages named",
            found="none that an explorer tries",
            remedy="name other pages (docs/explore.md says what is left alone)",
        )
    states = [_state(found) for found in exploration.found]
    shown = {found.address.page: found.screen for found in exploration.found}
    beside = trials_of(states, exploration.transitions, shown, seed=options.seed)
    export(
        out,
        "screens",
        {
            "screens.jsonl": [found.screen for found in exploration.found],
            "states.jsonl": states,
            "transitions.jsonl": exploration.transitions,
            "trials.jsonl": [ExploredTrial(spec) for spec in beside],
        },
    )
    failures = tuple(exploration.failures)
    tally = Tally(total=exploration.units, done=exploration.units - len(failures))
    tally = msgspec.structs.replace(tally, failed=len(failures))
    return Outcome(out, tally, failures, tuple(_lines(states, exploration.transitions, entries)))


class _Drawing:
    """Draw what is tried next, and remember what was."""

    def __init__(self, options: ExploreOptions) -> None:
        self._options = options
        self._spent: Counter[str] = Counter()
        self._turns: Counter[str] = Counter()
        self._tried: set[tuple[object, ...]] = set()

    def draw(
        self, frontier: Iterable[_Found], exploration: _Exploration, rounds_left: int
    ) -> list[_Trial]:
        """
        Return what is tried next: at each site its share of what is left of the budget.

        What may well be new comes first, and there the states of a site take turns. A control
        that was tried elsewhere on the site, in the same place and by the same name, is not
        tried again, nor is one of the name of what made pages vanish.
        """
        ranked = []
        for found in frontier:
            page, screen = found.address.page, found.screen
            known = exploration.familiar(screen.site)
            turn = Counter[int]()
            for steps, late in candidates_on(screen, seed=self._options.seed, familiar=known):
                trial = _Trial(found, steps)
                avoided = _sender(trial) in exploration.destroying
                if _control(trial) not in self._tried and not avoided:
                    ranked.append((late, self._turns[page] + turn[late], trial))
                    turn[late] += 1
        drawn = []
        before = Counter(self._spent)
        for _, _, trial in sorted(ranked, key=lambda item: item[:2]):
            site = trial.state.screen.site
            share = -(-(self._options.budget - before[site]) // rounds_left)
            if self._spent[site] - before[site] >= share or _control(trial) in self._tried:
                continue
            self._tried.add(_control(trial))
            self._spent[site] += 1
            self._turns[trial.state.address.page] += 1
            drawn.append(trial)
        return drawn


def _control(trial: _Trial) -> tuple[object, ...]:
    """Return what tells what is tried from anything else at its site."""
    element = trial.state.screen.element(trial.steps[0].element)
    named = (element.role, element.name) if element else ("", "")
    return trial.state.screen.site, trial.steps, *named


def _sender(trial: _Trial) -> tuple[str, ...]:
    """Return the site, role and name of what a trial ends with, which may destroy something."""
    element = trial.state.screen.element(trial.steps[-1].element)
    sender = (element.role, element.name or element.id) if element else ()
    return trial.state.screen.site, *sender


def _state(found: _Found) -> ExploredState:
    return ExploredState(
        page=found.address.page,
        spec=found.address.spec,
        site=found.address.site,
        screen=found.screen.id,
        digest=state_digest(found.screen),
        title=found.screen.title,
        actions=found.address.actions,
    )


def _key(screen: Screen) -> tuple[str, str]:
    return screen.site, state_digest(screen)


def _lines(
    states: Sequence[ExploredState], transitions: Sequence[Transition], entries: int
) -> Iterable[str]:
    """Say what was found, and what became of all that was tried."""
    behind = len(states) - entries
    sites = Counter(state.site for state in states if state.actions)
    yield (
        f"{behind} states behind clicks, from {entries} pages of "
        f"{len({state.site for state in states})} sites"
    )
    for site, count in sorted(sites.items()):
        yield f"{site}: {count}"
    kinds = Counter(item.effect.kind for item in transitions if item.effect and not item.reason)
    yield f"{len(transitions)} actions tried: " + ", ".join(
        f"{count} {kind}" for kind, count in kinds.most_common()
    )
    reasons = Counter(item.reason for item in transitions if item.reason)
    if reasons:
        yield "led to no state: " + ", ".join(
            f"{count} {reason}" for reason, count in reasons.most_common()
        )
