"""
Try `import surefoot` as its users have it: nothing but the installed package, in an empty folder.

A page of our own is captured, a benchmark built from it, a function asked, and the answers are
scored and reported. ``scripts/try_wheel.sh`` runs this in a fresh environment.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops

import surefoot

PAGE: Final = """<!doctype html><title>Shop</title>
<style>button { background: #f0f; color: #fff; border: 0; padding: 12px 30px }</style>
<h1>Your order</h1><label>Name <input name=name></label><p><button>Save</button><p>
<a href="#help">Help</a>"""


def middle_of_magenta(image: Image.Image, _instruction: str) -> tuple[float, float] | None:
    """Point at the middle of what is magenta, whatever is asked for."""
    red, green, blue = image.split()
    found = ImageChops.subtract(ImageChops.darker(red, blue), green).getbbox()
    return found and ((found[0] + found[2]) / 2, (found[1] + found[3]) / 2)


def main() -> None:
    """Go from a page to a report; raises where anything is not as it should be."""
    installed = Path(surefoot.__file__ or "").resolve()
    assert Path(sys.prefix).resolve() in installed.parents, installed
    Path("shop.html").write_text(PAGE, "utf-8")
    screens = surefoot.capture("shop.html", out="screens", unconfined=True)
    assert "Save" in {element.name for element in screens[0].elements}
    bench = surefoot.build(
        "perturbed", screens=screens, out="bench", variants="original,zoom:1.5", unconfined=True
    )
    run = surefoot.run(bench, model=middle_of_magenta, out="run", self_check=False)
    hits = {exchange.question.role for exchange in run if exchange.hit}
    assert hits == {"button"}, hits
    scores = surefoot.score(run)
    assert scores.summary.answers == len(bench) == len(run.to_arrow())
    report = surefoot.report(run, out="report.html")
    assert report.path.read_text("utf-8").startswith("<!doctype html>")
    assert run[0].picture().size == screens[0].picture().size


if __name__ == "__main__":
    main()
