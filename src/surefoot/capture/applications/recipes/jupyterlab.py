"""
JupyterLab: the notebooks, tables and notes of a shop, in windows that Lumino draws.

News and updates are never asked for, and terminals are off. A kernel speaks through a
WebSocket, which no captured page has, so notebooks open without one; a page is a workspace,
which says what is open where.
"""

from __future__ import annotations

import base64
import csv
import io
import json
import os
import random
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from surefoot.capture.applications.files import preferred
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

LANGUAGES: Final = {"en": "en", "zh": "zh_CN", "fr": "fr_FR", "ru": "ru_RU", "ja": "ja_JP"}
TRANSLATION: Final = "@jupyterlab/translation-extension:plugin"
USER: Final = "maria"
GOODS: Final = ("Rope", "Lantern", "Anchor", "Buoy", "Chart", "Compass", "Oilskin", "Paddle")
PEOPLE: Final = ("Chen", "Helen", "Kenji", "Olga", "Pierre", "Somchai")
# Folders of the state: what is served, what is set, and the workspaces.
SHOP: Final = "shop"
CONFIG: Final = "config"
SPACES: Final = "workspaces"
# What would ask its makers, build it anew, convert, or look for language servers.
PAGE_CONFIG: Final = {
    "buildAvailable": False,
    "buildCheck": False,
    "disabledExtensions": {
        "@jupyterlab/apputils-extension:announcements": True,
        "@jupyterlab/lsp-extension:plugin": True,
        "@jupyterlab/notebook-extension:export": True,
        "@jupyterlab/notebook-extension:update-raw-mimetype": True,
    },
}
# It proves addresses, which nothing here wants, and takes as long to begin as all the rest.
URI_GRAMMAR: Final = "rfc3987_syntax"
HANDBOOK: Final = """# Handbook

## Orders

Every order has a **delivery note**. See [stocktaking](stocktaking.md).

1. Print two.
2. Sign one.
3. File the other.

## Prices

| Goods | Shelf | Price |
| --- | --- | ---: |
| Rope, 10 m | A 3 | 12.50 |
| Lantern | B 1 | 34.00 |
| Compass | B 2 | 58.00 |

## Returns

> Within thirty days, with the note.

```python
refund = price * count - fee
```
"""
STOCKTAKING: Final = """# Stocktaking

- [x] Shelf A
- [ ] Shelf B
- [ ] Lower shed

Next on *Thursday*, with Helen and Kenji.
"""
REORDER: Final = '''"""Say what has to be bought."""

import csv
from pathlib import Path

LEAST = 12


def wanted(file: Path) -> dict[str, int]:
    """Return how many of each of the goods are missing on the shelf."""
    with file.open(encoding="utf-8") as rows:
        counts = {row["goods"]: int(row["count"]) for row in csv.DictReader(rows)}
    return {goods: LEAST - count for goods, count in counts.items() if count < LEAST}


if __name__ == "__main__":
    for goods, count in wanted(Path("data/stock.csv")).items():
        print(f"{goods}: {count}")
'''
LABELS: Final = """-- The labels of what is sent today
SELECT o.number, c.name, c.street, c.town
FROM orders AS o
JOIN customers AS c ON c.id = o.customer
WHERE o.day = CURRENT_DATE AND o.state = 'packed'
ORDER BY c.town, c.name;
"""
OFFER: Final = """<!doctype html>
<html lang="en"><head><title>Offer</title><style>
body { font-family: sans-serif; margin: 2em } th, td { padding: .3em 1em; text-align: left }
</style></head><body><h1>Spring offer</h1><p>Until the end of March.</p>
<table><tr><th>Goods</th><th>Price</th></tr><tr><td>Rope, 10 m</td><td>11.00</td></tr>
<tr><td>Lantern</td><td>29.00</td></tr></table></body></html>
"""
FLOW: Final = """flowchart LR
  order[Order] --> stock{In stock?}
  stock -->|yes| pack[Pack] --> send[Send]
  stock -->|no| buy[Buy] --> pack
"""


class _Panel(NamedTuple):
    """A window of the main area: what tracks it, the file it shows and by which viewer."""

    tracker: str
    path: str
    viewer: str

    @property
    def name(self) -> str:
        """Return what the layout calls it."""
        by = f":{self.viewer}" if self.tracker == "application-mimedocuments" else ""
        return f"{self.tracker}:{self.path}{by}"

    @property
    def told(self) -> dict[str, object]:
        """Return what the command that opens it is told."""
        if not self.viewer:
            return {}
        kernel = {"kernelPreference": {"shouldStart": False, "shouldReuse": False}}
        return {
            "path": self.path,
            "factory": self.viewer,
            **(kernel if self.tracker == "notebook" else {}),
        }


class _Space(NamedTuple):
    """A workspace: its windows from left to right, and what is open at its sides."""

    panels: tuple[_Panel, ...]
    folder: str = ""
    left: str = "filebrowser"
    right: str = ""


TOC: Final = "@jupyterlab/toc:plugin"
NOTEBOOK: Final = _Panel("notebook", "notebooks/orders.ipynb", "Notebook")
STOCK: Final = _Panel("notebook", "notebooks/stock.ipynb", "Notebook")
PREVIEW: Final = _Panel("markdownviewer-widget", "notes/handbook.md", "Markdown Preview")
EDITOR: Final = _Panel("editor", "notes/handbook.md", "Editor")
SCRIPT: Final = _Panel("editor", "scripts/reorder.py", "Editor")
TABLE: Final = _Panel("csvviewer", "data/stock.csv", "CSVTable")
WORKSPACES: Final = {
    "orders": _Space((NOTEBOOK,), "notebooks"),
    "contents": _Space((NOTEBOOK,), "notebooks", left=TOC),
    "properties": _Space((STOCK,), "notebooks", right="jp-property-inspector"),
    "debugger": _Space((SCRIPT,), "scripts", right="debugger-sidebar"),
    "handbook": _Space((EDITOR, PREVIEW), "notes", left=TOC),
    "reading": _Space((PREVIEW,), "notes", left=""),
    "stock": _Space((TABLE,), "data"),
    "running": _Space((SCRIPT, PREVIEW), left="running-sessions"),
    "extensions": _Space((PREVIEW,), left="extensionmanager.main-view"),
    "settings": _Space((_Panel("setting-editor", "setting-editor", ""),)),
    "advanced": _Space((_Panel("json-setting-editor", "json-setting-editor", ""),), left=""),
    "plugins": _Space((_Panel("plugin-manager", "plugins", ""),), left=""),
    "licences": _Space((_Panel("help-licenses", "licenses", ""),), left=""),
    "offer": _Space((_Panel("htmlviewer", "offer.html", "HTML Viewer"),)),
    "log": _Space((NOTEBOOK, _Panel("logconsole", "logconsole", ""))),
    "inspector": _Space((SCRIPT, _Panel("inspector", "inspector", ""))),
}
PAGES: Final = (
    *("/lab", "/lab/tree/notes/handbook.md", "/lab/tree/scripts/labels.sql"),
    *("/lab/tree/data/prices.json", "/lab/tree/pictures/takings.png"),
    *("/lab/tree/data/takings.vl.json", "/lab/tree/notes/order.mermaid", "/lab/tree/notebooks"),
    *("/lab/tree/notebooks/tides.ipynb", "/doc/tree/scripts/reorder.py"),
    *(f"/lab/workspaces/{name}" for name in WORKSPACES),
)


def seed(folder: Path, seed: int) -> None:
    """Write the shop's files, and the workspaces that open them."""
    from jupyterlab_server.workspaces_handler import WorkspacesManager

    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    for path, content in _files(source).items():
        file = folder / SHOP / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    for place in sorted((folder / SHOP).rglob("*")):
        when = CLOCK.timestamp() - source.randrange(3_600, 90 * 86_400)
        os.utime(place, (when, when))
    page_config = folder / CONFIG / "labconfig" / "page_config.json"
    page_config.parent.mkdir(parents=True)
    page_config.write_text(json.dumps(PAGE_CONFIG, indent=1), encoding="utf-8")
    manager = WorkspacesManager(str(folder / SPACES))
    for name, space in WORKSPACES.items():
        made = manager.save(name, json.dumps({"data": _layout(space), "metadata": {"id": name}}))
        when = CLOCK.timestamp() - source.randrange(3_600, 90 * 86_400)
        os.utime(made, (when, when))


def _layout(space: _Space) -> dict[str, object]:
    """Return a workspace as JupyterLab keeps it."""
    names = [panel.name for panel in space.panels]
    areas = [{"type": "tab-area", "currentIndex": 0, "widgets": [name]} for name in names]
    shares = [1 / len(areas)] * len(areas)
    split = {
        "type": "split-area",
        "orientation": "horizontal",
        "sizes": shares,
        "children": areas,
    }
    left = ["filebrowser", "running-sessions", TOC, "extensionmanager.main-view"]
    right = ["jp-property-inspector", "debugger-sidebar"]
    widths = [0.21 if space.left else 0, 0.54, 0.25 if space.right else 0]
    return {
        "layout-restorer:data": {
            "main": {"dock": areas[0] if len(areas) == 1 else split, "current": names[0]},
            "down": {"size": 0, "widgets": []},
            "left": _side(left, space.left),
            "right": _side(right, space.right),
            "relativeSizes": [width / sum(widths) for width in widths],
            "top": {"simpleVisibility": True},
        },
        "file-browser-filebrowser:cwd": {"path": space.folder},
        **{panel.name: {"data": panel.told} for panel in space.panels},
    }


def _side(widgets: Sequence[str], current: str) -> dict[str, object]:
    there = {"current": current} if current else {}
    return {"collapsed": not current, "visible": True, "widgets": list(widgets), **there}


def _files(source: random.Random) -> dict[str, str | bytes]:
    """Return the files of the shop by their paths."""
    counts = {goods: source.randrange(4, 90) for goods in GOODS}
    prices = {goods: source.randrange(600, 9_000) / 100 for goods in GOODS}
    tides = [(hour, round(2.4 + source.uniform(-1.9, 1.9), 2)) for hour in range(0, 24, 3)]
    takings = [(f"2025-{month:02}", source.randrange(900, 4_000)) for month in range(1, 13)]
    orders = [
        (
            1_000 + number,
            (CLOCK - timedelta(hours=9 * number)).date().isoformat(),
            source.choice(PEOPLE),
            (goods := source.choice(GOODS)),
            (count := source.randrange(1, 9)),
            f"{prices[goods] * count:.2f}",
        )
        for number in range(60)
    ]
    return {
        "offer.html": OFFER,
        "notes/handbook.md": HANDBOOK,
        "notes/stocktaking.md": STOCKTAKING,
        "notes/order.mermaid": FLOW,
        "scripts/reorder.py": REORDER,
        "scripts/labels.sql": LABELS,
        "data/orders.csv": _table(("order", "day", "customer", "goods", "count", "sum"), orders),
        "data/stock.csv": _table(("goods", "count"), counts.items()),
        "data/prices.json": json.dumps({"currency": "EUR", "prices": prices}, indent=2),
        "data/takings.vl.json": json.dumps(_chart(takings), indent=2),
        "pictures/takings.png": _bars([sum_ for _, sum_ in takings], 640, 420),
        "pictures/shelves.png": _bars(list(counts.values()), 480, 320),
        "notebooks/orders.ipynb": _orders_notebook(orders, takings),
        "notebooks/stock.ipynb": _stock_notebook(counts),
        "notebooks/tides.ipynb": _tides_notebook(tides),
    }


def _table(heads: Sequence[str], rows: Any) -> str:  # noqa: ANN401
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([heads, *rows])
    return written.getvalue()


def _chart(takings: Sequence[tuple[str, int]]) -> dict[str, object]:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": 600,
        "height": 320,
        "data": {"values": [{"month": month, "takings": sum_} for month, sum_ in takings]},
        "mark": "bar",
        "encoding": {
            "x": {"field": "month", "type": "ordinal"},
            "y": {"field": "takings", "type": "quantitative"},
        },
    }


def _bars(values: Sequence[int], width: int, height: int) -> bytes:
    """Draw values as bars."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    step, foot = (width - 60) / len(values), height - 30
    draw.line((40, 20, 40, foot, width - 10, foot), fill="black", width=2)
    for number, value in enumerate(values):
        left, top = 50 + number * step, foot - value / max(values) * (height - 60)
        draw.rectangle((left, top, left + step * 0.7, foot), fill=(31, 119, 180))
    kept = io.BytesIO()
    image.save(kept, "PNG")
    return kept.getvalue()


def _orders_notebook(orders: Sequence[Sequence[Any]], takings: Sequence[tuple[str, int]]) -> str:
    rows = "".join(
        f"<tr><th>{at}</th>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>"
        for at, row in enumerate(orders[:5])
    )
    heads = "<tr><th></th><th>order</th><th>day</th><th>customer</th><th>goods</th><th>count</th>"
    shown = f'<table border="1" class="dataframe">{heads}<th>sum</th></tr>{rows}</table>'
    picture = base64.b64encode(_bars([sum_ for _, sum_ in takings], 420, 240)).decode()
    return _notebook(
        _text("# Orders\n\nWhat was ordered, and what came in by *month*."),
        _text("## The table"),
        _code(
            'import pandas as pd\n\norders = pd.read_csv("../data/orders.csv")\norders.head()',
            _result({"text/html": shown, "text/plain": "orders"}),
        ),
        _code('print(len(orders), "orders")', _said(f"{len(orders)} orders\n")),
        _text("## The months"),
        _code(
            'takings.plot.bar(x="month", y="takings")',
            _result({"image/png": picture, "text/plain": "<Axes: xlabel='month'>"}),
        ),
    )


def _stock_notebook(counts: Mapping[str, int]) -> str:
    lines = "".join(f"{goods:<10}{count:>4}\n" for goods, count in counts.items())
    return _notebook(
        _text("# Stock\n\nWhat lies on the shelves. $\\sum_i c_i p_i$ is its worth."),
        _code(
            'for goods, count in counts.items():\n    print(f"{goods:<10}{count:>4}")',
            _said(lines),
        ),
        _code("sum(counts.values())", _result({"text/plain": str(sum(counts.values()))})),
        _text("- Count the **lower shed** too.\n- Lanterns are lent to Helen."),
        _code("# what has to be bought\n"),
    )


def _tides_notebook(tides: Sequence[tuple[int, float]]) -> str:
    """Return a notebook in a language that no kernel here speaks: one is asked for."""
    lines = "".join(f"{hour:02}:00  {height:.2f} m\n" for hour, height in tides)
    return _notebook(
        _text("# Tides\n\nWhen ships can come in."),
        _code('tides <- read.csv("tides.csv")\nprint(tides)', _said(lines)),
        language=("ir", "R", "R"),
    )


def _notebook(
    *cells: dict[str, object], language: tuple[str, str, str] = ("python3", "Python 3", "python")
) -> str:
    kernel, title, name = language
    numbered = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells)]
    for count, cell in enumerate((cell for cell in numbered if "outputs" in cell), 1):
        cell["execution_count"] = count if cell["outputs"] else None
    spoken = {"display_name": title, "language": name, "name": kernel}
    whole = {
        "cells": numbered,
        "metadata": {"kernelspec": spoken, "language_info": {"name": name}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, indent=1) + "\n"


def _text(source: str) -> dict[str, object]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def _code(source: str, *outputs: dict[str, object]) -> dict[str, object]:
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": list(outputs)}


def _said(text: str) -> dict[str, object]:
    return {"output_type": "stream", "name": "stdout", "text": text}


def _result(data: Mapping[str, str]) -> dict[str, object]:
    return {"output_type": "display_data", "metadata": {}, "data": dict(data)}


def serve(folder: Path, port: int) -> None:
    """Serve the shop's folder to its owner, in the language that the browser asks for."""
    for kind in ("CONFIG", "DATA", "RUNTIME"):
        os.environ[f"JUPYTER_{kind}_DIR"] = str(folder / kind.lower())
    sys.modules[URI_GRAMMAR] = None  # type: ignore[assignment]
    from jupyter_server import _tz
    from jupyter_server.auth.identity import PasswordIdentityProvider, User
    from jupyterlab.labapp import LabApp
    from jupyterlab_server.settings_utils import SchemaHandler

    begin, moment = SchemaHandler.initialize, _tz.utcfromtimestamp

    def asked(handler: Any) -> str:  # noqa: ANN401
        return preferred(handler.request.headers.get("Accept-Language", ""), LANGUAGES)

    def begin_in_language(handler: Any, *given: Any, **more: Any) -> None:  # noqa: ANN401
        begin(handler, *given, **more)
        handler.overrides = {**handler.overrides, TRANSLATION: {"locale": asked(handler)}}

    def moment_so_far(stamp: float) -> datetime:
        """Return a file's time, now for what was written since our time stands still."""
        found: datetime = moment(min(stamp, CLOCK.timestamp()))
        return found

    SchemaHandler.initialize = begin_in_language
    SchemaHandler.get_current_locale = asked
    _tz.utcfromtimestamp = moment_so_far
    PasswordIdentityProvider.get_user = lambda *_: User(USER, "Maria", "Maria", "M")
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.open_browser": False,
        "ServerApp.allow_root": True,
        "ServerApp.allow_remote_access": True,
        "ServerApp.disable_check_xsrf": True,
        "ServerApp.jpserver_extensions": {"jupyter_lsp": False, "jupyter_server_terminals": False},
        "ServerApp.terminals_enabled": False,
        "ServerApp.log_level": "ERROR",
        "ServerApp.root_dir": folder / SHOP,
        "FileCheckpoints.root_dir": folder / "checkpoints",  # so that no folder is changed
        "NotebookNotary.db_file": ":memory:",
        "LabApp.extension_manager": "readonly",
        "LabApp.workspaces_dir": folder / SPACES,
        "LabApp.user_settings_dir": folder / CONFIG / "user",
    }
    LabApp.launch_instance([f"--{name}={value}" for name, value in options.items()])


JUPYTERLAB: Final = ApplicationRecipe(
    name="jupyterlab",
    version=1,
    title="JupyterLab",
    maker="Project Jupyter",
    drawn_by="Lumino, React",
    licence="BSD-3-Clause",
    languages=("en", "zh-CN", "fr", "ru", "ja"),
    megabytes=240,
    requirements=(
        "jupyterlab==4.6.6",
        *(f"jupyterlab-language-pack-{tag}" for tag in ("zh-CN", "fr-FR", "ru-RU", "ja-JP")),
        "pillow",
        "time-machine",
    ),
    pages=PAGES,
    signed_in="#jp-main-dock-panel",
    seed=seed,
    serve=serve,
    read_only=False,
)
