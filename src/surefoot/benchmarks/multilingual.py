"""
What is asked in several languages: about controls of a page, and about several screens.

Pages are captured in every language side by side (``surefoot capture --parallel``). A question
is asked of one page, or of states that actions lead to, in each of its languages with the same
options in the same order: sentences are those of ``dimensions/tables``, names the application's
own. What is right holds in each language under the strict reading of its words, what is wrong
fails in each under the lenient one; a name is that of one element alone, as two resolvers agree.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Final, TypeAlias

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
    require_names,
)
from surefoot.benchmarks.dimensions.actions import ACTION_ITEMS, ActionItem, action_items
from surefoot.benchmarks.dimensions.baselines import (
    AskedOptions,
    Baseline,
    baseline_line,
    baselines,
)
from surefoot.benchmarks.dimensions.claims import SiteScreens
from surefoot.benchmarks.dimensions.executed import executed
from surefoot.benchmarks.dimensions.goals import GoalItem, goal_items
from surefoot.benchmarks.dimensions.items import BARE, ITEMS, WRONG, SharedItem, SharedPage
from surefoot.benchmarks.dimensions.options import SaidOption, drawn_wrong
from surefoot.benchmarks.dimensions.proving import doubts, unmatched
from surefoot.benchmarks.dimensions.rewording import reword
from surefoot.benchmarks.dimensions.sentences import (
    known_languages,
    sentences_digest,
    sentences_of,
)
from surefoot.benchmarks.dimensions.walks import LENGTHS, shared_steps
from surefoot.benchmarks.drawing import PARTNER
from surefoot.capture.parallel.languages import primary
from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Cell, Question, ScreenImage
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source
from surefoot.refer.generate.generate import LEAST_VISIBLE, direct, name_visible
from surefoot.refer.judge.verdict import Judge
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.scene.names import alike, cut_name, sayable
from surefoot.refer.scene.roles import TARGETS
from surefoot.refer.scene.scene import Scene
from surefoot.score.scorings.multilingual import DIMENSIONS, MULTILINGUAL

__all__ = ["MULTILINGUAL_BENCH", "AskedItem", "assemble", "page"]

FIRST: Final = "en"
LABELS: Final = "ABCD"
DRAWS: Final = 8  # of wrong options, of which the one that leaks least is kept
LARGEST: Final = 0.3  # share of a dimension's items that have one right option
STATIC: Final = frozenset({"heading"})
ROLELESS: Final = frozenset({"wf", "wi"})  # where a role would give the answer away
ROUNDS: Final = 12  # of leaving items out of a dimension that leaks
DROPPED: Final = 0.2  # of a right option's items that are left out in one round
ASKED: Final = (*ITEMS, *ACTION_ITEMS, *LENGTHS)
NOWHERE: Final = Box(0.0, 0.0, 0.0, 0.0)


def page(
    screen: Screen, _renderer: PageRenderer, images: ImageStore, options: BuildOptions
) -> PageResult:
    """Name what has a partner in every language: each name means one element and can be read."""
    require_names(options.kinds, ASKED, "dimension")
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


def _result(
    screen: Screen, found: tuple[Candidate, ...], falls: Counter[tuple[str, str]]
) -> PageResult:
    told = tuple(Fall(*key, count) for key, count in sorted(falls.items()))
    return PageResult(screen.page, screen.site, (screen,), found, told)


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
    if not judge.judge(found, element.id).valid:
        return "the second resolver disagrees"
    return found


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
    shared = _Shared(
        {found.name: found for found in _pages(given, falls)},
        {site.name: site for site in _sites(given)},
    )
    pages = shared.pages
    items: list[Item] = []
    for dimension in options.kinds:
        if dimension not in ITEMS:
            found = _said_items(shared.sites.values(), dimension, options.seed)
            falls["items", f"{dimension}: executed in every language"] += len(found)
            items += found
            continue
        proven = [item for one in pages.values() for item in ITEMS[dimension](one)]
        falls["items", f"{dimension}: proven in every language"] += len(proven)
        chosen = _chosen(proven, pages, options)
        falls["items", f"{dimension}: left out, so that none outweighs another"] += len(
            proven
        ) - len(chosen)
        items += chosen
    for _ in range(ROUNDS):
        rest = _without_surplus(*_least_leaking(items, shared, options, draws=1))
        if len(rest) == len(items):
            break
        falls["items", "left out, so that an option is not right too often where it stands"] += (
            len(items) - len(rest)
        )
        items = rest
    asked, told = _least_leaking(items, shared, options, draws=DRAWS)
    questions = sorted(
        (question for one in asked for question in _questions(one, shared)),
        key=lambda question: question.id,
    )
    return AssembledBench(
        tuple(questions),
        Funnel(tuple(Fall(*key, count) for key, count in sorted(falls.items())), {}),
        documents={"baselines.json": told},
        lines=tuple(map(baseline_line, told)),
        screens=tuple(sorted({*_evidence(asked, shared)})),
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


def _evidence(asked: Iterable[AskedItem], shared: _Shared) -> Iterator[str]:
    """Yield the ids of the screens that options were executed in, which are not all shown."""
    for one in asked:
        item = one.item
        if isinstance(item, SharedItem):
            continue
        for name in {*item.evidence(one.options)}:
            screens = shared.sites[item.site].screens[name]
            yield from (screens[language].id for language in item.languages)


def _chosen(
    items: Sequence[SharedItem], pages: Mapping[str, SharedPage], options: BuildOptions
) -> list[SharedItem]:
    """
    Choose items: each element of a site once, pages in turn, right options about evenly.

    A menu that stands on every page of its site is asked about on one of them, and no right
    option has more than three tenths of a dimension's items, or its even share; so what is
    seldom right is chosen first.
    """
    common = Counter(item.key or item.right for item in items)
    drawn = sorted(
        items,
        key=lambda item: (common[item.key or item.right], digest([options.seed, item.name])),
    )
    per_page: Counter[str] = Counter()
    seen: set[tuple[str, ...]] = set()
    kept: list[SharedItem] = []
    for item in drawn:
        found = pages[item.page]
        names = found.named[found.languages[0]]
        identity = (found.site, item.key, found.role(item.target), names[item.target].name)
        if identity in seen or per_page[item.page] >= options.targets:
            continue
        seen.add(identity)
        per_page[item.page] += 1
        kept.append(item)
    counts = Counter(item.key or item.right for item in kept)
    least = max(LARGEST, 1 / len(counts)) if counts else LARGEST
    most = max(counts.values(), default=0)
    while most > 1 and most > least * sum(min(count, most) for count in counts.values()):
        most -= 1
    taken: Counter[str] = Counter()
    even: list[SharedItem] = []
    for item in kept:
        if taken[item.key or item.right] < most:
            taken[item.key or item.right] += 1
            even.append(item)
    return even


Item: TypeAlias = SharedItem | GoalItem | ActionItem


class _Shared(msgspec.Struct, frozen=True):
    """Hold what items are of: pages in several languages, and sites with their states."""

    pages: Mapping[str, SharedPage]
    sites: Mapping[str, SiteScreens]


class AskedItem(msgspec.Struct, frozen=True):
    """
    Hold an item with its four options in order, and the place of the right one.

    ``said`` are the options of an item about what was executed.
    """

    item: Item
    options: tuple[str, ...]
    right: int
    said: tuple[SaidOption, ...] = ()


def _least_leaking(
    items: Sequence[Item],
    shared: _Shared,
    options: BuildOptions,
    *,
    draws: int,
) -> tuple[list[AskedItem], tuple[Baseline, ...]]:
    """Draw wrong options so many times; keep the draw in which blind readers fail most."""
    best: tuple[float, list[AskedItem], tuple[Baseline, ...]] | None = None
    sites = {found.site for found in shared.pages.values()} | {*shared.sites}
    by_site = len(sites) > 1
    for draw in range(draws if items else 1):
        asked = _drawn(items, options.seed, draw)
        told = baselines(_blind(one, shared, by_site=by_site) for one in asked)
        worst = max((max(one.position, one.majority, one.text) for one in told), default=0.0)
        if best is None or worst < best[0]:
            best = worst, asked, told
    if best is None:
        raise InvalidInputError("a draw of wrong options", found="none")
    return best[1], best[2]


def _without_surplus(asked: Sequence[AskedItem], told: Iterable[Baseline]) -> list[Item]:
    """
    Leave out some items of the option that gives itself away most, in dimensions that leak.

    It is the one that is right most often where it stands; geometry and roles leave it too
    few questions in which it could be wrong.
    """
    leaking = {one.dimension for one in told if "majority" in one.leaks or "text" in one.leaks}
    right = Counter((one.item.dimension, one.item.right) for one in asked if not one.item.named)
    shown = Counter((one.item.dimension, key) for one in asked for key in one.options)
    dropped: dict[tuple[str, str], int] = {}
    for dimension in leaking:
        own = [key for key in right if key[0] == dimension]
        worst = max(own, key=lambda key: (right[key] / shown[key], key), default=None)
        if worst is not None and right[worst] * len(LABELS) > shown[worst]:
            dropped[worst] = max(1, round(DROPPED * right[worst]))
    kept = []
    for one in asked:
        key = one.item.dimension, one.item.right
        if dropped.get(key, 0):
            dropped[key] -= 1
        else:
            kept.append(one.item)
    return kept


def _drawn(items: Sequence[Item], seed: int, draw: int) -> list[AskedItem]:
    """
    Draw three wrong options of each item, and where the right one stands.

    Of named elements those nearest to the right one are drawn from. Of words, those that are
    wrong too seldom for how often they are right come first, so that none gives itself away.
    """
    random = random_source(seed, "multilingual", str(draw))
    wanted = Counter((item.dimension, item.right) for item in items if not item.named)
    shown: Counter[tuple[str, str]] = Counter(wanted)
    asked: list[AskedItem] = []
    by_dimension: Counter[str] = Counter()
    for item in sorted(items, key=lambda item: digest([seed, draw, item.name])):
        right = by_dimension[item.dimension] % len(LABELS)
        by_dimension[item.dimension] += 1
        if not isinstance(item, SharedItem):
            said = _drawn_said(item, right, by_dimension[item.dimension], shown, random)
            shown.update((item.dimension, option.key) for option in said)
            asked.append(AskedItem(item, tuple(option.key for option in said), right, said))
            continue
        pool = list(item.wrong)
        if item.named:
            wrong = random.sample(pool[: 2 * WRONG], WRONG)
        else:
            random.shuffle(pool)
            pool.sort(
                key=lambda key, of=item.dimension: (  # type: ignore[misc]
                    shown[of, key] - len(LABELS) * wanted[of, key]
                )
            )
            wrong = _with_static(item, pool)
            shown.update((item.dimension, key) for key in wrong)
        random.shuffle(wrong)
        asked.append(AskedItem(item, (*wrong[:right], item.right, *wrong[right:]), right))
    return asked


def _drawn_said(
    item: GoalItem | ActionItem,
    right: int,
    count: int,
    shown: Mapping[tuple[str, str], int],
    random: Random,
) -> tuple[SaidOption, ...]:
    """Draw wrong options of an item about what was executed; put the right one in its place."""
    wrong: list[SaidOption] = drawn_wrong(
        item.answer,
        item.wrong,
        item.languages[0],
        # How many options have more in common than the right one goes round as places do.
        rank=count // len(LABELS) % len(LABELS),
        often={key: seen for (own, key), seen in shown.items() if own == item.dimension},
        random=random,
    )
    random.shuffle(wrong)
    return (*wrong[:right], item.answer, *wrong[right:])


def _with_static(item: SharedItem, pool: Sequence[str]) -> list[str]:
    """Return the first three; of ways to use an element, that there is none is among them."""
    first = list(pool[:WRONG])
    if item.dimension == "wi" and "static" in pool and "static" not in first:
        first[-1] = "static"
    return first


def _blind(one: AskedItem, shared: _Shared, *, by_site: bool) -> AskedOptions:
    """Return what can be read without looking; where one site is all there is, by its pages."""
    item = one.item
    if isinstance(item, SharedItem):
        found = shared.pages[item.page]
        site, page_name = found.site, found.name
        said = _sentences(one, item, found, found.languages[0])
    else:
        site, page_name = item.site, item.name.partition("#")[0]
        said = _said_sentences(one, item, item.languages[0])
    group = site if by_site and site else page_name
    return AskedOptions(item.dimension, group, said[0], one.options, said[1], one.right)


def _said_sentences(
    one: AskedItem, item: GoalItem | ActionItem, language: str
) -> tuple[str, tuple[str, ...]]:
    """Return the question and the options of an item about what was executed."""
    return item.question(language), tuple(option.words[language] for option in one.said)


def _sentences(
    one: AskedItem, item: SharedItem, found: SharedPage, language: str
) -> tuple[str, tuple[str, ...]]:
    """Return the question and the options of an item about a page in a language."""
    table, named = sentences_of(language), found.named[language]

    def called(key: str) -> str:
        role = "" if item.dimension in ROLELESS else named[key].element.role
        return table.called(named[key].name, role)

    if item.named:
        return table.asked(item.dimension, item.key), tuple(map(called, one.options))
    said = {"element": called(item.target)}
    if item.other:
        said["other"] = called(item.other)
    words = tuple(table.option(item.dimension, key) for key in one.options)
    return table.asked(item.dimension, **said), words


def _questions(one: AskedItem, shared: _Shared) -> Iterator[Question]:
    if isinstance(one.item, SharedItem):
        yield from _page_questions(one, one.item, shared.pages[one.item.page])
    else:
        yield from _said_questions(one, one.item, shared.sites[one.item.site])


def _page_questions(one: AskedItem, item: SharedItem, found: SharedPage) -> Iterator[Question]:
    for language in found.languages:
        named = found.named[language]
        proof = named[item.target].candidate.direct
        means = proof.expression if proof and not item.named else Expression()
        if item.dimension in ROLELESS:
            means = _roleless(means)
        facts = {"keys": "|".join(_keys(one, named)), **_facts(item, named)}
        yield _question(
            one,
            (found.screens[language],),
            language,
            _sentences(one, item, found, language),
            facts,
            means=means,
            target=named[item.target].element,
        )


def _said_questions(
    one: AskedItem, item: GoalItem | ActionItem, site: SiteScreens
) -> Iterator[Question]:
    for language in item.languages:
        screens = tuple(site.screens[name][language] for name in item.pictures)
        facts = {
            "keys": "|".join(one.options),
            "dimension": DIMENSIONS[item.dimension],
            **item.facts(site, dict(zip(LABELS, one.options, strict=True)), language),
        }
        target = screens[0].element(item.target)
        yield _question(
            one, screens, language, _said_sentences(one, item, language), facts, target=target
        )


def _question(
    one: AskedItem,
    screens: Sequence[Screen],
    language: str,
    said: tuple[str, tuple[str, ...]],
    facts: dict[str, str],
    *,
    means: Expression = Expression(),  # noqa: B008 - frozen
    target: Element | None,
) -> Question:
    """Write a question about screens, shown in their order, with its options below it."""
    item, (first, *further) = one.item, screens
    question, options = said
    cell = Cell(ORIGINAL if language == FIRST else language, item.dimension)
    labelled = dict(zip(LABELS, options, strict=True))
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


MULTILINGUAL_BENCH: Final = Benchmark(
    name="multilingual",
    version=5,
    summary="what controls are for, how they are used, where they are, what actions do, and "
    "what a sequence of screens was for, in several languages",
    page=page,
    assemble=assemble,
    identity=lambda _options: {"sentences": sentences_digest()},
    scoring=MULTILINGUAL,
    renders=False,
    parallel=True,
    doubts=doubts,
    unmatched=unmatched,
    executed=executed,
    reword=reword,
    defaults=BuildOptions(variants=(ORIGINAL,), kinds=ASKED, targets=12),
)
