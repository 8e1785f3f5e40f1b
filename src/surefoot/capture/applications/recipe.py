"""
What a recipe is: one Python module that says how an application is had, filled and served.

A recipe is a module rather than a table with a script beside it, because most of it is code
that the application's own interpreter runs: how it is filled, who is signed in, and what is
turned off. The facts stand in the same file as the code that makes them true. So this module
needs nothing but Python itself, as the application's environment holds none of our packages,
and a recipe imports the application only inside its two functions.

The packages and their hashes lie beside it in locks, one for each kind of packages, which
scripts/lock_applications.py writes: the same recipe installs the same bytes.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Final

READY: Final = "ready"  # what is said once an application answers


@dataclasses.dataclass(frozen=True, kw_only=True)
class ApplicationRecipe:
    """
    Say all about one application; ``version`` is raised whenever its pages would change.

    ``maker`` is who makes it, ``drawn_by`` what draws its pages, ``megabytes`` what it takes
    on the disk when it is installed. ``languages`` are BCP 47 tags that it speaks when
    Accept-Language asks for them: the only way in which an application is told a language, so
    that one address is the same page in each.

    ``requirements`` are what the lock of Python's packages is made of, as pip reads them;
    ``built`` are those that their makers give away as source alone, which are built when the
    application is installed, by what the lock pins and with our rights; ``npm_packages`` are
    what npm's lock is made of, as NAME@VERSION, and ``debian_packages`` Debian's, by name; a
    name with "-" behind it is one that others depend on and that is left out. ``pages`` are
    paths to begin from. ``signed_in`` is a CSS selector that only a page of a person who is
    signed in has; without it the page is not captured.

    ``seed(folder, seed)`` fills an empty folder with the application's state; it is called
    once, at installation. ``serve(folder, port)`` serves a copy of that folder on
    127.0.0.1, signed in, and does not return. Both run where there is no network, at a time
    that stands still (``surefoot.capture.clock``) if the lock has ``time-machine``.
    ``read_only`` tells that pages need no request but GET and HEAD, and that these change
    nothing; otherwise the state is put back before each page. ``file_names`` are files beside
    the module that its functions read there.
    """

    name: str
    version: int
    title: str
    maker: str
    drawn_by: str
    licence: str
    languages: tuple[str, ...]
    megabytes: int
    requirements: tuple[str, ...]
    pages: tuple[str, ...]
    signed_in: str
    seed: Callable[[Path, int], None]
    serve: Callable[[Path, int], None]
    read_only: bool = True
    built: tuple[str, ...] = ()
    npm_packages: tuple[str, ...] = ()
    debian_packages: tuple[str, ...] = ()
    file_names: tuple[str, ...] = ()

    @property
    def file(self) -> Path:
        """Return the module that the recipe is written in."""
        return Path(inspect.getfile(self.serve))

    @property
    def files(self) -> tuple[Path, ...]:
        """Return the files beside that module that its functions read."""
        return tuple(self.file.with_name(name) for name in self.file_names)
