"""
Verdaccio: the packages that a shop keeps to itself, in a registry drawn by React.

It has no registry behind it, so it asks nothing of any network; avatars from outside are off.
Everybody may read. The language is a setting of the server, which is here set by each request.
"""

from __future__ import annotations

import json
import random
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from surefoot.capture.applications.node import become_node
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

SERVER: Final = "verdaccio.cjs"
SECRET: Final = "0" * 32  # of a registry that nobody signs in to
SCOPE: Final = "@north-quay"
# The packages: what each is for, and a word to find it by.
PACKAGES: Final = {
    "basket": ("What a customer is about to buy", "shop"),
    "delivery-notes": ("Prints delivery notes in pairs", "print"),
    "freight": ("What a parcel costs, by weight and way", "delivery"),
    "invoices": ("Invoices with their taxes", "print"),
    "price-list": ("Prices by season and customer", "shop"),
    "returns": ("Labels for what comes back", "delivery"),
    "shelves": ("Where goods lie", "stock"),
    "stocktaking": ("Counts what lies on the shelves", "stock"),
    "tides": ("When ships can come in", "harbour"),
    "vouchers": ("Vouchers that can be used once", "shop"),
}
PEOPLE: Final = ("Chen", "Helen", "Kenji", "Maria", "Olga", "Pierre")
PAGES: Final = (
    "/",
    *(f"/-/web/detail/{SCOPE}/{name}" for name in PACKAGES),
    f"/-/web/detail/{SCOPE}/tides/v/1.0.0",
)


def seed(folder: Path, seed: int) -> None:
    """Store the packages, each with versions, people, and a page that says how it is used."""
    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    names = [f"{SCOPE}/{name}" for name in PACKAGES]
    for name, (about, word) in zip(names, PACKAGES.values(), strict=True):
        place = folder / "storage" / name
        place.mkdir(parents=True)
        kept = json.dumps(_package(source, name, about, word, names))
        (place / "package.json").write_text(kept, encoding="utf-8")
    known = json.dumps({"list": names, "secret": SECRET})
    (folder / "storage" / ".verdaccio-db.json").write_text(known, encoding="utf-8")


def _package(
    source: random.Random, name: str, about: str, word: str, names: list[str]
) -> dict[str, Any]:
    numbers = ("1.0.0", f"1.{source.randrange(1, 9)}.0", f"2.{source.randrange(1, 9)}.1")
    begun = CLOCK - timedelta(days=source.randrange(200, 700))
    times = {
        number: (begun + timedelta(days=60 * at)).isoformat() for at, number in enumerate(numbers)
    }
    author, helper = source.sample(PEOPLE, 2)
    others = [other for other in source.sample(names, 3) if other != name][:2]
    readme = f"# {name}\n\n{about}.\n\n## Use\n\n```js\nconst use = require('{name}')\n```\n"
    versions = {
        number: {
            "name": name,
            "version": number,
            "description": about,
            "keywords": [word, "north-quay"],
            "license": "MIT",
            "author": _person(author),
            "maintainers": [_person(author), _person(helper)],
            "contributors": [_person(helper)],
            "dependencies": dict.fromkeys(others, "^1.0.0"),
            "dist": {
                "shasum": "0" * 40,
                "tarball": f"http://127.0.0.1/{name}/-/{name.rpartition('/')[2]}-{number}.tgz",
                "unpackedSize": source.randrange(9_000, 900_000),
            },
            "readme": readme,
        }
        for number in numbers
    }
    return {
        "name": name,
        "versions": versions,
        "time": {"created": begun.isoformat(), "modified": times[numbers[-1]], **times},
        "dist-tags": {"latest": numbers[-1], "old": numbers[0]},
        "readme": readme,
        "users": {},
        "_distfiles": {},
        "_attachments": {},
        "_uplinks": {},
        "_rev": "1-0",
        "_id": name,
    }


def _person(name: str) -> dict[str, str]:
    return {"name": name, "email": f"{name.lower()}@north-quay.example"}


def serve(folder: Path, port: int) -> None:
    """Serve the registry, which everybody may read."""
    become_node(Path(__file__).with_name(SERVER), str(folder), str(port))


VERDACCIO: Final = ApplicationRecipe(
    name="verdaccio",
    version=1,
    title="Verdaccio",
    maker="the Verdaccio contributors",
    drawn_by="React",
    licence="MIT",
    languages=("en", "zh-CN", "fr", "ru"),
    megabytes=70,
    requirements=(),
    npm_packages=("verdaccio@6.2.4", "node-fetch@2.6.7"),
    file_names=(SERVER,),
    pages=PAGES,
    signed_in="[data-testid='header-right'], header",
    seed=seed,
    serve=serve,
)
