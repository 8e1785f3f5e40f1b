"""
Pages whose forms, fields, pictures and ids are called as the browser's own properties are.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from attacks.attack import Attack, Trial
from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.core.errors import SurefootError
from surefoot.core.perturbation import parse_variant
from surefoot.core.screen import Element
from surefoot.core.seeds import random_source

SCRIPTS: Final = Path(__file__).parent.parent / "src/surefoot/capture/web/javascript"
VARIANTS: Final = ("shuffle", "text_shrink")
NAMES_ON_A_PAGE: Final = 120
ROW_PX: Final = 26

# Every property of what answers to names, up to the last prototype.
REACHABLE: Final = """() => {
  const found = new Set();
  for (const start of [document.createElement("form"), document, window]) {
    for (let owner = start; owner; owner = Object.getPrototypeOf(owner)) {
      for (const name of Object.getOwnPropertyNames(owner)) found.add(name);
    }
  }
  return [...found, "surefoot", "surefootLook", "NaN"];
}"""
# One row each: a form, or what stands beside one, that bears NAME where pages bear names.
SHAPES: Final = """
<form name=NAME><button type=button>Go</button> <button type=button>Stop</button>
<label>First <input name=NAME size=9></label> <a href=#>away</a></form>

<form name=NAME aria-label=Search onclick="0" tabindex=0>
<input name=NAME placeholder=Find size=9> <label><input type=checkbox name=other> keep</label>
<button>Find</button></form>

<form name=NAME role=group style="cursor: pointer"><b>Choose</b>
<select name=NAME><option>one<option>two</select>
<input type=checkbox style="appearance: none" id=NAME> <i>mark</i></form>

<form name=NAME style="position: relative; overflow: hidden">
<fieldset name=NAME style="border: 0; margin: 0; padding: 0"><input type=radio name=r>
<input type=radio name=r> <output name=NAME>7</output></fieldset></form>

<div><img name=NAME alt=Picture width=20 height=12 src=dot.svg>
<object name=NAME id=NAME width=9 height=9></object> <button type=button>Zoom</button>
<span>caption</span></div>

<form name=NAME style="display: contents"><button name=NAME type=button>Plain</button>
<button type=button>Other</button> <span>words</span></form>

<form name=NAME><input type=file name=NAME style="opacity: 0; width: 9px">
<label>Text <input name=NAME value=typed size=9></label>
<input type=image name=NAME alt=Send src=dot.svg width=20 height=12></form>
""".strip().split("\n\n")
DOT: Final = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='12'>"
    "<rect width='20' height='12' fill='green'/></svg>"
)


def reachable_names(browser: Browser, folder: Path, seed: int) -> list[str]:
    """Return every name, those that our scripts spell first, each part in a drawn order."""
    (folder / "index.html").write_text("<!doctype html><title>Names</title>", "utf-8")
    with browser.visit(list_addresses(str(folder / "index.html"))[0], Settings()) as visit:
        names = sorted(visit.page.evaluate(REACHABLE))
    scripts = " ".join(file.read_text("utf-8") for file in sorted(SCRIPTS.glob("*.js")))
    spelled = set(re.findall(r"[\w$]+", scripts))
    random_source(seed, "names").shuffle(names)
    return sorted(names, key=lambda name: name not in spelled)


def write_page(folder: Path, names: Sequence[str], shift: int, *, framed: bool) -> str:
    """Write a page with a row for each name, in a frame or not; return its address."""
    rows = "".join(
        f"<section style='position: absolute; left: 4px; top: {ROW_PX * at}px; "
        f"height: {ROW_PX}px; white-space: nowrap'>"
        + SHAPES[(at + shift) % len(SHAPES)].replace("NAME", name)
        + "</section>"
        for at, name in enumerate(names)
    )
    style = "<style>body { font: 12px sans-serif } input, button, select { font: inherit }</style>"
    page = f"<!doctype html><html lang=en><meta charset=utf-8><title>Names</title>{style}{rows}"
    folder.mkdir(parents=True)
    (folder / "dot.svg").write_text(DOT, "utf-8")
    (folder / "inner.html").write_text(page, "utf-8")
    frame = (
        "<!doctype html><html lang=en><title>Names</title><body style='margin: 0'>"
        "<iframe src=inner.html style='border: 0; position: absolute; width: 100%; height: 100%'>"
        "</iframe>"
    )
    (folder / "index.html").write_text(frame if framed else page, "utf-8")
    return str(folder / "index.html")


def captures(browser: Browser, page: str, rows: int) -> list[Capture]:
    """Return a page's original and its variants, as high as its rows."""
    address = list_addresses(page)[0]
    settings = Settings(width=1000, height=rows * ROW_PX)
    first = capture(browser, address, settings)
    found = [first]
    for name in VARIANTS:
        edits = parse_variant(name).edits(first.screen, seed=0)
        found.append(
            capture(browser, address, settings, variant=name, edits=edits, original=first.screen)
        )
    return found


def rows_of(captured: Sequence[Capture]) -> list[dict[int, list[Element]]]:
    """Return the elements of each capture by the row in which they lie."""
    found = []
    for item in captured:
        rows: dict[int, list[Element]] = {}
        for element in item.screen.elements:
            rows.setdefault(int((element.box.top + element.box.bottom) / 2 // ROW_PX), []).append(
                element
            )
        found.append(rows)
    return found


def trials(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Capture pages full of such names, and the same pages with harmless ones."""
    with Browser() as browser:
        names = reachable_names(browser, folder, seed)[:number]
        rows = min(len(names), NAMES_ON_A_PAGE)

        @functools.cache
        def harmless(framed: bool) -> list[Capture]:  # noqa: FBT001
            plain = [f"harmless{at}" for at in range(rows)]
            site = folder / f"framed-{framed}" / "site"
            return captures(browser, write_page(site, plain, seed, framed=framed), rows)

        def attempt(batch: Sequence[str], at: int, where: str, *, framed: bool) -> list[Trial]:
            filled = [f"harmless{index}" for index in range(rows)]
            filled[at : at + len(batch)] = batch
            site = folder / where / "site"
            try:
                found = captures(browser, write_page(site, filled, seed, framed=framed), rows)
            except SurefootError as error:
                if len(batch) == 1:
                    return [Trial(batch[0], held=False, seen=str(error))]
                middle = len(batch) // 2
                return [
                    trial
                    for part, start in ((batch[:middle], at), (batch[middle:], at + middle))
                    for trial in attempt(part, start, f"{where}-{start}", framed=framed)
                ]
            wanted = harmless(framed)
            same_pictures = [a.png == b.png for a, b in zip(found, wanted, strict=True)]
            return [
                judge(name, row, rows_of(found), rows_of(wanted), same_pictures)
                for row, name in enumerate(batch, at)
            ]

        for start in range(0, len(names), NAMES_ON_A_PAGE):
            batch = names[start : start + NAMES_ON_A_PAGE]
            framed = bool(start // NAMES_ON_A_PAGE % 2)
            yield from attempt(batch, 0, f"page-{start}", framed=framed)


def judge(
    name: str,
    row: int,
    found: list[dict[int, list[Element]]],
    wanted: list[dict[int, list[Element]]],
    same_pictures: list[bool],
) -> Trial:
    """Compare a row with the one that bears a harmless name, in the original and variants."""
    for variant, mine, theirs in zip(("original", *VARIANTS), found, wanted, strict=True):
        if mine.get(row) != theirs.get(row):
            return Trial(name, held=False, seen=f"other elements in the {variant}")
    if not all(same_pictures):
        return Trial(name, held=False, seen="another picture")
    return Trial(name, held=True)


# A page's script can change what its own world knows of an interface, and of every object.
SPOIL: Final = """
<script>
  const refuse = () => { throw new Error("spoilt"); };
  for (const name of INTERFACES) {
    for (const owner of [window[name], window[name].prototype]) {
      for (const key of owner ? Reflect.ownKeys(owner) : []) {
        try { Object.defineProperty(owner, key, { get: refuse, set: refuse }); } catch {}
      }
    }
  }
</script>"""
INTERFACES: Final = """() => Object.getOwnPropertyNames(window).filter((name) =>
  /^[A-Z]/.test(name) && typeof window[name] === "function" && window[name].prototype)"""
# Without these no script runs on: they are spoilt last.
LAST: Final = ("Object", "Function", "Reflect", "Array", "Error")
INTERFACES_ON_A_PAGE: Final = 12


def spoilt_trials(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Capture a page whose script has spoilt some interfaces, and the page without it."""
    rows = [f"harmless{at}" for at in range(2 * len(SHAPES))]
    with Browser() as browser:
        plain = write_page(folder / "plain" / "site", rows, seed, framed=False)
        address = list_addresses(plain)[0]
        with browser.visit(address, Settings()) as visit:
            known = sorted(visit.page.evaluate(INTERFACES))
        wanted = captures(browser, plain, len(rows))
        source = random_source(seed, "spoilt")
        for at in range(number):
            # The first page spoils all of them at once.
            drawn = known if at == 0 else source.sample(known, INTERFACES_ON_A_PAGE)
            drawn = sorted(drawn, key=lambda name: name in LAST)
            name = f"page {at}: {', '.join(drawn[:INTERFACES_ON_A_PAGE])}"
            page = write_page(folder / f"page-{at}" / "site", rows, seed, framed=False)
            spoil = SPOIL.replace("INTERFACES", json.dumps(drawn))
            text = Path(page).read_text("utf-8")
            Path(page).write_text(text + spoil, "utf-8")
            try:
                found = captures(browser, page, len(rows))
            except SurefootError as error:
                yield Trial(name, held=False, seen=str(error))
                continue
            same = [
                (mine.png, mine.screen.elements) == (theirs.png, theirs.screen.elements)
                for mine, theirs in zip(found, wanted, strict=True)
            ]
            seen = "" if all(same) else f"other screens: {same}"
            yield Trial(name, held=not seen, seen=seen)


ATTACKS: Final = (
    Attack(
        name="names",
        promise="No name in a page changes what is seen of it",
        does="Forms, fields, pictures and ids are called as each property of the interface is",
        trials=trials,
        many=240,
        whole=10_000,
    ),
    Attack(
        name="spoilt-interfaces",
        promise="No name in a page changes what is seen of it",
        does="A page's script makes every property of interfaces throw",
        trials=spoilt_trials,
        many=4,
        whole=20,
    ),
)
