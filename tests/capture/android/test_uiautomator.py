"""
Dumps of uiautomator are read, and hostile ones refused with their line.
"""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.android.uiautomator import DEEPEST, read_uiautomator
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Box

NODE = '<node class="android.widget.Button" text="OK" clickable="true" bounds="[1,2][30,40]"/>'
BOMB = (
    '<!DOCTYPE h [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
    '<hierarchy><node text="&b;" bounds="[0,0][1,1]"/></hierarchy>'
)
OUTSIDE = '<!DOCTYPE h [<!ENTITY a SYSTEM "file:///etc/hostname">]><hierarchy>&a;</hierarchy>'


def test_a_tree_keeps_its_order_and_parents() -> None:
    """Views come parents first, each with its path from the root."""
    inner = f'<node bounds="[0,0][9,9]">{NODE}{NODE}</node>'
    text = f"<hierarchy rotation='0'>{inner}{NODE}</hierarchy>"
    views = read_uiautomator(text.encode(), "a.xml", 9).views

    assert [view.path for view in views] == [(0,), (0, 0), (0, 1), (1,)]
    assert [view.parent for view in views] == [-1, 0, 0, -1]
    assert views[1].box == Box(1, 2, 30, 40)
    assert (views[1].text, views[1].clickable, views[1].enabled) == ("OK", True, True)
    assert len({view.id for view in views}) == 4


@pytest.mark.parametrize("bounds", ["[0,0][0,0]", "[0,900][500,880]", "[5,5][5,90]"])
def test_what_has_scrolled_away_has_no_box(bounds: str) -> None:
    """Empty and reversed bounds are how a device says that nothing is seen."""
    text = f'<hierarchy><node bounds="{bounds}"/></hierarchy>'

    assert read_uiautomator(text.encode(), "a.xml", 9).views[0].box is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_the_declared_encoding_is_read(encoding: str) -> None:
    """Words come out as they were written, in any encoding that the file declares."""
    text = (
        f'<?xml version="1.0" encoding="{encoding}"?>'
        '<hierarchy><node text="Réglages &amp; écran" bounds="[0,0][1,1]"/></hierarchy>'
    )
    views = read_uiautomator(text.encode(encoding), "a.xml", 9).views

    assert views[0].text == "Réglages & écran"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (BOMB, "no document type in a.xml, line 1"),
        (OUTSIDE, "no document type in a.xml, line 1"),
        ("<hierarchy>&a;</hierarchy>", "undefined entity"),
        ("", "no element found"),
        ("<hierarchy>", "no element found"),
        ("UI hierchary dumped to: /dev/tty", "syntax error"),
        (f"<hierarchy>{NODE}</hierarchy> UI hierchary dumped", "junk after"),
        ("<html><body/></html>", "<hierarchy> in a.xml, line 1, found <html>"),
        ("<hierarchy/>", "found none"),
        ("<hierarchy>\n<view/></hierarchy>", "<node> in a.xml, line 2, found <view>"),
        ("<hierarchy>\n<node/></hierarchy>", r"line 2, found 'none'"),
        (NODE.replace("[1,2]", "[NaN,2]"), r"<hierarchy>"),
        (f"<hierarchy>{NODE.replace('[1,2]', '[NaN,2]')}</hierarchy>", "left,top"),
        (f"<hierarchy>{NODE.replace('[1,2]', '[1.5,2]')}</hierarchy>", "left,top"),
        (f"<hierarchy>{NODE.replace('[1,2]', '[1,99999999]')}</hierarchy>", "left,top"),
        (f"<hierarchy>{NODE.replace('true', 'yes')}</hierarchy>", "clickable=.*'yes'"),
        ('<hierarchy><node bounds="[0,0][1,1]" drawing-order="up"/></hierarchy>', "'up'"),
        ("<displays><display/></displays>", "<hierarchy> in a.xml, line 1, found <displays>"),
        ('<?xml version="1.0" encoding="klingon"?><hierarchy/>', "well-formed XML"),
        (f"<hierarchy>{NODE * 10}</hierarchy>", "at most 9 nodes"),
    ],
)
def test_hostile_and_broken_files_are_refused(text: str, found: str) -> None:
    """The message names the file, the line where there is one, and what is wrong."""
    with pytest.raises(CaptureError, match=found):
        read_uiautomator(text.encode(), "a.xml", 9)


def test_a_deep_tree_is_refused() -> None:
    """No screen is nested as deep as this."""
    text = '<node bounds="[0,0][1,1]">' * (DEEPEST + 1)
    with pytest.raises(CaptureError, match=f"{DEEPEST} deep"):
        read_uiautomator(f"<hierarchy>{text}".encode(), "a.xml", 10**6)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    """Nothing but views or a CaptureError comes out of bytes that are no dump."""
    text = b"<hierarchy><node " + content + b' bounds="[0,0][1,1]"/></hierarchy>'
    with contextlib.suppress(CaptureError):
        assert read_uiautomator(text, "a.xml", 9).views
