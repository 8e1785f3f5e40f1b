"""
What is asked in several languages: about controls of a page, and about several screens.

Pages are captured in every language side by side (``surefoot capture --parallel``). A question
is asked of one page, or of states that actions lead to, in each of its languages with the same
options in the same order: sentences are those of ``dimensions/tables``, names the application's
own. What is right holds in each language under the strict reading of its words, what is wrong
fails in each under the lenient one; a name is that of one element alone, as two resolvers agree.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import (
    AssembledBench,
    Benchmark,
    BuildOptions,
    Candidate,
    Fall,
    Funnel,
    ImageStore,
    PageRenderer,
    PageResult,
    read_parameters,
    require_names,
)
from surefoot.benchmarks.dimensions.actions import ACTION_ITEMS, ActionItem, action_items
from surefoot.benchmarks.dimensions.asked import ROLELESS, AskedItem, Item, SharedScreens
from surefoot.benchmarks.dimensions.baselines import baseline_lines
from surefoot.benchmarks.dimensions.claims import SiteScreens
from surefoot.benchmarks.dimensions.draws import chosen_evenly, least_leaking
from surefoot.benchmarks.dimensions.executed import executed
from surefoot.benchmarks.dimensions.goals import GoalItem, goal_items
from surefoot.benchmarks.dimensions.items import BARE, ITEMS, SharedItem, SharedPage
from surefoot.benchmarks.dimensions.proving import doubts, unmatched
from surefoot.benchmarks.dimensions.rewording import reword
from surefoot.benchmarks.dimensions.sentences import known_languages, sentences_digest
from surefoot.benchmarks.dimensions.walks import LENGTHS, shared_steps
from surefoot.benchmarks.drawing import PARTNER
from surefoot.capture.parallel.languages import primary
from surefoot.core.canonical import digest
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.perturbation import ASKED_IN, ORIGINAL
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Cell, Question, ScreenImage
from surefoot.core.screen import Element, Screen
from surefoot.exploration.graph import graph_of
from surefoot.refer.generate.generate import LEAST_VISIBLE, direct, name_visible
from surefoot.refer.judge.verdict import Judge
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.scene.names import alike, cut_name, sayable
from surefoot.refer.scene.roles import TARGETS
from surefoot.refer.scene.scene import Scene
from surefoot.score.scorings.multilingual import DIMENSIONS, MULTILINGUAL

FIRST: Final = "en"
LABELS: Final = "ABCD"
LEADS: Final = "go to"  # what a link does, but for those that open something on their page
STATIC: Final = frozenset({"heading"})
ASKED: Final = (*ITEMS, *ACTION_ITEMS, *LENGTHS)
NOWHERE: Final = Box(0.0, 0.0, 0.0, 0.0)


class _MultilingualParameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold the parameters of ``multilingual``.

    ``crossed`` asks everything in each language on the screens in each language.
    """

    crossed: bool = False


def page(
    screen: Screen, _renderer: PageRenderer, images: ImageStore, options: BuildOptions
) -> PageResult:
    """Name what has a partner in every language: each name means one element and can be read."""
    _check(options)
    language = primary(screen.locale)
    falls: Counter[tuple[str, str]] = Counter()
    if language not in known_languages():
        falls["language", f"no sentences in '{language}'"] += 1
        return _result(screen, (), falls)
    if ITEMS.keys().isdisjoint(options.kinds):  # sequences need no names of their own
        return _result(screen, (), falls)
    pixels = pixels_of(images.get(screen.image))
    scene, judge = Scene(screen, pixels), Judge(screen, pixels)
    found = []
    for element in screen.elements:
        if PARTNER not in element.attributes:
            continue
        if element.role not in TARGETS | STATIC:
            continue
        falls["elements", "considered"] += 1
        named = _named(scene, judge, element)
        if isinstance(named, str):
            falls["elements", named] += 1
            continue
        words = Instruction(named.name, language, "direct", "high", named, element.id)
        alone = not _twins(scene, scene.place[element.id])
        alone = alone and judge.judge(_roleless(named), element.id).valid
        key, measures = element.attributes[PARTNER], {BARE: 1.0} if alone else {}
        found.append(Candidate(key, element.role, words, measures=measures))
    return _result(screen, tuple(found), falls)


def _parameters(options: BuildOptions) -> _MultilingualParameters:
    return read_parameters(options.parameters, _MultilingualParameters, "multilingual")


def _result(
    screen: Screen, found: tuple[Candidate, ...], falls: Counter[tuple[str, str]]
) -> PageResult:
    losses = tuple(Fall(*key, count) for key, count in sorted(falls.items()))
    return PageResult(screen.page, screen.site, (screen,), found, losses)


def _named(scene: Scene, judge: Judge, element: Element) -> Expression | str:
    """Return the role and the whole name that mean an element alone, or why there are none."""
    if element.role in STATIC:
        place = scene.place[element.id]
        found: Expression | Rejection | str = _static(scene, element, scene.names[place])
    else:
        found = direct(scene, element.id)
    if isinstance(found, Rejection):
        return found.reason
    if isinstance(found, str):
        return found
    if found.name_cut:
        return "name-too-long"
    if _borrowed(scene, scene.place[element.id]):
        return "its name is that of another control"
    if not judge.judge(found, element.id).valid:
        return "the second resolver disagrees"
    return found


def _borrowed(scene: Scene, place: int) -> bool:
    """Tell whether the words of a name are another control's, as of a button within a label."""
    own = {place, *scene.above(place), *scene.below(place)}
    boxes = scene.elements[place].name_boxes
    return bool(boxes) and any(
        other.role in TARGETS and other.name_boxes == boxes
        for at, other in enumerate(scene.elements)
        if at not in own and scene.glimpsed[at]
    )


def _static(scene: Scene, element: Element, name: str) -> Expression | str:
    """Return what means a heading that holds nothing to act on, or why nothing does."""
    place = scene.place[element.id]
    around = [*scene.above(place), *scene.below(place)]
    checks = {
        "not-visible": element.visible_fraction >= LEAST_VISIBLE,
        "no-name": sayable(name),
        "name-not-visible": name_visible(scene, element.id),
        "name-too-long": cut_name(name) == name,
        "holds what is acted on": not any(
            scene.elements[other].role in TARGETS for other in around
        ),
        "ambiguous": not _twins(scene, place),
    }
    failed = next((reason for reason, holds in checks.items() if not holds), "")
    return failed or Expression(role=element.role, name=name)


def _roleless(expression: Expression) -> Expression:
    """Return what is said of an element without its role: a control, or a heading as it is."""
    acted_on = expression.role in TARGETS
    return msgspec.structs.replace(expression, role="control") if acted_on else expression


def _twins(scene: Scene, place: int) -> list[int]:
    """
    Return what else could be meant by an element's name alone, whatever it is.

    What it stands in or holds is not told from it, and what is spelled by the same lines is
    its own label.
    """
    element, name = scene.elements[place], scene.names[place]
    own = {place, *scene.above(place), *scene.below(place)}
    return [
        other
        for other, words in enumerate(scene.names)
        if other not in own
        and scene.glimpsed[other]
        and not (element.name_boxes and scene.elements[other].name_boxes == element.name_boxes)
        and (alike(words, name) or alike(scene.texts[other], name))
    ]


def assemble(results: Iterable[PageResult], options: BuildOptions) -> AssembledBench:
    """Prove the items of every page, choose evenly, draw wrong options, and say all of it."""
    given = list(results)
    falls = Counter[tuple[str, str]]()
    for result in given:
        falls.update({(fall.stage, fall.reason): fall.count for fall in result.falls})
    shared = SharedScreens(
        {found.name: found for found in _pages(given, falls)},
        {site.name: site for site in _sites(given)},
    )
    staying = {name: _staying(site) for name, site in shared.sites.items()}
    items: list[Item] = []
    for dimension in options.kinds:
        if dimension not in ITEMS:
            found = _said_items(shared.sites.values(), dimension, options.seed)
            falls["items", f"{dimension}: executed in every language"] += len(found)
            items += found
            continue
        proven = [
            item
            for entry in shared.pages.values()
            for item in ITEMS[dimension](entry)
            if not (item.key == LEADS and _stays(item, entry, staying[entry.site]))
        ]
        falls["items", f"{dimension}: proven in every language"] += len(proven)
        chosen = chosen_evenly(proven, shared, targets=options.targets, seed=options.seed)
        falls["items", f"{dimension}: left out, so that none outweighs another"] += len(
            proven
        ) - len(chosen)
        items += chosen
    drawn = least_leaking(items, shared, options.seed)
    crossed = _parameters(options).crossed
    if drawn.left_out:
        falls["items", "left out, since a blind reader is sure of them"] += drawn.left_out
    if drawn.withheld:
        falls["questions", "withheld from a language in which a blind reader is sure"] += (
            drawn.withheld
        )
    questions = sorted(
        (question for entry in drawn.asked for question in _questions(entry, shared, crossed)),
        key=lambda question: question.id,
    )
    return AssembledBench(
        tuple(questions),
        Funnel(tuple(Fall(*key, count) for key, count in sorted(falls.items())), {}),
        documents={"baselines.json": drawn.told},
        lines=tuple(baseline_lines(drawn.told)),
        screens=tuple(sorted({*_evidence(drawn.asked, shared)})),
    )


def _pages(results: Sequence[PageResult], falls: Counter[tuple[str, str]]) -> Iterator[SharedPage]:
    """Yield the pages that are there in two languages or more, the first language first."""
    by_page: defaultdict[str, dict[str, PageResult]] = defaultdict(dict)
    for result in results:
        if result.candidates:
            by_page[result.page][primary(result.screens[0].locale)] = result
    for name, found in sorted(by_page.items()):
        if len(found) < 2 or FIRST not in found:  # noqa: PLR2004 - one language is not compared
            falls["pages", "not in English and another language"] += 1
            continue
        order = sorted(found, key=lambda language: (language != FIRST, language))
        site = found[order[0]].site
        yield SharedPage(
            name, site, {own: (found[own].screens[0], found[own].candidates) for own in order}
        )


def _staying(site: SiteScreens) -> frozenset[str]:
    """Return the ids of a site's elements that were clicked and led to no other page."""
    graph = graph_of(screens[FIRST] for screens in site.screens.values())
    return frozenset(
        edge.actions[0].element
        for edge in graph.edges
        if len(edge.actions) == 1
        and edge.actions[0].kind == "click"
        and edge.effect.kind not in {"page", "nothing"}
    )


def _stays(item: SharedItem, found: SharedPage, staying: Collection[str]) -> bool:
    """Tell whether what an item says to lead to another page was executed, and did not."""
    return found.named[FIRST][item.right].element.id in staying


def _sites(results: Iterable[PageResult]) -> Iterator[SiteScreens]:
    """Yield the sites with their screens that have partners, the first language first."""
    found: defaultdict[str, defaultdict[str, dict[str, Screen]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for result in results:
        screen, language = result.screens[0], primary(result.screens[0].locale)
        spoken = language in known_languages()
        if spoken and any(PARTNER in item.attributes for item in screen.elements):
            found[result.site][result.page][language] = screen
    for site, pages in sorted(found.items()):
        yield SiteScreens(
            site,
            {
                name: {own: screens[own] for own in (FIRST, *sorted({*screens} - {FIRST}))}
                for name, screens in sorted(pages.items())
                if FIRST in screens and len(screens) > 1
            },
        )


def _said_items(
    sites: Iterable[SiteScreens], dimension: str, seed: int
) -> list[GoalItem | ActionItem]:
    if dimension in ACTION_ITEMS:
        return [item for site in sites for item in action_items(site, dimension, seed)]
    return [
        item
        for site in sites
        for item in goal_items(site, shared_steps(site.screens), dimension, seed)
    ]


def _evidence(asked: Iterable[AskedItem], shared: SharedScreens) -> Iterator[str]:
    """Yield the ids of the screens that options were executed in, which are not all shown."""
    for entry in asked:
        item = entry.item
        if isinstance(item, SharedItem):
            continue
        for name in {*item.evidence(entry.options)}:
            screens = shared.sites[item.site].screens[name]
            yield from (screens[language].id for language in item.languages)


def _questions(one: AskedItem, shared: SharedScreens, crossed: bool) -> Iterator[Question]:  # noqa: FBT001 - a parameter of the build
    if isinstance(one.item, SharedItem):
        yield from _page_questions(one, one.item, shared, crossed)
    else:
        yield from _said_questions(one, one.item, shared, crossed)


def _page_questions(
    one: AskedItem,
    item: SharedItem,
    shared: SharedScreens,
    crossed: bool,  # noqa: FBT001 - the same
) -> Iterator[Question]:
    found = shared.pages[item.page]
    for shown, language in _pairs(one, shared, crossed):
        named = found.named[shown]
        proof = named[item.target].candidate.direct
        means = proof.expression if proof and not item.named else Expression()
        if item.dimension in ROLELESS:
            means = _roleless(means)
        facts = {"keys": "|".join(_keys(one, named)), **_facts(item, named)}
        if shown != language:
            facts["shown"] = shown
        yield _question(
            one,
            (found.screens[shown],),
            language,
            one.sentences(shared, language, shown),
            facts,
            means=means,
            target=named[item.target].element,
        )


def _pairs(one: AskedItem, shared: SharedScreens, crossed: bool) -> Iterator[tuple[str, str]]:  # noqa: FBT001 - the same
    """Yield the languages of screen and words in which an item is asked."""
    spoken = one.languages(shared)
    pairs = itertools.product(spoken, spoken)
    return (pair for pair in pairs if crossed or len({*pair}) == 1)


def _said_questions(
    one: AskedItem,
    item: GoalItem | ActionItem,
    shared: SharedScreens,
    crossed: bool,  # noqa: FBT001 - the same
) -> Iterator[Question]:
    site = shared.sites[item.site]
    for shown, language in _pairs(one, shared, crossed):
        screens = tuple(site.screens[name][shown] for name in item.pictures)
        facts = {
            "keys": "|".join(one.options),
            "dimension": DIMENSIONS[item.dimension],
            **item.facts(site, dict(zip(LABELS, one.options, strict=True)), shown),
        }
        if shown != language:
            facts["shown"] = shown
        target = screens[0].element(item.target)
        sentences = one.sentences(shared, language, shown)
        yield _question(one, screens, language, sentences, facts, target=target)


def _question(
    one: AskedItem,
    screens: Sequence[Screen],
    language: str,
    sentences: tuple[str, tuple[str, ...]],
    facts: dict[str, str],
    *,
    means: Expression = Expression(),  # noqa: B008 - frozen
    target: Element | None,
) -> Question:
    """Write a question about screens, shown in their order, with its options below it."""
    item, (first, *further) = one.item, screens
    question, options = sentences
    shown = facts.get("shown", language)
    variant = ORIGINAL if shown == FIRST else shown
    cell = Cell(variant + (ASKED_IN + language) * (shown != language), item.dimension)
    labelled = dict(zip(LABELS, options, strict=True))
    if one.withheld:
        facts["withheld"] = " ".join(one.withheld)
    return Question(
        id=digest([item.name, cell])[:20],
        pair=item.name,
        cluster=first.site or first.page,
        cell=cell,
        screen=first.id,
        image=first.image,
        width=first.width,
        height=first.height,
        instruction=Instruction(
            "\n".join([question, *(f"{label}: {words}" for label, words in labelled.items())]),
            language,
            "given",
            "high",
            means,
            target.id if target else "",
        ),
        truth=NOWHERE,
        role=target.role if target else "",
        answers=(LABELS[one.right],),
        asks="option",
        options=tuple(LABELS),
        page=first.page,
        platform=first.platform,
        facts={**facts, **labelled},
        further=tuple(
            ScreenImage(screen.id, screen.image, screen.width, screen.height) for screen in further
        ),
    )


def _keys(one: AskedItem, named: Mapping[str, object]) -> Iterator[str]:
    for key in one.options:
        element = getattr(named.get(key), "element", None)
        yield element.id if one.item.named and element is not None else key


def _facts(item: SharedItem, named: Mapping[str, object]) -> dict[str, str]:
    found = {"dimension": DIMENSIONS[item.dimension]}
    other = getattr(named.get(item.other), "element", None)
    if other is not None:
        found["other"] = other.id
    return found | ({"function": item.key} if item.key else {})


def _check(options: BuildOptions) -> None:
    require_names(options.kinds, ASKED, "dimension")
    _parameters(options)


def _identity(options: BuildOptions) -> Mapping[str, object]:
    require_names(options.variants, (ORIGINAL,), "variant, beside the screens' languages")
    _check(options)
    return {"sentences": sentences_digest()}


MULTILINGUAL_BENCH: Final = Benchmark(
    name="multilingual",
    version=12,
    summary="what controls are for, how they are used, where they are, what actions do, and "
    "what a sequence of screens was for, in several languages",
    page=page,
    assemble=assemble,
    identity=_identity,
    scoring=MULTILINGUAL,
    renders=False,
    parallel=True,
    doubts=doubts,
    unmatched=unmatched,
    executed=executed,
    reword=reword,
    defaults=BuildOptions(variants=(ORIGINAL,), kinds=ASKED, targets=12),
)
