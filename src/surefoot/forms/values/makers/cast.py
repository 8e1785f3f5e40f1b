"""
The people, companies and places of one instance, so that fields about one thing agree.
"""

from __future__ import annotations

import datetime as dt
import functools
import re
import tomllib
import unicodedata
from collections.abc import Callable, Sequence
from importlib.resources import files
from random import Random
from typing import Any, Final

import msgspec

from surefoot.forms.specification import Form

TODAY: Final = dt.date(2026, 3, 2)  # ages and dates to come count from it, in any year
_YOUNGEST, _OLDEST = 21, 74
_PROVIDERS: Final = ("person", "company", "address")
_HOSTS: Final = ("example.com", "example.org", "example.net", "post.example", "mail.example")
_COMMON: Final = frozenset({"and", "sons", "group", "inc", "llc", "ltd", "plc", "suite", "apt"})
_TRIES: Final = 200


class City(msgspec.Struct, frozen=True, array_like=True):
    """Name a city, its state, the head of a ZIP code there and an area code."""

    city: str
    state: str
    state_code: str
    zip_head: str
    area_code: str


class Person(msgspec.Struct, frozen=True):
    """Hold what belongs to one person; ``phone`` is in E.164."""

    first: str
    middle: str
    last: str
    gender: str
    birth: dt.date
    email: str
    phone: str
    handle: str

    @property
    def age(self) -> int:
        """Return the age in whole years on TODAY."""
        before = (TODAY.month, TODAY.day) < (self.birth.month, self.birth.day)
        return TODAY.year - self.birth.year - before


class Company(msgspec.Struct, frozen=True):
    """Hold what belongs to one company; ``site`` is its host's name."""

    name: str
    site: str
    phone: str


class Party(msgspec.Struct, frozen=True):
    """Join the person, the company and the address that one ``about`` stands for."""

    person: Person
    company: Company
    place: City
    street: str
    zip_code: str

    @property
    def address(self) -> str:
        """Return the whole address on one line."""
        place = self.place
        return f"{self.street}, {place.city}, {place.state_code} {self.zip_code}"


@functools.cache
def places() -> tuple[City, ...]:
    """Return all cities that addresses may lie in."""
    text = files("surefoot.forms.values.makers").joinpath("places.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text)["places"], tuple[City, ...])


def subjects(form: Form, random: Random) -> dict[str, Party]:
    """
    Make everybody whom a form's fields are about, no two with a name or city in common.

    Birth dates keep to the limits of the form's fields for the birth date and the age.
    """
    from faker import Factory

    faker = Factory.create(
        "en_US", providers=[f"faker.providers.{provider}" for provider in _PROVIDERS]
    )
    faker.random = random
    used: set[str] = set()
    abouts = list(dict.fromkeys(field.about for field in form.fields))
    spots = _spots(random, len(abouts))
    people = [
        _person(faker, random, _births(form, item), used, spot)
        for item, spot in zip(abouts, spots, strict=True)
    ]
    for spot in spots:
        used |= words_of(f"{spot.city} {spot.state}")
    return {
        about: _subject(faker, random, person, spot, used)
        for about, person, spot in zip(abouts, people, spots, strict=True)
    }


def words_of(text: str) -> set[str]:
    """
    Return the words of a text, folded, apart from those that many names share.

    >>> sorted(words_of("Watkins and Sons"))
    ['watkins']
    """
    return set(re.findall(r"\w+", text.casefold())) - _COMMON


def _spots(random: Random, count: int) -> list[City]:
    """Draw cities of different states, as long as there are states."""
    states: dict[str, list[City]] = {}
    for place in places():
        states.setdefault(place.state, []).append(place)
    names = sorted(states)
    drawn = [
        name for _ in range(0, count, len(names)) for name in random.sample(names, len(names))
    ]
    return [random.choice(states[name]) for name in drawn[:count]]


# Faker's generators have no types; what they return is text.
def _person(
    faker: Any,  # noqa: ANN401
    random: Random,
    births: tuple[dt.date, dt.date],
    used: set[str],
    spot: City,
) -> Person:
    gender = random.choice(("female", "male"))
    given: Callable[[], str] = getattr(faker, f"first_name_{gender}")
    first, middle, last = (_fresh(item, used) for item in (given, given, faker.last_name))
    birth = births[0] + dt.timedelta(days=random.randint(0, (births[1] - births[0]).days))
    stem = random.choice((f"{first}.{last}", f"{first[0]}.{last}", f"{last}.{first}"))
    tail = "".join(random.choices("abcdefghkmnpqrstuvwxyz", k=3))
    return Person(
        first=first,
        middle=middle,
        last=last,
        gender=gender,
        birth=birth,
        email=f"{_ascii(stem)}@{random.choice(_HOSTS)}",
        phone=_phone(random, spot),
        handle=f"{_ascii(first)}-{_ascii(last)}-{tail}",
    )


def _subject(
    faker: Any,  # noqa: ANN401
    random: Random,
    person: Person,
    spot: City,
    used: set[str],
) -> Party:
    name = _fresh(faker.company, used)
    company = Company(
        name=name,
        site=f"{'-'.join(re.findall(r'[a-z]+', _ascii(name)))}.example",
        phone=_phone(random, spot),
    )
    return Party(
        person=person,
        company=company,
        place=spot,
        street=f"{random.randint(101, 9899)} {_fresh(faker.street_name, used)}",
        zip_code=f"{spot.zip_head}{random.randint(1, 18):02}",
    )


def _fresh(draw: Callable[[], str], used: set[str]) -> str:
    """Draw until no word was used before, or for as long as there is hope."""
    for _ in range(_TRIES):
        drawn = draw()
        if not words_of(drawn) & used:
            break
    used |= words_of(drawn)
    return drawn


def _phone(random: Random, spot: City) -> str:
    """Return a number of the block that is kept free for fiction."""
    return f"+1{spot.area_code}555{random.randint(100, 199):04}"


def _births(form: Form, about: str) -> tuple[dt.date, dt.date]:
    first, last = _years_ago(_OLDEST), _years_ago(_YOUNGEST)
    ranges: list[tuple[dt.date | None, dt.date | None]] = []
    for field in form.fields:
        if field.about == about and field.fill == "person.birth_date":
            ranges.append((_day(field.earliest), _day(field.latest)))
        elif field.about == about and field.fill == "person.age":
            oldest = None if field.highest is None else _years_ago(int(field.highest) + 1, 1)
            youngest = None if field.lowest is None else _years_ago(int(-(-field.lowest // 1)))
            ranges.append((oldest, youngest))
    return _within(first, last, ranges)


def _within(
    first: dt.date, last: dt.date, ranges: Sequence[tuple[dt.date | None, dt.date | None]]
) -> tuple[dt.date, dt.date]:
    """Cut a range to others; where nothing is left of it, take theirs alone."""
    lows = [low for low, _ in ranges if low is not None]
    highs = [high for _, high in ranges if high is not None]
    low, high = max([first, *lows]), min([last, *highs])
    if low > high:
        low, high = (
            max(lows, default=min(highs, default=first)),
            min(highs, default=max(lows, default=last)),
        )
    return (low, high) if low <= high else (high, high)


def _day(text: str) -> dt.date | None:
    return dt.date.fromisoformat(text) if text else None


def _years_ago(years: int, days_after: int = 0) -> dt.date:
    return TODAY.replace(year=TODAY.year - years) + dt.timedelta(days=days_after)


def _ascii(text: str) -> str:
    """Lower a name and keep what an address may hold of it."""
    plain = unicodedata.normalize("NFKD", text.lower())
    return re.sub(r"[^a-z. -]", "", plain).replace(" ", "-")
