"""
Our roles and names against Chromium's own accessibility tree.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.capture.web.browser import Browser
from surefoot_studies.accessibility import agreement

pytestmark = pytest.mark.browser


@pytest.mark.long
@pytest.mark.parametrize(
    "spec", ["django-admin:/admin/auth/user/", "django-admin:/admin/flatpages/flatpage/add/"]
)
def test_agreement_on_real_pages(browser: Browser, spec: str) -> None:
    """At least 97 of 100 interactive elements have Chromium's role and name."""
    found = agreement(browser, list_addresses(spec)[0], Settings())
    assert found.elements >= 30
    assert found.roles >= 0.97 * found.elements, found.disagreements
    assert found.names >= 0.97 * found.elements, found.disagreements


def test_disagreement_is_counted(browser: Browser, tmp_path: Path) -> None:
    """Where Chromium sees a plain box and we a text field, the role counts as different."""
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><pre contenteditable>code</pre><a href=x>link</a>")
    found = agreement(browser, list_addresses(str(page))[0], Settings())
    assert (found.elements, found.roles, found.names) == (2, 1, 2)
    assert [(disagreement.ours, disagreement.theirs) for disagreement in found.disagreements] == [
        ("textbox", "generic")
    ]
