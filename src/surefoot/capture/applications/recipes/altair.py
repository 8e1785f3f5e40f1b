"""
Altair: questions to a shop's data in GraphQL, written in a client that Angular draws.

It is files alone. Notifications, news of updates and accounts are off, and nothing is asked of
the endpoint until someone sends a question.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Final

from surefoot.capture.applications.files import preferred, serve_files
from surefoot.capture.applications.node import module_file
from surefoot.capture.applications.recipe import ApplicationRecipe

LANGUAGES: Final = {
    "en": "en-US",
    "zh": "zh-CN",
    "fr": "fr-FR",
    "ru": "ru-RU",
    "ja": "ja-JP",
}
WINDOWS: Final = "windows.json"
GOODS: Final = ("Rope", "Lantern", "Anchor", "Buoy", "Chart", "Compass")
# What is asked in each window, by its name.
QUESTIONS: Final = {
    "Orders": "query Orders($day: Date!) {\n  orders(since: $day) {\n    id\n"
    "    customer { name }\n    lines { goods { name } count }\n  }\n}\n",
    "Stock": "query Stock {\n  goods(below: 10) {\n    name\n    shelf\n    count\n  }\n}\n\n"
    "query Shelves {\n  shelves { name goods { name } }\n}\n",
    "Send": "mutation Send($order: ID!) {\n  send(order: $order) {\n    state\n    note\n  }\n}\n",
    "Arrivals": "subscription Arrivals {\n  arrived {\n    ship\n    at\n  }\n}\n",
}
# Which windows a page opens with, and its theme.
PAGE_WINDOWS: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "/": (tuple(QUESTIONS), "light"),
    "/orders": (("Orders",), "light"),
    "/stock": (("Stock", "Send"), "light"),
    "/send": (("Send",), "dark"),
    "/arrivals": (("Arrivals", "Orders"), "dracula"),
    "/shelves": (("Stock", "Orders", "Arrivals"), "dark"),
}
SETTINGS: Final = {
    "disablePushNotification": True,
    "alert.disableUpdateNotification": True,
    "alert.disableWarnings": True,
    "schema.reloadOnStart": False,
}


def seed(folder: Path, seed: int) -> None:
    """Write the windows, with variables and headers drawn by the seed."""
    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    windows = {}
    for name, question in QUESTIONS.items():
        variables = {"day": f"2026-01-{source.randrange(1, 15):02}", "order": source.choice(GOODS)}
        windows[name] = {
            "initialName": name,
            "initialQuery": question,
            "initialVariables": json.dumps(variables, indent=2),
            "initialHeaders": {"X-Shop": f"quay-{source.randrange(9)}"},
            "endpointURL": "/graphql",
        }
    (folder / WINDOWS).write_text(json.dumps(windows), encoding="utf-8")


def serve(folder: Path, port: int) -> None:
    """Serve the client, opened with the windows of a page; there is nobody to sign in."""
    client = module_file("altair-static/build/dist")
    home = (client / "index.html").read_text("utf-8").replace('href="/"', 'href="/altair/"', 1)
    windows: dict[str, dict[str, Any]] = json.loads((folder / WINDOWS).read_text("utf-8"))

    def page(path: str, accepted: str) -> str | None:
        if path not in PAGE_WINDOWS:
            return None
        names, theme = PAGE_WINDOWS[path]
        language = preferred(accepted, LANGUAGES)
        options = {
            "initialWindows": [windows[name] for name in names],
            "initialSettings": {**SETTINGS, "language": language, "theme": theme},
            "disableAccount": True,
            "preserveState": False,
            "baseURL": "/altair/",
        }
        start = f'<script type="module">AltairGraphQL.init({json.dumps(options)});</script>'
        return home.replace("</body>", f"{start}</body>")

    serve_files(port, {"/altair/": client}, page)


ALTAIR: Final = ApplicationRecipe(
    name="altair",
    version=1,
    title="Altair GraphQL Client",
    maker="Samuel Imolorhe",
    drawn_by="Angular",
    licence="MIT",
    languages=("en", "zh-CN", "fr", "ru", "ja"),
    megabytes=20,
    requirements=(),
    npm_packages=("altair-static@8.5.9",),
    pages=tuple(PAGE_WINDOWS),
    signed_in="app-header",
    seed=seed,
    serve=serve,
)
