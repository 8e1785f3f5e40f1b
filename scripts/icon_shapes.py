# ruff: noqa: T201 - a script beside what it writes
"""
Write the shapes that tell icons without a name, from published sets whose files have names.

    python scripts/icon_shapes.py

Of each set every icon is drawn. Those that ``icons.tsv`` names are kept under that name; of the
others those that look like one, so that they are not taken for it. What is called by a word of an
icon's name ("bell-slash") is neither that icon nor speaks against it.
"""

from __future__ import annotations

import functools
import io
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import sync_playwright

from surefoot.capture.sources.npm import fetch
from surefoot.core.pictures import Pixels
from surefoot.refer.scene.icons import icon_words, shown_by
from surefoot.refer.scene.shapes import SIDE, TILES_A_ROW, features_of, tile_of

HERE = Path(__file__).parents[1] / "src" / "surefoot" / "refer" / "scene"
# Licences: ISC for lucide; Apache 2.0 for Material's and Remix's; MIT for the rest.
SETS = (
    ("@material-design-icons/svg", "0.14.15", ("filled/*.svg", "outlined/*.svg")),
    ("@mdi/svg", "7.4.47", ("svg/*.svg",)),
    ("@primer/octicons", "19.42.0", ("build/svg/*-24.svg",)),
    ("@tabler/icons", "3.52.0", ("icons/outline/*.svg", "icons/filled/*.svg")),
    ("bootstrap-icons", "1.13.2", ("icons/*.svg",)),
    ("feather-icons", "4.29.2", ("dist/icons/*.svg",)),
    ("heroicons", "2.2.0", ("24/*/*.svg",)),
    ("ionicons", "8.1.0", ("dist/svg/*.svg",)),
    ("lucide-static", "1.62.0", ("icons/*.svg",)),
    ("remixicon", "4.9.1", ("icons/*/*.svg",)),
)
# Called like an icon that it is not: the mark of a programming language.
MISNAMED = {"language-r"}
# Further words in these sets' names for what an icon shows, or for what is drawn like it.
RELATED = {
    "arrow down": "down south", "arrow left": "back left west before",
    "arrow right": "forward right east next", "arrow up": "up north",
    "bars": "reorder hamburger justify density list rows handle", "bin": "waste",
    "briefcase": "suitcase bag work", "bubble": "chatbox chatbubble sms textsms forum tooltip",
    "bulb": "idea objects", "card": "payment", "chain": "attachment",
    "clock": "watch builder", "cross": "clear cancel off", "disk": "sd", "eye": "view preview",
    "folder": "directory drive", "gear": "setting config", "globe": "global planet",
    "heart": "hearts heartbreak", "landscape": "images panorama", "magnifier": "zoom",
    "moon": "night bedtime", "pencil": "write border", "pin": "room fmd",
    "sheet": "page note paper task plagiarism invoice", "sun": "brightness sunny", "tag": "sell",
    "tick": "checkbox",
}  # fmt: skip
DRAWN_PX, PAD, COLUMNS, ROWS = 48, 6, 40, 25
ALIKE = 0.975  # of two shapes under the same name: one is enough
CLOSE = 0.84  # from here on another icon may keep a picture from being named
LEVELS = 16
STYLE = f"""<style>svg {{ width: {DRAWN_PX}px !important; height: {DRAWN_PX}px !important;
display: block }} svg:not([fill]) {{ fill: currentColor }} .ionicon {{ stroke: currentColor }}
.ionicon-fill-none {{ fill: none }} .ionicon-stroke-width {{ stroke-width: 32px }}</style>"""


def drawn(files: Sequence[Path]) -> Iterator[Pixels]:
    """Yield the picture of each file, black on white."""
    cell = DRAWN_PX + 2 * PAD
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": COLUMNS * cell, "height": ROWS * cell})
        for start in range(0, len(files), COLUMNS * ROWS):
            part = files[start : start + COLUMNS * ROWS]
            page.set_content(STYLE + "".join(map(_placed, range(len(part)), part)))
            sheet = np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
            for at in range(len(part)):
                top, left = at // COLUMNS * cell, at % COLUMNS * cell
                yield sheet[top : top + cell, left : left + cell]
        browser.close()


def _placed(at: int, file: Path) -> str:
    cell = DRAWN_PX + 2 * PAD
    left, top = at % COLUMNS * cell + PAD, at // COLUMNS * cell + PAD
    where = f"position:absolute;left:{left}px;top:{top}px"
    return f'<div style="{where}">{file.read_text("utf-8")}</div>'


@functools.cache
def known_words() -> dict[str, set[str]]:
    """Return the words that an icon, or what is drawn like it, may be called by."""
    return {icon: words | set(RELATED.get(icon, "").split()) for icon, words in icon_words()}


def distinct(rows: Sequence[int], features: NDArray[np.float64]) -> list[int]:
    """Return those of some shapes that are not nearly the same as one before."""
    kept: list[int] = []
    for row in rows:
        if not kept or (features[kept] @ features[row]).max() <= ALIKE:
            kept.append(row)
    return kept


def main() -> None:
    """Draw all sets, choose, and write the sheet and its names."""
    files = [
        file
        for package, version, patterns in SETS
        for pattern in patterns
        for file in sorted(fetch(package, version).glob(pattern))
    ]
    found: list[tuple[str, str, NDArray[np.uint8]]] = []
    for file, picture in zip(files, drawn(files), strict=True):
        ink = 1 - picture.min(axis=2) / np.float64(255)
        if ink.max() > 0:
            words = set(re.split(r"[-_.0-9]+", file.stem.lower().removeprefix("logo-")))
            near = [icon for icon, known in known_words().items() if known & words]
            name = "" if file.stem in MISNAMED else shown_by(file.stem.removesuffix("-24"))
            found.append((name, "|".join(sorted(near)), tile_of(ink)))
    tiles = np.stack([tile for *_, tile in found])
    features = features_of(tiles)
    named = [row for row, (name, *_) in enumerate(found) if name]
    groups: dict[tuple[str, str], list[int]] = {}
    for row in named:
        groups.setdefault((found[row][0], ""), []).append(row)
    alike = features @ features[named].T
    for row, (name, kin, _) in enumerate(found):
        against = [found[at][0] not in kin.split("|") for at in named]
        if not name and alike[row][against].max() > CLOSE:
            groups.setdefault(("", kin), []).append(row)
    chosen = [(key, row) for key in sorted(groups) for row in distinct(groups[key], features)]
    height = -(-len(chosen) // TILES_A_ROW) * SIDE
    sheet = np.zeros((height, TILES_A_ROW * SIDE), np.uint8)
    for at, (_, row) in enumerate(chosen):
        top, left = at // TILES_A_ROW * SIDE, at % TILES_A_ROW * SIDE
        step = 255 // (LEVELS - 1)
        sheet[top : top + SIDE, left : left + SIDE] = np.rint(tiles[row] / step) * step
    Image.fromarray(sheet).quantize(LEVELS).save(HERE / "icon_shapes.png", optimize=True)
    lines = [f"{name}\t{'' if name else near}" for (name, near), _ in chosen]
    (HERE / "icon_shapes.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{len(named)} of {len(found)} icons have a name; {len(chosen)} shapes are kept")


if __name__ == "__main__":
    main()
