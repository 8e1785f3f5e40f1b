"""
The format that fits replies which the chosen one does not read.
"""

from __future__ import annotations

import json

import pytest

from surefoot.models.checking.likely import RawReply, likely_formats

CALL = '<tool_call>{{"name": "computer_use", "arguments": {{"action": "left_click", "coordinate": [{}, {}]}}}}</tool_call>'  # noqa: E501


@pytest.mark.parametrize(
    ("spelt", "fits"),
    [
        ("Action: click(start_box='({},{})')", "ui-tars-1.5"),
        (CALL, "qwen2.5-vl"),
        ("({}, {})", "gta1"),
        ('{{"x": {}, "y": {}}}', "json"),
    ],
)
def test_the_format_that_reads_the_replies_is_named(spelt: str, fits: str) -> None:
    """Replies in a family's own spelling are read by its format, a few broken ones or not."""
    replies = [RawReply(spelt.format(7 * at, 5 * at), 640, 400) for at in range(1, 41)]
    found = likely_formats([*replies, RawReply("I cannot see it", 640, 400)])

    assert fits in found.names
    assert found.read == 40


@pytest.mark.parametrize("text", ["", "I cannot see it", json.dumps({"a": 1}), "(9000, 9000)"])
def test_no_format_is_named_where_none_reads_half(text: str) -> None:
    """Words, nothing, and places beyond the picture fit no format."""
    assert likely_formats([RawReply(text, 640, 400)] * 5).names == ()
    assert likely_formats([]).names == ()
