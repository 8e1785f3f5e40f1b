"""
The installed fonts, which decide how words are drawn.
"""

from __future__ import annotations

import functools
import shutil
import subprocess

from surefoot.core.canonical import digest
from surefoot.core.children import child_environment
from surefoot.core.errors import MissingComponentError

__all__ = ["fonts_digest"]


@functools.cache
def fonts_digest() -> str:
    """
    Return a digest of the installed fonts: file names, families, styles and versions.

    Raises MissingComponentError without fontconfig's ``fc-list``.
    """
    program = shutil.which("fc-list")
    if program is None:
        raise MissingComponentError(
            "fc-list", found="none", remedy="install it: apt-get install fontconfig"
        )
    form = "%{file|basename}|%{family}|%{style}|%{fontversion}\n"
    done = subprocess.run(
        [program, "--format", form], capture_output=True, check=True, env=child_environment()
    )
    return digest(sorted(set(done.stdout.decode(errors="replace").splitlines())))[:16]
