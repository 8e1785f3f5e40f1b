"""
Pictures are decoded as they are seen, whatever a file says beside its pixels.
"""

from __future__ import annotations

import base64
import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageCms, PngImagePlugin

from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.core.pictures import is_plain, opened, pixels_of, plain, png_of, size_of

# Left above, right above, left below, right below of a picture of 24 x 16.
CORNERS = ((220, 30, 30), (30, 200, 30), (30, 30, 220), (240, 230, 20))


def scene() -> Image.Image:
    """Draw a picture with another colour in each quarter."""
    image = Image.new("RGB", (24, 16))
    for place, colour in enumerate(CORNERS):
        image.paste(
            colour, (place % 2 * 12, place // 2 * 8, place % 2 * 12 + 12, place // 2 * 8 + 8)
        )
    return image


def saved(image: Image.Image, kind: str = "PNG", **how: object) -> bytes:
    """Encode a picture."""
    file = io.BytesIO()
    image.save(file, kind, **how)
    return file.getvalue()


def turned(orientation: int) -> Image.Exif:
    """Return EXIF with an orientation."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif


def chunk(kind: bytes, data: bytes) -> bytes:
    """Spell a chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def with_chunk(png: bytes, kind: bytes, data: bytes, before: bytes) -> bytes:
    """Put a chunk before another one."""
    at = png.index(before) - 4
    return png[:at] + chunk(kind, data) + png[at:]


def deep(values: NDArray[np.uint16], colours: int) -> bytes:
    """Spell a PNG of 16 bits: numbers of height x width x channels."""
    wide = values.astype(">u2")
    rows = b"".join(b"\0" + row.tobytes() for row in wide)
    head = struct.pack(">IIBBBBB", values.shape[1], values.shape[0], 16, colours, 0, 0, 0)
    data = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + data


def colours16(*, alpha: int | None = None) -> NDArray[np.uint16]:
    """Return the scene in 16 bits, with an alpha where it is given."""
    wide = np.asarray(scene()).astype(np.uint16) * 257
    if alpha is None:
        return wide
    return np.dstack([wide, np.full(wide.shape[:2], alpha * 257, np.uint16)])


def paletted(transparency: bytes | None = None) -> bytes:
    """Return the scene with a palette."""
    return saved(scene().quantize(8), transparency=transparency)


def see_through() -> Image.Image:
    """Return a picture whose left half is hidden colour under full transparency."""
    image = scene().convert("RGBA")
    image.putalpha(Image.fromarray(np.repeat([[0] * 12 + [255] * 12], 16, 0).astype(np.uint8)))
    return image


def corners(picture: bytes) -> tuple[tuple[int, ...], ...]:
    """Return the colours in the middle of the quarters, rounded to tens."""
    pixels = pixels_of(picture)
    high, wide = pixels.shape[0] // 4, pixels.shape[1] // 4
    places = ((high, wide), (high, 3 * wide), (3 * high, wide), (3 * high, 3 * wide))
    return tuple(tuple(int(round(int(value), -1)) for value in pixels[place]) for place in places)


def order(*places: int) -> tuple[tuple[int, ...], ...]:
    """Return the scene's corners in another order."""
    return tuple(CORNERS[place] for place in places)


WHITE = (255, 255, 255)
# EXIF's orientations: where the corners of the stored picture come to lie.
TURNED = {
    1: (0, 1, 2, 3), 2: (1, 0, 3, 2), 3: (3, 2, 1, 0), 4: (2, 3, 0, 1),
    5: (0, 2, 1, 3), 6: (2, 0, 3, 1), 7: (3, 1, 2, 0), 8: (1, 3, 0, 2),
}  # fmt: skip
EXIF_PNG = with_chunk(saved(scene()), b"eXIf", turned(6).tobytes()[6:], b"IEND")
GREY16 = deep(np.full((16, 24, 1), 0x6464, np.uint16), 0)
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
TEXT = PngImagePlugin.PngInfo()
TEXT.add_text("Software", "a screenshot tool")

CASES: dict[str, tuple[bytes, tuple[tuple[int, ...], ...]]] = {
    **{
        f"exif-{kind}-{number}": (saved(scene(), kind, exif=turned(number), **how), order(*places))
        for kind, how in (("JPEG", {"quality": 98, "subsampling": 0}), ("PNG", {}))
        for number, places in TURNED.items()
    },
    "exif-webp": (saved(scene(), "WEBP", lossless=True, exif=turned(8)), order(*TURNED[8])),
    "exif-after-the-pixels": (EXIF_PNG, order(*TURNED[6])),
    "exif-0": (saved(scene(), exif=turned(0)), CORNERS),
    "exif-9": (saved(scene(), exif=turned(9)), CORNERS),
    "exif-damaged": (with_chunk(saved(scene()), b"eXIf", b"MM\0*\xff\xff", b"IDAT"), CORNERS),
    "exif-empty": (with_chunk(saved(scene()), b"eXIf", b"", b"IDAT"), CORNERS),
    "exif-on-alpha": (
        saved(see_through(), exif=turned(6)),
        (WHITE, WHITE, CORNERS[3], CORNERS[1]),
    ),
    "16-bit-rgb": (deep(colours16(), 2), CORNERS),
    "16-bit-rgba": (deep(colours16(alpha=255), 6), CORNERS),
    "16-bit-rgba-clear": (deep(colours16(alpha=0), 6), (WHITE,) * 4),
    "16-bit-grey": (GREY16, ((100,) * 3,) * 4),
    "16-bit-grey-dark": (deep(np.full((16, 24, 1), 0x0AFF, np.uint16), 0), ((10,) * 3,) * 4),
    "16-bit-grey-clear": (
        with_chunk(GREY16, b"tRNS", b"\x64\x64", b"IDAT"),
        (WHITE,) * 4,
    ),
    "16-bit-grey-alpha": (deep(np.full((16, 24, 2), 0x6464, np.uint16), 4), ((190,) * 3,) * 4),
    "palette": (paletted(), CORNERS),
    "palette-clear": (paletted(transparency=bytes([0] * 8)), (WHITE,) * 4),
    "alpha": (saved(see_through()), (WHITE, CORNERS[1], WHITE, CORNERS[3])),
    "grey-alpha": (saved(Image.new("LA", (24, 16), (0, 0))), (WHITE,) * 4),
    "grey": (saved(Image.new("L", (24, 16), 100)), ((100,) * 3,) * 4),
    "one-bit": (saved(Image.new("1", (24, 16), 1)), (WHITE,) * 4),
    "colour-key": (saved(scene(), transparency=CORNERS[0]), (WHITE, *CORNERS[1:])),
    "profile": (saved(scene(), icc_profile=SRGB), CORNERS),
    "text": (saved(scene(), pnginfo=TEXT), CORNERS),
    "frames": (
        saved(scene(), save_all=True, append_images=[Image.new("RGB", (24, 16))], duration=9**5),
        CORNERS,
    ),
    "webp-alpha": (
        saved(see_through(), "WEBP", lossless=True),
        (WHITE, CORNERS[1], WHITE, CORNERS[3]),
    ),
    "progressive": (saved(scene(), "JPEG", quality=98, subsampling=0, progressive=True), CORNERS),
    "plain": (saved(scene()), CORNERS),
}  # fmt: skip


# Pillow, and with it vLLM and transformers, follow these; Chromium does not.
DISPUTED = {"exif-webp", "exif-after-the-pixels"}


def near(found: tuple[tuple[int, ...], ...], right: tuple[tuple[int, ...], ...]) -> bool:
    """Tell whether colours differ by no more than a JPEG and rounding to tens make of them."""
    return bool(np.abs(np.array(found) - np.array(right)).max() <= 10)


DRAW = """async (all) => {
  const kinds = {iV: 'png', '/9': 'jpeg', Uk: 'webp'};
  const found = [];
  for (const data of all) {
    const image = new Image();
    image.src = `data:image/${kinds[data.slice(0, 2)]};base64,${data}`;
    await image.decode();
    const [w, h] = [image.naturalWidth, image.naturalHeight];
    const canvas = new OffscreenCanvas(w, h);
    const pen = canvas.getContext('2d');
    pen.fillStyle = 'white';
    pen.fillRect(0, 0, w, h);
    pen.drawImage(image, 0, 0);
    const at = (x, y) => [...pen.getImageData(x | 0, y | 0, 1, 1).data].slice(0, 3);
    found.push([w, h, [at(w / 4, h / 4), at(3 * w / 4, h / 4), at(w / 4, 3 * h / 4),
                       at(3 * w / 4, 3 * h / 4)]]);
  }
  return found;
}"""


@pytest.mark.parametrize("case", CASES)
def test_a_picture_is_decoded_as_it_is_seen(case: str) -> None:
    """Orientation, depth, palette and transparency come to what a viewer shows."""
    picture, right = CASES[case]

    assert near(corners(picture), right)
    assert opened(picture).mode == "RGB"
    assert opened(picture).size == size_of(picture)


def test_a_browser_shows_what_is_measured(browser: Browser, tmp_path: Path) -> None:
    """Chromium draws every picture in the size and the colours that are measured, on white."""
    cases = {case: told for case, told in CASES.items() if case not in DISPUTED}
    data = [base64.b64encode(picture).decode() for picture, _ in cases.values()]
    (tmp_path / "a.html").write_text("<title>pictures</title>")
    (address,) = list_addresses(str(tmp_path))
    with browser.visit(address, Settings()) as visit:
        found = visit.page.evaluate(DRAW, data)

    wrong = {
        case: (size, seen)
        for (case, (picture, right)), (*size, seen) in zip(cases.items(), found, strict=True)
        if tuple(size) != size_of(picture) or not near(seen, right)
    }
    assert wrong == {}


@pytest.mark.parametrize("case", CASES)
def test_what_is_stored_can_be_read_in_one_way(case: str) -> None:
    """A stored picture has the same pixels, and nothing beside them to follow."""
    picture, _ = CASES[case]
    stored = plain(picture)

    assert is_plain(stored)
    assert np.array_equal(pixels_of(stored), pixels_of(picture))
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(stored))), pixels_of(picture))


def test_a_plain_picture_keeps_its_bytes() -> None:
    """A PNG that says nothing but its pixels is stored as it came."""
    picture = png_of(scene())

    assert plain(picture) is picture


@pytest.mark.parametrize(
    "data", [b"", b"\x89PNG\r\n\x1a\n", png_of(scene())[:60], b"\xff\xd8\xff", b"GIF89a"]
)
def test_a_cut_picture_is_not_plain(data: bytes) -> None:
    """Bytes that end early are no plain picture, and raise nothing else."""
    assert not is_plain(data)
