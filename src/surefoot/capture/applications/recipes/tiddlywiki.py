"""
TiddlyWiki: the notebook of a shop, one file that draws itself from the notes that it holds.

A wiki of this kind is published as its file, and asks for nothing more; each language has one,
with the same notes. Two notes are being edited, so that the editor has an address.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import urllib.parse
from datetime import timedelta
from pathlib import Path
from typing import Final

from surefoot.capture.applications.files import preferred, serve_files
from surefoot.capture.applications.node import module_file, node_environment
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

LANGUAGES: Final = {
    "en": "en-GB",
    "zh": "zh-Hans",
    "fr": "fr-FR",
    "ru": "ru-RU",
    "ja": "ja-JP",
}
CORE: Final = "en-GB"  # the language that is no plugin
TAGS: Final = ("stock", "customer", "supplier", "task", "season")
GOODS: Final = ("Rope", "Lantern", "Anchor", "Buoy", "Chart", "Compass", "Oilskin", "Paddle")
PEOPLE: Final = ("Chen", "Helen", "Kenji", "Olga", "Pierre", "Somchai")
HANDBOOK: Final = """! Orders
Every order has a delivery note, see [[Rope]] and [[Lantern]].

|!Goods |!Shelf |
|Rope |A 3 |
|Lantern |B 1 |

! Returns
Within thirty days, by [[Helen]] or [[Kenji]].
"""
DRAFTS: Final = ("Handbook", "Lantern")
STORIES: Final = (
    *("Handbook", "Lantern", "Helen", "Stocktaking", "Missing note"),
    *(f"Draft of '{title}'" for title in DRAFTS),
    *("$:/ControlPanel", "$:/AdvancedSearch", "$:/TagManager", "$:/Manager"),
    *("$:/core/ui/ControlPanel/Appearance", "$:/core/ui/ControlPanel/Settings"),
    *("$:/core/ui/ControlPanel/Saving", "$:/core/ui/ControlPanel/KeyboardShortcuts"),
    *("$:/core/ui/ControlPanel/Theme", "$:/core/ui/ControlPanel/Toolbars"),
    *("$:/core/ui/ControlPanel/Palette", "$:/core/ui/ControlPanel/Info"),
    *("$:/core/ui/SideBar/More", "$:/core/ui/SideBar/Tools", "$:/core/ui/ControlPanel/Plugins"),
)
PAGES: Final = (
    "/",
    *(f"/#{urllib.parse.quote(title, safe='')}" for title in STORIES),
    "/#:%5Btag%5Bsupplier%5D%5D",
)


def seed(folder: Path, seed: int) -> None:
    """Write the notes, and make the file of each language of them."""
    notes = _notes(random.Random(seed))  # noqa: S311 - reproducible, not secret
    plugins = [name for name in LANGUAGES.values() if name != CORE]
    themes = ["tiddlywiki/vanilla", "tiddlywiki/snowwhite"]
    for language in LANGUAGES.values():
        wiki = folder / language
        wiki.mkdir()
        chosen = {"title": "$:/language", "text": f"$:/languages/{language}"}
        (wiki / "tiddlywiki.info").write_text(
            json.dumps({"themes": themes, "languages": plugins}), encoding="utf-8"
        )
        (wiki / "tiddlers").mkdir()
        (wiki / "tiddlers" / "notes.json").write_text(
            json.dumps([*notes, chosen]), encoding="utf-8"
        )
        program = str(module_file("tiddlywiki/tiddlywiki.js"))
        command = [str(Path(sys.prefix, "bin", "node")), program, str(wiki)]
        command += ["--render", "$:/core/save/all", "wiki.html", "text/plain"]
        subprocess.run(command, env=node_environment(), check=True)


def _notes(source: random.Random) -> list[dict[str, str]]:
    notes = [
        _note("$:/SiteTitle", "North Quay"),
        _note("$:/SiteSubtitle", "what the shop knows"),
        _note("$:/DefaultTiddlers", "Handbook Stocktaking"),
        # In place of what asks the server, by OPTIONS, whether it would store the wiki.
        _note("$:/core/modules/savers/put.js", ""),
        _note("Handbook", HANDBOOK, tags="task", days=3),
        _note("Stocktaking", "Thursday, with <<tag stock>> first.", tags="task season", days=1),
    ]
    for name in GOODS:
        text = f"{source.randrange(4, 90)} on the shelf, from [[{source.choice(PEOPLE)}]]."
        notes.append(_note(name, text, tags="stock", days=source.randrange(4, 200)))
    for name in PEOPLE:
        text = f"Buys [[{source.choice(GOODS)}]] and [[{source.choice(GOODS)}]].\n\n* pays late"
        tags = source.choice(("customer", "supplier", "customer supplier"))
        notes.append(_note(name, text, tags=tags, days=source.randrange(4, 200)))
    for title in DRAFTS:
        note = next(item for item in notes if item["title"] == title)
        draft = {"title": f"Draft of '{title}'", "draft.of": title, "draft.title": title}
        notes.append({**note, **draft})
    return notes


def _note(title: str, text: str, tags: str = "", days: int = 0) -> dict[str, str]:
    when = (CLOCK - timedelta(days=days)).strftime("%Y%m%d%H%M%S000")
    facts = {"title": title, "text": text, "created": when, "modified": when}
    return {**facts, "creator": "maria", "modifier": "maria", **({"tags": tags} if tags else {})}


def serve(folder: Path, port: int) -> None:
    """Serve the file of the language that is asked for; there is nobody to sign in."""
    files = {
        language: (folder / language / "output" / "wiki.html").read_text("utf-8")
        for language in LANGUAGES.values()
    }

    def page(path: str, accepted: str) -> str | None:
        return files[preferred(accepted, LANGUAGES)] if path == "/" else None

    serve_files(port, {}, page)


TIDDLYWIKI: Final = ApplicationRecipe(
    name="tiddlywiki",
    version=1,
    title="TiddlyWiki",
    maker="Jeremy Ruston and the TiddlyWiki community",
    drawn_by="its own widgets",
    licence="BSD-3-Clause",
    languages=("en", "zh-CN", "fr", "ru", "ja"),
    megabytes=80,
    requirements=(),
    npm_packages=("tiddlywiki@5.4.1",),
    pages=PAGES,
    signed_in=".tc-page-controls",
    seed=seed,
    serve=serve,
)
