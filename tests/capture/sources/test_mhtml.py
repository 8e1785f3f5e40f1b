"""
Archives are known by their content, and named without their place.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.sources import Services, list_addresses, open_address
from surefoot.core.errors import CaptureError, InvalidInputError

HEAD = (
    "From: <Saved>\r\nSnapshot-Content-Location: https://shop.example/cart\r\n"
    'Content-Type: multipart/related; type="text/html"; boundary="x"\r\n\r\n--x\r\n'
)

WHOLE = HEAD.encode() + b"Content-Type: text/html\r\n\r\n<p>hello</p>\r\n--x--\r\n"


def test_archive_is_named_by_site_and_content(tmp_path: Path) -> None:
    """The site is where the page was saved from; other content is another page."""
    file = tmp_path / "cart.MHTML"
    file.write_bytes(WHOLE)
    (first,) = list_addresses(str(file))
    file.write_bytes(WHOLE + b"more")
    (second,) = list_addresses(str(file))
    assert first.site == "shop.example"
    assert first.page.startswith("shop.example/cart-")
    assert first.page != second.page
    assert not first.scripted
    assert list_addresses(second.spec) == (second,)
    with Services() as services:
        shown = open_address(second, services)
    assert shown.url == "http://mhtml-shop-example.localhost/index.html"
    assert shown.size == len(WHOLE) + 4


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


def opened(file: Path) -> CaptureError | None:
    """Open an archive and return why it was refused."""
    (address,) = list_addresses(str(file))
    try:
        with Services() as services:
            open_address(address, services)
    except CaptureError as error:
        return error
    return None


@pytest.mark.parametrize("content", ["", "<html><p>a page</p></html>", "\x00\x01\x02"])
def test_other_content_costs_one_page(tmp_path: Path, content: str) -> None:
    """A file that only bears the name of an archive has an address, and is refused when opened."""
    file = tmp_path / "page.mht"
    file.write_text(content)
    error = opened(file)
    assert error is not None
    assert error.reason == "bad-archive"
    assert "page.mht" in str(error)


@given(st.data())
def test_no_damage_ends_more_than_its_page(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whatever an archive's bytes are, it has one address, and opens or says what is wrong."""
    whole = WHOLE
    start = data.draw(st.integers(0, len(whole)))
    stop = data.draw(st.integers(start, len(whole)))
    noise = data.draw(st.binary(max_size=30) | st.sampled_from([b"\r\n\r\n", b'"', b"=?", b";"]))
    file = tmp_path_factory.mktemp("archives") / "page.mhtml"
    file.write_bytes(whole[:start] + noise + whole[stop:])
    (address,) = list_addresses(str(file))
    error = opened(file)
    assert address.page.isprintable()
    if error is None:
        assert b"--x--" in file.read_bytes()
    else:
        assert error.reason in {"bad-archive", "truncated-archive"}
        assert "page.mhtml" in str(error)
        assert str(error).isprintable()


@pytest.mark.parametrize("cut", range(1, 6))
def test_an_archive_that_breaks_off_is_refused(tmp_path: Path, cut: int) -> None:
    """Without its last line nobody knows what else is lost."""
    file = tmp_path / "page.mhtml"
    file.write_bytes(WHOLE[: -2 - cut])
    error = opened(file)
    assert error is not None
    assert error.reason == "truncated-archive"


def test_missing_archive_is_refused(tmp_path: Path) -> None:
    """A file that is not there is the caller's mistake."""
    with pytest.raises(InvalidInputError, match="existing"):
        list_addresses(str(tmp_path / "absent.mhtml"))
