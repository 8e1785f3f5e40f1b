"""
DokuWiki: a wiki in plain files, drawn by the server.

It looks for new versions only when it is told to, which it is not. Breadcrumbs are off, as
what one page remembers of a visitor would show on the next, and so are its own jobs.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Final

from surefoot.capture.applications.debian import (
    become_php_site,
    debian_file,
    php_command,
    php_environment,
)
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

USER: Final = "maria"
PEOPLE: Final = (USER, "chen", "olga", "pierre", "kenji", "somchai", "helen")
SETTINGS: Final = """<?php
$conf['title'] = 'North Quay';
$conf['tagline'] = 'Orders, stock and delivery';
$conf['lang'] = defined('ASKED_LANGUAGE') ? ASKED_LANGUAGE : 'en';
$conf['savedir'] = getenv('STATE') . '/data';
$conf['useacl'] = 1;
$conf['superuser'] = '@admin';
$conf['breadcrumbs'] = 0;
$conf['youarehere'] = 1;
$conf['send404'] = 1;
$conf['license'] = '';
$conf['profileconfirm'] = 0;
$conf['dnslookups'] = 0;
$conf['target']['extern'] = '';
"""
START: Final = """====== The shop of the North Quay ======

Start with the [[handbook:start|handbook]], then look at [[stock:start|the stock]].

===== This week =====

  * Stocktaking on **Thursday**
  * [[handbook:delivery|Delivery notes]] are printed twice
  * Ask [[people:olga|Olga]] about keys

===== Opening hours =====

^ Day ^ From ^ To ^
| Monday to Friday | 8:00 | 18:00 |
| Saturday | 9:00 | 13:00 |
"""
HANDBOOK: Final = {
    "orders": "Every order has a [[delivery|delivery note]].\n\n===== By telephone =====\n\n"
    "  - Write down the name.\n  - Repeat the address.\n  - Say when it comes.\n",
    "delivery": "  - Print two.\n  - Sign one.\n  - File the other.\n\n"
    "<code>\nNote 4711, three parcels, 12.5 kg\n</code>\n",
    "returns": "Within 30 days, with the [[delivery|note]].\n\n> Is a torn box a fault?\n"
    ">> Only if what is in it is torn, too.\n",
    "keys": "The key of the store hangs behind the door((and nowhere else)).\n",
}
GOODS: Final = ("rope", "lantern", "anchor", "sail", "compass", "paint", "buoy", "chart")
PAGES: Final = (
    *("/doku.php?id=start", "/doku.php?id=handbook:start", "/doku.php?id=handbook:delivery"),
    *("/doku.php?id=stock:start", "/doku.php?id=stock:rope", "/doku.php?id=people:olga"),
    *("/doku.php?id=handbook:orders&do=edit", "/doku.php?id=stock:rope&do=revisions"),
    *("/doku.php?id=stock:rope&do=diff", "/doku.php?id=handbook:delivery&do=backlink"),
    *("/doku.php?id=start&do=recent", "/doku.php?id=start&do=index"),
    *("/doku.php?id=start&do=media", "/doku.php?id=start&do=profile"),
    *("/doku.php?id=start&do=search&q=rope", "/doku.php?id=start&do=admin"),
    *("/doku.php?id=start&do=admin&page=usermanager", "/doku.php?id=start&do=admin&page=acl"),
    *("/doku.php?id=start&do=admin&page=config", "/doku.php?id=start&do=admin&page=styling"),
    *("/doku.php?id=start&do=admin&page=revert", "/doku.php?id=start&do=admin&page=logviewer"),
    *("/doku.php?id=handbook:keys", "/doku.php?id=start&do=subscribe"),
)
RIGHTS: Final = "*\t@ALL\t1\n*\t@user\t8\nhandbook:*\t@user\t4\npeople:*\t@user\t2\n"


def seed(folder: Path, seed: int) -> None:
    """Make a wiki of three parts whose pages have been changed on several days."""
    shutil.copytree(debian_file("etc/dokuwiki"), folder / "conf", symlinks=True)
    shutil.copytree(debian_file("var/lib/dokuwiki/data"), folder / "data")
    (folder / "conf" / "local.php").write_text(SETTINGS, encoding="utf-8")
    _write_people(folder)
    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    pages = {"start": START, **{f"people:{name}": _person(name) for name in PEOPLE}}
    pages |= {
        f"handbook:{name}": f"====== {name.title()} ======\n\n{text}"
        for name, text in HANDBOOK.items()
    }
    for part, names in (("handbook", HANDBOOK), ("stock", GOODS)):
        links = "".join(f"  * [[{part}:{name}|{name.title()}]]\n" for name in names)
        pages[f"{part}:start"] = f"====== {part.title()} ======\n\n{links}"
    _save(
        folder, [(name, text, "begun", source.choice(PEOPLE)) for name, text in pages.items()], 9
    )
    for days in (6, 4, 1):
        goods = [(f"stock:{name}", _stock(name, source)) for name in GOODS]
        _save(folder, [(*item, "counted", source.choice(PEOPLE)) for item in goods], days)
    shutil.rmtree(folder / "data" / "cache")
    (folder / "data" / "cache").mkdir()


def _write_people(folder: Path) -> None:
    hashed = subprocess.run(
        [
            *php_command(folder, {}),
            "-r",
            "echo crypt($argv[1], '$2y$04$' . str_repeat('n', 22));",
            USER,
        ],
        env=php_environment(folder),
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    lines = [
        f"{name}:{hashed}:{name.title()}:{name}@northquay.example:"
        + ("admin,user" if name == USER else "user")
        for name in PEOPLE
    ]
    conf = folder / "conf"
    for name, text in (("users.auth.php", "\n".join(lines) + "\n"), ("acl.auth.php", RIGHTS)):
        (conf / name).unlink(missing_ok=True)
        (conf / name).write_text(text, encoding="utf-8")


def _person(name: str) -> str:
    return f"====== {name.title()} ======\n\nTo be found in the shop, {name}@northquay.example.\n"


def _stock(name: str, source: random.Random) -> str:
    rows = "".join(
        f"| {size} | {source.randrange(60)} | {source.randrange(200, 9000) / 100:.2f} |\n"
        for size in ("small", "medium", "large")
    )
    shelf = f"===== On the shelf =====\n\n^ Size ^ Left ^ Price ^\n{rows}"
    return f"====== {name.title()} ======\n\n{shelf}"


def _save(folder: Path, pages: list[tuple[str, str, str, str]], days: int) -> None:
    """Let DokuWiki save pages some days ago."""
    script = Path(__file__).with_name("dokuwiki_seed.php")
    when = CLOCK - timedelta(days=days)
    subprocess.run(
        [*php_command(folder, {}), str(script)],
        env={**php_environment(folder, script), "FAKETIME": f"{when:%Y-%m-%d %H:%M:%S}"},
        input=json.dumps(pages).encode(),
        check=True,
    )


def serve(folder: Path, port: int) -> None:
    """Serve the wiki to one who is always signed in."""
    before = Path(__file__).with_name("dokuwiki.php")
    directives = {"auto_prepend_file": str(before)}
    become_php_site("/usr/share/dokuwiki", port, folder, before, settings=directives)


DOKUWIKI: Final = ApplicationRecipe(
    name="dokuwiki",
    version=2,
    title="DokuWiki",
    maker="Andreas Gohr and others",
    drawn_by="the server (PHP), jQuery",
    licence="GPL-2.0",
    languages=("en", "zh-CN", "fr", "ru", "ja", "th"),
    megabytes=110,
    requirements=(),
    debian_packages=(
        *("dokuwiki", "php8.2-cli", "php8.2-cgi", "php-mbstring"),
        *("libfakechroot", "libfaketime", "ucf-"),
    ),
    file_names=("dokuwiki.php", "dokuwiki_seed.php"),
    pages=PAGES,
    signed_in="#dokuwiki__usertools .logout",
    seed=seed,
    serve=serve,
)
