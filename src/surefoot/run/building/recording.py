"""
The work behind ``surefoot record``: pages of a live server become frozen ones in a folder.
"""

from __future__ import annotations

import datetime as dt
import io
import urllib.parse
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from PIL import Image, ImageChops, ImageDraw

from surefoot.capture.access.secrets import GONE, hiding, is_live
from surefoot.capture.access.states import moment
from surefoot.capture.captured import Capture
from surefoot.capture.reasons import explained
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address
from surefoot.capture.sources.recorded import (
    FILES,
    LIST,
    RECORDED,
    VERSION,
    RecordedPage,
    RecordedView,
    Recording,
    read_recording,
    write_recording,
)
from surefoot.capture.web.asked import verify_words
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.freezing import FrozenPage, freeze
from surefoot.capture.web.page import capture
from surefoot.capture.web.shoot import ViewScale
from surefoot.capture.web.twice import verify_reached
from surefoot.core.canonical import digest
from surefoot.core.errors import CaptureError, InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.core.geometry import Box
from surefoot.core.ledger import Failure
from surefoot.core.screen import Element, Screen
from surefoot.run.building.capturing import named_pages
from surefoot.run.building.entering import (
    entered,
    refuse_clear_passwords,
    without_repeated,
)
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.capture.web.visit import Visit
    from surefoot.capture.web.world import World

DIFFERENCES: Final = "differences"
NAMED: Final = 3
RED: Final = (220, 0, 0)
UNTRUE: Final = "not-true"


class ScreenDifference(msgspec.Struct, frozen=True):
    """
    Say what two captures of a page differ in, but for the parts that were left out.

    ``pixels`` of ``size`` differ; ``came`` and ``went`` are elements of one alone, ``changed``
    those that have another role, name, place or reach. ``picture`` is a PNG of the second with
    what differs in red, empty where no pixel does.
    """

    pixels: int
    size: int
    came: tuple[Element, ...] = ()
    went: tuple[Element, ...] = ()
    changed: tuple[Element, ...] = ()
    picture: bytes = b""

    def __bool__(self) -> bool:
        return bool(self.pixels or self.came or self.went or self.changed)

    def __str__(self) -> str:
        """
        Say it in a line.

        >>> str(ScreenDifference(5, 1000))
        '0.5000 % of the pixels (5)'
        """
        parts = [f"{self.pixels / self.size:.4%} of the pixels ({self.pixels})"]
        parts[0] = parts[0].replace("%", " %", 1)
        for word in ("came", "went", "changed"):
            found: tuple[Element, ...] = getattr(self, word)
            if found:
                names = ", ".join(
                    f"{element.role} '{(element.name or element.text)[:40]}'"
                    for element in found[:3]
                )
                more = " and more" if len(found) > NAMED else ""
                parts.append(f"{len(found)} elements {word} ({names}{more})")
        return ", ".join(parts)


def compare_screens(
    one: Capture, other: Capture, *, boxes: Sequence[Box] = (), ignored: Collection[str] = ()
) -> ScreenDifference:
    """
    Return what two captures of a page differ in.

    Pixels in ``boxes`` and elements by the ids in ``ignored`` do not count, nor does what is
    painted where a secret was taken out of the words.
    """
    left, right = (
        {item.id: item for item in side.screen.elements if item.id not in ignored}
        for side in (one, other)
    )
    hidden = [item for item in left.values() if GONE in item.name + item.text]
    unseen = {item.id for item in hidden}
    changed = [
        item
        for item in right.values()
        if item.id in left and _told(item, unseen) != _told(left[item.id], unseen)
    ]
    pictures = [Image.open(io.BytesIO(side.png)).convert("RGB") for side in (one, other)]
    size = pictures[0].width * pictures[0].height
    came = tuple(item for name, item in right.items() if name not in left)
    went = tuple(item for name, item in left.items() if name not in right)
    if pictures[0].size != pictures[1].size:
        return ScreenDifference(size, size, came, went, tuple(changed), other.png)
    found = ImageChops.difference(*pictures)
    draw = ImageDraw.Draw(found)
    for box in (*boxes, *(item.box for item in hidden)):
        draw.rectangle(tuple(map(round, box.as_tuple())), fill=(0, 0, 0))
    mask = (
        found.point(lambda value: 255 if value else 0)
        .convert("L")
        .point(lambda value: 255 if value else 0, "1")
    )
    pixels = mask.histogram()[-1]
    picture = _marked(pictures[1], mask) if pixels else b""
    return ScreenDifference(pixels, size, came, went, tuple(changed), picture)


def _told(item: Element, unseen: Collection[str]) -> tuple[object, ...]:
    if item.id in unseen:
        return (item.role,)
    return (item.role, item.name, item.text, item.box, item.hits, item.states)


def _marked(picture: Image.Image, mask: Image.Image) -> bytes:
    pale = Image.blend(
        picture.convert("L").convert("RGB"), Image.new("RGB", picture.size, "white"), 0.6
    )
    pale.paste(RED, mask=mask)
    where = mask.getbbox()
    if where:
        ImageDraw.Draw(pale).rectangle(where, outline=RED)
    written = io.BytesIO()
    pale.save(written, "PNG")
    return written.getvalue()


def record_pages(
    specs: Sequence[str],
    out: Path,
    settings: Settings,
    *,
    ignore: Sequence[str] = (),
    console: Console | None = None,
) -> Outcome:
    """
    Record each page as it is seen with the settings, beside what the folder holds already.

    Each is loaded twice, frozen, and captured from the recording, offline. The lines of the
    outcome say for each whether that is what the live page showed, and what two loads differ in;
    a page that fails, or is not the same, is a failure. Pages believe that it is now, and draw
    their random numbers by their name, whatever port serves them. Raises InvalidInputError for
    pages that are not of one live server, and for a folder that is no recording.
    """
    addresses = named_pages(specs)
    _check_origin(addresses)
    recording = _begun(out)
    clock = settings.reached.clock or moment(dt.datetime.now(dt.UTC))
    access = msgspec.structs.replace(settings.reached, clock=clock)
    settings = msgspec.structs.replace(settings, access=access)
    secrets = entered(settings, [address.spec for address in addresses], console)
    refuse_clear_passwords(addresses, settings, secrets)
    hide = hiding(secrets.values())
    lines: list[str] = []
    failures: list[Failure] = []
    screens: list[Screen] = []
    with Browser(secrets=secrets, ca=access.ca) as browser:
        if console is not None:
            console.print(f"confinement: {browser.confinement}", markup=False, highlight=False)
        for address in addresses:
            name = hide(page_name(address))
            try:
                loaded = _load(browser, address, name, settings, tuple(ignore))
                page = _write(loaded, name, out, settings, tuple(ignore))
                recording = recording.with_page(page)
                write_recording(out, recording)
                line, same = _said_again(browser, loaded, page, out, settings)
            except CaptureError as error:
                failures.append(Failure(address.spec, error.reason, hide(str(error))))
                continue
            screens.append(loaded.first.screen)
            lines.append(line)
            if not same:
                wanted = f"{name} frozen as the live page shows it"
                untrue = explained(CaptureError(UNTRUE, expected=wanted, found=line), name)
                failures.append(Failure(address.spec, UNTRUE, str(untrue)))
    failures += without_repeated(screens, (), settings)[1]
    failed = len({failure.key for failure in failures})
    tally = Tally(len(addresses), done=len(addresses) - failed, failed=failed)
    return Outcome(out, tally, tuple(failures), tuple(lines))


def page_name(address: Address) -> str:
    """
    Return what a page of a live server is called: its address without the origin.

    >>> page_name(Address("http://127.0.0.1:8000/#/orders?page=2", "", ""))
    '/#/orders?page=2'
    """
    parts = urllib.parse.urlsplit(address.entry.spec)
    way = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, parts.fragment))
    return way + address.page.removeprefix(address.entry.page)


class _Loaded(msgspec.Struct, frozen=True):
    first: Capture
    frozen: FrozenPage
    loads: ScreenDifference


def _check_origin(addresses: Sequence[Address]) -> None:
    strange = [address.spec for address in addresses if not is_live(address.spec)]
    origins = dict.fromkeys(
        urllib.parse.urlsplit(address.spec)._replace(path="", query="", fragment="").geturl()
        for address in addresses
    )
    if strange or len(origins) > 1:
        raise InvalidInputError(
            "pages of one live server, as in http://127.0.0.1:8000/orders",
            found=", ".join(list(strange or origins)[:3]),
            remedy="record each server into a folder of its own; other sources stay as they are",
        )


def _begun(out: Path) -> Recording:
    """Return what a folder holds of a recording so far."""
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / LIST).is_file())):
        raise InvalidInputError(
            f"a new folder, or one that `surefoot record` wrote, {out}",
            found="other files",
            remedy="name another folder",
        )
    return read_recording(out) if (out / LIST).is_file() else Recording(VERSION)


def _load(
    browser: Browser, address: Address, name: str, settings: Settings, ignore: tuple[str, ...]
) -> _Loaded:
    """Load a page twice, and freeze the first; raises CaptureError where it is another one."""
    # The name draws random numbers: the host and its port are no part of it.
    named = msgspec.structs.replace(address, page=f"recorded {name}", site="recorded")
    found: list[FrozenPage] = []

    def then(visit: Visit, world: World) -> None:
        found.append(freeze(visit, world, ViewScale.of(settings).scale, ignore))

    first = capture(browser, named, settings, then=then)
    frozen = found[-1]
    verify_reached(browser, named, settings, first)
    if not settings.reached.public:
        verify_words(first.screen, busy=frozen.busy)
    loads = _compared(first, capture(browser, named, settings), frozen)
    return _Loaded(first, frozen, loads)


def _compared(one: Capture, other: Capture, frozen: FrozenPage) -> ScreenDifference:
    return compare_screens(one, other, boxes=frozen.boxes, ignored=frozen.ignored)


def _write(
    loaded: _Loaded, name: str, out: Path, settings: Settings, ignore: tuple[str, ...]
) -> RecordedPage:
    """Write the files of a page, and return its record."""
    frozen = loaded.frozen
    (out / FILES).mkdir(parents=True, exist_ok=True)
    for file, data in frozen.files.items():
        write_atomic(out / FILES / file, data)
    return RecordedPage(
        name,
        RecordedView.of(settings),
        frozen.document,
        tuple(sorted(frozen.files)),
        frozen.target,
        settings.reached.clock,
        ignore,
        str(loaded.loads) if loaded.loads else "",
        frozen.lost,
    )


def _said_again(
    browser: Browser, loaded: _Loaded, page: RecordedPage, out: Path, settings: Settings
) -> tuple[str, bool]:
    """Capture a page from its recording; say what that differs in, and whether in nothing."""
    site = out.resolve().stem
    address = Address(f"{RECORDED.name}:{out}#{page.name}", f"{site}{page.name}", site)
    offline = msgspec.structs.replace(settings, access=msgspec.UNSET)
    again = capture(browser, address, offline)
    found = _compared(loaded.first, again, loaded.frozen)
    asked = len(loaded.first.screen.elements) - len(loaded.frozen.ignored)
    verdict = str(found) if found else f"equal, {found.size} pixels and {max(asked, 0)} elements"
    parts = [f"{page.name} ({page.view}): {verdict}{_shown(found, out, page, 'frozen')}"]
    if loaded.loads:
        parts.append(f"two loads differ: {loaded.loads}{_shown(loaded.loads, out, page, 'loads')}")
    if loaded.frozen.hidden:
        parts.append(f"secrets taken out of {loaded.frozen.hidden} texts")
    if loaded.frozen.busy:
        parts.append("it says that more is to come: see --ready")
    missing = {_way(place) for place in loaded.first.screen.missing}
    lost = [place for place in again.screen.missing if _way(place) not in missing]
    parts += [f"missing: {item}" for item in (*loaded.frozen.lost, *lost)]
    return "; ".join(parts), not found


def _way(place: str) -> str:
    """Return an address without its origin, by which a replay's is compared with a live one."""
    parts = urllib.parse.urlsplit(place)
    return parts._replace(scheme="", netloc="").geturl() if parts.netloc else place


def _shown(found: ScreenDifference, out: Path, page: RecordedPage, what: str) -> str:
    """Write the picture of a difference, and say where it lies."""
    if not found.picture:
        return ""
    file = Path(DIFFERENCES, f"{digest([page.name, page.view])[:12]}-{what}.png")
    (out / DIFFERENCES).mkdir(parents=True, exist_ok=True)
    write_atomic(out / file, found.picture)
    return f" ({file})"
