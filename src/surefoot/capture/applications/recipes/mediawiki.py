"""
MediaWiki: what Wikipedia runs on, drawn by the server, with jQuery and OOUI.

It reports to nobody, sends no mail and shows no picture from outside. Sessions are not kept,
and nobody has a password.
"""

from __future__ import annotations

import contextlib
import random
import sqlite3
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Final

from surefoot.capture.applications.debian import (
    become_php_site,
    faketime_at,
    php_command,
    php_environment,
)
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

USER: Final = "Maria"
PEOPLE: Final = (USER, "Chen", "Olga", "Pierre", "Kenji", "Somchai", "Helen")
BLOCKED: Final = "Barnacle"
MAINTENANCE: Final = "/usr/share/mediawiki/maintenance"
LANGUAGES: Final = "en,zh,zh-hans,zh-cn,fr,ru,ja,th"
PASSWORD: Final = "the key behind the door"  # noqa: S105 - nobody is asked for it
MAIN: Final = """Welcome to the wiki of the '''North Quay''': orders, stock and delivery.

== This week ==
* Stocktaking on [[Opening hours|Thursday]]
* [[Delivery notes]] are printed twice
* [[User:Olga|Olga]] has the keys

== Where to begin ==
{| class="wikitable"
! Part !! Page
|-
| Rules || [[:Category:Handbook]]
|-
| Shelves || [[:Category:Goods]]
|}
"""
HANDBOOK: Final = {
    "Delivery notes": "# Print two.\n# Sign one.\n# File the other.<ref>In the green box.</ref>\n"
    "\n== Notes ==\n<references />\n",
    "Opening hours": '{| class="wikitable sortable"\n! Day !! From !! To\n|-\n'
    "| Monday to Friday || 8:00 || 18:00\n|-\n| Saturday || 9:00 || 13:00\n|}\n",
    "Orders": "Every order has a [[Delivery notes|delivery note]].\n\n== By telephone ==\n"
    "* Write down the name.\n* Repeat the address.\n\n== By letter ==\nSee [[Postage]].\n",
    "Returns": "Within 30 days, with the [[Delivery notes|note]].\n",
}
GOODS: Final = ("Rope", "Lantern", "Anchor", "Sail", "Compass", "Paint", "Buoy", "Chart")
PAGES: Final = tuple(
    f"/index.php?title={item}"
    for item in (
        *("Main_Page", "Delivery_notes", "Opening_hours", "Category:Goods", "Talk:Rope"),
        *("Rope&action=edit", "Rope&action=history", "Rope&action=info", "Rope&action=delete"),
        *("Rope&action=protect", "Orders&diff=prev", "Special:MovePage/Rope"),
        *("Special:RecentChanges", "Special:Watchlist", "Special:Preferences"),
        *("Special:SpecialPages", "Special:AllPages", "Special:Search&search=delivery"),
        *("Special:Upload", "Special:ListUsers", "Special:Statistics", "Special:Log"),
        *("Special:Version", "Special:UserRights/Olga", "Special:Block", "Special:Export"),
        *("Special:WhatLinksHere/Delivery_notes", "Special:Contributions/Maria"),
        *("Special:EditWatchlist", "Special:WantedPages", "Special:ListGroupRights"),
        *("Special:Categories", "Special:NewPages", "Special:CreateAccount", "Special:Nuke"),
        *("Special:BlockList", "Special:Log&type=protect", "Special:ProtectedPages"),
    )
)


def seed(folder: Path, seed: int) -> None:
    """Make a wiki of some people, a handbook and goods that were counted several times."""
    for name in ("cache", "images", "tmp"):
        (folder / name).mkdir()
    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    place = ["--dbtype", "sqlite", "--dbpath", f"{folder}/data", "--dbname", "wiki"]
    named = ["--server", "http://localhost", "--scriptpath", "", "--confpath", str(folder)]
    _run(folder, "install", *place, *named, "--pass", PASSWORD, "North Quay", USER, days=60)
    (folder / "LocalSettings.php").unlink()
    _run(folder, "rebuildLocalisationCache", "--lang", LANGUAGES)
    for name in (*PEOPLE[1:], BLOCKED):
        _run(folder, "createAndPromote", name, PASSWORD, days=50)
    _save(folder, "Main Page", MAIN, USER, 40)
    for days, (name, text) in enumerate(HANDBOOK.items(), 20):
        _save(folder, name, text.partition("\n\n")[0], source.choice(PEOPLE), days + 4)
        _save(folder, name, f"{text}\n[[Category:Handbook]]", source.choice(PEOPLE), days)
    for days in (9, 4, 1):
        for number, name in enumerate(GOODS):
            counted = days - number / 40
            _save(folder, name, _stock(name, source), source.choice(PEOPLE), counted)
    for name in ("Goods", "Handbook"):
        _save(folder, f"Category:{name}", f"All that belongs to the {name.lower()}.", USER, 1)
    _save(folder, "Talk:Rope", "== Colour ==\nDo we have it in blue? --[[User:Helen]]", "Helen", 1)
    _save(folder, "Cheap rope", "Buy it at my shop!", BLOCKED, 3)
    by = ["--performer", USER, "--reason", "Advertising", "--expiry", "6 months"]
    _run(folder, "blockUsers", *by, days=2, sent=BLOCKED)
    for name in ("Main Page", "Delivery notes"):
        _run(folder, "protect", "--user", USER, "--reason", "Read by all", name, days=8)
    _run(folder, "runJobs")
    _run(folder, "initSiteStats", "--update")
    _run(folder, "updateSpecialPages")
    _forget_chance(folder)


def _forget_chance(folder: Path) -> None:
    """Put what MediaWiki draws by chance, and nobody needs, the same in each installation."""
    with sqlite3.connect(folder / "data" / "wiki.sqlite") as wiki:
        wiki.execute("UPDATE user SET user_password = '', user_token = printf('%032d', user_id)")
        wiki.execute("UPDATE page SET page_random = page_id / 1000.0")
        wiki.execute("DELETE FROM objectcache")
    with contextlib.closing(sqlite3.connect(folder / "data" / "wiki.sqlite")) as wiki:
        wiki.execute("VACUUM")


def _stock(name: str, source: random.Random) -> str:
    rows = "".join(
        f"|-\n| {size} || {source.randrange(60)} || {source.randrange(200, 9000) / 100:.2f}\n"
        for size in ("small", "medium", "large")
    )
    shelf = f'{{| class="wikitable sortable"\n! Size !! Left !! Price\n{rows}|}}'
    return f"{name} is sold by the piece, see [[Orders]].\n\n{shelf}\n\n[[Category:Goods]]\n"


def _save(folder: Path, title: str, text: str, who: str, days: float) -> None:
    _run(folder, "edit", "--user", who, "--summary", "counted", title, days=days, sent=text)


def _run(folder: Path, script: str, *arguments: str, days: float = 0, sent: str = "") -> None:
    """Run a script of MediaWiki's maintenance some days ago."""
    settings = Path(__file__).with_name("mediawiki.php")
    variables = {"FAKETIME": faketime_at(CLOCK - timedelta(days=days))}
    if script != "install":
        variables["MW_CONFIG_FILE"] = str(settings)
    subprocess.run(
        [*php_command(folder, {}), f"{MAINTENANCE}/{script}.php", *arguments],
        env={**php_environment(folder, settings), **variables},
        input=sent.encode(),
        stdout=subprocess.DEVNULL,
        check=True,
    )


def serve(folder: Path, port: int) -> None:
    """Serve the wiki to one who is always signed in."""
    settings = Path(__file__).with_name("mediawiki.php")
    variables = {"MW_CONFIG_FILE": str(settings)}
    become_php_site("/usr/share/mediawiki", port, folder, settings, added=variables)


MEDIAWIKI: Final = ApplicationRecipe(
    name="mediawiki",
    version=1,
    title="MediaWiki",
    maker="Wikimedia Foundation",
    drawn_by="the server (PHP), jQuery, OOUI",
    licence="GPL-2.0",
    languages=("en", "zh-CN", "fr", "ru", "ja", "th"),
    megabytes=335,
    requirements=(),
    debian_packages=(
        *("mediawiki", "php8.2-cli", "php8.2-cgi", "php-sqlite3", "php-mbstring", "php-xml"),
        *("php-intl", "libfakechroot", "libfaketime", "apache2-", "binutils-", "procps-"),
        *("psmisc-", "ucf-"),
    ),
    file_names=("mediawiki.php",),
    pages=PAGES,
    signed_in="#pt-userpage, #pt-userpage-2",
    seed=seed,
    serve=serve,
)
