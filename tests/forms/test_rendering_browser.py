"""
Served forms are web pages, so that whatever changes a page changes them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.capture.address import Address
from surefoot.capture.settings import Settings
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.core.perturbation import parse_variant
from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.rendering import RENDERERS, Rendering
from surefoot.forms.server.runs import open_run
from surefoot.forms.server.serving import serve
from surefoot.forms.specification import Form

pytestmark = pytest.mark.browser


def check(browser: Browser, url: str, form: Form) -> None:
    """Change a page three ways at once: boxes move, and most labels are still read."""
    address, settings = Address(url, "form", "forms"), Settings(1280, 900)
    before = capture(browser, address, settings)
    edits = parse_variant("style+shuffle+text-size:1.25").edits(before.screen, 1)
    after = capture(browser, address, settings, variant="changed", edits=edits)
    assert after.screen.edits == edits
    boxes = [
        {element.id: element.box for element in shot.screen.elements} for shot in (before, after)
    ]
    both = boxes[0].keys() & boxes[1].keys()
    assert sum(boxes[0][name] != boxes[1][name] for name in both) > len(form.fields)
    shown = {element.name for element in after.screen.elements}
    labels = [field.label["en"] for field in form.fields]
    assert sum(any(label in name for name in shown) for label in labels) > len(labels) // 2


def test_perturbations_reach_served_forms(tmp_path: Path, browser: Browser) -> None:
    """Style, order and size of a form's page change under its policy, and its labels stay."""
    form = find_form("E12")
    looks = [Rendering("plain"), Rendering("rjsf", "antd")]
    with serve(tmp_path) as base:
        for look in looks:
            if not RENDERERS.get(look.renderer).missing():
                token = open_run(tmp_path, form, look, instance=0, seed=0)
                check(browser, f"{base}/r/{token}/", form)
