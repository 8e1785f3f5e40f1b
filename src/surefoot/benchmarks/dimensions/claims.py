"""
What can be said of steps through an application, in the words that its screens show.

A claim is what an action did or where it ended. It is said in a language only where its words
can be read there: of pages by their highest heading, of controls by a name that is theirs alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from surefoot.benchmarks.dimensions.walks import SharedStep
from surefoot.capture.actions import parse_actions
from surefoot.core.screen import INTERACTIVE_ROLES, Element, Screen
from surefoot.exploration.effects import MENUS, seen_on
from surefoot.exploration.records import EffectKind
from surefoot.refer.generate.generate import name_visible
from surefoot.refer.scene.names import alike, cut_name, key_of, sayable, spoken
from surefoot.refer.scene.scene import Scene

BANNER: Final = 0.5  # of a site's states: a heading on more of them names no page
DIALOGS: Final = frozenset({"alertdialog", "dialog"})
MESSAGES: Final = frozenset({"alert", "status"})  # they go with whatever is done next
PAGE_TAG: Final = "h1"
NUMBER: Final = re.compile(r"\d+")
SEPARATOR: Final = "\u001f"
ENTERED: Final = frozenset({"search", "enter", "write", "choose"})
ENDS: Final = frozenset({"from", "page", "dialog"})
CHOSEN: Final = frozenset({"checked", "pressed", "selected"})
VANISHING: Final = frozenset({"hide", "change"})
# What is said of an action whose effect has no words of its own.
EFFECTS: Final[Mapping[EffectKind, str]] = {
    "shows": "show", "hides": "hide", "reorders": "order", "changes": "change",
    "switch": "change",
}  # fmt: skip


class Claim(msgspec.Struct, frozen=True):
    """Say one thing that was done, in one language: its kind, the name and the value in it."""

    kind: str
    name: str = ""
    value: str = ""


class Told(msgspec.Struct, frozen=True):
    """
    Hold what a walk shows and what was done on it, in one language.

    ``shown`` are titles, headings and names of dialogs, ``banners`` headings that most pages
    have, ``acted`` names of what was acted on or changed, ``values`` what was typed or chosen.
    """

    shown: frozenset[str]
    banners: frozenset[str]
    acted: frozenset[str]
    values: frozenset[str]

    def may_hold(self, claim: Claim) -> bool:
        """Tell whether a claim could be taken for true."""
        if claim.kind in ENTERED:
            return any(alike(claim.value, value) for value in self.values)
        if any(alike(claim.name, name) for name in self.acted):
            return True
        begun = key_of(claim.name).compact
        return claim.kind in ENDS and (
            any(alike(claim.name, name) for name in self.shown)
            or any(key_of(name).compact.startswith(begun) for name in self.banners)
        )


class SiteScreens:
    """
    Hold the screens of a site by page and language, and read what they call things.

    ``screens`` have their first language first.
    """

    def __init__(self, name: str, screens: Mapping[str, Mapping[str, Screen]]) -> None:
        self.name, self.screens = name, screens
        self.paths = {
            page: parse_actions(next(iter(own.values())).source) for page, own in screens.items()
        }
        self.by_path = {path: page for page, path in self.paths.items()}
        self._scenes: dict[str, Scene] = {}
        self._words: dict[tuple[str, str], str] = {}
        counts = Counter(
            (language, key_of(words).compact)
            for page in screens.values()
            for language, screen in page.items()
            for words in {item.name for item in screen.elements if item.role == "heading"}
        )
        self._banners = {
            key for key, count in counts.items() if count > max(2, BANNER * len(screens))
        }

    def scene(self, page: str, language: str) -> Scene:
        """Return the scene of a screen."""
        screen = self.screens[page][language]
        if screen.id not in self._scenes:
            self._scenes[screen.id] = Scene(screen)
        return self._scenes[screen.id]

    def headings(self, page: str, language: str) -> tuple[Element, ...]:
        """Return the headings that can be read, but for those that most pages have."""
        return tuple(
            item
            for item in self.screens[page][language].elements
            if item.role == "heading"
            and not self.is_banner(item, language)
            and name_visible(self.scene(page, language), item.id)
        )

    def is_banner(self, item: Element, language: str) -> bool:
        """Tell whether most pages of the site have a heading of that name."""
        return (language, key_of(item.name).compact) in self._banners

    def title(self, page: str, language: str) -> str:
        """
        Return what a page calls itself, "" where nothing short does.

        It is the only heading of the first rank, or else the highest of those that the
        document's title has; what stands in a dialog or a menu is none of the page's.
        """
        screen = self.screens[page][language]
        apart = {item.id for item in screen.elements if item.role in DIALOGS | MENUS}
        found = [
            item
            for item in self.headings(page, language)
            if apart.isdisjoint(_above(screen, item))
        ]
        whole = key_of(screen.title).compact
        titled = [item for item in found if key_of(item.name).compact in whole]
        first = [item for item in found if item.attributes.get("tag") == PAGE_TAG]
        own = first if len(first) == 1 else titled
        highest = min(own, key=lambda item: item.attributes.get("tag", "h9"), default=None)
        return _short(highest.name) if highest else ""

    def new_title(self, before: str, after: str, language: str) -> str:
        """Return what a page calls itself, "" where the page before is called or shows that."""
        title = self.title(after, language)
        shown = {
            spoken(item.name)
            for item in self.screens[before][language].elements
            if item.role in {"heading", *DIALOGS} and item.visible_fraction > 0
        }
        known = title in shown or alike(title, self.title(before, language))
        return "" if known else title

    def dialog(self, before: str, after: str, language: str) -> str:
        """Return what a dialog calls itself that came up between two screens."""
        screen = self.screens[after][language]
        known = {item.id for item in self.screens[before][language].elements}
        for item in screen.elements:
            if item.role not in DIALOGS or item.id in known or not item.visible_fraction:
                continue
            inside = [
                heading.name
                for heading in self.headings(after, language)
                if item.id in _above(screen, heading)
            ]
            if name_visible(self.scene(after, language), item.id):
                inside.insert(0, item.name)
            return next(filter(None, map(_short, inside)), "")
        return ""

    def acted_on(self, page: str, language: str, element_id: str) -> str:
        """Return the name of an element that can be read and that no other control bears."""
        screen = self.screens[page][language]
        element = screen.element(element_id)
        if element is None or not name_visible(self.scene(page, language), element_id):
            return ""
        key = key_of(element.name)
        alone = not any(
            item.role in INTERACTIVE_ROLES
            and item.visible_fraction > 0
            and item.id != element_id
            and key_of(item.name) == key
            for item in screen.elements
        )
        return _short(element.name) if alone else ""

    def passes(self, before: str, after: str, language: str, target: str) -> bool:
        """
        Tell whether all that an action took away would have gone whatever was done.

        That is a message, what the action before had opened somewhere else on the page, or what
        a link stood in that led to where one was.
        """
        screen = self.screens[before][language]
        shown, left = seen_on(screen), seen_on(self.screens[after][language])
        gone = shown.keys() - left.keys()
        if (target, "link") in {key[:2] for key in gone} and shown.keys() > left.keys():
            return True
        if all(self.in_message(before, language, shown[key]) for key in gone):
            return bool(gone)
        entry, actions = self.paths[before]
        if not actions or actions[-1].element == target:
            return False
        earlier = (self.by_path.get((entry, actions[:at])) for at in range(len(actions))[::-1])
        page = next(filter(None, earlier), "")
        one = self.screens.get(page, {}).get(language)
        acted = one.element(target) if one else None
        return (
            one is not None
            and one.title == screen.title
            and acted is not None
            and acted.visible_fraction > 0
            and gone.isdisjoint(seen_on(one))
        )

    def in_message(self, page: str, language: str, element: Element) -> bool:
        """Tell whether an element is a message, or stands in one: it goes whatever is done."""
        screen = self.screens[page][language]
        messages = {item.id for item in screen.elements if item.role in MESSAGES}
        return not messages.isdisjoint({element.id, *_above(screen, element)})

    def reads(self, page: str, language: str, words: str, *, numbers: bool = True) -> bool:
        """
        Tell whether words can be read on a screen, in a field or anywhere else.

        Without ``numbers``, other numbers in their places will do.
        """
        key = page, language
        if key not in self._words:
            self._words[key] = "\n".join(
                key_of(form).compact
                for item in self.screens[page][language].elements
                if item.visible_fraction > 0
                for form in (item.text, item.name, item.attributes.get("value", ""))
            )
        wanted, read = key_of(words).compact, self._words[key]
        if not numbers and any(map(str.isdigit, wanted)):
            wanted, read = (NUMBER.sub("0", form) for form in (wanted, read))
        return wanted in read


def _above(screen: Screen, item: Element) -> tuple[str, ...]:
    """Return the ids of what an element stands in, the nearest first."""
    parents = {other.id: other.parent for other in screen.elements}
    found: list[str] = []
    above = item.parent
    while above and above not in found:
        found.append(above)
        above = parents.get(above, "")
    return tuple(found)


def _short(name: str) -> str:
    """Return a name as it is said, "" where it is too long for that or has nothing to say."""
    whole = spoken(name)
    return whole if sayable(whole) and cut_name(whole) == whole else ""


def _claims(site: SiteScreens, step: SharedStep, language: str) -> Iterator[Claim]:
    """Yield what can be said of a step in a language, what tells most of its goal first."""
    before, after = step.acted, step.seen
    effect, name = step.effects[language], site.acted_on(before, language, step.target)
    element = site.screens[before][language].element(step.target)
    role = element.role if element else ""
    value = value_of(element, step)
    if value and site.reads(after, language, value):
        if step.actions[0].kind == "choose":
            yield from [Claim("choose", name, value)] if name else []
        elif role == "searchbox":
            yield Claim("search", value=value)
        else:
            yield Claim("enter", name, value) if name else Claim("write", value=value)
    if effect.kind == "page" and (title := site.new_title(before, after, language)):
        yield Claim("page", title)
    if effect.kind == "dialog" and (dialog := site.dialog(before, after, language)):
        yield Claim("dialog", dialog)
    if not name or value:
        return
    if effect.kind == "menu":
        yield Claim("menu", name)
    elif effect.kind == "page":
        yield from [Claim("follow", name)] if role == "link" else []
    elif effect.kind != "dialog":
        yield Claim(switched(role, effect.gained, effect.lost) or EFFECTS[effect.kind], name)


def value_of(element: Element | None, step: SharedStep) -> str:
    """Return what was typed, or the words of the option that was chosen."""
    first = step.actions[0]
    if first.kind == "type":
        return first.text
    if first.kind != "choose" or element is None:
        return ""
    options = element.attributes.get("options", "").split(SEPARATOR)
    place = int(first.text)
    return options[place].strip() if place < len(options) else ""


def switched(role: str, gained: Sequence[str], lost: Sequence[str]) -> str:
    """Return what became of the element acted on, by the states that it gained and lost."""
    if role == "tab" and "selected" in gained:
        return "tab"
    if "expanded" in gained or "collapsed" in lost:
        return "unfold"
    if "collapsed" in gained or "expanded" in lost:
        return "fold"
    if CHOSEN & {*gained}:
        return "on" if role in {"checkbox", "switch", "menuitemcheckbox"} else "pick"
    return "off" if CHOSEN & {*lost} else ""


def shared_claims(site: SiteScreens, step: SharedStep) -> dict[str, Claim]:
    """
    Return what is said of a step in each language that can say the same; {} where none can.

    It is of one kind in all of them. What most languages can say is said, and of that what
    tells most.
    """
    by_language = {
        language: {
            claim.kind: claim
            for claim in _claims(site, step, language)
            if claim.kind not in VANISHING
            or not site.passes(step.acted, step.seen, language, step.target)
        }
        for language in step.effects
    }
    first = next(iter(by_language), "")
    kinds = list(by_language.get(first, ()))
    if not kinds:
        return {}
    best = max(kinds, key=lambda kind: sum(kind in own for own in by_language.values()))
    return {language: own[best] for language, own in by_language.items() if best in own}
