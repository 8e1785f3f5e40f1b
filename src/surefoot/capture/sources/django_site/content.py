"""
The content of the site: the people and pages of a small museum, the same at each start.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.contrib.flatpages.models import FlatPage
from django.contrib.redirects.models import Redirect
from django.contrib.sites.models import Site

START: Final = dt.datetime(2024, 3, 4, 8, 30, tzinfo=dt.UTC)
PEOPLE: Final = (
    ("Helen", "Marsh"),
    ("Adaeze", "Okafor"),
    ("Anton", "Lindqvist"),
    ("Beatriz", "Carvalho"),
    ("Chiara", "Bellini"),
    ("Daniel", "Whitlock"),
    ("Elif", "Demir"),
    ("Farid", "Rahimi"),
    ("Grace", "Mbeki"),
    ("Hiroshi", "Tanaka"),
    ("Ingrid", "Solheim"),
    ("Maria", "Kowalska"),
    ("Jonas", "Petersen"),
    ("Kavya", "Raman"),
    ("Leila", "Haddad"),
    ("Marco", "Fontana"),
    ("Maria", "Delgado"),
    ("Nadia", "Benali"),
    ("Oliver", "Grant"),
    ("Priya", "Nair"),
    ("Quentin", "Dubois"),
    ("Rosa", "Jimenez"),
    ("Samuel", "Adeyemi"),
    ("Tomasz", "Nowak"),
    ("Ursula", "Keller"),
    ("Viktor", "Horvat"),
    ("Wei", "Zhang"),
    ("Yasmin", "Aziz"),
)
GROUPS: Final = ("Curators", "Editors", "Front desk", "Newsletter", "Translators", "Volunteers")
SITES: Final = (
    ("museum.example", "Harbour Museum"),
    ("shop.museum.example", "Museum Shop"),
    ("learn.museum.example", "Learning Centre"),
    ("archive.museum.example", "Photograph Archive"),
)
PAGES: Final = (
    ("/about/", "About the museum", "The museum tells the story of the harbour and its people."),
    ("/visit/", "Plan your visit", "Open from Tuesday to Sunday, ten to five. Closed on Mondays."),
    ("/visit/groups/", "Group bookings", "Groups of ten and more are asked to book a week ahead."),
    ("/visit/access/", "Access", "Every floor can be reached by lift; wheelchairs are lent."),
    ("/contact/", "Contact", "Write to the front desk, and we reply within two working days."),
    ("/privacy/", "Privacy notice", "We keep only what we need to answer you."),
    ("/terms/", "Terms of use", "Photographs may be used in class with the museum's name."),
    ("/join/", "Become a member", "Members enter free and hear first of new exhibitions."),
    ("/volunteer/", "Volunteer", "Spend an afternoon a week with our collection."),
    ("/press/", "Press", "Pictures and texts for journalists."),
)
MOVED: Final = (
    ("/opening-hours/", "/visit/"),
    ("/tickets/", "/visit/groups/"),
    ("/news/2019/", "/press/"),
    ("/membership/", "/join/"),
    ("/disabled-access/", "/visit/access/"),
    ("/impressum/", "/contact/"),
    ("/jobs/", "/volunteer/"),
)


def fill() -> None:
    """Write all content into an empty database."""
    _fill_sites()
    _fill_groups()
    _fill_users()
    _fill_pages()
    _fill_log()


def _fill_sites() -> None:
    for number, (domain, name) in enumerate(SITES, start=1):
        Site.objects.update_or_create(pk=number, defaults={"domain": domain, "name": name})


def _fill_groups() -> None:
    permissions = list(Permission.objects.order_by("codename"))
    for number, name in enumerate(GROUPS):
        group = Group.objects.create(pk=number + 1, name=name)
        group.permissions.set(permissions[number::4])


def _fill_users() -> None:
    password = make_password("unused", salt="museum", hasher="pbkdf2_sha256")
    for number, (first, last) in enumerate(PEOPLE):
        user = User.objects.create(
            pk=number + 1,
            username=f"{first[0]}{last}".lower(),
            first_name=first,
            last_name=last,
            email=f"{first}.{last}@museum.example".lower(),
            password=password,
            is_staff=number % 3 == 0,
            is_superuser=number == 0,
            is_active=number % 7 != 5,  # noqa: PLR2004
            date_joined=START + dt.timedelta(days=17 * number, minutes=23 * number),
            last_login=START + dt.timedelta(days=500 + number, minutes=37 * number),
        )
        user.groups.set([1 + number % len(GROUPS)])


def _fill_pages() -> None:
    site = Site.objects.get(pk=1)
    for number, (url, title, content) in enumerate(PAGES, start=1):
        page = FlatPage.objects.create(pk=number, url=url, title=title, content=content)
        page.sites.set([site])
    for number, (old, new) in enumerate(MOVED, start=1):
        Redirect.objects.create(pk=number, site=site, old_path=old, new_path=new)


def _fill_log() -> None:
    kinds = {
        model: ContentType.objects.get_for_model(model)
        for model in (User, Group, FlatPage, Redirect)
    }
    done = (
        (ADDITION, User, "12", "mkowalska", '[{"added": {}}]'),
        (CHANGE, User, "12", "mkowalska", '[{"changed": {"fields": ["Email address"]}}]'),
        (CHANGE, Group, "1", "Curators", '[{"changed": {"fields": ["Permissions"]}}]'),
        (
            CHANGE,
            FlatPage,
            "2",
            "/visit/ -- Plan your visit",
            '[{"changed": {"fields": ["Content"]}}]',
        ),
        (ADDITION, Redirect, "3", "/news/2019/ ---> /press/", '[{"added": {}}]'),
        (DELETION, FlatPage, "11", "/easter/ -- Easter opening", ""),
    )
    for number, (flag, model, key, text, message) in enumerate(done, start=1):
        LogEntry.objects.create(
            pk=number,
            user_id=1,
            content_type=kinds[model],
            object_id=key,
            object_repr=text,
            action_flag=flag,
            change_message=message,
            action_time=START + dt.timedelta(days=300 + number, minutes=41 * number),
        )
