"""
Django's administration of a site: people, groups, flat pages, redirects, drawn by the server.

It asks nothing of any network.
"""

from __future__ import annotations

import random
from datetime import timedelta
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from surefoot.capture.applications.django_site import (
    administrator,
    serve_django,
    set_up_django,
)
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

USER: Final = ("maria", "Maria", "Silva")
PEOPLE: Final = (
    *(("chen", "Wei", "Chen"), ("olga", "Olga", "Petrova"), ("pierre", "Pierre", "Martin")),
    *(("kenji", "Kenji", "Sato"), ("somchai", "Somchai", "Suk"), ("helen", "Helen", "Ward")),
    *(("amara", "Amara", "Okafor"), ("luis", "Luis", "Ortega"), ("ines", "Ines", "Costa")),
    *(("jonas", "Jonas", "Berg"), ("priya", "Priya", "Nair"), ("tomas", "Tomas", "Novak")),
)
GROUPS: Final = ("Editors", "Stock", "Orders", "Support", "Bookkeeping")
SITES: Final = (
    *(("shop.example", "North Quay"), ("blog.example", "North Quay Journal")),
    ("harbour.example", "Harbour Store"),
)
FLAT_PAGES: Final = {
    "/about/": ("About us", "The shop stands at the north quay since 1987."),
    "/delivery/": ("Delivery", "Parcels leave the store every day at noon."),
    "/returns/": ("Returns", "Whatever does not fit comes back within 30 days."),
    "/imprint/": ("Imprint", "North Quay, 4 Harbour Street."),
    "/privacy/": ("Privacy", "What we keep of you, and for how long."),
    "/jobs/": ("Jobs", "We look for a bookkeeper, two days a week."),
    "/opening-hours/": ("Opening hours", "Monday to Saturday, nine to six."),
    "/vouchers/": ("Vouchers", "A voucher is valid for three years."),
}
REDIRECTS: Final = (
    *(("/shop.html", "/"), ("/contact/", "/about/"), ("/agb/", "/imprint/")),
    *(("/hours/", "/opening-hours/"), ("/rope-2024/", "/rope/"), ("/old-blog/", "")),
)
APPLICATIONS: Final = (
    *("admin", "admindocs", "auth", "contenttypes", "sessions", "messages", "staticfiles"),
    *("sites", "flatpages", "redirects"),
)
PAGES: Final = (
    *("/", "/auth/", "/auth/user/", "/auth/user/?is_staff__exact=1&o=3", "/auth/user/?q=er"),
    *("/auth/user/add/", "/auth/user/4/change/", "/auth/user/4/password/"),
    *("/auth/user/4/history/", "/auth/user/9/delete/"),
    *("/auth/group/", "/auth/group/add/", "/auth/group/2/change/"),
    *("/flatpages/flatpage/", "/flatpages/flatpage/add/", "/flatpages/flatpage/3/change/"),
    *("/flatpages/flatpage/?sites__id__exact=2", "/flatpages/flatpage/3/delete/"),
    *("/redirects/redirect/", "/redirects/redirect/add/", "/redirects/redirect/2/change/"),
    *("/sites/site/", "/sites/site/2/change/", "/password_change/"),
    *("/doc/", "/doc/filters/", "/doc/models/", "/doc/views/"),
    *("/doc/models/auth.user/", "/doc/models/flatpages.flatpage/", "/doc/bookmarklets/"),
)


def seed(folder: Path, seed: int) -> None:
    """Make people, groups, pages and redirects, and what was done of late."""
    _set_up(folder)
    from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
    from django.contrib.auth.models import Group, Permission, User
    from django.contrib.contenttypes.models import ContentType
    from django.contrib.flatpages.models import FlatPage
    from django.contrib.redirects.models import Redirect
    from django.contrib.sites.models import Site
    from django.core.management import call_command

    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    call_command("migrate", verbosity=0)
    owner = administrator(*USER)
    permissions = list(Permission.objects.order_by("pk"))
    groups = []
    for name in GROUPS:
        group = Group.objects.create(name=name)
        group.permissions.set(source.sample(permissions, 9))
        groups.append(group)
    for name, first, last in PEOPLE:
        joined = CLOCK - timedelta(days=source.randrange(20, 800))
        person = User.objects.create(
            username=name,
            first_name=first,
            last_name=last,
            email=f"{name}@shop.example",
            is_staff=source.choice((True, True, False)),
            is_active=source.choice((True, True, True, False)),
            date_joined=joined,
            last_login=CLOCK - timedelta(hours=source.randrange(4, 400)),
            password="!",  # noqa: S106 - what no password fits
        )
        person.groups.set(source.sample(groups, 2))
    sites = [Site.objects.get(pk=1)]
    sites[0].domain, sites[0].name = SITES[0]
    sites[0].save()
    sites += [Site.objects.create(domain=domain, name=name) for domain, name in SITES[1:]]
    for url, (title, content) in FLAT_PAGES.items():
        page = FlatPage.objects.create(
            url=url, title=title, content=content, registration_required=url == "/jobs/"
        )
        page.sites.set(source.sample(sites, 2))
    for old, new in REDIRECTS:
        Redirect.objects.create(site=source.choice(sites), old_path=old, new_path=new)
    for kind in (FlatPage, User, Redirect):
        content_type = ContentType.objects.get_for_model(kind)
        for number, item in enumerate(kind.objects.order_by("pk")):
            entry = LogEntry.objects.create(
                user=owner,
                content_type=content_type,
                object_id=item.pk,
                object_repr=str(item),
                action_flag=(ADDITION, CHANGE, CHANGE, DELETION)[number % 4],
                change_message=[],
            )
            entry.action_time = CLOCK - timedelta(hours=source.randrange(2, 300))
            entry.save()


def serve(folder: Path, port: int) -> None:
    """Serve the administration to one who is always signed in."""
    _set_up(folder)
    serve_django(port)


def _set_up(folder: Path) -> None:
    applications = [f"django.contrib.{name}" for name in APPLICATIONS]
    middleware = ("django.contrib.admindocs.middleware.XViewMiddleware",)
    set_up_django(folder, applications, _urls, middleware=middleware)


def _urls() -> list[Any]:
    from django.contrib import admin
    from django.urls import include, path

    listed = admin.site.get_app_list

    def in_order(*asked: Any) -> list[dict[str, Any]]:  # noqa: ANN401
        """List them in the same order in each language; Django sorts by their titles."""
        found: list[dict[str, Any]] = sorted(listed(*asked), key=itemgetter("app_label"))
        for application in found:
            application["models"].sort(key=itemgetter("object_name"))
        return found

    admin.site.get_app_list = in_order
    return [path("doc/", include("django.contrib.admindocs.urls")), path("", admin.site.urls)]


DJANGO_ADMIN: Final = ApplicationRecipe(
    name="djangoadmin",
    version=1,
    title="Django administration",
    maker="Django Software Foundation",
    drawn_by="the server",
    licence="BSD-3-Clause",
    languages=("en", "zh-CN", "fr", "ru", "ja", "th"),
    megabytes=70,
    requirements=("Django==5.2.19", "docutils", "time-machine"),
    pages=PAGES,
    signed_in="#logout-form",
    seed=seed,
    serve=serve,
)
