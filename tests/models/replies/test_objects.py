"""
JSON in replies: boxes by corner and size, and arguments that are text.
"""

from __future__ import annotations

import json

import pytest

from surefoot.core.question import Refusal, Unparsed
from surefoot.models.opening import FORMATS
from surefoot.models.reading import Place
from surefoot.models.replies.objects import json_objects, refusal_in

BOX = Place((100, 200, 150, 220))
HALF = Unparsed("a corner beside half of another or half a size")


@pytest.mark.parametrize("name", ["json", "claude", "holo1.5", "holo2", "claude-computer"])
@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ({"x": 100, "y": 200, "width": 50, "height": 20}, BOX),
        ({"x": 100, "y": 200, "w": 50, "h": 20}, BOX),
        ({"X": 100, "Y": 200, "Width": 50, "Height": 20}, BOX),
        ({"left": 100, "top": 200, "width": 50, "height": 20}, BOX),
        ({"x": 100, "y": 200, "x2": 150, "y2": 220}, BOX),
        ({"x1": 100, "y1": 200, "x2": 150, "y2": 220}, BOX),
        ({"x0": 100, "y0": 200, "x1": 150, "y1": 220}, BOX),
        ({"x_min": 100, "y_min": 200, "x_max": 150, "y_max": 220}, BOX),
        ({"xmin": "100", "ymin": "200", "xmax": "150", "ymax": "220"}, BOX),
        ({"left": 100, "top": 200, "right": 150, "bottom": 220}, BOX),
        ({"bbox": {"x": 100, "y": 200, "width": 50, "height": 20}}, BOX),
        ({"element": {"box": {"x": 100, "y": 200, "w": 50, "h": 20}}}, BOX),
        ({"rect": {"x": 100, "y": 200}, "size": {"width": 50, "height": 20}}, BOX),
        ({"x": 100, "y": 200, "size": {"width": 50, "height": 20}}, BOX),
        ({"topLeft": {"x": 100, "y": 200}, "bottomRight": {"x": 150, "y": 220}}, BOX),
        ({"bbox": [[100, 200], [150, 220]]}, BOX),
        ({"cx": 100, "cy": 200, "w": 50, "h": 20}, Place((100, 200))),
        ({"x": 100, "y": 200, "width": None, "height": None}, Place((100, 200))),
        ({"x": 100, "y": 200, "label": {"width": 3}}, Place((100, 200))),
        ({"x": 100, "y": 200, "width": 50}, HALF),
        ({"x": 100, "y": 200, "x2": 150}, HALF),
    ],
)
def test_a_corner_and_a_size_are_a_box(name: str, reply: object, right: Place | Unparsed) -> None:
    """Whatever the sides of a box are called, it is a box or not read, and never its corner."""
    assert FORMATS.get(name).read(f"Here: {json.dumps(reply)}.") == right


def quoted(value: object, times: int) -> str:
    """Return a value as JSON, as text in JSON, and so on."""
    return json.dumps(value) if not times else json.dumps(quoted(value, times - 1))


CALLS = [
    {"action": "left_click", "coordinate": [640, 360]},
    {"action": "left_click", "coordinate": ["640", "360"]},
    {"action": "left_click", "coordinate": "[640, 360]"},
    {"action": "left_click", "coordinate": "(640, 360)"},
    {"action": "left_click", "coordinate": "640, 360"},
    {"action": "left_click", "coordinate": '["640", "360"]'},
    {"action": "left_click", "coordinate": [[640, 360]]},
    {"action": "left_click", "coordinate": '"[640, 360]"'},
    {"action": "left_click", "x": "640", "y": "360"},
    {"action": "left_click", "x": 640, "y": 360},
    {"action": "left_click", "coordinate": [640, 360], "text": 'a "quoted" {brace}'},
]


@pytest.mark.parametrize("name", ["claude-computer", "qwen2.5-vl", "qwen3-vl"])
@pytest.mark.parametrize("times", [0, 1, 2])
@pytest.mark.parametrize("arguments", CALLS)
def test_arguments_as_text_are_read(name: str, times: int, arguments: dict[str, object]) -> None:
    """Arguments of a tool may be text, encoded once or twice, and so may be their lists."""
    inner: object = arguments
    for _ in range(times):
        inner = json.dumps(inner)
    call = json.dumps({"name": "computer", "arguments": inner})

    assert FORMATS.get(name).read(f"<tool_call>\n{call}\n</tool_call>") == Place((640, 360))


@pytest.mark.parametrize("name", ["claude-computer", "qwen3-vl"])
def test_a_whole_call_as_text_is_read(name: str) -> None:
    """The call itself may be text as well."""
    call = quoted({"name": "computer", "arguments": CALLS[0]}, 1)

    assert FORMATS.get(name).read(f"<tool_call>{call}</tool_call>") == Place((640, 360))


@pytest.mark.parametrize("words", ["none", "None.", "N/A", "null", "no", "false", "-", "", "  "])
def test_a_filled_field_beside_a_place_is_no_refusal(words: str) -> None:
    """Where a schema forces words, those that say nothing leave the place."""
    assert refusal_in({"x": 3, "y": 4, "refusal": words}) is None


def test_a_refusal_beside_a_place_is_one() -> None:
    """Words that refuse count before numbers that had to be filled in."""
    assert refusal_in({"x": 0, "y": 0, "refusal": "not visible"}) == Refusal("not visible")


@pytest.mark.parametrize("deep", [1, 5, 50, 500, 5000])
def test_deep_objects_raise_nothing(deep: int) -> None:
    """Lists and objects in each other, however deep, are read or not, and nothing raises."""
    for text in ('{"a":' * deep + "1" + "}" * deep, '{"a":' + "[" * deep + "1" + "]" * deep + "}"):
        assert len(list(json_objects(text))) <= deep + 1
