"""
Real applications: ``app:NAME`` is every page that its recipe begins from.
"""

from __future__ import annotations

import contextlib
import http
import urllib.parse
from collections.abc import Iterable
from typing import Final, NamedTuple

from surefoot.capture.address import (
    Address,
    Agreed,
    OpenedAddress,
    PageSource,
    Services,
    Tell,
    origin_for,
)
from surefoot.capture.applications.installing import RECIPES, find_installation, install
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.applications.running import run
from surefoot.capture.contents import verify
from surefoot.capture.parallel.languages import primary
from surefoot.capture.routes import Upstream, forward
from surefoot.core.errors import InvalidInputError, MissingComponentError

BAD: Final = http.HTTPStatus.BAD_REQUEST
REDIRECTS: Final = 5


class ApplicationSource(PageSource):
    """Serve applications that are installed into the cache when they are first named."""

    name = "app"
    version = 1

    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return the pages of ``NAME`` or those of ``NAME/PATH...``, in the recipe's order.

        A path that the recipe does not begin from stands for itself. Raises UnknownNameError
        for an unknown application.

        >>> APP.addresses("trac/roadmap")[0].page
        'trac-1/roadmap'
        """
        name, slash, path = rest.partition("/")
        if not name:
            raise InvalidInputError(
                "app:NAME", found="no name", remedy="see `surefoot apps` for the names"
            )
        recipe = RECIPES.get(name)
        below = tuple(page for page in recipe.pages if page.startswith(slash + path))
        return tuple(_address(recipe, page) for page in below or (slash + path,))

    def locale(self, address: Address, language: str) -> str:
        """Return the recipe's tag of a language, "" where it lists none."""
        spoken = {primary(tag): tag for tag in reversed(_recipe(address).languages)}
        return spoken.get(primary(language), "")

    def contents(self, addresses: Iterable[Address]) -> dict[str, dict[str, str]]:
        """Return the digests of recipes, their packages and their first states."""
        recipes = sorted({_recipe(address).name for address in addresses})
        return {f"app:{name}": _installed(RECIPES.get(name)) for name in recipes}

    def prepare(self, addresses: Iterable[Address], tell: Tell, agreed: Agreed) -> None:
        """Install the applications that are not there, if one agrees to their size."""
        for name in sorted({_recipe(address).name for address in addresses}):
            recipe = RECIPES.get(name)
            if find_installation(recipe) is not None:
                continue
            if not agreed(f"install {recipe.title} ({recipe.megabytes} MB) into the cache?"):
                raise _missing(recipe)
            install(recipe, tell)

    def open(self, address: Address, services: Services) -> OpenedAddress:
        """
        Start the application once for each browser; put its state back where pages change it.

        Raises CaptureError where it does not start or is not what the plan says.
        """
        recipe = _recipe(address)
        place = _place(recipe)
        if known := services.contents.get(place):
            verify(place, known, self.contents([address])[place])
        running = services.get(place, lambda: run(recipe))
        origin = origin_for(f"app-{recipe.name}")
        route = Upstream(
            origin,
            "",
            0,
            read_only=recipe.read_only,
            socket=running.ready(fresh=not recipe.read_only),
            wrote=running.note_write,
        )
        path = address.spec.removeprefix(place)
        return OpenedAddress(origin + path, route, mark=recipe.signed_in, restores=True)

    def lost(self, address: Address, services: Services) -> tuple[str, ...]:
        """
        Return those of the recipe's pages that answer otherwise than in the first state.

        That is with an error, or from another path. They are asked for after a write alone,
        by plain requests, so that what scripts make of a page is not seen.
        """
        recipe = _recipe(address)
        running = services.get(_place(recipe), lambda: run(recipe))
        if not running.written:
            return ()
        now = _answers(recipe, running.socket)
        first = services.get(
            f"{_place(recipe)} at first",
            lambda: contextlib.nullcontext(_answers(recipe, running.ready())),
        )
        return tuple(
            page for page, seen in now.items() if seen != first[page] and first[page].status < BAD
        )


class _Answer(NamedTuple):
    """What a page answers: the status and the path that redirects lead to; 0 for none at all."""

    status: int
    path: str


def _answers(recipe: ApplicationRecipe, listener: str) -> dict[str, _Answer]:
    """Return what each page answers; one of an application that ended is not asked for."""
    origin = origin_for(f"app-{recipe.name}")
    route = Upstream(origin, "", 0, read_only=True, socket=listener)
    found = {}
    for page in recipe.pages:
        url = urllib.parse.urlsplit(urllib.parse.urljoin(origin, page))
        for _ in range(REDIRECTS):
            reply = forward(route, "GET", url, {"Host": url.netloc, "Accept": "text/html"})
            if reply.status == http.HTTPStatus.BAD_GATEWAY:
                return {}
            target = dict(reply.headers).get("Location", "")
            if not target:
                break
            url = urllib.parse.urlsplit(urllib.parse.urljoin(url.geturl(), target))
        found[page] = _Answer(reply.status, url.path)
    return found


APP: Final = ApplicationSource()


def _place(recipe: ApplicationRecipe) -> str:
    return f"app:{recipe.name}"


def _address(recipe: ApplicationRecipe, path: str) -> Address:
    page = f"{recipe.name}-{recipe.version}{path}"
    return Address(f"app:{recipe.name}{path}", page, f"app-{recipe.name}")


def _recipe(address: Address) -> ApplicationRecipe:
    return RECIPES.get(address.spec.removeprefix("app:").partition("/")[0])


def _installed(recipe: ApplicationRecipe) -> dict[str, str]:
    known = find_installation(recipe)
    if known is None:
        raise _missing(recipe)
    return known.contents


def _missing(recipe: ApplicationRecipe) -> MissingComponentError:
    return MissingComponentError(
        recipe.title,
        found="that it is not installed",
        remedy=f"install it: surefoot apps install {recipe.name}",
    )
