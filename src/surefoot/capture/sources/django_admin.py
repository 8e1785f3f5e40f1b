"""
Django's own admin with seeded content, started by the tool and read without being changed.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import select
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from surefoot.capture.address import Address, OpenedAddress, PageSource, Services
from surefoot.capture.contents import file_digest, folder_digests, verify
from surefoot.capture.routes import Upstream
from surefoot.core.children import child_environment
from surefoot.core.errors import InvalidInputError, MissingComponentError

ORIGIN: Final = "http://django-admin.localhost"
START_S: Final = 60.0
# What of Django's own files the pages show.
SERVED: Final = (
    *("contrib/admin/templates", "contrib/admin/static", "contrib/auth/templates"),
    "forms/templates",
)
SITE: Final = Path(__file__).parent / "django_site"
PAGES: Final = (
    "/admin/",
    "/admin/auth/",
    "/admin/auth/group/",
    "/admin/auth/group/1/change/",
    "/admin/auth/group/1/delete/",
    "/admin/auth/group/1/history/",
    "/admin/auth/group/add/",
    "/admin/auth/user/",
    "/admin/auth/user/?is_staff__exact=1",
    "/admin/auth/user/?q=maria",
    "/admin/auth/user/12/change/",
    "/admin/auth/user/12/delete/",
    "/admin/auth/user/12/history/",
    "/admin/auth/user/12/password/",
    "/admin/auth/user/add/",
    "/admin/flatpages/",
    "/admin/flatpages/flatpage/",
    "/admin/flatpages/flatpage/2/change/",
    "/admin/flatpages/flatpage/2/delete/",
    "/admin/flatpages/flatpage/add/",
    "/admin/password_change/",
    "/admin/redirects/redirect/",
    "/admin/redirects/redirect/3/change/",
    "/admin/redirects/redirect/add/",
    "/admin/sites/site/",
    "/admin/sites/site/2/change/",
    "/admin/sites/site/add/",
)


class DjangoAdminSource(PageSource):
    """Serve the admin of a small organisation's site."""

    name = "django-admin"
    version = 1

    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return the admin's pages, or those whose path begins with ``rest``, sorted.

        Raises MissingComponentError without Django, InvalidInputError for an unknown path.
        """
        found = tuple(self.address(path) for path in PAGES if path.startswith(rest))
        if not found:
            raise InvalidInputError(
                "a page of Django's admin", found=f"'{rest}'", remedy="name it as in /admin/auth/"
            )
        return found

    def address(self, rest: str) -> Address:
        """Name one page by its path; raises MissingComponentError without Django."""
        return Address(f"django-admin:{rest}", f"django-{_version()}{rest}", "django-admin")

    def trusted(self, address: Address) -> bool:  # noqa: ARG002
        """Trust a site that this process itself starts."""
        return True

    def contents(self, addresses: Iterable[Address]) -> dict[str, dict[str, str]]:
        """Return the digests of the admin's templates and static files, and of our own site's."""
        if not any(True for _ in addresses):
            return {}
        _version()
        spec = importlib.util.find_spec("django")
        (root,) = (spec.submodule_search_locations if spec else None) or ("",)
        found = {file.name: file_digest(file) for file in SITE.glob("*.py")}
        for folder in SERVED:
            files = folder_digests(Path(root, folder))
            found |= {f"{folder}/{name}": value for name, value in files.items()}
        return {self.name: dict(sorted(found.items()))}

    def open(self, address: Address, services: Services) -> OpenedAddress:
        """
        Start the site once for each browser, and pass only reading requests to it.

        Raises CaptureError where a file that it serves is not what the plan says.
        """
        if known := services.contents.get(self.name):
            verify(self.name, known, self.contents([address])[self.name])
        port = services.get("django-admin", _site)
        path = address.spec.removeprefix("django-admin:")
        return OpenedAddress(ORIGIN + path, Upstream(ORIGIN, "127.0.0.1", port, read_only=True))


DJANGO_ADMIN = DjangoAdminSource()


def _version() -> str:
    if importlib.util.find_spec("django") is None:
        raise MissingComponentError(
            "Django", found="none", remedy="install it: pip install 'surefoot[django]'"
        )
    return importlib.metadata.version("django")


@contextlib.contextmanager
def _site() -> Iterator[int]:
    """
    Run the site in a process of its own and give its port.

    Our end of its standard input is its lifeline: it ends when that closes.
    """
    _version()
    with subprocess.Popen(
        [sys.executable, "-m", "surefoot.capture.sources.django_site"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=child_environment(),
    ) as process:
        try:
            yield _port(process)
        finally:
            process.kill()


def _port(process: subprocess.Popen[bytes]) -> int:
    line = b""
    if process.stdout is not None and select.select([process.stdout], [], [], START_S)[0]:
        line = process.stdout.readline()
    if not line.strip().isdigit():
        raise MissingComponentError(
            "Django's admin to start",
            found=f"exit code {process.poll()}",
            remedy="run python -m surefoot.capture.sources.django_site to see why",
        )
    return int(line)
