"""
Datasette: the tables of a warehouse to browse and to query, drawn by the server in English.

It asks nothing of any network, and writes to no database that it shows.
"""

from __future__ import annotations

import random
import sqlite3
from datetime import timedelta
from pathlib import Path
from typing import Final

from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

USER: Final = "maria"
DATABASE: Final = "warehouse.db"
TABLES: Final = """
CREATE TABLE suppliers (id INTEGER PRIMARY KEY, name TEXT, town TEXT, mail TEXT);
CREATE TABLE goods (id INTEGER PRIMARY KEY, name TEXT, price REAL, weight INTEGER,
    supplier INTEGER REFERENCES suppliers (id));
CREATE TABLE orders (id INTEGER PRIMARY KEY, day TEXT, customer TEXT, state TEXT);
CREATE TABLE order_lines (orders INTEGER REFERENCES orders (id),
    goods INTEGER REFERENCES goods (id), count INTEGER, PRIMARY KEY (orders, goods));
CREATE VIEW open_orders AS SELECT * FROM orders WHERE state <> 'sent';
CREATE INDEX by_day ON orders (day);
"""
TOWNS: Final = ("Bergen", "Cork", "Gdansk", "Genoa", "Porto", "Split")
GOODS: Final = (
    *("Rope", "Lantern", "Anchor", "Buoy", "Chart", "Compass", "Oilskin", "Paddle"),
    *("Pump", "Shackle", "Tarpaulin", "Whistle"),
)
STATES: Final = ("new", "packed", "sent", "returned")
PAGES: Final = (
    *("/", "/warehouse", "/warehouse/goods", "/warehouse/goods/3", "/warehouse/orders"),
    "/warehouse/orders?_sort_desc=day&state=new",
    "/warehouse/orders?_facet=state&_facet=customer",
    "/warehouse/orders/12",
    "/warehouse/order_lines?_size=20",
    "/warehouse/suppliers",
    "/warehouse/suppliers?town__contains=o&_sort=name",
    "/warehouse/open_orders",
    "/warehouse?sql=select+state%2C+count%28*%29+as+orders+from+orders+group+by+state",
    *("/-/versions", "/-/settings", "/-/actor", "/-/allow-debug"),
    *("/-/messages", "/-/patterns"),
)


def seed(folder: Path, seed: int) -> None:
    """Write suppliers, goods and a year of orders."""
    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    connection = sqlite3.connect(folder / DATABASE)
    connection.executescript(TABLES)
    for number, town in enumerate(TOWNS, 1):
        supplier = (number, f"{town} Chandlers", town, f"orders@{town.lower()}.example")
        connection.execute("INSERT INTO suppliers VALUES (?, ?, ?, ?)", supplier)
    for number, name in enumerate(GOODS, 1):
        price, weight = round(source.uniform(4, 90), 2), source.randrange(100, 9000)
        goods = (number, name, price, weight, source.randrange(1, len(TOWNS) + 1))
        connection.execute("INSERT INTO goods VALUES (?, ?, ?, ?, ?)", goods)
    for number in range(1, 181):
        day = (CLOCK - timedelta(days=2 * (180 - number))).date().isoformat()
        customer = source.choice(("Chen", "Helen", "Kenji", "Olga", "Pierre", "Somchai"))
        order = (number, day, customer, source.choice(STATES))
        connection.execute("INSERT INTO orders VALUES (?, ?, ?, ?)", order)
        for goods_id in source.sample(range(1, len(GOODS) + 1), source.randrange(1, 4)):
            line = (number, goods_id, source.randrange(1, 9))
            connection.execute("INSERT INTO order_lines VALUES (?, ?, ?)", line)
    connection.commit()
    connection.close()


def serve(folder: Path, port: int) -> None:
    """Serve the database to one who is signed in as its administrator."""
    import time

    import uvicorn
    from datasette.app import Datasette
    from datasette.hookspecs import hookimpl
    from datasette.plugins import pm

    class SignedIn:
        actor_from_request = staticmethod(hookimpl(lambda: {"id": "root", "display": USER}))

    time.perf_counter = lambda: 0.0  # each page says how long its queries took
    pm.register(SignedIn)
    served = Datasette([], immutables=[str(folder / DATABASE)], secret="no secret")  # noqa: S106
    uvicorn.run(served.app(), host="127.0.0.1", port=port, log_level="error")


DATASETTE: Final = ApplicationRecipe(
    name="datasette",
    version=1,
    title="Datasette",
    maker="Simon Willison",
    drawn_by="the server",
    licence="Apache-2.0",
    languages=("en",),
    megabytes=60,
    requirements=("datasette==0.65.2", "setuptools<81", "time-machine"),
    pages=PAGES,
    signed_in=".actor strong",
    seed=seed,
    serve=serve,
)
