"""
What the worker processes of a browser run do: capture a page, or build a benchmark's page.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from surefoot.benchmarks.benchmark import BENCHMARKS, BuildOptions, PageResult
from surefoot.benchmarks.crossing.bases import page_over
from surefoot.benchmarks.crossing.design import ScreenCell
from surefoot.capture.access.secrets import Secrets
from surefoot.capture.captured import Capture
from surefoot.capture.contents import Contents
from surefoot.capture.parallel.structure import ParallelScreen
from surefoot.capture.reasons import told_of
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, address_of, is_still, record_still
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.capture.web.twice import capture_twice
from surefoot.capture.web.variants import capture_variants
from surefoot.core.canonical import record_json
from surefoot.core.edit import Edit
from surefoot.core.errors import CaptureError
from surefoot.core.foreign.scrubbing import Scrubber
from surefoot.core.question import Question
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.perturb.image.change import change_picture, split_edits
from surefoot.run.engine.notes import note
from surefoot.run.engine.worker import UnitFunction

NAMED: Final = 5
FEWEST: Final = 2


class PageBrowser:
    """Open pages in a browser, which is started at the first page and ended on exit."""

    def __init__(
        self,
        stack: contextlib.ExitStack,
        settings: Settings,
        store: ObjectStore,
        contents: Contents | None,
        secrets: Secrets,
    ) -> None:
        self._stack = stack
        self._settings = settings
        self._store = store
        self._contents = contents
        self._secrets = secrets
        self._browser: Browser | None = None
        # Of the page that is worked on, what was captured by itself, by the variants' names.
        self.elsewhere: Mapping[str, Screen] = {}

    def capture(self, address: Address, locale: str = "", *, twice: bool = True) -> Capture:
        """
        Capture the original of any address, with the browser where it is a page.

        A ``locale`` goes before that of the settings, and has the structure read. What is no page
        is the same by its digest, and explorations come to each state again by themselves, not
        ``twice`` here.
        """
        settings = self._in(locale)
        if is_still(address):
            return record_still(address, settings, self._contents)
        take = capture_twice if twice else capture
        return take(self._started(), address, settings, structured=bool(locale))

    def check_lost(self, address: Address) -> None:
        """Raise CaptureError "destroys" where the last visit made pages of the site vanish."""
        lost = self._started().lost(address)
        if lost:
            raise CaptureError(
                "destroys",
                expected="the pages that others begin from",
                found=f"{len(lost)} of them gone: {', '.join(lost[:NAMED])}",
            )

    def render(self, screen: Screen, variant: str, edits: Sequence[Edit]) -> Capture:
        """
        Return a screen with edits: its page rendered again, and then its picture changed.

        Where all edits are of the picture nothing is rendered: the stored picture is taken,
        of whatever source. Raises CaptureError where a page has to be rendered and the
        screen is no web page.
        """
        if variant in self.elsewhere:
            found = self.elsewhere[variant]
            return Capture(found, self._store.get(found.image))
        page, picture = split_edits(edits)
        if not picture:
            return self._rendered(screen, variant, page)
        if page:
            captured = self._rendered(screen, variant, page)
        else:
            captured = Capture(screen, self._store.get(screen.image))
        return Capture(*change_picture(captured.screen, captured.png, picture, variant=variant))

    def render_all(
        self, screen: Screen, variants: Mapping[str, Sequence[Edit]]
    ) -> dict[str, Capture]:
        """
        Return a screen under each of its variants, by name, as ``render`` does.

        What needs the page rendered again is captured from one load of it, where that comes to
        the same; why it did not is noted, "" where it did.
        """
        parts = {name: split_edits(edits) for name, edits in variants.items()}
        opened = {
            name: page
            for name, (page, picture) in parts.items()
            if name not in self.elsewhere and (page or not picture)
        }
        if len(opened) < FEWEST or is_still(address_of(screen.source)):
            return {name: self.render(screen, name, edits) for name, edits in variants.items()}
        made = capture_variants(
            self._started(), address_of(screen.source), self._in(screen.locale), opened, screen
        )
        note(made.anew)
        found = {}
        for name, edits in variants.items():
            if name not in made.captures:
                found[name] = self.render(screen, name, edits)
                continue
            captured, picture = made.captures[name], parts[name][1]
            if picture:
                seen = change_picture(captured.screen, captured.png, picture, variant=name)
                captured = Capture(*seen)
            found[name] = captured
        return found

    def _rendered(self, screen: Screen, variant: str, edits: Sequence[Edit]) -> Capture:
        address = address_of(screen.source)
        if is_still(address):
            raise CaptureError(
                "not-a-page",
                expected="a web page, which can be rendered again with edits",
                found=screen.source,
                remedy="build this benchmark from web pages only",
            )
        return capture(
            self._started(),
            address,
            self._in(screen.locale),
            variant=variant,
            edits=edits,
            original=screen,
        )

    def _in(self, locale: str) -> Settings:
        """Return the settings in a locale: screens of one folder may be in several."""
        return msgspec.structs.replace(self._settings, locale=locale or self._settings.locale)

    def _started(self) -> Browser:
        if self._browser is None:
            made = Browser(
                contents=self._contents, secrets=self._secrets, ca=self._settings.reached.ca
            )
            self._browser = self._stack.enter_context(made)
        return self._browser


@contextlib.contextmanager
def capturer(
    *,
    folder: str,
    settings: dict[str, Any],
    contents: Contents | None = None,
    explores: bool = False,
    secrets: dict[str, Any] | None = None,
) -> Iterator[UnitFunction]:
    """
    Turn an address into a screen, spelt as canonical JSON; the image goes to the store.

    Where one ``explores``, an action that makes pages vanish is a failure: "destroys". Nothing
    that is returned or raised repeats one of the ``secrets``.
    """
    store = ObjectStore(Path(folder))
    known = msgspec.convert(secrets or {}, Secrets)
    with contextlib.ExitStack() as stack:
        pages = PageBrowser(stack, msgspec.convert(settings, Settings), store, contents, known)
        scrub = Scrubber(*known.values())

        def work(body: dict[str, Any]) -> bytes:
            address = msgspec.convert(body["address"], Address)
            locale = body.get("locale", "")
            with scrub, told_of(address.spec):
                try:
                    captured = pages.capture(address, locale, twice=not explores)
                finally:
                    if explores and address.actions:
                        pages.check_lost(address)
            store.put(captured.png)
            if locale:
                parallel = ParallelScreen.of(captured.screen, captured.structure)
                return record_json(parallel, ParallelScreen, what="a screen")
            return record_json(captured.screen, Screen, what="a screen")

        yield work


@contextlib.contextmanager
def builder(
    *,
    benchmark: str,
    folder: str,
    options: dict[str, Any],
    contents: Contents | None = None,
    secrets: dict[str, Any] | None = None,
) -> Iterator[UnitFunction]:
    """
    Turn an original screen, or a set's screen with its questions, into a page's result.

    Nothing that is returned or raised repeats one of the ``secrets``.
    """
    store = ObjectStore(Path(folder))
    chosen = BENCHMARKS.get(benchmark)
    wanted = msgspec.convert(options, BuildOptions)
    known = msgspec.convert(secrets or {}, Secrets)
    with contextlib.ExitStack() as stack:
        pages = PageBrowser(stack, wanted.settings, store, contents, known)
        scrub = Scrubber(*known.values())

        def work(body: dict[str, Any]) -> bytes:
            screen = msgspec.convert(body["screen"], Screen)
            asked = body.get("questions")
            pages.elsewhere = msgspec.convert(body.get("elsewhere", {}), dict[str, Screen])
            with scrub, told_of(screen.source):
                if asked is None or chosen.labelled is None:
                    cells = msgspec.convert(body.get("cells", ()), tuple[ScreenCell, ...])
                    if cells:
                        result = page_over(chosen, screen, pages, store, wanted, cells)
                    else:
                        result = chosen.page(screen, pages, store, wanted)
                else:
                    questions = msgspec.convert(asked, tuple[Question, ...])
                    result = chosen.labelled(screen, questions, store, wanted)
            return record_json(result, PageResult, what="a page's result")

        yield work
