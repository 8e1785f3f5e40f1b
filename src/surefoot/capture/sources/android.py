"""
Android screens: a folder of screenshots with uiautomator dumps or RICO view hierarchies.

``NAME.xml`` (what ``uiautomator dump`` writes) or ``NAME.json`` (RICO) lies beside
``NAME.png`` or ``NAME.jpg``. Boxes of a dump are pixels of its screenshot; boxes of RICO
are scaled from its screen of 1440 x 2560 to the picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.capture.address import Address, StillSource
from surefoot.capture.android.nodes import nodes_of
from surefoot.capture.android.rico import read_rico
from surefoot.capture.android.uiautomator import read_uiautomator
from surefoot.capture.android.views import AndroidView, Dump, painting_order
from surefoot.capture.captured import Capture
from surefoot.capture.described.assembly import assemble
from surefoot.capture.described.pairs import (
    Picture,
    bad,
    list_stills,
    locate,
    picture_of,
    reader_hash,
    still_contents,
)
from surefoot.capture.settings import Settings
from surefoot.core.canonical import digest, sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen

# Raised whenever the same files would give other labels or pixels.
DESCRIPTIONS: Final = (".xml", ".json")
PICTURES: Final = (".png", ".jpg", ".jpeg")
SLACK_PX: Final = 1.0
SHORT: Final = 0.85  # of a side: less is left by no bar of the system beside a window
SLACK_ASPECT: Final = 0.02
SYSTEM: Final = "com.android.systemui"


class AndroidSource(StillSource):
    """Read screenshots with uiautomator dumps or RICO view hierarchies."""

    name = "android"
    version = 2

    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return the screens of ``DIR`` or ``DIR#NAME``, sorted by name.

        Raises InvalidInputError where there is no such folder or no dump in it.
        """
        return list_stills(self.name, rest, DESCRIPTIONS)

    def contents(self, addresses: Iterable[Address]) -> dict[str, dict[str, str]]:
        """Return the digests of the pictures and of what describes them."""
        return still_contents(self.name, addresses, (*DESCRIPTIONS, *PICTURES))

    def identity(self, _addresses: Iterable[Address]) -> dict[str, str]:
        """Return the reader's version."""
        return {"reader": reader_hash(self.name, self.version)}

    def record(self, address: Address, settings: Settings) -> Capture:
        """
        Return one screen and its picture.

        Raises CaptureError, with the file and the place in it, for a file that is missing,
        double, too large or broken, and for a picture of another size than the dump's.
        """
        still = locate(address)
        found = [suffix for suffix in DESCRIPTIONS if still.has(suffix)]
        if len(found) != 1:
            choice = " or ".join(DESCRIPTIONS)
            raise bad("missing-file", "one dump", still.place(f" ({choice})"), str(len(found)))
        content = still.read(found[0])
        picture = picture_of(still, PICTURES, settings.limits)
        place, most = still.place(found[0]), settings.limits.nodes
        if found[0] == ".xml":
            dump = read_uiautomator(content, place, most)
        else:
            upright = picture.width <= picture.height
            dump = read_rico(content, place, most, upright=upright)
        try:
            return _captured(address, settings, picture, _Placed(place, dump, picture.pixels))
        except InvalidInputError as error:
            raise bad("bad-tree", error.expected, place, error.found) from None


ANDROID = AndroidSource()


def dump_elements(
    place: str, dump: Dump, pixels: NDArray[np.uint8]
) -> tuple[tuple[Element, ...], str]:
    """
    Return the elements of a dump in pixels of its picture, and the program they belong to.

    ``place`` is what messages call the dump, ``pixels`` the picture, height x width x 3.
    Raises CaptureError for a picture of other proportions and a dump without a view on it,
    and InvalidInputError for parents that cannot be.
    """
    placed = _Placed(place, dump, pixels)
    return placed.elements(), placed.package()


class _Placed:
    """Hold the views that have an area in the picture, and their boxes there."""

    def __init__(self, place: str, dump: Dump, pixels: NDArray[np.uint8]) -> None:
        self.place = place
        self.pixels = pixels
        self.bounds = Box(0.0, 0.0, float(pixels.shape[1]), float(pixels.shape[0]))
        x, y = self._factors(dump)
        scaled = [item.box.scaled(x, y) if item.box else None for item in dump.views]
        if dump.width is None:
            self._check_roots(dump.views, scaled)
        self.views: list[AndroidView] = []
        self.boxes: list[Box] = []
        kept: dict[int, int] = {-1: -1}
        for index, (view, box) in enumerate(zip(dump.views, scaled, strict=True)):
            parent = kept[view.parent]
            kept[index] = parent
            if box is not None and box.intersection(self.bounds) is not None:
                kept[index] = len(self.views)
                self.views.append(msgspec.structs.replace(view, parent=parent))
                self.boxes.append(box)
        if not self.views:
            raise bad("bad-tree", "a view on the screen", place, "none")

    def _factors(self, dump: Dump) -> tuple[float, float]:
        if dump.width is None or dump.height is None:
            return 1.0, 1.0
        x, y = self.bounds.width / dump.width, self.bounds.height / dump.height
        if abs(x / y - 1) > SLACK_ASPECT:
            expected = f"a picture of {dump.width:.0f} to {dump.height:.0f}"
            found = f"{self.bounds.width:.0f} x {self.bounds.height:.0f} pixels"
            raise bad("bad-picture", expected, self.place, found)
        return x, y

    def _check_roots(self, views: Sequence[AndroidView], boxes: Sequence[Box | None]) -> None:
        """
        Refuse windows that do not fit the picture: the dump is of another size.

        They lie inside of it, and those that begin at its upper left corner reach its right or
        its lower border, but for a bar of the system at the other. A dialog begins elsewhere.
        """
        grown = Box(
            -SLACK_PX, -SLACK_PX, self.bounds.right + SLACK_PX, self.bounds.bottom + SLACK_PX
        )
        for view, box in zip(views, boxes, strict=True):
            if view.parent < 0 and box is not None and box.intersection(grown) != box:
                size = f"{self.bounds.width:.0f} x {self.bounds.height:.0f}"
                expected = f"windows inside the picture, {size} pixels,"
                raise bad("bad-box", expected, self.place, str(box.as_tuple()))
        roots = [box for view, box in zip(views, boxes, strict=True) if view.parent < 0 and box]
        if not roots:
            return
        whole = Box.around(roots)
        across, down = whole.right / self.bounds.width, whole.bottom / self.bounds.height
        reaches = max(whole.right - self.bounds.right, whole.bottom - self.bounds.bottom)
        short = reaches < -SLACK_PX or min(across, down) < SHORT
        if max(whole.left, whole.top) <= SLACK_PX and short:
            raise bad(
                "bad-box",
                f"windows that fill the picture, {self.bounds.width:.0f} x "
                f"{self.bounds.height:.0f} pixels,",
                self.place,
                f"{whole.width:.0f} x {whole.height:.0f}",
                "take the dump and the picture of one screen, at its own size",
            )

    def elements(self) -> tuple[Element, ...]:
        """Return the elements that the views are."""
        nodes = nodes_of(self.views, self.boxes, self.bounds)
        return assemble(nodes, self.pixels, painting_order(self.views))

    def package(self) -> str:
        """Return the program that most views belong to, "" where none tells."""
        packages = (view.package for view in self.views if view.package not in ("", SYSTEM))
        return next((name for name, _ in Counter(packages).most_common(1)), "")


def _captured(address: Address, settings: Settings, picture: Picture, placed: _Placed) -> Capture:
    elements = placed.elements()
    image = sha256(picture.png)
    screen = Screen(
        id=digest([address.page, image, elements])[:16],
        page=address.page,
        source=address.spec,
        image=image,
        width=picture.width,
        height=picture.height,
        scale=1.0,
        platform="mobile",
        locale=settings.locale,
        elements=elements,
        site=placed.package() or address.site,
        toolkit="Android",
    )
    return Capture(screen, picture.png)
