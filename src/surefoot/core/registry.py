"""
The one door for extensions: perturbations, formats, benchmarks, sources, and all the others.

A registry offers every module-level value of its kind in a package of ours and in the
modules that other distributions name under its entry-point group. To add one, put a file
into the folder; an outside package adds an entry point. Nothing registers itself.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.metadata
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Generic, Protocol, TypeVar

from surefoot.core.errors import InvalidInputError, UnknownNameError, plain_words

__all__ = ["NamedEntry", "Registry", "suggest"]


# What a module of another package may raise while it is imported.
_BROKEN = (ImportError, SyntaxError, NameError, AttributeError, TypeError, ValueError, OSError)


class NamedEntry(Protocol):
    """Ask of an extension only that it has a name and a version."""

    @property
    def name(self) -> str:
        """Return the name that users type."""

    @property
    def version(self) -> int:
        """Return the version, raised whenever results would change."""


N = TypeVar("N", bound=NamedEntry)


class Registry(Generic[N]):
    """
    Find extensions of one kind by ``name`` or ``name@version``.

    ``package`` is our folder, searched without being imported until the first look-up;
    its name is also the entry-point group for outside packages.
    """

    def __init__(self, kind: type[N], package: str, *, what: str) -> None:
        self.kind = kind
        self.package = package
        self.what = what

    @functools.cached_property
    def entries(self) -> dict[str, N]:
        """Return all extensions by name, sorted; two of one name are refused."""
        found: dict[str, N] = {}
        for module in self._modules():
            for value in vars(module).values():
                if not isinstance(value, self.kind) or found.get(value.name) is value:
                    continue
                if value.name in found:
                    raise InvalidInputError(
                        f"one {self.what} named '{value.name}'",
                        found=f"a second in {module.__name__}",
                        remedy="rename one of them",
                    )
                found[value.name] = value
        return dict(sorted(found.items()))

    def get(self, name: str) -> N:
        """Return an extension; raises UnknownNameError with the nearest names."""
        bare, _, version = name.partition("@")
        entry = self.entries.get(bare)
        if entry is None:
            raise UnknownNameError(
                f"a known {self.what}",
                found=f"'{bare}'",
                remedy=suggest(bare, list(self.entries)),
            )
        if version and version != str(entry.version):
            raise UnknownNameError(
                f"{self.what} '{bare}' in version {version}",
                found=f"version {entry.version}",
                remedy=f"ask for '{bare}@{entry.version}', or install the other version",
            )
        return entry

    def _modules(self) -> Iterator[ModuleType]:
        package = importlib.import_module(self.package)
        for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda item: item.name):
            yield importlib.import_module(f"{self.package}.{info.name}")
        for point in sorted(importlib.metadata.entry_points(group=self.package)):
            try:
                module = point.load()
            except _BROKEN as error:
                raise InvalidInputError(
                    f"the entry point '{point.name}' in {self.package} to load",
                    found=f"{type(error).__name__} in {point.value}: {plain_words(error)}",
                    remedy="mend that package, or uninstall it",
                ) from error
            if not isinstance(module, ModuleType):
                raise InvalidInputError(
                    f"entry point '{point.name}' to name a module", found=point.value
                )
            yield module


def suggest(name: str, known: list[str]) -> str:
    """
    Say which known names come nearest.

    >>> suggest("zom", ["style", "zoom"])
    "did you mean 'zoom'?"
    """
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    if near:
        return "did you mean " + " or ".join(f"'{item}'" for item in near) + "?"
    return "choose one of " + ", ".join(known)
