"""
Adminer: a shop's database, its tables, rows and rules, drawn by the server in PHP.

It looks for no newer version. The database is one of SQLite, whose owner has no password.
"""

from __future__ import annotations

import contextlib
import random
import sqlite3
from datetime import timedelta
from pathlib import Path
from typing import Final

from surefoot.capture.applications.debian import become_php_site
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

DATABASE: Final = "shop.sqlite"
TABLES: Final = """
CREATE TABLE customers (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, town TEXT DEFAULT 'Harbour',
  email TEXT UNIQUE, since DATE
);
CREATE TABLE goods (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, price NUMERIC(8, 2) NOT NULL,
  stock INTEGER DEFAULT 0, note TEXT
);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id)
  ON DELETE CASCADE, placed DATETIME, paid BOOLEAN DEFAULT 0
);
CREATE TABLE lines (
  order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  goods_id INTEGER NOT NULL REFERENCES goods (id) ON UPDATE CASCADE,
  count INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (order_id, goods_id)
);
CREATE TABLE changes (goods_id INTEGER, was INTEGER, became INTEGER);
CREATE INDEX orders_by_day ON orders (placed);
CREATE INDEX orders_of_customer ON orders (customer_id, placed DESC);
CREATE VIEW unpaid AS SELECT orders.id, customers.name, orders.placed FROM orders
  JOIN customers ON customers.id = orders.customer_id WHERE NOT orders.paid;
CREATE VIEW bestsellers AS SELECT goods.name, sum(lines.count) AS sold FROM lines
  JOIN goods ON goods.id = lines.goods_id GROUP BY goods.id ORDER BY sold DESC;
CREATE TRIGGER counted AFTER UPDATE OF stock ON goods BEGIN
  INSERT INTO changes VALUES (old.id, old.stock, new.stock);
END;
"""
PEOPLE: Final = ("Chen", "Olga", "Pierre", "Kenji", "Somchai", "Helen", "Ada", "Noor", "Ivo")
TOWNS: Final = ("Harbour", "Hill End", "Old Bridge", "Lighthouse")
GOODS: Final = ("Rope", "Lantern", "Anchor", "Sail", "Compass", "Paint", "Buoy", "Chart")
SIGNED_IN: Final = "/adminer.php?sqlite=&username=maria"
PAGES: Final = (
    SIGNED_IN,
    *(
        f"{SIGNED_IN}&db={DATABASE}{page}"
        for page in (
            *("", "&select=customers", "&select=goods", "&select=orders", "&select=unpaid"),
            *("&select=bestsellers", "&table=customers", "&table=goods", "&table=orders"),
            *("&table=lines", "&edit=customers", "&edit=goods&where[id]=3", "&edit=orders"),
            *("&create=", "&create=customers", "&create=goods", "&indexes=orders"),
            *("&foreign=orders", "&foreign=lines&name=0", "&trigger=goods"),
            *("&trigger=goods&name=counted", "&view=", "&view=unpaid", "&sql=", "&import="),
            *("&dump=", "&schema=", "&database=", "&variables="),
        )
    ),
)


def seed(folder: Path, seed: int) -> None:
    """Make a database of customers, goods and orders whose stock was counted twice."""
    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as shop:
        shop.executescript(TABLES)
        for number, name in enumerate(PEOPLE, 1):
            since = CLOCK - timedelta(days=source.randrange(40, 900))
            customer = (number, name, source.choice(TOWNS), f"{name.lower()}@quay.example")
            shop.execute(
                "INSERT INTO customers VALUES (?, ?, ?, ?, ?)", (*customer, f"{since:%F}")
            )
        for number, name in enumerate(GOODS, 1):
            left = (source.randrange(200, 9000) / 100, source.randrange(60))
            note = source.choice((None, "by the metre", "ask Olga"))
            shop.execute("INSERT INTO goods VALUES (?, ?, ?, ?, ?)", (number, name, *left, note))
        for number in range(1, 41):
            placed = CLOCK - timedelta(hours=source.randrange(900))
            order = (number, source.randrange(1, len(PEOPLE) + 1), f"{placed:%F %T}")
            shop.execute("INSERT INTO orders VALUES (?, ?, ?, ?)", (*order, source.randrange(2)))
            for goods in source.sample(range(1, len(GOODS) + 1), source.randrange(1, 4)):
                shop.execute(
                    "INSERT INTO lines VALUES (?, ?, ?)", (number, goods, source.randrange(1, 9))
                )
        shop.execute("UPDATE goods SET stock = stock + 1 WHERE id % 3 = 1")
        shop.commit()


def serve(folder: Path, port: int) -> None:
    """Serve the database to its owner, who is always signed in."""
    before = Path(__file__).with_name("adminer.php")
    directives = {"auto_prepend_file": str(before)}
    become_php_site("/usr/share/adminer", port, folder, before, settings=directives)


ADMINER: Final = ApplicationRecipe(
    name="adminer",
    version=1,
    title="Adminer",
    maker="Jakub Vrána",
    drawn_by="the server (PHP), plain JavaScript",
    licence="Apache-2.0 or GPL-2.0",
    languages=("en", "zh-CN", "fr", "ru", "ja", "th"),
    megabytes=90,
    requirements=(),
    debian_packages=(
        *("adminer", "php8.2-cli", "php8.2-cgi", "php-sqlite3", "php-mbstring"),
        *(
            "libfakechroot",
            "libfaketime",
            "libapache2-mod-php8.2-",
            "apache2-bin-",
            "procps-",
            "psmisc-",
            "ucf-",
        ),
    ),
    file_names=("adminer.php",),
    pages=PAGES,
    signed_in="#logout",
    seed=seed,
    serve=serve,
)
