"""
How the packages of an application come: one module for each kind, each with a lock of its own.

A recipe may want packages of several kinds. All go into one folder: the environment of Python
that runs the recipe is its root, npm's modules lie in ``node_modules``, Debian's files in
``debian``.
"""

from __future__ import annotations

from typing import Final

from surefoot.capture.applications.packages.debian import DEBIAN_PACKAGES
from surefoot.capture.applications.packages.kind import PackageKind
from surefoot.capture.applications.packages.npm import NPM_PACKAGES
from surefoot.capture.applications.packages.python import PYTHON_PACKAGES

__all__ = ["PACKAGE_KINDS"]

# In the order in which they come; Python's makes the folder.
PACKAGE_KINDS: Final[tuple[PackageKind, ...]] = (
    PYTHON_PACKAGES,
    NPM_PACKAGES,
    DEBIAN_PACKAGES,
)
