"""
What actions do on a screen, and which actions do it: both executed, in every language.

An effect is asked for with effects of other controls of the screen, executed there or in another
state that shows them, and actions are asked for with others that were executed from the same
state and had not that effect.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from surefoot.benchmarks.dimensions.claims import SiteScreens, switched, value_of
from surefoot.benchmarks.dimensions.options import PER_SITE, WRONG, words_in
from surefoot.benchmarks.dimensions.sentences import sentences_of
from surefoot.benchmarks.dimensions.walks import SharedStep
from surefoot.capture.actions import Action
from surefoot.core.canonical import canonical_json, digest
from surefoot.core.screen import INTERACTIVE_ROLES, Element, Screen
from surefoot.exploration.effects import effect_of, state_digest
from surefoot.refer.generate.generate import LEAST_VISIBLE, name_visible
from surefoot.refer.scene.names import alike, cut_name, sayable, spoken

ACTION_ITEMS: Final = ("au", "ap")
PER_STATE: Final = 12
MOST_ACTIONS: Final = 4
BRIEF: Final = WRONG - 1  # wrong ways of one action, so that another one takes several
ECHOES: Final = 0.1  # of a site's items: those whose right option repeats what is acted on
SAID: Final = INTERACTIVE_ROLES | {"heading", "dialog", "alertdialog", "option"}
WRITTEN: Final = frozenset({"text", "paragraph", "alert", "status"})
TELLING: Final = frozenset({"heading", "alert", "status"})  # of what is on a page
TITLED: Final = frozenset({"page", "dialog", "menu", "show"})
SEEN: Final = TITLED | {"hide"}
STATES: Final = frozenset({"on", "off", "unfold", "fold", "pick"})
APPEARING: Final = frozenset({"page", "menu", "shows", "changes"})
SWITCHING: Final = frozenset({"switch", "shows", "hides", "changes"})
VANISHING: Final = frozenset({"hides", "changes"})
REORDERING: Final = frozenset({"reorders", "shows", "hides", "changes", "page"})


class NamedEffect(msgspec.Struct, frozen=True):
    """Say what actions did, in one language: its kind, and the name in it."""

    kind: str
    name: str = ""


class NamedAction(msgspec.Struct, frozen=True):
    """Say one action in one language: its kind, what it acts on, and what is put in or pressed."""

    kind: str
    name: str = ""
    role: str = ""
    value: str = ""


class ActionOption(msgspec.Struct, frozen=True):
    """
    Hold an effect or a way in words of each language, and the screens that it was executed in.

    ``pages`` are those of the captured states, from what is shown to what is reached;
    ``effects`` is empty for a way, and ``taken`` for an effect. ``key`` tells the option from
    others of its site.
    """

    key: str
    words: dict[str, str]
    pages: tuple[str, ...]
    effects: dict[str, NamedEffect]
    taken: dict[str, tuple[NamedAction, ...]]

    def say(self, language: str, shown: str) -> str:
        """Say the option in a language, with the names that are shown in another."""
        if shown == language:
            return self.words[language]
        if self.taken:
            return _done(language, self.taken[shown], roles=True)
        effect = self.effects[shown]
        return sentences_of(language).effect(effect.kind, effect.name)


class ActionItem(msgspec.Struct, frozen=True):
    """
    Hold one question about actions on a screen, with what is right and wrong in each language.

    ``page`` is what is shown, ``target`` what is acted on first, ``asked`` the question by
    language, ``taken`` the actions in it. Those of ``wrong`` that tempt most come first; three
    or more are there.
    """

    dimension: str
    site: str
    page: str
    target: str
    asked: dict[str, str]
    answer: ActionOption
    wrong: tuple[ActionOption, ...]
    effects: dict[str, NamedEffect]
    taken: dict[str, tuple[NamedAction, ...]]

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the languages in which it is asked, the first one first."""
        return tuple(self.asked)

    @property
    def pictures(self) -> tuple[str, ...]:
        """Return the page of the one screen that is shown."""
        return (self.page,)

    def question(self, language: str, shown: str) -> str:
        """Return what is asked in a language, with the names that are shown in another."""
        if shown == language:
            return self.asked[language]
        table = sentences_of(language)
        if self.dimension == "au":
            return table.asked("au", actions=_done(language, self.taken[shown], roles=False))
        return table.asked("ap", effect=table.effect(*_parts(self.effects[shown])))

    def evidence(self, keys: Iterable[str]) -> Iterator[str]:
        """Yield the pages that the options of these keys rest on."""
        options = self._by_key()
        for key in keys:
            yield from options[key].pages

    def facts(self, site: SiteScreens, labels: Mapping[str, str], language: str) -> dict[str, str]:
        """
        Return what proves the item: its effects, and the screens of its options, by label and key.

        ``ways`` are by label the ids of the screens of an option; ``effects`` are those of the
        options by label, or under "" the one that is asked for, each a kind and a name.
        """
        options = self._by_key()
        own = {label: options[key] for label, key in labels.items()}
        ways = {
            label: [site.screens[page][language].id for page in option.pages]
            for label, option in own.items()
        }
        by_label = {
            label: option.effects[language] for label, option in own.items() if option.effects
        } or {"": self.effects[language]}
        effects = {label: [effect.kind, effect.name] for label, effect in by_label.items()}
        return {"ways": canonical_json(ways).decode(), "effects": canonical_json(effects).decode()}

    def _by_key(self) -> dict[str, ActionOption]:
        return {option.key: option for option in (self.answer, *self.wrong)}

    @property
    def right(self) -> str:
        """Return the key of the right option."""
        return self.answer.key

    @property
    def named(self) -> bool:
        """Tell that its options are not words that other items share."""
        return True

    @property
    def name(self) -> str:
        """Return what tells the item from all others."""
        return f"{self.page}#{self.dimension}#{self.answer.key}"


class _Way(msgspec.Struct, frozen=True):
    """
    Hold actions that were executed from a captured state to another one.

    ``pages`` are all states on the way that were captured, ``languages`` those that have all.
    """

    pages: tuple[str, ...]
    actions: tuple[Action, ...]
    languages: tuple[str, ...]


_Executed: TypeAlias = tuple[_Way, dict[str, NamedEffect]]


class _Site:
    """Hold the ways through a site, and say what they do in each language."""

    def __init__(self, site: SiteScreens) -> None:
        self.site = site

    def ways(self) -> Iterator[_Way]:
        """Yield every way of a few actions from one captured state to another."""
        for name, (entry, actions) in self.site.paths.items():
            pages = [name]
            for length in range(len(actions) - 1, max(-1, len(actions) - MOST_ACTIONS - 1), -1):
                before = self.site.by_path.get((entry, actions[:length]))
                if before is None:
                    continue
                pages.insert(0, before)
                languages = tuple(
                    language
                    for language in self.site.screens[before]
                    if all(language in self.site.screens[page] for page in pages)
                )
                if len(languages) > 1:
                    yield _Way(tuple(pages), actions[length:], languages)

    def screen(self, page: str, language: str) -> Screen:
        """Return a screen."""
        return self.site.screens[page][language]

    def effects(self, way: _Way) -> dict[str, NamedEffect]:
        """
        Return what a way did in each language that can say it, of one kind; {} where none is.
        """
        first, last, target = way.pages[0], way.pages[-1], way.actions[-1].element
        by_language = {
            language: effect_of(self.screen(first, language), self.screen(last, language), target)
            for language in way.languages
        }
        kind = by_language[way.languages[0]].kind
        own = tuple(language for language, effect in by_language.items() if effect.kind == kind)
        named: dict[str, NamedEffect] = {}
        if kind == "page":
            named = {
                language: NamedEffect("page", title)
                for language in own
                if (title := self.site.new_title(first, last, language))
            }
        elif kind == "dialog":
            named = {
                language: NamedEffect("dialog", title)
                for language in own
                if (title := self.site.dialog(first, last, language))
            }
        elif kind == "reorders":
            # Two that look alike may have changed places, which nobody sees.
            named = {
                language: NamedEffect("order")
                for language in own
                if _read(self.screen(first, language)) != _read(self.screen(last, language))
            }
        if len(named) < len(own) and kind in APPEARING:
            lead = "menu" if kind == "menu" else "show"
            named = self._came(own, first, last, lead)
        passing = (self.site.passes(first, last, language, target) for language in own)
        if not named and kind in VANISHING and not any(passing):
            named = self._came(own, last, first, "hide")
        if not named and kind in SWITCHING:
            element = self.screen(first, own[0]).element(target)
            role = element.role if element else ""
            named = {
                language: NamedEffect("pick" if state == "tab" else state)
                for language in own
                if (
                    state := switched(
                        role, by_language[language].gained, by_language[language].lost
                    )
                )
            }
            if len({effect.kind for effect in named.values()}) > 1:
                return {}
        return named if len(named) > 1 else {}

    def unguessed(self, way: _Way) -> dict[str, NamedEffect]:
        """
        Return what a way did, in other words than those of what is acted on where there are such.

        A link that is called as its page shows a heading or a message there.
        """
        effects = self.effects(way)
        first = next(iter(effects), "")
        if not effects or effects[first].kind not in TITLED:
            return effects
        known_words = words_in(
            " ".join(f"{action.name} {action.value}" for action in self.actions(way, first))
        )
        if known_words.isdisjoint(words_in(effects[first].name)):
            return effects
        ends = way.pages[0], way.pages[-1]
        roles = TELLING if effects[first].kind == "page" else SAID | WRITTEN
        return (
            self._came([*effects], *ends, "show", roles=roles, known_words=known_words) or effects
        )

    def _came(
        self,
        languages: Sequence[str],
        without: str,
        within: str,
        kind: str,
        *,
        roles: Collection[str] = SAID | WRITTEN,
        known_words: Collection[str] = (),
    ) -> dict[str, NamedEffect]:
        """
        Name in every language the first element that one screen shows and another does not.

        It is of one of ``roles``, and its name has no word of ``known_words``.
        """
        first = self.screen(within, languages[0])
        holding = {item.parent for item in first.elements}
        for item in sorted(first.elements, key=lambda item: (item.box.top, item.box.left)):
            # The words of what holds others run together.
            if item.role not in roles or (item.role in WRITTEN and item.id in holding):
                continue
            if kind == "hide" and self.site.in_message(within, languages[0], item):
                continue
            names = {
                language: self._only(item.id, without, within, language) for language in languages
            }
            if all(names.values()) and words_in(names[languages[0]]).isdisjoint(known_words):
                return {language: NamedEffect(kind, name) for language, name in names.items()}
        return {}

    def _only(self, element_id: str, without: str, within: str, language: str) -> str:
        """
        Return the name of an element that can be read on one screen and not on another.

        Numbers and dates tell nothing of what was done, nor does what only moved into the window.
        """
        item = self.screen(within, language).element(element_id)
        if item is None or not item.visible_fraction:
            return ""
        name = spoken(item.text if item.role in WRITTEN else item.name)
        other = self.screen(without, language)
        was = other.element(element_id)
        moved = was is not None and was.name == item.name and not _within(was, other)
        worded = sum(map(str.isalpha, name)) > sum(map(str.isdigit, name))
        fits = worded and not moved and sayable(name) and cut_name(name) == name
        if item.role in WRITTEN:
            read = fits and bool(item.text_boxes) and item.visible_fraction >= LEAST_VISIBLE
        else:
            read = fits and name_visible(self.site.scene(within, language), element_id)
        return name if read and not self.site.reads(without, language, name) else ""

    def actions(self, way: _Way, language: str) -> tuple[NamedAction, ...]:
        """Return the actions of a way as they are said, nothing where they cannot be."""
        roles = sentences_of(language).roles
        given_actions: list[NamedAction] = []
        at = 0
        for before, after in itertools.pairwise(way.pages):
            count = len(self.site.paths[after][1]) - len(self.site.paths[before][1])
            taken = way.actions[at : at + count]
            at += count
            element = self.screen(before, language).element(taken[0].element)
            name = self.site.acted_on(before, language, taken[0].element)
            same = len({action.element for action in taken}) == 1
            if element is None or not name or not same or element.role not in roles:
                return ()
            for action in taken:
                step = SharedStep(before, after, before, after, (action,), {})
                value = action.text if action.kind == "press" else value_of(element, step)
                given_actions.append(NamedAction(action.kind, name, element.role, value))
        return tuple(given_actions)

    def may_have(self, effect: NamedEffect, way: _Way, language: str) -> bool:
        """Tell whether an effect could be taken for one that a way had, at its end or before."""
        if effect.kind == "hide" and self._fewer(effect.name, way, language):
            return True
        if effect.kind in SEEN:
            return any(self._shows(effect, page, language) for page in way.pages[1:])
        before, after = (self.screen(way.pages[at], language) for at in (0, -1))
        done = effect_of(before, after, way.actions[-1].element)
        if effect.kind == "order":
            return done.kind in REORDERING
        return bool(done.gained or done.lost)

    def _fewer(self, name: str, way: _Way, language: str) -> bool:
        """Tell whether one of several elements that are called alike goes on a way."""
        counts = [
            sum(
                item.visible_fraction > 0 and alike(name, item.name or item.text)
                for item in self.screen(page, language).elements
            )
            for page in way.pages
        ]
        return min(counts[1:]) < counts[0]

    def is_needed(self, effects: Mapping[str, NamedEffect], way: _Way) -> bool:
        """Tell whether a way has its effect by its last step, and not before."""
        return not any(
            effect.kind in SEEN and self._shows(effect, page, language)
            for page in way.pages[1:-1]
            for language, effect in effects.items()
        )

    def _shows(self, effect: NamedEffect, page: str, language: str) -> bool:
        """Tell whether a screen could be what an effect with a name leads to."""
        if effect.kind not in {"page", "dialog"}:
            hides = effect.kind == "hide"
            # Which number comes up is seldom known before it does.
            return self.site.reads(page, language, effect.name, numbers=hides) != hides
        screen = self.screen(page, language)
        titles = {item.name for item in screen.elements if item.role in SAID - INTERACTIVE_ROLES}
        return any(alike(effect.name, title) for title in {screen.title, *titles})

    def stands(self, way: _Way, page: str, languages: Iterable[str]) -> bool:
        """Tell whether what a way acts on first can be clicked on another screen, by its name."""

        def control(page: str, language: str) -> tuple[str, str] | None:
            item = self.screen(page, language).element(way.actions[0].element)
            return (item.role, item.name) if item and item.name and any(item.hits) else None

        return all(
            language in way.languages
            and (own := control(page, language)) is not None
            and own == control(way.pages[0], language)
            for language in languages
        )

    def same_end(self, one: _Way, other: _Way, language: str) -> bool:
        """Tell whether two ways end in one state."""
        ends = (self.screen(way.pages[-1], language) for way in (one, other))
        return len({state_digest(screen) for screen in ends}) == 1


def action_items(site: SiteScreens, dimension: str, seed: int) -> list[ActionItem]:
    """Return what can be asked about actions on a site's screens, spread over its states."""
    found = _Site(site)
    ways = list(found.ways())
    items = list(_effect_items(found, ways) if dimension == "au" else _way_items(found, ways))
    # Sequences first: what one click does is what the other dimension asks.
    items.sort(key=lambda item: (_brief(item.answer), digest([seed, item.name])))
    return _spread(items)


def _effect_items(found: _Site, ways: Sequence[_Way]) -> Iterator[ActionItem]:
    """
    Ask what one step does; wrong are effects of other controls that can be seen there.

    Those executed in the same state come first, then those that another state has, nearest first.
    """
    by_state: defaultdict[str, list[_Executed]] = defaultdict(list)
    elsewhere: dict[tuple[str, str], _Executed] = {}
    for way in sorted(ways, key=lambda way: digest(way.pages)):
        if len(way.pages) == 2 and (effects := found.unguessed(way)):  # noqa: PLR2004 - one step
            by_state[way.pages[0]].append((way, effects))
            element = found.screen(way.pages[0], way.languages[0]).element(way.actions[0].element)
            alone = len({action.element for action in way.actions}) == 1
            if element and alone and next(iter(effects.values())).name:
                elsewhere.setdefault((element.id, element.name), (way, effects))
    for state, own in by_state.items():
        acted = {way.actions[0].element for way, _ in own}
        away = [pair for pair in elsewhere.values() if pair[0].actions[0].element not in acted]
        for way, effects in own:
            # A role would tell what the element does.
            described = {
                language: taken for language in effects if (taken := found.actions(way, language))
            }
            if len(described) < 2:  # noqa: PLR2004 - one language is not compared
                continue
            right = _effect_option(way, effects, described)
            asked = {
                language: sentences_of(language).asked(
                    "au", actions=_done(language, taken, roles=False)
                )
                for language, taken in described.items()
            }
            seen = (pair for pair in away if found.stands(pair[0], state, described))
            others = sorted([*own, *seen], key=lambda pair, way=way: _apart(found, way, pair[0]))  # type: ignore[misc]
            wrong = _differing(
                right,
                (
                    _effect_option(other, its, described)
                    for other, its in others
                    if other is not way and described.keys() <= its.keys()
                    if not any(found.may_have(its[own], way, own) for own in described)
                ),
            )
            if len(wrong) >= WRONG:
                target = way.actions[0].element
                wrong = _tempting(asked, _by_turns(wrong))
                yield ActionItem(
                    "au", found.site.name, state, target, asked, right, wrong, effects, described
                )


def _by_turns(options: Iterable[ActionOption]) -> tuple[ActionOption, ...]:
    """Return the nearest effect of each kind, then the next of each, so that none stands out."""
    turns: defaultdict[str, list[ActionOption]] = defaultdict(list)
    for option in options:
        turns[next(iter(option.effects.values())).kind].append(option)
    rounds = itertools.zip_longest(*turns.values())
    return tuple(option for found in rounds for option in found if option is not None)


def _done(language: str, taken: Iterable[NamedAction], *, roles: bool) -> str:
    """Say actions in a language, with the roles of what is acted on or without."""
    table = sentences_of(language)
    return table.done(
        (
            action.kind,
            {
                "element": table.called(action.name, action.role if roles else ""),
                "key": action.value,
                "value": action.value,
            },
        )
        for action in taken
    )


def _effect_option(
    way: _Way, effects: Mapping[str, NamedEffect], languages: Iterable[str]
) -> ActionOption:
    own = {language: effects[language] for language in languages}
    words = {
        language: sentences_of(language).effect(effect.kind, effect.name)
        for language, effect in own.items()
    }
    return ActionOption(digest(way.pages)[:12], words, way.pages, own, {})


def _way_items(found: _Site, ways: Sequence[_Way]) -> Iterator[ActionItem]:
    """
    Ask for the actions that have an effect; wrong ones were executed without it.

    Of four ways one at least takes several actions, so that their order matters. Wrong ways are
    right for another effect of the state, but for one in every second item: a way that is never
    right can be told by its words alone.
    """
    by_state: defaultdict[str, list[_SaidWay]] = defaultdict(list)
    for way in ways:
        described = {
            language: taken
            for language in way.languages
            if (taken := found.actions(way, language))
        }
        if described:
            effects = found.unguessed(way)
            unasked = effects and next(iter(effects.values())).kind in STATES | {"order"}
            if unasked or not found.is_needed(effects, way):
                effects = {}
            by_state[way.pages[0]].append(_SaidWay(way, described, effects))
    for state, own in by_state.items():
        for one in own:
            languages = [language for language in one.effects if language in one.said]
            if len(languages) < 2:  # noqa: PLR2004 - one language is not compared
                continue
            others = [other for other in own if _fails(found, one, other, languages)]
            others.sort(key=lambda other, one=one: _edits(one.way, other.way))  # type: ignore[misc]
            never = [other for other in others if not other.effects][: _coin(one.way)]
            right = _way_option(one, languages)
            pool = [*never, *(other for other in others if other.effects)]
            wrong = _differing(right, (_way_option(other, languages) for other in pool))
            brief = [*filter(_brief, wrong)][BRIEF:]
            wrong = tuple(option for option in wrong if option not in brief)
            if len(wrong) >= WRONG:
                asked = {
                    language: sentences_of(language).asked(
                        "ap", effect=sentences_of(language).effect(*_parts(one.effects[language]))
                    )
                    for language in languages
                }
                target = one.way.actions[0].element
                shown = {language: one.effects[language] for language in languages}
                wrong = _tempting(asked, wrong)
                yield ActionItem(
                    "ap", found.site.name, state, target, asked, right, wrong, shown, {}
                )


def _coin(way: _Way) -> int:
    return int(digest(way.pages), 16) % 2


class _SaidWay(msgspec.Struct, frozen=True):
    """Hold a way with its actions by language, and its effects where it could be asked for."""

    way: _Way
    said: dict[str, tuple[NamedAction, ...]]
    effects: dict[str, NamedEffect]


def _fails(found: _Site, one: _SaidWay, other: _SaidWay, languages: Sequence[str]) -> bool:
    """Tell whether another way has not the effect of one, in any of the languages."""
    return (
        other is not one
        and {*languages} <= other.said.keys()
        and not any(
            found.may_have(one.effects[language], other.way, language)
            or found.same_end(one.way, other.way, language)
            for language in languages
        )
    )


def _brief(option: ActionOption) -> bool:
    """Tell whether an option is a way of one action."""
    return any(len(taken) == 1 for taken in option.taken.values())


def _parts(effect: NamedEffect) -> tuple[str, str]:
    return effect.kind, effect.name


def _way_option(one: _SaidWay, languages: Sequence[str]) -> ActionOption:
    taken = {language: one.said[language] for language in languages}
    words = {language: _done(language, own, roles=True) for language, own in taken.items()}
    return ActionOption(digest(one.way.pages)[:12], words, one.way.pages, {}, taken)


def _apart(found: _Site, way: _Way, other: _Way) -> tuple[bool, float, str]:
    """Rank another way: from the same state, then by how near what it acts on stands."""
    away = other.pages[0] != way.pages[0]
    screen = found.screen(way.pages[0], way.languages[0])
    one, two = (screen.element(item.actions[0].element) for item in (way, other))
    if one is None or two is None:
        return away, float("inf"), other.pages[-1]
    here, there = one.box.center, two.box.center
    return away, ((here.x - there.x) ** 2 + (here.y - there.y) ** 2) ** 0.5, other.pages[-1]


def _edits(way: _Way, other: _Way) -> tuple[int, str]:
    """Rank another way by how few of its actions are others."""
    own, its = Counter(way.actions), Counter(other.actions)
    return (own - its).total() + (its - own).total(), other.pages[-1]


def _differing(right: ActionOption, options: Iterable[ActionOption]) -> tuple[ActionOption, ...]:
    """Return the options that are said in other words than all before, in every language."""
    kept: list[ActionOption] = []
    taken_words = {(language, words.casefold()) for language, words in right.words.items()}
    for option in options:
        words = {(language, own.casefold()) for language, own in option.words.items()}
        if not words & taken_words:
            kept.append(option)
            taken_words |= words
    return tuple(kept)


def _tempting(asked: Mapping[str, str], wrong: Sequence[ActionOption]) -> tuple[ActionOption, ...]:
    """Put first what shares most words with a question: only the right option would else."""
    best = max(wrong, key=lambda option: _shared(asked, option))
    return (best, *(option for option in wrong if option is not best))


def _shared(asked: Mapping[str, str], option: ActionOption) -> int:
    """Count the words that an option shares with a question, in its first language."""
    language = next(iter(asked))
    return len(words_in(asked[language]) & words_in(option.words[language]))


def _spread(items: Sequence[ActionItem]) -> list[ActionItem]:
    """
    Choose items: each element once, a few of each state, and few that echo.

    A link that is called as the page that it opens is answered without looking.
    """
    taken: set[tuple[str, ...]] = set()
    states: Counter[str] = Counter()
    plain: list[ActionItem] = []
    echoing: list[ActionItem] = []
    for item in items:
        identity = (item.dimension, item.target, item.asked[item.languages[0]])
        if identity in taken or states[item.page] == PER_STATE:
            continue
        taken.add(identity)
        states[item.page] += 1
        (echoing if _echoes(item) else plain).append(item)
    room = int(len(plain) * ECHOES / (1 - ECHOES))
    return [*plain, *echoing[:room]][:PER_SITE]


def _echoes(item: ActionItem) -> bool:
    """Tell whether the right option shares more words with the question than any wrong one."""
    tempting = item.wrong[: 2 * WRONG]
    return _shared(item.asked, item.answer) > max(
        _shared(item.asked, option) for option in tempting
    )


def _within(item: Element, screen: Screen) -> bool:
    """Tell whether an element stands in the window, seen or not."""
    return item.box.bottom > 0 and item.box.top < screen.height


def _read(screen: Screen) -> list[tuple[str, str]]:
    """Return what can be read on a screen, from its top to its bottom."""
    shown = [item for item in screen.elements if item.visible_fraction > 0]
    shown.sort(key=lambda item: (item.box.top, item.box.left))
    return [(item.role, item.name or item.text) for item in shown]
