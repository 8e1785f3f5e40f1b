"""
A small application as another package would bring it: real pages, a login, two languages.

Each page after the first two does one thing wrong that a status of 200 hides. It needs nothing
but Python, and is found by its entry point like any other recipe.
"""

from __future__ import annotations

import json
import os
import sqlite3
import urllib.parse
import wsgiref.simple_server
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from surefoot.capture.applications.recipe import ApplicationRecipe

PAGES: Final = ("/", "/orders", "/signed-out", "/lost", "/blank", "/outside")
WORDS: Final = {
    "en": ("Orders of this week", "Change the order", "Print a delivery note", "Log out"),
    "fr": ("Commandes de la semaine", "Modifier", "Imprimer le bon", "Se déconnecter"),
}
ADDED: Final = "INSERT INTO orders VALUES (?)"
GONE: Final = "410 Gone"
LISTED: Final = "SELECT name FROM orders"
DESK_PAGE: Final = """<!doctype html><title>{heading}</title><h1>{heading}</h1>
<a id=leave href=/leave>Log out</a> <a href=/visits>Visits</a> <a href=http://a.example/>Away</a>
<button onclick="document.querySelector('dialog').show()">Help</button>
<dialog aria-label="First steps"><p>Add an order.</p><button>Understood</button></dialog>
<form action=/add method=post><button>Add an order</button></form>
<form action=/book method=post><label>Who <input name=who required></label>
<label>When <input type=date name=when required></label><button>Book</button></form>
<form action=/tidy method=post style=margin-left:9em><button>Tidy up</button></form>
<form action=/clear method=post><button>Delete all orders</button></form>
<label><input type=checkbox> Urgent</label><ul>{names}</ul>"""
Start = Callable[[str, list[tuple[str, str]]], object]


def seed(folder: Path, number: int) -> None:
    """Write as many orders as the seed says, and three more."""
    with sqlite3.connect(folder / "orders.db") as orders:
        orders.execute("CREATE TABLE orders (name TEXT)")
        orders.executemany(
            "INSERT INTO orders VALUES (?)", [(f"Rope {at}",) for at in range(number + 3)]
        )


def serve(folder: Path, port: int) -> None:
    """Serve the orders; ``/add`` writes one, ``/die`` ends all, ``/inside`` tells what is seen."""

    def answer(asked: dict[str, Any], start: Start) -> Iterable[bytes]:
        path = asked["PATH_INFO"]
        if path == "/die":
            os._exit(1)
        start("200 OK", [("Content-Type", "text/html; charset=utf-8")])
        if path == "/inside":
            return [_inside(folder).encode()]
        language = "fr" if asked.get("HTTP_ACCEPT_LANGUAGE", "").startswith("fr") else "en"
        return [_page(path, language, folder).encode()]

    server = wsgiref.simple_server.make_server("127.0.0.1", port, answer)
    server.serve_forever()


def serve_desk(folder: Path, port: int) -> None:
    """Serve one desk, whose buttons write, which can be left, and whose visits never come back."""

    def answer(asked: dict[str, Any], start: Start) -> Iterable[bytes]:
        path = asked["PATH_INFO"]
        if asked["REQUEST_METHOD"] == "POST":
            sent = asked["wsgi.input"].read(int(asked["CONTENT_LENGTH"] or 0)).decode()
            booked = " on ".join(value for _, value in urllib.parse.parse_qsl(sent))
            with sqlite3.connect(folder / "orders.db") as orders:
                if path == "/tidy":
                    (folder / "tidied").touch()
                elif path == "/clear":
                    orders.execute("DELETE FROM orders")
                else:
                    orders.execute(ADDED, (booked or "Lantern",))
            start("303 See Other", [("Location", "/booked" if booked else "/added")])
            return []
        gone = path == "/desk" and (folder / "tidied").exists()
        start(GONE if gone else "200 OK", [("Content-Type", "text/html; charset=utf-8")])
        with sqlite3.connect(folder / "orders.db") as orders:
            names = "".join(f"<li>{name}</li>" for (name,) in orders.execute(LISTED))
        heading = f"Visit {os.urandom(4).hex()}" if path == "/visits" else path.strip("/").title()
        return [DESK_PAGE.format(heading=heading, names=names).encode()]

    wsgiref.simple_server.make_server("127.0.0.1", port, answer).serve_forever()


def _page(path: str, language: str, folder: Path) -> str:
    title, change, note, leave = WORDS[language]
    with sqlite3.connect(folder / "orders.db") as orders:
        if path == "/add":
            orders.execute("INSERT INTO orders VALUES ('Lantern')")
        names = [name for (name,) in orders.execute("SELECT name FROM orders")]
    mark = "" if path == "/signed-out" else f"<a id=leave href=/leave>{leave}</a>"
    if path == "/blank":
        return f"<!doctype html>{mark}"
    if path not in PAGES:
        return f"<!doctype html><h1>No page</h1>{mark}<a href=/>1</a><a href=/orders>2</a>"
    if path == "/lost":
        return _page("/nowhere", language, folder)
    outside = "<img src=http://elsewhere.example/a.png>" if path == "/outside" else ""
    rows = "".join(f"<li>{name} <button>{change}</button></li>" for name in names)
    more = f"<button>{note}</button>" if path == "/orders" else ""
    return (
        f"<!doctype html><meta charset=utf-8><h1>{title}</h1>{mark}{outside}{more}<ul>{rows}</ul>"
    )


def _inside(folder: Path) -> str:
    """Return what the application sees of the machine."""
    interfaces = Path("/proc/net/dev").read_text("utf-8").splitlines()[2:]
    return json.dumps(
        {
            "folder": str(folder),
            "home": os.environ.get("HOME", ""),
            "environment": sorted(os.environ),
            "networks": [line.partition(":")[0].strip() for line in interfaces],
        }
    )


def serve_nothing(folder: Path, port: int) -> None:
    """End before anything is served, in words that nobody should have to read."""
    raise SystemExit(f"no port {urllib.parse.quote(str(port)[:1])} in {folder.name}")


def print_garbage(folder: Path, port: int) -> None:
    """Write a flood of bytes to wherever it may, and answer with no HTTP."""
    import socket
    import sys

    sys.stdout.write(f"ready\n{folder.name}\0" * 100_000)
    with socket.create_server(("127.0.0.1", port)) as server:
        asked, _ = server.accept()
        asked.sendall(b"\0garbage\r\n" * 100)
        sys.exit("garbage")


def recipe(name: str, serving: Callable[[Path, int], None], **changed: Any) -> ApplicationRecipe:  # noqa: ANN401
    """Return the recipe of the shop, served in some way."""
    facts: dict[str, Any] = {
        "version": 1,
        "title": name.title(),
        "maker": "the tests",
        "drawn_by": "the server",
        "licence": "Apache-2.0",
        "languages": ("en", "fr", "ja"),
        "megabytes": 1,
        "requirements": (),
        "pages": PAGES,
        "signed_in": "#leave",
        "seed": seed,
    }
    return ApplicationRecipe(**{**facts, "name": name, "serve": serving, **changed})


QUAY: Final = recipe("quay", serve)
DESK: Final = recipe("quay-desk", serve_desk, pages=("/desk",))
WRITTEN: Final = recipe("quay-written", serve, read_only=False)
BROKEN: Final = recipe("quay-broken", serve_nothing)
GARBLED: Final = recipe("quay-garbled", print_garbage)
