"""
Calibre-Web: a library of books, its readers and its settings, drawn by the server and jQuery.

The library is one of Calibre's, made of the tables that Calibre-Web knows; its books are in
the public domain. It looks for no update and fetches no facts about books.
"""

from __future__ import annotations

import random
import sqlite3
import sys
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

SETTINGS: Final = "app.db"
LIBRARY: Final = "metadata.db"
USER: Final = "maria"
READERS: Final = ("chen", "olga", "pierre", "kenji", "somchai", "helen")
# Each book with its author, series, language, year, tags and first words.
BOOKS: Final = (
    *(
        ("Treasure Island", "Robert Louis Stevenson", "", "eng", 1883, "Adventure, Sea"),
        ("Kidnapped", "Robert Louis Stevenson", "David Balfour", "eng", 1886, "Adventure"),
        ("Catriona", "Robert Louis Stevenson", "David Balfour", "eng", 1893, "Adventure"),
        ("Moby-Dick", "Herman Melville", "", "eng", 1851, "Sea, Novel"),
        ("Typee", "Herman Melville", "", "eng", 1846, "Sea, Travel"),
        ("Lord Jim", "Joseph Conrad", "", "eng", 1900, "Sea, Novel"),
        ("Typhoon", "Joseph Conrad", "", "eng", 1902, "Sea, Short stories"),
    ),
    *(
        ("Emma", "Jane Austen", "", "eng", 1815, "Novel"),
        ("Persuasion", "Jane Austen", "", "eng", 1817, "Novel"),
        ("Northanger Abbey", "Jane Austen", "", "eng", 1817, "Novel, Humour"),
        ("A Study in Scarlet", "Arthur Conan Doyle", "Sherlock Holmes", "eng", 1887, "Crime"),
        ("The Sign of the Four", "Arthur Conan Doyle", "Sherlock Holmes", "eng", 1890, "Crime"),
        ("The Lost World", "Arthur Conan Doyle", "", "eng", 1912, "Adventure, Science fiction"),
        ("The Time Machine", "H. G. Wells", "", "eng", 1895, "Science fiction"),
        ("The Invisible Man", "H. G. Wells", "", "eng", 1897, "Science fiction"),
    ),
    *(
        ("Vingt mille lieues sous les mers", "Jules Verne", "", "fra", 1870, "Sea, Adventure"),
        ("Le Tour du monde en 80 jours", "Jules Verne", "", "fra", 1872, "Adventure, Travel"),
        ("Madame Bovary", "Gustave Flaubert", "", "fra", 1857, "Novel"),
        ("Der Schimmelreiter", "Theodor Storm", "", "deu", 1888, "Sea, Short stories"),
        ("Effi Briest", "Theodor Fontane", "", "deu", 1895, "Novel"),
        ("Три сестры", "Anton Chekhov", "", "rus", 1901, "Play"),
        ("Вишнёвый сад", "Anton Chekhov", "", "rus", 1904, "Play"),
        ("坊っちゃん", "Natsume Sōseki", "", "jpn", 1906, "Novel, Humour"),
        ("Os Lusíadas", "Luís de Camões", "", "por", 1572, "Poetry, Sea"),
    ),
)
PUBLISHERS: Final = ("Quay Press", "Lighthouse Classics", "Harbour Library")
SHELVES: Final = ("For the summer", "Read aloud", "Lent to Helen")
BLURBS: Final = (
    "Found on the lower shelf of the harbour library, and still the one most often lent.",
    "A first edition of this stood in the captain's cabin; ours is a reprint.",
    "Short enough for one crossing, and good enough for a second.",
    "The book club of the quay read it in two evenings and argued for a third.",
)
PAGES: Final = (
    *("/", "/hot/stored", "/book/1", "/book/11", "/book/16", "/author", "/author/stored/1"),
    *("/category", "/category/stored/2", "/series", "/series/stored/2", "/publisher", "/language"),
    *("/ratings", "/formats", "/table", "/rated/stored", "/read/stored", "/unread/stored"),
    *("/archived/stored", "/shelf/1", "/shelf/create", "/shelf/edit/2", "/shelf/order/1"),
    *("/search/stored?query=the", "/advsearch", "/me", "/stats"),
    *("/admin/book/1", "/admin/view", "/admin/config", "/admin/viewconfig", "/admin/usertable"),
    *("/admin/user/new", "/admin/user/3", "/admin/mailsettings", "/admin/scheduledtasks"),
    "/admin/dbconfig",
)


def seed(folder: Path, seed: int) -> None:
    """Make a library of two dozen books, its readers and their shelves."""
    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    uuid.uuid4 = lambda: uuid.UUID(int=source.getrandbits(128), version=4)
    _find_modules()
    from cps import config_sql, constants, db, ub
    from sqlalchemy import Float, create_engine
    from sqlalchemy.orm import sessionmaker

    engine = create_engine(
        f"sqlite:///{folder / LIBRARY}",
        execution_options={"schema_translate_map": {"calibre": None}},
    )
    db.Books.__table__.c.series_index.type = Float()  # as Calibre itself has it
    db.Base.metadata.create_all(engine)
    with sessionmaker(engine)() as library:
        library.add(db.Library_Id(uuid=str(uuid.uuid4())))
        for number, facts in enumerate(BOOKS, 1):
            _add_book(folder, library, source, number, facts)
        library.commit()
    engine.dispose()
    ub.generate_password_hash = lambda _: "!"
    ub.init_db(str(folder / SETTINGS))
    config_sql.load_configuration(ub.session, b"")
    ub.session.add(config_sql._Flask_Settings(b"no secret"))  # noqa: SLF001 - it has no other name
    owner = ub.session.query(ub.User).filter_by(name="admin").one()
    owner.name, owner.email = USER, f"{USER}@shop.example"
    # No page may show books at random.
    owner.sidebar_view &= ~(constants.DETAIL_RANDOM | constants.SIDEBAR_RANDOM)
    for name in READERS:
        ub.session.add(
            ub.User(
                name=name,
                email=f"{name}@shop.example",
                role=constants.ROLE_DOWNLOAD | constants.ROLE_VIEWER,
                password="!",  # noqa: S106 - what no password fits
                sidebar_view=owner.sidebar_view,
            )
        )
    for name in SHELVES:
        shelf = ub.Shelf(name=name, user_id=owner.id, is_public=int(name == SHELVES[1]))
        ub.session.add(shelf)
        for order, book in enumerate(source.sample(range(1, len(BOOKS) + 1), 5), 1):
            ub.session.add(ub.BookShelf(book_id=book, ub_shelf=shelf, order=order))
    for book in source.sample(range(1, len(BOOKS) + 1), 9):
        ub.session.add(
            ub.ReadBook(book_id=book, user_id=owner.id, read_status=ub.ReadBook.STATUS_FINISHED)
        )
    ub.session.add(ub.ArchivedBook(user_id=owner.id, book_id=5, is_archived=True))
    ub.session.commit()


def serve(folder: Path, port: int) -> None:
    """Serve the library to its owner, in the language that the browser asks for."""
    _find_modules()
    with sqlite3.connect(folder / SETTINGS) as settings:
        settings.execute("UPDATE settings SET config_calibre_dir = ?", (str(folder),))
    sys.argv = ["cps", "-p", str(folder / SETTINGS), "-o", "/dev/null"]
    from babel import Locale, negotiate_locale
    from cps import cw_babel, lm, main, ub, updater_thread, web_server
    from flask import g, request
    from sqlalchemy.orm.attributes import set_committed_value
    from werkzeug.serving import run_simple

    def asked() -> str:
        tags = [tag.replace("-", "_") for tag in request.accept_languages.values()]
        wanted = [str(Locale.parse(tag)) for tag in tags]
        return negotiate_locale(wanted, cw_babel.get_available_translations()) or "en"

    def sign_in() -> None:
        user = ub.session.query(ub.User).filter_by(name=USER).one()
        set_committed_value(user, "locale", asked())
        g._login_user = user  # noqa: SLF001 - where its manager keeps it

    def start() -> bool:
        from cps import app

        run_simple("127.0.0.1", port, app, threaded=True)
        return True

    cw_babel.get_locale = asked
    updater_thread.start = lambda: None
    lm._load_user = sign_in  # noqa: SLF001 - what signs in from a cookie
    web_server.start = start
    main.main()


def _find_modules() -> None:
    """Let its modules be found by the names that they call each other by."""
    import calibreweb

    sys.path.insert(0, str(Path(calibreweb.__file__).parent))


def _add_book(
    folder: Path,
    library: Any,  # noqa: ANN401
    source: random.Random,
    number: int,
    facts: tuple[str, str, str, str, int, str],
) -> None:
    """Add a book with its cover and its text to the library and its folder."""
    from cps import db

    title, author, series, language, year, tags = facts
    place = Path(author, f"{title} ({number})")
    (folder / place).mkdir(parents=True)
    (folder / place / "book.txt").write_text(f"{title}\n\n{author}, {year}\n", encoding="utf-8")
    _draw_cover(folder / place / "cover.jpg", title, author, source)
    last = author.split()[-1]
    sort = f"{last}, {author.removesuffix(last).strip()}"
    added = CLOCK.replace(tzinfo=None) - timedelta(days=700 - 23 * number)
    book = db.Books(
        title,
        title,
        sort,
        added,
        datetime(year, 1, 1, tzinfo=UTC),
        1.0,
        added,
        str(place),
        1,
        [],
        [],
    )
    book.uuid = str(uuid.uuid4())

    def named(kind: Any, *given: object, **key: object) -> Any:  # noqa: ANN401
        found = library.query(kind).filter_by(**key).one_or_none()
        return found or kind(*given)

    book.authors.append(named(db.Authors, author, sort, name=author))
    for tag in tags.split(", "):
        book.tags.append(named(db.Tags, tag, name=tag))
    if series:
        book.series.append(named(db.Series, series, series, name=series))
        book.series_index = source.randrange(1, 3)
    publisher = source.choice(PUBLISHERS)
    book.publishers.append(named(db.Publishers, publisher, publisher, name=publisher))
    book.languages.append(named(db.Languages, language, lang_code=language))
    stars = source.randrange(5, 11)
    book.ratings.append(named(db.Ratings, stars, rating=stars))
    library.add(book)
    library.flush()
    library.add(db.Comments(f"<p>{source.choice(BLURBS)}</p>", book.id))
    library.add(db.Data(book.id, "TXT", 900 + 10 * number, "book"))
    library.add(db.Identifiers(str(4_000_000 + number), "gutenberg", book.id))
    library.flush()


def _draw_cover(file: Path, title: str, author: str, source: random.Random) -> None:
    from PIL import Image, ImageDraw, ImageFont

    colour = tuple(source.randrange(20, 120) for _ in range(3))
    image = Image.new("RGB", (300, 440), colour)
    draw = ImageDraw.Draw(image)
    draw.rectangle((14, 14, 286, 426), outline=(230, 220, 190), width=3)
    ink = (245, 238, 215)
    if title.isascii():
        words = title.split()
        lines = [" ".join(words[at : at + 2]) for at in range(0, len(words), 2)]
        font = ImageFont.load_default(30)
        draw.multiline_text((150, 120), "\n".join(lines), ink, font, "mm", align="center")
    draw.ellipse((105, 220, 195, 310), outline=ink, width=4)
    if author.isascii():
        draw.text((150, 380), author, ink, ImageFont.load_default(17), "mm")
    image.save(file, "JPEG", quality=85)


CALIBRE_WEB: Final = ApplicationRecipe(
    name="calibreweb",
    version=1,
    title="Calibre-Web",
    maker="the Calibre-Web contributors",
    drawn_by="the server, Bootstrap, jQuery",
    licence="GPL-3.0-or-later",
    languages=("en", "zh-CN", "fr", "ru", "ja"),
    megabytes=190,
    requirements=("calibreweb==0.6.27", "pillow", "setuptools", "time-machine"),
    built=("flask-principal", "iso-639"),
    pages=PAGES,
    signed_in="#logout",
    seed=seed,
    serve=serve,
)
