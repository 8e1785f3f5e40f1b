"""
The page shows each edit, with what it does, and what is said of it.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import msgspec

from surefoot.report.site.page import write_site
from surefoot.report.site.report import SiteReport


def test_rules_alone_speak_of_no_model(report: SiteReport, tmp_path: Path) -> None:
    """Without a model nothing is said of misses, and the controls that break rules are shown."""
    none: dict[str, Any] = {
        "model": "",
        **dict.fromkeys(("missed", "faults", "idle", "fixes", "mended"), ()),
    }
    found = msgspec.structs.replace(report, **none)

    write_site(found, tmp_path / "site.html")

    page = (tmp_path / "site.html").read_text("utf-8")
    assert found.sentences()[0].startswith("By rules")
    assert page.count("<image") == 1
    assert "small: it is less than 24 px wide or high 18 px" in page


def test_the_page_has_each_edit_to_copy(report: SiteReport, tmp_path: Path) -> None:
    """Every kind has its pictures and its code, escaped, and what helps comes first."""
    write_site(report, tmp_path / "site.html")

    page = (tmp_path / "site.html").read_text("utf-8")
    shown = re.findall(r"<code>#go-(\w+)", page)
    assert shown == ["size"] * 6 + ["label"] * 2 + ["spacing"] * 6
    assert page.count("<image") == 2 * len(shown) + 2
    assert "<Go>" not in page


def test_what_helps_is_shown_below_its_bar(report: SiteReport, tmp_path: Path) -> None:
    """The bar of an edit that helps has a control before and after; the others have none."""
    write_site(report, tmp_path / "site.html")

    page = (tmp_path / "site.html").read_text("utf-8")
    bars = page[page.index('<svg role="img" aria-label="How many') : page.index("</figure>")]
    size, label = bars.index("make it 44 px (8 of 8, helps)"), bars.index("show a name in words")
    assert [size < found.start() < label for found in re.finditer("<image", bars)] == [True] * 2
    assert "The black line marks how many come back unchanged" in bars


def test_the_page_says_which_edit_is_against_which_fault(
    report: SiteReport, tmp_path: Path
) -> None:
    """Faults stand with how many have them and what brought these back; idle edits are listed."""
    write_site(report, tmp_path / "site.html")

    page = re.sub(r"<[^>]+>", " ", (tmp_path / "site.html").read_text("utf-8"))
    words = " ".join(page.split())
    assert (
        "are under 24 px 6 5 make it 44 px: 5 of 5; leave 8 px around it: 0 of 5 "
        "are under 24 px and hardly stand out 4 3 make it 44 px: 3 of 3 none of these 9 0"
    ) in words
    assert "link '<Up>' page make it 44 px" in html.unescape(words)


def test_what_an_edit_gave_a_name_is_shown_last(report: SiteReport, tmp_path: Path) -> None:
    """Controls that had no name stand last, with no verdict on the edit that named them."""
    named = msgspec.structs.replace(report.mended[0], words="", css="#named { }")
    only = {**dict.fromkeys(("fixes", "mended"), ()), "named": (named,)}

    write_site(msgspec.structs.replace(report, named=(named,)), tmp_path / "both.html")
    write_site(msgspec.structs.replace(report, **only), tmp_path / "named.html")

    both, alone = ((tmp_path / name).read_text("utf-8") for name in ("both.html", "named.html"))
    assert both.rindex("#go-spacing") < both.index("#named { }")
    assert "As a kind" in both
    assert "#named { }" in alone
    assert "As a kind" not in alone
