"""
Roundup: the issues of a repair shop, drawn by the server with plain tables and forms.

No mail is sent: what would tell people of news is not there. Nothing is asked of any network.
"""

from __future__ import annotations

import random
import sys
import wsgiref.simple_server
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

USER: Final = "maria"
PEOPLE: Final = (
    *((USER, "Maria Silva"), ("chen", "Wei Chen"), ("olga", "Olga Petrova")),
    *(("pierre", "Pierre Martin"), ("kenji", "Kenji Sato"), ("somchai", "Somchai Suk")),
    ("helen", "Helen Ward"),
)
KEYWORDS: Final = ("sails", "engine", "rigging", "electrics", "paint", "warranty", "spare parts")
THINGS: Final = (
    *("Outboard motor", "Bilge pump", "Main sail", "Navigation light", "Winch", "Rudder"),
    *("Fuel tank", "Anchor chain", "Radio", "Depth sounder", "Deck hatch", "Life raft"),
)
FAULTS: Final = (
    *("does not start when cold", "leaks at the seam", "needs its yearly service"),
    *("is loose on starboard", "was delivered without its manual", "makes a grinding noise"),
    *("has corroded contacts", "is to be replaced before spring", "came back from the customer"),
)
ANSWERS: Final = (
    *("Ordered the part, it comes on Thursday.", "Seen it, I take this one."),
    *("The customer has been called.", "Done and tested on the water."),
    *("Cannot be repaired, a new one costs 240.", "Waiting for the harbour crane."),
)
FILES: Final = ("estimate.txt", "measurements.txt", "delivery-note.txt", "photo-list.txt")
QUERIES: Final = (
    ("Open repairs", "@sort=-activity&@group=priority&@filter=status&status=-1,1,2,3,4,5"),
    ("Mine", "@sort=-activity&@filter=assignedto&assignedto=3"),
)
COLUMNS: Final = "@columns=id,activity,title,creator,assignedto,status"
PAGES: Final = (
    *("/", "/issue1", "/issue4", "/issue9", "/issue17", "/issue25", "/issue?@template=item"),
    f"/issue?{COLUMNS}&@sort=activity&@group=priority",
    f"/issue?{COLUMNS}&@sort=-activity&@group=status&@pagesize=10",
    f"/issue?{COLUMNS}&@filter=assignedto&assignedto=4&@sort=id",
    f"/issue?{COLUMNS}&@search_text=customer",
    *("/issue?@template=search", "/keyword?@template=item", "/keyword2"),
    *("/user", "/user?@template=item", "/user3", "/user5", "/query?@template=edit", "/query1"),
    *("/msg3", "/file2", "/priority", "/status", "/keyword", "/file", "/msg"),
    "/user?@template=register",
)


def seed(folder: Path, seed: int) -> None:
    """Make a tracker with people, keywords and forty issues that were talked about."""
    import time_machine
    from roundup import configuration, init, instance, password

    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    home = folder / "tracker"
    init.install(str(home), str(Path(sys.prefix, "share/roundup/templates/classic")))
    for detector in ("nosyreaction.py", "newissuecopy.py"):  # they send mail
        (home / "detectors" / detector).unlink(missing_ok=True)
    core = configuration.CoreConfig(settings={"TRACKER_HOME": str(home)})
    for name, value in {
        "TRACKER_NAME": "North Quay repairs",
        "TRACKER_WEB": "http://shop.example/",
        "MAIL_DOMAIN": "shop.example",
        "DATABASE": "db",
        "RDBMS_BACKEND": "sqlite",
        "WEB_SECRET_KEY": "no secret",
        "WEB_JWT_SECRET": "disabled",
    }.items():
        core[name] = value
    core.save(str(home / core.INI_FILE))
    _drop_comments(home / core.INI_FILE)
    tracker = instance.open(str(home))
    random.seed(seed)  # Roundup draws from it, too
    with time_machine.travel(CLOCK - timedelta(days=400), tick=False):
        tracker.init(password.Password("none", scheme="plaintext"))
        database = tracker.open("admin")
        for name, full in PEOPLE:
            roles = "User,Admin" if name == USER else "User"
            database.user.create(
                username=name, realname=full, address=f"{name}@shop.example", roles=roles
            )
        for name in KEYWORDS:
            database.keyword.create(name=name)
        for name, url in QUERIES:
            database.query.create(klass="issue", name=name, url=url)
        database.commit()
        database.close()
    for number in range(40):
        _issue(tracker, source, number)


def _drop_comments(settings: Path) -> None:
    """Drop what differs from one installation to the next: the hour, and keys that are offered."""
    settings.with_suffix(".bak").unlink()
    lines = settings.read_text("utf-8").splitlines()
    kept = [line for line in lines if line and not line.startswith("#")]
    settings.write_text("\n".join(kept) + "\n", "utf-8")


def _issue(tracker: Any, source: random.Random, number: int) -> None:  # noqa: ANN401
    """Open an issue, and let people answer it, each at a time of theirs."""
    import time_machine
    from roundup.date import Date

    begun = CLOCK - timedelta(hours=1500 - 37 * number)
    thing, fault = source.choice(THINGS), source.choice(FAULTS)
    sentences = [f"{thing} {fault}. Please have a look at it.", *source.sample(ANSWERS, 2)]
    issue = ""
    for count, text in enumerate(sentences[: 1 + source.randrange(3)]):
        when = begun + timedelta(hours=5 * count)
        with time_machine.travel(when, tick=False):
            name = source.choice(PEOPLE)[0]
            database = tracker.open(name)
            message = database.msg.create(
                author=database.getuid(), date=Date("."), summary=text, content=text
            )
            if count:
                database.issue.set(
                    issue,
                    messages=[*database.issue.get(issue, "messages"), message],
                    status=source.choice(("3", "5", "6", "8")),
                    assignedto=database.user.lookup(source.choice(PEOPLE)[0]),
                )
            else:
                files = []
                if source.randrange(4) == 0:
                    named = source.choice(FILES)
                    files = [
                        database.file.create(name=named, type="text/plain", content=f"{thing}\n")
                    ]
                issue = database.issue.create(
                    title=f"{thing} {fault}",
                    messages=[message],
                    files=files,
                    priority=str(source.randrange(1, 6)),
                    status="1",
                    keyword=source.sample([str(item + 1) for item in range(len(KEYWORDS))], 2),
                )
            database.commit()
            database.close()


def serve(folder: Path, port: int) -> None:
    """Serve the tracker to one whom the server names."""
    from roundup.cgi.wsgi_handler import RequestDispatcher

    tracker = RequestDispatcher(str(folder / "tracker"))

    def signed_in(asked: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        asked["REMOTE_USER"] = USER
        tracker.tracker.config["TRACKER_WEB"] = f"http://{asked['HTTP_HOST']}/"
        answer: Iterable[bytes] = tracker(asked, start)
        return answer

    wsgiref.simple_server.make_server("127.0.0.1", port, signed_in).serve_forever()


ROUNDUP: Final = ApplicationRecipe(
    name="roundup",
    version=1,
    title="Roundup",
    maker="the Roundup team",
    drawn_by="the server, plain HTML",
    licence="MIT",
    languages=("en", "zh-CN", "fr", "ru", "ja"),
    megabytes=50,
    requirements=("roundup==2.6.0", "setuptools<81", "time-machine"),
    built=("roundup",),
    pages=PAGES,
    signed_in="a[href*='@action=logout']",
    seed=seed,
    serve=serve,
)
