"""
Pictures that are nearly the same are found however they were changed; other screens are not.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable
from typing import Final

import pytest
from PIL import Image, ImageDraw, ImageFilter

from surefoot.core.seeds import random_source
from surefoot.train.similar import MOST_CELLS, grouped, likeness_of, same_pictures, share_apart
from surefoot_studies.tiny.bench import drawn
from surefoot_studies.tiny.drawing import changed, png

SIZE: Final = (640, 400)


def encoded(image: Image.Image, kind: str = "PNG", **options: int) -> bytes:
    """Return a picture's bytes."""
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def page(seed: int, ground: str = "#ffffff") -> Image.Image:
    """Draw a page of a site that all seeds share: its bar and menu, and a body by the seed."""
    image, source = Image.new("RGB", SIZE, ground), random_source(seed, "page")
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, 640, 36), fill="#224466")
    pen.rectangle((0, 36, 120, 400), fill="#e8eef4")
    for top in range(60, 380, 40):
        pen.text((12, top), f"Menu {top}", fill="#223344")
        left, wide = 150 + source.randrange(200), 60 + source.randrange(200)
        colour = source.choice(("#cc3322", "#2266bb", "#339944", "#775599"))
        pen.rectangle((left, top, left + wide, top + 22), fill=colour)
        pen.text((left + 6, top + 6), "Words on it", fill="#ffffff")
    return image


def small_screen(number: int, variant: str) -> Image.Image:
    """Return a drawn screen of 128 x 96."""
    return Image.open(io.BytesIO(png(changed(drawn(1, "click", number), variant)))).convert("RGB")


def rescaled(image: Image.Image, factor: float) -> Image.Image:
    """Return a picture of another size."""
    width, height = image.size
    return image.resize((round(width * factor), round(height * factor)))


def cut(image: Image.Image, share: float) -> Image.Image:
    """Return a picture without a share of it at every edge."""
    width, height = image.size
    across, down = int(width * share), int(height * share)
    return image.crop((across, down, width - across, height - down))


CHANGES: Final[dict[str, Callable[[Image.Image], bytes]]] = {
    "recompressed": lambda image: encoded(image, "JPEG", quality=60),
    "half as large": lambda image: encoded(rescaled(image, 0.5)),
    "three quarters": lambda image: encoded(rescaled(image, 0.75)),
    "half again as large": lambda image: encoded(rescaled(image, 1.5)),
    "cut at every edge": lambda image: encoded(cut(image, 0.01)),
    "edges smoothed": lambda image: encoded(image.filter(ImageFilter.GaussianBlur(0.6))),
    "several at once": lambda image: encoded(rescaled(cut(image, 0.01), 0.75), "JPEG", quality=80),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_copy_is_found_and_nothing_else(change: str) -> None:
    """Of five pages and six drawn screens each copy is found as its own, and no other."""
    images = {f"page{seed}": page(seed) for seed in range(5)}
    images |= {
        f"{variant}{number}": small_screen(number, variant)
        for variant in ("original", "dark-ground")
        for number in range(3)
    }
    known = {name: likeness_of(encoded(image)) for name, image in images.items()}
    copies = {f"{name}'": likeness_of(CHANGES[change](image)) for name, image in images.items()}
    assert set(same_pictures(copies, known)) == {(f"{name}'", name) for name in images}


def test_blank_pages_are_like_no_other() -> None:
    """Blank pages, and pages with one button in two places, are no pairs; copies of them are."""
    pages = {"white": Image.new("RGB", SIZE, "#fff"), "grey": Image.new("RGB", SIZE, "#eee")}
    for name, left in (("button", 100), ("moved", 120), ("far", 400)):
        pages[name] = Image.new("RGB", SIZE, "#fff")
        ImageDraw.Draw(pages[name]).rectangle((left, 50, left + 60, 70), fill="#0066cc")
    for name, at in (("words", (50, 50)), ("below", (50, 90))):
        pages[name] = Image.new("RGB", SIZE, "#fff")
        ImageDraw.Draw(pages[name]).text(at, "Nothing was found", fill="#999")
    known = {name: likeness_of(encoded(image)) for name, image in pages.items()}
    for first, second in itertools.combinations(pages, 2):
        assert share_apart(known[first], known[second]) > 2 * MOST_CELLS, (first, second)
    copies = {
        f"{name}'": likeness_of(encoded(image, "JPEG", quality=60))
        for name, image in pages.items()
    }
    found = dict(same_pictures(copies, known))
    assert found == {f"{name}'": name for name in ("button", "moved", "far", "words", "below")}


def test_a_name_on_both_sides_is_its_own_pair() -> None:
    """The same bytes are a pair, blank or not: there is nothing to measure."""
    blank = {"same": likeness_of(encoded(Image.new("RGB", SIZE, "#fff")))}
    assert list(same_pictures(blank, blank)) == [("same", "same")]
    assert list(same_pictures(blank, {})) == []


def test_sites_are_grouped_over_others() -> None:
    """Two sites that share nothing but a third that is like both are one group."""
    first, second, other = page(1), page(2), page(3)
    pictures = {
        "a1": ("a", first),
        "b1": ("b", rescaled(first, 0.5)),
        "b2": ("b", second),
        "c1": ("c", rescaled(second, 1.5)),
        "d1": ("d", other),
    }
    likenesses = {name: likeness_of(encoded(image)) for name, (_, image) in pictures.items()}
    group = grouped({name: site for name, (site, _) in pictures.items()}, likenesses)
    assert group("a") == group("b") == group("c")
    assert group("d") != group("a")
