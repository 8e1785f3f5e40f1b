"""
Archives are known by their content, and named without their place.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.capture.sources import Services, list_addresses, open_address
from surefoot.core.errors import InvalidInputError

HEAD = (
    "From: <Saved>\r\nSnapshot-Content-Location: https://shop.example/cart\r\n"
    'Content-Type: multipart/related; type="text/html"; boundary="x"\r\n\r\n--x\r\n'
)


def test_archive_is_named_by_site_and_content(tmp_path: Path) -> None:
    """The site is where the page was saved from; other content is another page."""
    file = tmp_path / "cart.MHTML"
    file.write_text(HEAD)
    (first,) = list_addresses(str(file))
    file.write_text(HEAD + "more")
    (second,) = list_addresses(str(file))
    assert first.site == "shop.example"
    assert first.page.startswith("shop.example/cart-")
    assert first.page != second.page
    assert not first.scripted
    assert list_addresses(second.spec) == (second,)
    with Services() as services:
        opened = open_address(second, services)
    assert opened.route is None
    assert opened.size == len(HEAD) + 4


@pytest.mark.parametrize(
    ("location", "site"),
    [("http://127.0.0.1:8001/cart", "127.0.0.1:8001"), ("http://a:b/", "cart"), ("", "cart")],
)
def test_the_site_has_its_port_or_the_files_name(tmp_path: Path, location: str, site: str) -> None:
    """A port tells sites of one host apart; without an address the file's name stands in."""
    file = tmp_path / "cart.mhtml"
    file.write_text(HEAD.replace("https://shop.example/cart", location))

    (found,) = list_addresses(str(file))
    assert found.site == site


@pytest.mark.parametrize("content", ["", "<html><p>a page</p></html>", "\x00\x01\x02"])
def test_other_content_is_refused(tmp_path: Path, content: str) -> None:
    """A file that only bears the name of an archive is the caller's mistake."""
    file = tmp_path / "page.mht"
    file.write_text(content)
    with pytest.raises(InvalidInputError, match="MHTML"):
        list_addresses(str(file))


def test_missing_archive_is_refused(tmp_path: Path) -> None:
    """A file that is not there is the caller's mistake."""
    with pytest.raises(InvalidInputError, match="existing"):
        list_addresses(str(tmp_path / "absent.mhtml"))
