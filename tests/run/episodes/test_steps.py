"""
Steps that an agent posts, before any server: what is kept of them, and what is refused.
"""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from surefoot.capture.live.protocol import LONGEST_WORDS, PostedStep
from surefoot.core.errors import InvalidInputError
from surefoot.core.pictures import pixels_of
from surefoot.core.store import ObjectStore
from surefoot.run.asking.traces import TracedStep
from surefoot.run.episodes.steps import action_words, keep_step


def picture(kind: str = "PNG", mode: str = "RGB", size: tuple[int, int] = (8, 6)) -> bytes:
    """Return a picture of two colours as a file of a kind."""
    image = Image.new(mode, size)
    image.paste("red", (0, 0, 4, 3))
    file = io.BytesIO()
    image.save(file, kind)
    return file.getvalue()


def chunk(kind: bytes, content: bytes) -> bytes:
    """Return a chunk of a PNG, with its checksum."""
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


def claimed(width: int, height: int) -> bytes:
    """Return a PNG that says how large it is, and has hardly any pixels."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(bytes(1000)))
    return b"\x89PNG\r\n\x1a\n" + head + pixels + chunk(b"IEND", b"")


def raw(value: object) -> msgspec.Raw:
    """Return a value as JSON."""
    return msgspec.Raw(msgspec.json.encode(value))


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "I;16", "1"])
def test_a_picture_is_kept_as_it_is_seen(tmp_path: Path, mode: str) -> None:
    """Whatever kind of PNG is sent, the object has its pixels; a plain one has its bytes too."""
    store, sent = ObjectStore(tmp_path), picture(mode="RGB" if mode == "I;16" else mode)
    if mode == "I;16":
        file = io.BytesIO()
        Image.new("I;16", (8, 6), 40_000).save(file, "PNG")
        sent = file.getvalue()
    step = keep_step(PostedStep(screenshot=sent), store)
    kept = store.get(step.image)

    assert (step.width, step.height) == (8, 6)
    assert (pixels_of(kept) == pixels_of(sent)).all()
    assert (kept == sent) == (mode == "RGB")


def test_words_are_kept_as_they_came(tmp_path: Path) -> None:
    """A text is the text, other JSON is its letters; neither needs a picture."""
    spelled = msgspec.Raw(b'{"x":1.50, "y": 12345678901234567890123, "x": 2}')
    steps = [
        keep_step(PostedStep(raw('click("\N{SNOWMAN}")\n')), ObjectStore(tmp_path)),
        keep_step(PostedStep(spelled, thought="why"), ObjectStore(tmp_path)),
        keep_step(PostedStep(thought="only this"), ObjectStore(tmp_path)),
    ]

    assert steps == [
        TracedStep('click("\N{SNOWMAN}")\n'),
        TracedStep(bytes(spelled).decode(), "why"),
        TracedStep("", "only this"),
    ]


@pytest.mark.parametrize(
    "sent",
    [
        b"no picture at all",
        picture("JPEG"),
        picture("GIF"),
        picture("PNG")[:50],
        picture("PNG")[:8],
        picture("PNG").replace(b"IDAT", b"IDAX"),
        claimed(30_000, 30_000),
        claimed(6_000, 6_000),
        claimed(40_000, 1),
        claimed(0, 5),
        claimed(900, 900),
        b"\x89PNG\r\n\x1a\n" + bytes(400),
    ],
    ids=lambda sent: f"{len(sent)} bytes of {sent[:4]!r}",
)
def test_what_is_no_picture_is_refused(tmp_path: Path, sent: bytes) -> None:
    """Broken, cut, foreign and huge pictures are named as such, and nothing of them is stored."""
    with pytest.raises(InvalidInputError, match="a PNG as a step's screenshot"):
        keep_step(PostedStep(screenshot=sent), ObjectStore(tmp_path))

    assert not list(tmp_path.rglob("*.png"))


def test_too_many_words_and_none_are_refused(tmp_path: Path) -> None:
    """An action has a longest length, in letters, and a step has something in it."""
    store = ObjectStore(tmp_path)
    longest = "\N{SNOWMAN}" * LONGEST_WORDS

    assert keep_step(PostedStep(raw(longest)), store).action == longest
    for action, message in ((raw(longest + "."), "at most 65,536"), (raw(""), "none of them")):
        with pytest.raises(InvalidInputError, match=message):
            keep_step(PostedStep(action), store)
    for data in (b'"\xff"', b"[\xff]", b'"\\ud800"'):
        with pytest.raises(InvalidInputError):
            action_words(msgspec.Raw(data))
