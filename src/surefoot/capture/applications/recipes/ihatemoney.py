"""
I Hate Money: who of a crew has paid for what, drawn by the server with Bootstrap.

It asks for no rates of currencies, and sends no mail. The visitor holds the projects' keys, as
its own sign-in puts them into a session.
"""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

# Each project with its currency and the people who share in it.
PROJECTS: Final = {
    "north-quay": ("North Quay", "EUR", ("Maria", "Chen", "Olga", "Pierre", "Kenji", "Somchai")),
    "regatta": ("Summer regatta", "XXX", ("Helen", "Luis", "Ines")),
}
BILLS: Final = (
    *(("Diesel for the launch", 84), ("Coffee and tea", 12), ("Paint for the hull", 146)),
    *(("Dinner after the race", 96), ("Mooring fees", 210), ("New lines", 58)),
    *(("Groceries", 47), ("Train tickets", 132), ("Charts", 39), ("Harbour sauna", 27)),
)
DATABASE: Final = "money.sqlite3"
RATES: Final = {"USD": 1.0, "EUR": 0.92, "GBP": 0.79, "JPY": 147.0, "THB": 34.5, "CNY": 7.2}
PAGES: Final = (
    *("/", "/create", "/password-reminder", "/north-quay/", "/north-quay/add"),
    *("/north-quay/edit/3", "/north-quay/edit", "/north-quay/invite"),
    *("/north-quay/statistics", "/north-quay/settle_bills", "/north-quay/history"),
    *("/north-quay/members/2/edit", "/north-quay/?search=coffee"),
    *("/regatta/", "/regatta/edit", "/regatta/add", "/regatta/statistics"),
    *("/regatta/settle_bills", "/regatta/history"),
)


def seed(folder: Path, seed: int) -> None:
    """Make two projects, and what their people have paid for each other."""
    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    from flask_migrate import stamp
    from ihatemoney import run
    from ihatemoney.models import Bill, BillType, Person, Project, db

    run.upgrade = lambda _: None  # migrations make constraints and indexes in any order
    application = _application(folder)
    with application.test_request_context("/"):
        for table in db.metadata.tables.values():
            table.indexes = sorted(table.indexes, key=lambda index: index.name)
        db.create_all()
        stamp(str(Path(application.root_path, "migrations")))
        for key, (name, currency, people) in PROJECTS.items():
            project = Project(
                id=key,
                name=name,
                password="!",  # noqa: S106 - what no password fits
                contact_email="maria@shop.example",
                default_currency=currency,
            )
            db.session.add(project)
            members = [
                Person(name=person, project=project, weight=1 + (person == "Pierre"))
                for person in people
            ]
            db.session.add_all(members)
            db.session.commit()
            for number in range(24):
                what, about = source.choice(BILLS)
                bill = Bill(
                    amount=round(about * source.uniform(0.7, 1.3), 2),
                    bill_type=BillType.EXPENSE,
                    date=CLOCK.date() - timedelta(days=100 - 4 * number),
                    original_currency=currency,
                    owers=source.sample(members, source.randrange(2, len(members) + 1)),
                    payer_id=source.choice(members).id,
                    project_default_currency=currency,
                    what=what,
                )
                bill.creation_date = bill.date
                db.session.add(bill)
                db.session.commit()


def serve(folder: Path, port: int) -> None:
    """Serve both projects to one who may see them."""
    from flask import session

    application = _application(folder)

    def sign_in(*_: object) -> None:
        session["projects"] = {key: name for key, (name, *_) in PROJECTS.items()}

    served = application.wsgi_app

    def translated(asked: dict[str, str], start: object) -> object:
        """Ask for Chinese by the name that it has here."""
        wanted = asked.get("HTTP_ACCEPT_LANGUAGE", "")
        asked["HTTP_ACCEPT_LANGUAGE"] = wanted.replace("zh-CN", "zh-Hans")
        return served(asked, start)

    application.wsgi_app = translated
    application.url_value_preprocessors[None].insert(0, sign_in)
    application.run(host="127.0.0.1", port=port, threaded=True)


def _application(folder: Path) -> Any:  # noqa: ANN401
    from ihatemoney import run
    from ihatemoney.currency_convertor import CurrencyConverter

    class Settings:
        """Say where the books are; no mail is sent."""

        SECRET_KEY = "no secret"  # noqa: S105
        SQLALCHEMY_DATABASE_URI = f"sqlite:///{folder / DATABASE}"
        SESSION_COOKIE_SECURE = False
        ACTIVATE_DEMO_PROJECT = False
        SHOW_ADMIN_EMAIL = False
        MAIL_SUPPRESS_SEND = True
        RATELIMIT_ENABLED = False
        BABEL_DEFAULT_TIMEZONE = "UTC"

    CurrencyConverter.get_rates = lambda _: {CurrencyConverter.no_currency: 1.0, **RATES}
    return run.create_app(configuration=Settings, instance_path=str(folder))


IHATEMONEY: Final = ApplicationRecipe(
    name="ihatemoney",
    version=1,
    title="I Hate Money",
    maker="the I Hate Money contributors",
    drawn_by="the server, Bootstrap",
    licence="BSD-3-Clause",
    languages=("en", "zh-CN", "fr", "ru", "ja"),
    megabytes=110,
    requirements=("ihatemoney==7.2.1", "setuptools<81", "time-machine"),
    built=("debts",),
    pages=PAGES,
    signed_in="form[action$='/exit'], a[href$='/exit']",
    seed=seed,
    serve=serve,
)
