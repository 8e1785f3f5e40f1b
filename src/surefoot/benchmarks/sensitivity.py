"""
`sensitivity`: one element in every way to say it, on its screen, cut out, and on a desktop.

After "Do GUI Grounders Truly Understand UI Elements?": the hardest elements of each page
are asked for by every instruction that means them alone. An instruction is asked in a view
only if it is proven there again, with the view's own pixels.

Rewordings of an instruction are kept where the words still mean the target alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

import msgspec

from surefoot.benchmarks.benchmark import (
    Benchmark,
    BuildOptions,
    Candidate,
    Fall,
    ImageStore,
    PageRenderer,
    PageResult,
    reason_of,
    require_names,
)
from surefoot.benchmarks.difficulty import Difficulty, difficulties
from surefoot.benchmarks.drawing import REPEAT, asked_elsewhere
from surefoot.benchmarks.hardest import assemble
from surefoot.benchmarks.seen import write_seeing
from surefoot.benchmarks.sensitivity_labelled import say_labelled
from surefoot.benchmarks.sensitivity_page import SpokenPage, asked_again, candidate_of
from surefoot.benchmarks.sensitivity_parameters import parameters_of
from surefoot.benchmarks.written import write_pages
from surefoot.capture.detector import chosen_detector, detector_digests
from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import InstructionKind
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.screen import Element, Screen
from surefoot.perturb.desktops.desktop import desktop_named
from surefoot.perturb.wording import WORDINGS
from surefoot.refer.generate.generate import candidates, check_target
from surefoot.score.scorings.scatter import SCATTER

VIEWS: Final = (ORIGINAL, "crop", "background")
_OF_HIDDEN: Final = "content"
KINDS: Final[tuple[InstructionKind, ...]] = tuple(
    kind for kind in get_args(InstructionKind) if kind != _OF_HIDDEN
)


def _page(
    screen: Screen, _renderer: PageRenderer, store: ImageStore, options: BuildOptions
) -> PageResult:
    page = SpokenPage(screen, store, options)
    kept: list[Candidate] = []
    for element, difficulty in _hardest(page):
        before = page.falls.copy()
        if len(kept) == options.targets:
            page.falls["targets", f"over {options.targets} a page"] += 1
        elif (found := candidate_of(page, element, difficulty)) is not None:
            kept.append(found)
            continue
        page.reasons[element.id] = reason_of(page.falls, before)
    return PageResult(
        page=screen.page,
        site=screen.site,
        screens=tuple(scene.screen for scene in page.scenes.values()),
        candidates=tuple(kept),
        falls=tuple(Fall(*key, count) for key, count in sorted(page.falls.items())),
        reasons=page.reasons,
    )


def _again(
    screen: Screen,
    first: PageResult,
    _renderer: PageRenderer,
    store: ImageStore,
    options: BuildOptions,
) -> PageResult:
    """Ask for the same elements in those words that are proven on a changed screen, too."""
    page = SpokenPage(screen, store, options)
    found = [asked_again(page, item, first.screens[0].id) for item in first.candidates]
    return PageResult(
        page=screen.page,
        site=screen.site,
        screens=tuple(scene.screen for scene in page.scenes.values()),
        candidates=tuple(item for item in found if item.instructions),
        falls=tuple(Fall(*key, count) for key, count in sorted(page.falls.items())),
    )


def _hardest(page: SpokenPage) -> list[tuple[Element, Difficulty]]:
    """Return the page's targets, the most difficult first."""
    targets = []
    for element in candidates(page.scene):
        before = page.falls.copy()
        page.falls["targets", "considered"] += 1
        if asked_elsewhere(element):
            page.falls["targets", REPEAT] += 1
        elif (rejection := check_target(page.scene, element.id)) is not None:
            page.falls["targets", rejection.reason] += 1
        else:
            targets.append(element)
            continue
        page.reasons[element.id] = reason_of(page.falls, before)
    found = difficulties(page.scene, targets, page.parameters)
    targets.sort(key=lambda target: (-found[target.id].measures["difficulty"], target.id))
    return [(target, found[target.id]) for target in targets]


def _identity(options: BuildOptions) -> Mapping[str, object]:
    require_names(options.variants, VIEWS, "view")
    if options.variants[0] != ORIGINAL:
        raise InvalidInputError(
            f"views that begin with '{ORIGINAL}'",
            found=", ".join(options.variants),
            remedy=f"write --variants {ORIGINAL},...",
        )
    require_names(options.kinds, KINDS, "kind of instruction")
    parameters = parameters_of(options.parameters)
    if parameters.wording_names:
        require_names(parameters.wording_names, tuple(WORDINGS), "wording")
    if parameters.desktop:
        desktop_named(parameters.desktop)
    chosen = msgspec.to_builtins(parameters)
    named = chosen.pop("detector")
    identity: dict[str, object] = {"parameters": chosen}
    if named:
        detector, _ = chosen_detector(named)
        identity["detector"] = {
            "name": f"{detector.name}@{detector.version}",
            "files": detector_digests(named),
        }
    return identity


SENSITIVITY = Benchmark(
    name="sensitivity",
    version=10,
    summary="the hardest elements, asked for in every way that means them, in three views",
    page=_page,
    assemble=assemble,
    identity=_identity,
    scoring=SCATTER,
    write=write_pages,
    write_seeing=write_seeing,
    renders=False,
    defaults=BuildOptions(variants=VIEWS, kinds=KINDS),
    speaks=True,
    labelled=say_labelled,
    again=_again,
)
