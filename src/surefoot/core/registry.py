"""
The one door for extensions: perturbations, formats, benchmarks, sources, and all the others.

A registry offers every module-level value of its kind in a package of ours and in the
modules that other distributions name under its entry-point group. To add one, put a file
into the folder; an outside package adds an entry point. Nothing registers itself.
What goes wrong in a plug-in is an error that names its distribution, and the others go on.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import importlib
import importlib.metadata
import pkgutil
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Final, Generic, Protocol, TypeVar

from surefoot.core.errors import (
    InvalidInputError,
    PluginWarning,
    SurefootError,
    UnknownNameError,
    plain_words,
)

# What reading a distribution's own files may raise.
_DAMAGED: Final = (AttributeError, KeyError, OSError, TypeError, ValueError)
_LONGEST: Final = 200
_OWN: Final = "surefoot"
_NAME: Final = re.compile(r"[^\s:+@]+")


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
    its name is also the entry-point group for outside packages. Where extensions are written
    in files of data, ``read`` makes one of each file of the folder that ends with ``suffix``.
    """

    def __init__(
        self,
        kind: type[N],
        package: str,
        *,
        what: str,
        suffix: str = "",
        read: Callable[[Traversable], N] | None = None,
    ) -> None:
        self.kind = kind
        self.package = package
        self.what = what
        self.suffix = suffix
        self.read = read

    @functools.cached_property
    def entries(self) -> dict[str, N]:
        """
        Return all extensions by name, sorted; two of one name are refused.

        A plug-in that cannot be used is left out with a PluginWarning.
        """
        return dict(sorted(self._found[0].items()))

    @functools.cached_property
    def _found(self) -> tuple[dict[str, N], list[str]]:
        """Return all extensions, and the distributions that were left out."""
        found: dict[str, N] = {}
        package = importlib.import_module(self.package)
        for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda item: item.name):
            module = importlib.import_module(f"{self.package}.{info.name}")
            found |= self._offered(vars(module).values(), found, module.__name__)
        if self.read is not None:
            written = sorted(resources.files(package).iterdir(), key=lambda file: file.name)
            files = (file for file in written if file.name.endswith(self.suffix))
            found |= self._offered(map(self.read, files), found, self.package)

        def read(module: ModuleType) -> dict[str, N]:
            offered = self._offered(vars(module).values(), found, module.__name__)
            for value in offered.values():
                _check_names(value)
            found.update(offered)
            return offered

        return found, list(_load_plugins(self.package, read))

    def get(self, name: str) -> N:
        """Return an extension; raises UnknownNameError with the nearest names."""
        bare, _, version = name.partition("@")
        entry = self.entries.get(bare)
        if entry is None:
            raise UnknownNameError(
                f"a known {self.what}",
                found=f"'{bare}'",
                remedy="; ".join((suggest(bare, list(self.entries)), *self._left_out())),
            )
        if version and version != str(entry.version):
            raise UnknownNameError(
                f"{self.what} '{bare}' in version {version}",
                found=f"version {entry.version}",
                remedy=f"ask for '{bare}@{entry.version}', or install the other version",
            )
        return entry

    def _offered(
        self, values: Iterable[object], found: Mapping[str, N], place: str
    ) -> dict[str, N]:
        offered: dict[str, N] = {}
        for value in list(values):
            known = {**found, **offered}
            if not isinstance(value, self.kind) or known.get(value.name) is value:
                continue
            if value.name in known:
                raise InvalidInputError(
                    f"one {self.what} named '{value.name}'",
                    found=f"a second in {place}",
                    remedy="rename one of them",
                )
            offered[value.name] = value
        return offered

    def _left_out(self) -> Iterator[str]:
        if names := self._found[1]:
            yield f"what these distributions bring was left out: {', '.join(names)}"


def _check_names(value: NamedEntry) -> None:
    """Refuse an extension of a plug-in whose name or version is none."""
    name: object = value.name
    version: object = value.version
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidInputError("a name without spaces, ':', '+' or '@'", found=f"{name!a}")
    if not isinstance(version, int) or isinstance(version, bool):
        raise InvalidInputError(f"a whole number as version of '{name}'", found=f"{version!a}")


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


def _load_plugins(group: str, read: Callable[[ModuleType], Mapping[str, object]]) -> Iterator[str]:
    """
    Hand the module of each entry point of a group to ``read``; yield whose could not be used.

    A distribution is named in a PluginWarning then, which says what is wrong with it. What a
    module prints while it is imported goes to stderr.
    """
    for point in _entry_points(group):
        try:
            with contextlib.redirect_stdout(sys.stderr):
                _load(point, read)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever it is, it ends this plug-in alone
            warning = (
                f"the plug-in '{point.name}' of the distribution {_name(point)} is left out: "
                f"{_words(error)} ({group}, {point.value}); mend or uninstall that distribution"
            )
            warnings.warn(warning, PluginWarning, stacklevel=2)
            yield _name(point)


def _load(
    point: importlib.metadata.EntryPoint, read: Callable[[ModuleType], Mapping[str, object]]
) -> None:
    module = point.load()
    if not isinstance(module, ModuleType):
        raise InvalidInputError("the name of a module", found=f"'{point.value}'")
    if not read(module):
        raise InvalidInputError("an extension of this kind", found="none")


def plugin_error(error: BaseException, program: str = _OWN) -> SurefootError | None:
    """
    Return an error that a plug-in raised as one that names its distribution, else None.

    What the distribution of the ``program`` raises is its own.

    Its code must be among what was running; for what is no Exception, such as SystemExit, it
    must be nearest to where that was raised.
    """
    if isinstance(error, (SurefootError, KeyboardInterrupt, GeneratorExit)):
        return None
    tops = [
        str(frame.f_globals.get("__name__", "")).partition(".")[0]
        for frame, _ in traceback.walk_tb(error.__traceback__)
    ]
    known = {top: name for top, name in _distributions().items() if top != program}
    ours_or_theirs = [top for top in tops if top == _OWN or top in known]
    if not isinstance(error, Exception):
        ours_or_theirs = ours_or_theirs[-1:]
    theirs = [top for top in ours_or_theirs if top in known]
    if not theirs:
        return None
    where = traceback.extract_tb(error.__traceback__)[-1]
    name = known[theirs[-1]]
    return InvalidInputError(
        f"the plug-in of the distribution {name} to work",
        found=f"{_words(error)} (line {where.lineno} of {where.filename})",
        remedy=f"mend or uninstall {name}",
    )


def _distributions() -> dict[str, str]:
    """Return the distributions that bring plug-ins, by the top names of their modules."""
    found: dict[str, str] = {}
    for distribution in importlib.metadata.distributions():
        with contextlib.suppress(*_DAMAGED):
            for point in distribution.entry_points:
                top = point.value.partition(":")[0].strip().partition(".")[0]
                if point.group.startswith(f"{_OWN}.") and top != _OWN:
                    found[top] = _name(point)
    return found


def _entry_points(group: str) -> list[importlib.metadata.EntryPoint]:
    """Return a group's entry points, without those of distributions that are damaged."""
    try:
        return sorted(importlib.metadata.entry_points(group=group))
    except _DAMAGED:
        found: list[importlib.metadata.EntryPoint] = []
        for distribution in importlib.metadata.distributions():
            with contextlib.suppress(*_DAMAGED):
                found += distribution.entry_points.select(group=group)
        return sorted(set(found))


def _name(point: importlib.metadata.EntryPoint) -> str:
    """Return the name of the distribution that an entry point belongs to."""
    with contextlib.suppress(*_DAMAGED):
        if point.dist is not None and point.dist.name:
            return f"'{point.dist.name}'"
    return f"of {point.value!a}"


def _words(error: BaseException) -> str:
    """Say what a foreign error is, whatever its own words do."""
    kind = type(error).__name__
    try:
        text = plain_words(error) if isinstance(error, Exception) else str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - an error whose words raise another
        text = ""
    return " ".join(f"{kind}: {text}".rstrip(": ").split())[:_LONGEST]
