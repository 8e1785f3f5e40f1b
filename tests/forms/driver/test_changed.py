"""
A change of a form: what it is made of, and that every page and picture has it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import surefoot
from surefoot.core.edit import AddStyle, Filter, ScaleText
from surefoot.core.errors import InvalidInputError
from surefoot.core.pictures import size_of
from surefoot.core.store import ObjectStore
from surefoot.forms.driver.changed import read_change


def test_a_change_is_edits_filters_and_a_zoom() -> None:
    """Each part of a sum goes where it is applied; the seed and the form draw a theme."""
    found = read_change("theme+text-size:1.25+zoom:1.5+grey+jpeg:30", "bug", 4)
    assert [type(edit) for edit in found.edits if not isinstance(edit, AddStyle)][-1] is ScaleText
    assert [one.kind for one in found.filters] == ["grey", "jpeg"]
    assert all(isinstance(one, Filter) for one in found.filters)
    assert found.zoom == 1.5
    assert read_change("theme", "bug", 4) == read_change("theme", "bug", 4)
    assert len({read_change("theme", "bug", seed) for seed in range(8)}) > 1


@pytest.mark.parametrize(
    "name", ["order", "shuffle:half", "popup", "cursor", "cut", "stretch", "theme+banner"]
)
def test_what_moves_or_covers_fields_is_refused(name: str) -> None:
    """A form's fields stay in their order, and are all to be seen."""
    with pytest.raises(InvalidInputError, match="leaves a form's fields"):
        read_change(name)


@pytest.mark.browser
@pytest.mark.slow
def test_every_page_of_a_form_is_changed(tmp_path: Path) -> None:
    """All pages look other under a theme, a zoom and a filter, and can be filled in there."""
    changes = ("original", "theme+text-size:1.25", "zoom:1.5+grey")
    filled = surefoot.run_forms(
        agent="oracle", form=["workshop_registration"], change=changes, out=tmp_path, workers=1
    )
    results = {one.change: one for one in filled}
    store, plain = ObjectStore(tmp_path), results[""]

    assert results.keys() == {"", *changes[1:]}
    assert all(one.score.right for one in results.values())
    assert len(plain.filled) == 4
    for change in changes[1:]:
        for page, before in zip(results[change].filled, plain.filled, strict=True):
            assert page.image != before.image
            assert size_of(store.get(page.image)) == (page.width, page.height)
            for field, former in zip(page.fields, before.fields, strict=True):
                assert field.box != former.box


@pytest.mark.browser
def test_a_screen_of_x_events_is_not_changed(tmp_path: Path) -> None:
    """Where a screen shows the window, no change of its pictures can be made."""
    with pytest.raises(InvalidInputError, match="--x11"):
        surefoot.run_forms(
            agent="oracle", form=["bug_report"], change=["grey"], x11=True, out=tmp_path
        )
