"""
Pictures of a set: found by relative paths alone, and refused where they are none.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from surefoot.core.errors import RecordError
from surefoot.datasets.files.pictures import Pictures, picture_from


def encoded(kind: str, size: tuple[int, int] = (20, 10)) -> bytes:
    """Encode a small picture."""
    file = io.BytesIO()
    Image.new("RGB", size, (200, 30, 30)).save(file, kind)
    return file.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_size_and_pixels_agree(tmp_path: Path, kind: str) -> None:
    """The header's size is that of the pixels, and what is kept is PNG."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a").write_bytes(encoded(kind))
    pictures = Pictures(tmp_path)
    picture = pictures.read("sub/a")
    assert pictures.size("sub/a") == (20, 10) == (picture.width, picture.height)
    assert picture.png.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../a.png", "unsafe-path"),
        ("sub/../../a.png", "unsafe-path"),
        ("/a.png", "unsafe-path"),
        ("sub\\a.png", "unsafe-path"),
        ("a\0.png", "unsafe-path"),
        ("", "unsafe-path"),
        ("b.png", "missing-picture"),
        ("sub", "missing-picture"),
        ("x" * 5000, "missing-picture"),
        ("link.png", "unsafe-path"),
        ("text.png", "bad-picture"),
        ("cut.png", "bad-picture"),
    ],
)
def test_what_is_no_picture_of_the_folder_is_refused(
    tmp_path: Path, name: str, reason: str
) -> None:
    """Paths and links that leave the folder, and files that are no picture, have a reason."""
    root = tmp_path / "images"
    (root / "sub").mkdir(parents=True)
    (tmp_path / "a.png").write_bytes(encoded("PNG"))
    (root / "link.png").symlink_to(tmp_path / "a.png")
    (root / "text.png").write_text("no picture")
    (root / "cut.png").write_bytes(encoded("PNG")[:40])
    with pytest.raises(RecordError) as caught:
        Pictures(root).read(name)
    assert caught.value.reason == reason


def test_a_picture_too_large_is_refused() -> None:
    """More pixels than the limit are refused before they are decoded."""
    with pytest.raises(RecordError, match="at most") as caught:
        picture_from(encoded("PNG", (20_000, 3)), "wide.png")
    assert caught.value.reason == "bad-picture"
