"""
Which pages are of one site.
"""

from __future__ import annotations

import pytest

from surefoot.core.sites import site_of


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://127.0.0.1:8001/a", "127.0.0.1:8001"),
        ("http://127.0.0.1:8002/a", "127.0.0.1:8002"),
        ("http://[::1]:9000/", "[::1]:9000"),
        ("http://example.org:80/x", "example.org"),
        ("https://Example.org/y?z=1", "example.org"),
        ("http://example.org:443/", "example.org:443"),
        ("file:///tmp/a.html", ""),
        ("", ""),
    ],
)
def test_a_port_makes_a_site_of_its_own(url: str, site: str) -> None:
    """Host and port name the site; the usual port of a scheme is not written."""
    assert site_of(url) == site


def test_a_malformed_port_is_an_error() -> None:
    """A port that is no number raises ValueError."""
    with pytest.raises(ValueError, match="port"):
        site_of("http://example.org:port/")
