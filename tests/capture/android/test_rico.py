"""
RICO view hierarchies are read, and what cannot be is refused with its place.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from surefoot.capture.android.rico import SCREEN, read_rico
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Box


def hierarchy(*children: object, **root: Any) -> bytes:  # noqa: ANN401 - any JSON
    """Return a file with these views in the root."""
    tree = {"bounds": [0, 0, 1440, 2560], "class": "a.Decor", "children": children, **root}
    return json.dumps({"activity_name": "a/b", "activity": {"root": tree}}).encode()


def view(**told: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """Return a view with words for _ as RICO spells them."""
    return {"bounds": [10, 20, 30, 40], "class": "x"} | {
        name.replace("_", "-"): value for name, value in told.items()
    }


def read(content: bytes, *, upright: bool = True) -> Any:  # noqa: ANN401 - views
    """Read a file of at most nine views."""
    return read_rico(content, "a.json", 9, upright=upright)


def test_a_tree_keeps_its_order_and_parents() -> None:
    """Views come in painting order, null children are passed over, unknown fields too."""
    first = view(children=[view(text="in")], pointer="1f")
    dump = read(hierarchy(first, None, view(text="last")))

    assert [item.path for item in dump.views] == [(0,), (0, 0), (0, 0, 0), (0, 2)]
    assert [item.parent for item in dump.views] == [-1, 0, 1, 0]
    assert [item.text for item in dump.views] == ["", "", "in", "last"]
    assert dump.views[3].box == Box(10, 20, 30, 40)


@pytest.mark.parametrize(
    ("described", "spoken"), [([None], ""), (["Back"], "Back"), (None, ""), ("Up", "Up"), ([], "")]
)
def test_descriptions_are_lists_or_words(described: object, spoken: str) -> None:
    """A description is a list that may hold null, a word, or nothing."""
    assert read(hierarchy(view(content_desc=described))).views[1].description == spoken


@pytest.mark.parametrize("hidden", [{"visible_to_user": False}, {"visibility": "gone"}])
def test_what_is_hidden_is_left_out_with_all_in_it(hidden: dict[str, object]) -> None:
    """A view that nobody sees hides its children."""
    assert len(read(hierarchy(view(**hidden, children=[view()]), view())).views) == 2


@pytest.mark.parametrize("bounds", [[5, 5, 5, 9], [0, 2600, 10, 2560]])
def test_what_has_scrolled_away_has_no_box(bounds: list[int]) -> None:
    """Empty and reversed bounds are how a device says that nothing is seen."""
    assert read(hierarchy(view(bounds=bounds))).views[1].box is None


def test_a_lying_picture_lies_on_a_lying_screen() -> None:
    """The space of the boxes turns with the picture."""
    dump = read(hierarchy(), upright=False)

    assert (dump.width, dump.height) == SCREEN[::-1]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "a RICO view hierarchy in a.json"),
        (b"\xff\xfe", "a RICO view hierarchy"),
        (b"[]", "a RICO view hierarchy"),
        (b'{"activity": null}', r"activity\.root"),
        (b'{"activity": {"root": null}}', r"activity\.root"),
        (hierarchy(view(bounds=[0, 0, 1])), r"activity\.root\.children\[0\]"),
        (hierarchy(view(bounds=[0, 0, "a", 1])), "bounds"),
        (hierarchy(view(bounds=[0, 0, 1, float("nan")])), "a RICO view hierarchy"),
        (hierarchy(view(clickable="yes")), "clickable"),
        (hierarchy(*[view()] * 9), "at most 9 views"),
        (b'{"activity": {"root": ' + b'{"bounds": [0,0,1,1], "children": [' * 20_000, "RICO"),
    ],
)
def test_hostile_and_broken_files_are_refused(content: bytes, found: str) -> None:
    """The message names the file, the place where there is one, and what is wrong."""
    with pytest.raises(CaptureError, match=found):
        read(content)
