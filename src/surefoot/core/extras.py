"""
Which extra of Surefoot brings a package that is not installed.

Told by the metadata of the installation, so that no module keeps a list of its own.
"""

from __future__ import annotations

import importlib.metadata
import re
from collections import Counter
from typing import Final

from surefoot.core.errors import MissingComponentError

_DEVELOPMENT: Final = frozenset({"dev", "docs"})
_REQUIREMENT: Final = re.compile(r"^([\w.-]+)[^;]*;.*\bextra == [\"']([\w-]+)[\"']")


def missing_package(error: ModuleNotFoundError) -> MissingComponentError | None:
    """
    Return an absent package of an extra as an error that names the pip command.

    None where the module belongs to no extra but those for development, which is a defect. Of
    several extras that bring the package the smallest is named.

    >>> print(missing_package(ModuleNotFoundError("", name="pyarrow.parquet")))
    Expected the package pyarrow, found none. Install it: pip install 'surefoot[parquet]'.
    >>> missing_package(ModuleNotFoundError("", name="surefoot.nowhere"))
    """
    wanted = _spelled((error.name or "").partition(".")[0])
    lines = importlib.metadata.requires("surefoot") or ()
    pairs = [match.groups() for match in map(_REQUIREMENT.match, lines) if match]
    sizes = Counter(extra for _, extra in pairs)
    extras = [
        extra
        for package, extra in pairs
        if _spelled(package) == wanted and extra not in _DEVELOPMENT
    ]
    if not extras:
        return None
    extra = min(extras, key=lambda name: (sizes[name], name))
    return MissingComponentError(
        f"the package {wanted}",
        found="none",
        remedy=f"install it: pip install 'surefoot[{extra}]'",
    )


def _spelled(name: str) -> str:
    """Return a distribution's or a module's name in the one spelling that both share."""
    return re.sub(r"[-_.]+", "-", name).lower()
