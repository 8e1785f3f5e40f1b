"""
Items with their four options, and how both are said in a language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import msgspec

from surefoot.benchmarks.dimensions.actions import ActionItem
from surefoot.benchmarks.dimensions.claims import SiteScreens
from surefoot.benchmarks.dimensions.goals import GoalItem
from surefoot.benchmarks.dimensions.items import SharedItem, SharedPage
from surefoot.benchmarks.dimensions.options import SaidOption
from surefoot.benchmarks.dimensions.sentences import sentences_of

ROLELESS: Final = frozenset({"wf", "wi"})  # where a role would give the answer away
Item: TypeAlias = SharedItem | GoalItem | ActionItem


class SharedScreens(msgspec.Struct, frozen=True):
    """Hold what items are of: pages in several languages, and sites with their states."""

    pages: Mapping[str, SharedPage]
    sites: Mapping[str, SiteScreens]

    def site(self, item: Item) -> str:
        """Return the name of the site that an item is of."""
        return self.pages[item.page].site if isinstance(item, SharedItem) else item.site

    def languages(self, item: Item) -> tuple[str, ...]:
        """Return the languages in which an item is asked, the first one first."""
        if isinstance(item, SharedItem):
            return self.pages[item.page].languages
        return item.languages


class AskedItem(msgspec.Struct, frozen=True):
    """
    Hold an item with its four options in order, and the place of the right one.

    ``said`` are the options of an item about what was executed; ``withheld`` the languages in
    which it is not asked, since a blind reader would know it there.
    """

    item: Item
    options: tuple[str, ...]
    right: int
    said: tuple[SaidOption, ...] = ()
    withheld: tuple[str, ...] = ()

    def languages(self, shared: SharedScreens) -> tuple[str, ...]:
        """Return the languages in which it is asked, the first one first."""
        own = shared.languages(self.item)
        return tuple(language for language in own if language not in self.withheld)

    def sentences(
        self, shared: SharedScreens, language: str, shown: str = ""
    ) -> tuple[str, tuple[str, ...]]:
        """Return the question and its options in a language, with the names ``shown`` in one."""
        if not isinstance(self.item, SharedItem):
            where = shown or language
            options = tuple(option.say(language, where) for option in self.said)
            return self.item.question(language, where), options
        return self._about_page(self.item, shared.pages[self.item.page], language, shown)

    def _about_page(
        self, item: SharedItem, found: SharedPage, language: str, shown: str
    ) -> tuple[str, tuple[str, ...]]:
        table, named = sentences_of(language), found.named[shown or language]

        def called(key: str) -> str:
            role = "" if item.dimension in ROLELESS else named[key].element.role
            return table.called(named[key].name, role)

        if item.named:
            return table.asked(item.dimension, item.key), tuple(map(called, self.options))
        slots = {"element": called(item.target)}
        if item.other:
            slots["other"] = called(item.other)
        words = tuple(table.option(item.dimension, key) for key in self.options)
        return table.asked(item.dimension, **slots), words
