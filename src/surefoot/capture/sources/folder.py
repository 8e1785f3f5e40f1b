"""
A folder of pages, or one ``.html`` file in its folder, served from its own root.

``folder:ROOT#PAGE`` names one page; ``#PAGE`` is percent-encoded and relative to the root.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from surefoot.capture.address import (
    Address,
    OpenedAddress,
    PageSource,
    Services,
    html_pages,
    origin_for,
)
from surefoot.capture.contents import folder_digests
from surefoot.capture.routes import Folder
from surefoot.core.errors import InvalidInputError


class FolderSource(PageSource):
    """Serve files of this machine."""

    name = "folder"
    version = 2

    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return the HTML pages of ``ROOT``, ``ROOT#PAGE`` or of a single file, sorted.

        Raises InvalidInputError where there is no such folder or page.
        """
        root, under = _split(rest)
        return tuple(
            Address(f"folder:{root}#{page}", f"{root.resolve().name}/{page}", root.resolve().name)
            for page in html_pages(root, under)
        )

    def contents(self, addresses: Iterable[Address]) -> dict[str, dict[str, str]]:
        """Return the digests of all files that the folders may serve."""
        places = {address.spec.rpartition("#")[0] for address in addresses}
        return {
            place: folder_digests(Path(place.removeprefix("folder:"))) for place in sorted(places)
        }

    def open(self, address: Address, services: Services) -> OpenedAddress:
        """
        Serve the root; the page must be one of its files.

        Of a root whose contents are known, those files alone are served.
        """
        root, page = _split(address.spec.removeprefix("folder:"))
        place = address.spec.rpartition("#")[0]
        digests = services.contents.get(place)
        if digests is None:
            html_pages(root, page)
        origin = origin_for(f"folder-{root.resolve().name}")
        return OpenedAddress(f"{origin}/{page}", Folder(origin, root.resolve(), digests, place))


FOLDER = FolderSource()


def _split(rest: str) -> tuple[Path, str]:
    text, _, page = rest.rpartition("#") if "#" in rest else (rest, "", "")
    root = Path(text)
    if not page and root.is_file():
        return root.parent, root.name.replace("%", "%25")
    if not root.is_dir():
        raise InvalidInputError("a folder or an HTML file", found=f"'{text}'")
    return root, page
