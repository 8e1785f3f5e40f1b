"""
Wagtail: the pages, pictures and people of a shop's site as their editors see them.

Its pages are drawn by the server with Stimulus, its choosers and editors by React. It asks
for no updates and no avatars, saves nothing by itself, and tells nobody who is editing, as
at a time that stands still no session of an editor would ever grow old.
"""

from __future__ import annotations

import io
import random
import sys
import types
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from surefoot.capture.applications.django_site import (
    administrator,
    serve_django,
    set_up_django,
)
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

SITE: Final = "quay"
USER: Final = ("maria", "Maria", "Silva")
EDITORS: Final = (
    *(("chen", "Wei", "Chen"), ("olga", "Olga", "Petrova"), ("pierre", "Pierre", "Martin")),
    *(("kenji", "Kenji", "Sato"), ("somchai", "Somchai", "Suk"), ("helen", "Helen", "Ward")),
    *(("amara", "Amara", "Okafor"), ("luis", "Luis", "Ortega"), ("ines", "Ines", "Costa")),
)
# Pages, and those below each.
TREE: Final = {
    "Goods": ("Ropes", "Lanterns", "Anchors", "Charts", "Oilskins", "Compasses", "Paddles"),
    "Journal": (
        *("The harbour in winter", "How a rope is laid", "A day with the lighthouse keeper"),
        *("Seven knots to know", "What the tide brings", "Old charts, new eyes"),
    ),
    "Service": ("Delivery", "Returns", "Repairs", "Opening hours"),
    "About us": ("Our people", "The quay", "Jobs"),
}
PICTURES: Final = (
    *("Harbour at dawn", "Coil of rope", "Brass lantern", "Chart of the bay", "Oilskin jacket"),
    *("The shop front", "Anchor", "Compass rose", "Paddles", "Quay in the rain"),
)
DOCUMENTS: Final = ("Price list", "Delivery terms", "Care of ropes", "Order form")
COLLECTIONS: Final = ("Goods", "Journal", "Press")
REDIRECTS: Final = (("/shop.html", "Goods"), ("/blog", "Journal"), ("/contact", "About us"))
SENTENCES: Final = (
    "Every rope is laid by hand and tested for twice the load it is sold for.",
    "Parcels leave the store at noon, and reach most towns the next day.",
    "Whatever does not fit comes back within thirty days.",
    "The keeper has lit the lamp every evening since the spring of 1987.",
    "Ask for the list of those who repair what others throw away.",
)
APPLICATIONS: Final = (
    *("wagtail.contrib.redirects", "wagtail.contrib.settings", "wagtail.embeds"),
    *("wagtail.sites", "wagtail.users", "wagtail.snippets", "wagtail.documents"),
    *("wagtail.images", "wagtail.search", "wagtail.admin", "wagtail", "modelcluster"),
    *("taggit", "django_filters"),
    *(
        f"django.contrib.{name}"
        for name in ("auth", "contenttypes", "sessions", "messages", "staticfiles")
    ),
)
HOUR_MS: Final = 3_600_000
PAGES: Final = (
    *("/", "/pages/", "/pages/3/", "/pages/4/", "/pages/5/edit/", "/pages/13/edit/"),
    "/pages/5/delete/",
    *("/pages/5/move/", "/pages/5/copy/", "/pages/5/history/", "/pages/5/usage/"),
    *("/images/", "/images/2/", "/images/add/", "/images/3/delete/"),
    *("/documents/", "/documents/edit/1/", "/documents/multiple/add/"),
    *("/users/", "/users/edit/4/", "/users/new/", "/groups/", "/groups/edit/1/", "/groups/new/"),
    *("/sites/", "/sites/edit/1/", "/collections/", "/collections/add/", "/redirects/"),
    *("/redirects/add/", "/workflows/list/", "/workflows/edit/1/", "/workflows/tasks/index/"),
    *("/reports/locked/", "/reports/site-history/", "/reports/aging-pages/", "/account/"),
    *("/pages/search/?q=rope", "/reports/page-types-usage/"),
)


def seed(folder: Path, seed: int) -> None:
    """Make a site of two dozen pages, with pictures, documents, editors and redirects."""
    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    uuid.uuid4 = lambda: uuid.UUID(int=source.getrandbits(128), version=4)
    page_kind = _set_up(folder)
    from django.contrib.auth import get_user_model
    from django.contrib.auth.models import Group
    from django.core.files.base import ContentFile
    from django.core.files.images import ImageFile
    from wagtail.contrib.redirects.models import Redirect
    from wagtail.documents.models import Document
    from wagtail.images.models import Image
    from wagtail.models import Collection, Page, Site

    _migrate(page_kind)
    owner = administrator(*USER)
    people = [owner]
    for name, first, last in EDITORS:
        joined = CLOCK - timedelta(days=source.randrange(20, 800))
        person = get_user_model().objects.create(
            username=name,
            first_name=first,
            last_name=last,
            email=f"{name}@shop.example",
            date_joined=joined,
            last_login=CLOCK - timedelta(hours=source.randrange(4, 400)),
            is_active=name != "luis",
            password="!",  # noqa: S106 - what no password fits
        )
        person.groups.add(Group.objects.get(name=source.choice(("Editors", "Moderators"))))
        people.append(person)
    top = Collection.get_first_root_node()
    collections = [top.add_child(name=name) for name in COLLECTIONS]
    for number, title in enumerate(PICTURES):
        image = Image.objects.create(
            title=title,
            collection=source.choice(collections),
            uploaded_by_user=source.choice(people),
            file=ImageFile(_picture(source), name=f"picture-{number}.png"),
        )
        image.created_at = CLOCK - timedelta(days=40 + number)
        image.save()
    for number, title in enumerate(DOCUMENTS):
        text = f"{title}\n\n{source.choice(SENTENCES)}\n".encode()
        Document.objects.create(
            title=title,
            collection=source.choice(collections),
            uploaded_by_user=source.choice(people),
            file=ContentFile(text, name=f"document-{number}.txt"),
        )
    home = Page.objects.get(slug="home")
    home.title = home.draft_title = "North Quay"
    home.save()
    site = Site.objects.get(is_default_site=True)
    site.site_name, site.hostname = "North Quay", "shop.example"
    site.save()
    images = list(Image.objects.order_by("pk"))
    sections = {}
    for title, below in TREE.items():
        section = _add(home, page_kind, title, people, images, source)
        sections[title] = section
        for name in below:
            _add(section, page_kind, name, people, images, source)
    for old, new in REDIRECTS:
        Redirect.objects.create(old_path=old, redirect_page=sections[new], site=site)


def serve(folder: Path, port: int) -> None:
    """Serve the editors' side of the site to its administrator."""
    _set_up(folder)
    from wagtail.admin.views.pages.edit import EditView

    EditView.get_editing_sessions = lambda _: None
    serve_django(port)


def _add(
    parent: Any,  # noqa: ANN401
    kind: Any,  # noqa: ANN401
    title: str,
    people: list[Any],
    images: list[Any],
    source: random.Random,
) -> Any:  # noqa: ANN401
    """Add a page below another, with what was done to it."""
    import time_machine

    body = "".join(f"<p>{text}</p>" for text in source.sample(SENTENCES, 3))
    page = kind(
        title=title,
        owner=source.choice(people),
        intro=source.choice(SENTENCES),
        body=f"<h2>{title}</h2>{body}",
        picture=source.choice(images),
        search_description=f"{title} of the North Quay",
        show_in_menus=parent.depth == 2,  # noqa: PLR2004 - below the home page
    )
    begun = CLOCK - timedelta(hours=source.randrange(900, 4000))
    with time_machine.travel(begun, tick=False):
        parent.add_child(instance=page)
        page.save_revision(user=source.choice(people)).publish()
    with time_machine.travel(begun + timedelta(hours=source.randrange(5, 880)), tick=False):
        if source.randrange(3) == 0:
            page.intro = source.choice(SENTENCES)
            page.save_revision(user=source.choice(people))
        if source.randrange(9) == 0:
            page.unpublish(user=people[0])
    return page


def _picture(source: random.Random) -> io.BytesIO:
    """Return a picture of coloured bands."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (640, 480), _colour(source))
    draw = ImageDraw.Draw(image)
    for top in range(60, 480, 70):
        left = source.randrange(0, 300)
        draw.rectangle((left, top, left + source.randrange(80, 340), top + 50), _colour(source))
    written = io.BytesIO()
    image.save(written, "PNG")
    written.seek(0)
    return written


def _colour(source: random.Random) -> tuple[int, int, int]:
    return source.randrange(40, 220), source.randrange(60, 220), source.randrange(80, 240)


def _migrate(page_kind: Any) -> None:  # noqa: ANN401
    from django.apps import apps
    from django.contrib.auth.management import create_permissions
    from django.core.management import call_command
    from django.db import connection

    apps.set_available_apps(APPLICATIONS)  # the site's own table needs theirs
    call_command("migrate", verbosity=0)
    apps.unset_available_apps()
    with connection.schema_editor() as editor:
        editor.create_model(page_kind)
    create_permissions(apps.get_app_config(page_kind._meta.app_label), verbosity=0)  # noqa: SLF001


def _set_up(folder: Path) -> Any:  # noqa: ANN401
    """Set Wagtail up, and return the one kind of pages that the site has."""
    from django.apps import AppConfig

    kinds = []

    class Quay(AppConfig):  # type: ignore[misc, unused-ignore]
        """Hold the site's own pages: an application is where Django looks for them."""

        name = label = SITE
        path = str(folder)

        def import_models(self) -> None:
            """Define them when Django asks for it."""
            super().import_models()
            kinds.append(_page_kind())

    sys.modules[SITE] = types.ModuleType(SITE)
    sys.modules[SITE].__dict__["Quay"] = Quay
    set_up_django(
        folder,
        (f"{SITE}.Quay", *APPLICATIONS),
        _urls,
        WAGTAIL_SITE_NAME="North Quay",
        WAGTAILADMIN_BASE_URL="http://shop.example",
        WAGTAIL_ENABLE_UPDATE_CHECK=False,
        WAGTAIL_ENABLE_WHATS_NEW_BANNER=False,
        WAGTAIL_GRAVATAR_PROVIDER_URL=None,
        WAGTAIL_AUTOSAVE_INTERVAL=0,
        WAGTAIL_EDITING_SESSION_PING_INTERVAL=24 * HOUR_MS,
        WAGTAIL_AUTO_UPDATE_PREVIEW_INTERVAL=0,
        DATA_UPLOAD_MAX_NUMBER_FIELDS=10_000,
    )
    return kinds[0]


def _page_kind() -> Any:  # noqa: ANN401
    from django.db import models
    from wagtail.admin.panels import FieldPanel
    from wagtail.fields import RichTextField
    from wagtail.models import Page

    class QuayPage(Page):  # type: ignore[misc, unused-ignore]
        """A page with an introduction, a picture and what it says."""

        intro = models.TextField(blank=True)
        body = RichTextField(blank=True)
        picture = models.ForeignKey(
            "wagtailimages.Image",
            null=True,
            blank=True,
            on_delete=models.SET_NULL,
            related_name="+",
        )
        content_panels = (
            *Page.content_panels,
            FieldPanel("intro"),
            FieldPanel("picture"),
            FieldPanel("body"),
        )
        preview_modes = ()

        class Meta:
            """Say where it belongs."""

            app_label = SITE
            verbose_name = "page of the quay"

    return QuayPage


def _urls() -> list[Any]:
    from django.conf import settings
    from django.urls import include, path
    from django.views.static import serve as files

    return [
        path("media/<path:path>", files, {"document_root": settings.MEDIA_ROOT}),
        path("documents/", include("wagtail.documents.urls")),
        path("site/", include("wagtail.urls")),
        path("", include("wagtail.admin.urls")),
    ]


WAGTAIL: Final = ApplicationRecipe(
    name="wagtail",
    version=1,
    title="Wagtail",
    maker="Torchbox",
    drawn_by="the server, Stimulus, React",
    licence="BSD-3-Clause",
    languages=("en", "zh-CN", "fr", "ru", "ja", "th"),
    megabytes=210,
    requirements=("wagtail==8.0.1", "time-machine"),
    pages=PAGES,
    signed_in="#wagtail-sidebar",
    seed=seed,
    serve=serve,
)
