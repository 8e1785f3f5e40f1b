"""
A check finds each page that is not what a status of 200 says, and each silent fall-back.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.errors import MissingComponentError
from surefoot.verbs.apps import check_apps, install_apps, list_apps


@pytest.mark.long
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


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_real_application_is_what_its_recipe_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trac is installed from the package index, and every proof of its recipe holds."""
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path))
    try:
        install_apps("trac")
    except MissingComponentError as error:
        if "its packages" not in str(error):
            raise
        pytest.skip(f"the package index cannot be reached: {error}")
    (found,) = check_apps("trac")

    assert found.faults == ()
    assert found.pages >= 30
