"""
Trac: the tickets, wiki and milestones of a project, drawn by the server.

Sessions are not kept: what one page remembers of a visitor would show on the next. The
network is asked for nothing, as Trac asks for none; notification by mail is off.
"""

from __future__ import annotations

import random
import wsgiref.simple_server
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

USER: Final = "maria"
PEOPLE: Final = (USER, "chen", "olga", "pierre", "kenji", "somchai", "helen")
COMPONENTS: Final = ("billing", "catalogue", "checkout", "delivery", "search", "stock")
MILESTONES: Final = ("Spring release", "Summer release", "Autumn release")
VERSIONS: Final = ("1.0", "1.1", "2.0")
THINGS: Final = (
    *("Invoice", "Basket", "Price list", "Delivery note", "Search result", "Stock report"),
    *("Voucher", "Address form", "Order mail", "Product page", "Return label", "Wish list"),
)
FAULTS: Final = (
    *("is empty after a refresh", "shows the wrong currency", "cannot be printed"),
    *("is slow with many rows", "loses its last line", "needs a filter by date"),
    *("should be sorted by name", "is cut off on small screens", "rounds the total twice"),
)
WIKI: Final = {
    "WikiStart": "= The shop of the North Quay =\n\nStart with [wiki:Handbook], then look at "
    "[roadmap the roadmap] and at [report:1 what is open].\n\n== This week ==\n * Stocktaking "
    'on Thursday\n * [milestone:"Spring release"] closes its list\n',
    "Handbook": "= Handbook =\n\n[[PageOutline]]\n\n== Orders ==\nEvery order has a "
    "[wiki:DeliveryNotes delivery note].\n\n== Prices ==\n||= Goods =||= Price =||\n"
    "|| Rope, 10 m || 12.50 ||\n|| Lantern || 34.00 ||\n\n== Returns ==\nWithin 30 days.\n",
    "DeliveryNotes": "= Delivery notes =\n\n 1. Print two.\n 2. Sign one.\n 3. File the "
    "other.\n\nSee ticket #3 and [wiki:Handbook].\n",
}
PAGES: Final = (
    *("/wiki", "/wiki/Handbook", "/wiki/DeliveryNotes?action=history", "/wiki/TitleIndex"),
    *(
        "/wiki/WikiStart?action=diff&version=1",
        "/wiki/Handbook?action=edit",
        "/wiki/WikiFormatting",
    ),
    *("/timeline", "/roadmap", "/milestone/Spring%20release", "/milestone?action=new"),
    *("/milestone/Spring%20release?action=edit", "/report", "/report/1", "/report/3", "/report/8"),
    *("/report?action=new", "/query", "/query?status=!closed&group=component", "/ticket/3"),
    *("/ticket/11", "/newticket", "/search?q=invoice", "/about", "/prefs", "/prefs/localization"),
    *("/admin/general/basics", "/admin/general/logging"),
    *("/admin/general/perm", "/admin/ticket/components", "/admin/ticket/milestones"),
    *("/admin/ticket/priority", "/admin/general/plugin"),
)


def seed(folder: Path, seed: int) -> None:
    """Make a project with a wiki, milestones and forty tickets that have been worked on."""
    from trac.env import Environment
    from trac.perm import PermissionSystem
    from trac.ticket.model import Component, Milestone, Version
    from trac.wiki.admin import WikiAdmin
    from trac.wiki.model import WikiPage

    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    options = [
        ("project", "name", "North Quay"),
        ("project", "descr", "Orders, stock and delivery"),
        ("trac", "database", "sqlite:db/trac.db"),
        ("logging", "log_type", "none"),
        ("header_logo", "src", ""),
    ]
    environment = Environment(str(folder / "project"), create=True, options=options)
    WikiAdmin(environment).load_pages(_manual(), ignore=["WikiStart"])
    PermissionSystem(environment).grant_permission(USER, "TRAC_ADMIN")
    for kind in (Component, Milestone, Version):
        for item in list(kind.select(environment)):
            item.delete()
    for name in COMPONENTS:
        component = Component(environment)
        component.name, component.owner = name, source.choice(PEOPLE)
        component.insert()
    for number, name in enumerate(MILESTONES, 1):
        milestone = Milestone(environment)
        milestone.name, milestone.due = name, CLOCK + timedelta(days=60 * number)
        milestone.description = f"What has to be done before the {name.lower()}."
        milestone.insert()
    for number, name in enumerate(VERSIONS):
        version = Version(environment)
        version.name, version.time = name, CLOCK - timedelta(days=200 - 60 * number)
        version.insert()
    for days, (name, text) in enumerate(WIKI.items()):
        page = WikiPage(environment, name)
        for text_of_page in (text.partition("\n\n")[0], text):
            page.text = text_of_page
            page.save(source.choice(PEOPLE), "more of it", CLOCK - timedelta(days=9 - days))
    for number in range(40):
        _ticket(environment, source, CLOCK - timedelta(hours=1500 - 37 * number))
    long_ago = int((CLOCK - timedelta(days=900)).timestamp() * 1_000_000)
    environment.db_transaction("UPDATE wiki SET time=%s WHERE author='trac'", (long_ago,))
    environment.shutdown()


def _manual() -> str:
    """Return the folder of the manual's pages, which come with Trac."""
    import importlib.resources

    return str(importlib.resources.files("trac.wiki").joinpath("default-pages"))


def _ticket(environment: Any, source: random.Random, when: datetime) -> None:  # noqa: ANN401
    from trac.ticket.model import Ticket

    ticket = Ticket(environment)
    thing, fault = source.choice(THINGS), source.choice(FAULTS)
    ticket.populate(
        {
            "summary": f"{thing} {fault}",
            "reporter": source.choice(PEOPLE),
            "owner": source.choice(PEOPLE),
            "description": f"The {thing.lower()} {fault}. Seen in the shop this morning.",
            "type": source.choice(("defect", "enhancement", "task")),
            "priority": source.choice(("blocker", "critical", "major", "minor", "trivial")),
            "component": source.choice(COMPONENTS),
            "milestone": source.choice((*MILESTONES, "")),
            "version": source.choice(VERSIONS),
            "status": source.choice(("new", "assigned", "accepted")),
        }
    )
    ticket.insert(when=when)
    for hours in range(1, 1 + source.randrange(3)):
        ticket["status"] = source.choice(("accepted", "closed", "assigned"))
        ticket["resolution"] = "fixed" if ticket["status"] == "closed" else ""
        ticket.save_changes(
            source.choice(PEOPLE), "Looked at it.", when + timedelta(hours=5 * hours)
        )


def serve(folder: Path, port: int) -> None:
    """Serve the project to one who is always signed in."""
    from trac.web.main import dispatch_request
    from trac.web.session import Session

    Session.save = lambda _: None

    def signed_in(asked: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        asked["REMOTE_USER"] = USER
        asked["trac.env_path"] = str(folder / "project")
        answer: Iterable[bytes] = dispatch_request(asked, start)
        return answer

    wsgiref.simple_server.make_server("127.0.0.1", port, signed_in).serve_forever()


TRAC: Final = ApplicationRecipe(
    name="trac",
    version=1,
    title="Trac",
    maker="Edgewall Software",
    drawn_by="the server, jQuery",
    licence="BSD-3-Clause",
    languages=("en", "zh-CN", "fr", "ru", "ja"),
    megabytes=60,
    requirements=("Trac==1.6", "babel", "setuptools<81", "time-machine"),
    pages=PAGES,
    signed_in="#metanav form.trac-logout, #metanav a[href$='/logout']",
    seed=seed,
    serve=serve,
)
