"""
A specification finds its kind of source, or says which kinds there are.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from surefoot.capture.routes import Folder
from surefoot.capture.sources import Services, list_addresses, open_address
from surefoot.capture.sources.catalog import demo_sites
from surefoot.core.errors import InvalidInputError


@pytest.mark.parametrize("spec", ["gopher://x", "screen:out", "absent-folder", "absent.html", ""])
def test_unknown_sources_name_the_known(spec: str) -> None:
    """Neither a file nor a known scheme: the message lists what can be given."""
    with pytest.raises(InvalidInputError, match=r"django-admin:.*npm:.*demo:"):
        list_addresses(spec)


def test_folder_lists_and_reopens_its_pages(tmp_path: Path) -> None:
    """Every listed page opens again from its own specification, served from the root."""
    site = tmp_path / "my site"
    (site / "sub").mkdir(parents=True)
    for name in ("index.html", "sub/50%.html"):
        (site / name).write_text("x")
    addresses = list_addresses(str(site))
    assert [item.page for item in addresses] == ["my site/index.html", "my site/sub/50%25.html"]
    for address in addresses:
        assert list_addresses(address.spec) == (address,)
        with Services() as services:
            opened = open_address(address, services)
        assert isinstance(opened.route, Folder)
        assert (opened.route.origin, opened.route.root) == (
            "http://folder-my-site.localhost",
            site,
        )
        assert opened.url.startswith("http://folder-my-site.localhost/")


def test_single_file_is_served_from_its_folder(tmp_path: Path) -> None:
    """A page of its own may load what lies beside it."""
    page = tmp_path / "100%.html"
    page.write_text("x")
    (address,) = list_addresses(str(page))
    with Services() as services:
        opened = open_address(address, services)
    assert opened.route is not None
    assert opened.url == f"{opened.route.origin}/100%25.html"


def test_demo_is_a_few_pages_of_many_sites() -> None:
    """The curated pages are of at least 24 makers, at most three of each, none of ours."""
    addresses = list_addresses("demo:")
    pages = Counter(address.site for address in addresses)
    makers = {site.maker for site in demo_sites()}

    assert len({address.page for address in addresses}) == len(addresses)
    assert len(makers) == len(pages) >= 24
    assert max(pages.values()) <= 3
    assert all(address.spec.startswith(("npm:", "django-admin:", "app:")) for address in addresses)


def test_page_names_show_no_path_of_the_machine(tmp_path: Path) -> None:
    """A cluster's name is the same wherever the folder lies."""
    names = []
    for place in ("one", "two"):
        site = tmp_path / place / "site"
        site.mkdir(parents=True)
        (site / "a.html").write_text("x")
        names.append([(address.page, address.site) for address in list_addresses(str(site))])
    assert names[0] == names[1] == [("site/a.html", "site")]


SITE_MAP = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> https://shop.example/orders?a=1&amp;b=2 </loc><lastmod>2026-01-01</lastmod></url>
<url><loc>https://shop.example/</loc></url><url><loc>file:///etc/passwd</loc></url>
<url><loc>https://shop.example/</loc></url></urlset>"""


def test_a_site_map_lists_pages(tmp_path: Path) -> None:
    """The pages of a site map come in its order, each once, and no file does."""
    file = tmp_path / "sitemap.xml"
    file.write_text(SITE_MAP)
    found = [address.spec for address in list_addresses(f"@{file}")]
    assert found == ["https://shop.example/orders?a=1&b=2", "https://shop.example/"]

    file.write_text(
        "<sitemapindex><sitemap><loc>https://a.example/b.xml</loc></sitemap></sitemapindex>"
    )
    with pytest.raises(InvalidInputError, match="other site maps"):
        list_addresses(f"@{file}")
    file.write_text("<html>")
    with pytest.raises(InvalidInputError, match="a page on each line"):
        list_addresses(f"@{file}")
