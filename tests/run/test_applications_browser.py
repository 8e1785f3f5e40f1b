"""
A check finds each page that is not what a status of 200 says, and each silent fall-back.
"""

from __future__ import annotations

import pytest

from surefoot.api.applications import check_apps, list_apps


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.usefixtures("quay")
def test_every_fault_of_an_application_is_named() -> None:
    """Signed out, soft "not found", blank, reaching outside and untranslated: all are found."""
    (found,) = check_apps("quay")

    spoken = {item.language: item.translated for item in found.languages}
    assert (found.pages, spoken["ja"]) == (5, 0.0)
    assert spoken["fr"] > 0.5
    words = (
        "signed-out: signed-out",
        "lost: the same page as a path",
        "blank: blank, 1",
        "outside: without http://elsewhere.example",
        "ja: 0% of the words",
    )
    for told in words:
        assert sum(told in fault for fault in found.faults) >= 1, (told, found.faults)
    assert not any("orders" in fault for fault in found.faults)
    assert {item.name: item.installed for item in list_apps()}["quay"]
