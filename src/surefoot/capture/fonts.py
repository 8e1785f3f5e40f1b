"""
The installed fonts, which decide how words are drawn.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from surefoot.core.canonical import digest
from surefoot.core.children import child_environment
from surefoot.core.errors import MissingComponentError

__all__ = ["font_file_for", "fonts_digest", "letters_without_font", "undrawn_letters"]

NO_FONT: Final = "no font has it"
# Spaces, controls and marks that are drawn into other letters are never a sign of their own.
UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Mn", "Me", "Mc", "Zl", "Zp", "Zs"})


def undrawn_letters(code_points: Iterable[int]) -> dict[str, str]:
    """
    Spell letters that no font draws as what a screen is without.

    >>> undrawn_letters([0xE000])
    {'U+E000': 'no font has it'}
    """
    return {f"U+{code:04X}": NO_FONT for code in sorted(set(code_points))}


def letters_without_font(text: str) -> dict[str, str]:
    """
    Return the letters of a text that no installed font has, as what a screen is without.

    For programs of a desktop, which look for a letter in every font that there is. Raises
    MissingComponentError without fontconfig's ``fc-list``.
    """
    letters = {letter for letter in text if unicodedata.category(letter) not in UNSEEN}
    return undrawn_letters(ord(letter) for letter in letters if ord(letter) not in _covered())


@functools.cache
def _covered() -> frozenset[int]:
    """Return every code point that some installed font has."""
    found: set[int] = set()
    for span in {span for line in _listed("%{charset}") for span in line.split()}:
        first, _, last = span.partition("-")
        found.update(range(int(first, 16), int(last or first, 16) + 1))
    return frozenset(found)


@functools.cache
def fonts_digest() -> str:
    """
    Return a digest of the installed fonts: file names, families, styles and versions.

    Raises MissingComponentError without fontconfig's ``fc-list``.
    """
    return digest(_listed("%{file|basename}|%{family}|%{style}|%{fontversion}"))[:16]


@functools.cache
def font_file_for(letters: frozenset[str]) -> tuple[Path, int] | None:
    """
    Return the file, and the number in it, of the font that has most of some letters.

    It is a sans-serif one where there is; None without fontconfig's ``fc-match``.
    """
    program = shutil.which("fc-match")
    if program is None:
        return None
    wanted = " ".join(sorted(f"{ord(letter):x}" for letter in letters))
    done = subprocess.run(
        [program, "--format", "%{file}\n%{index}", f"sans:charset={wanted}"],
        capture_output=True,
        check=True,
        env=child_environment(),
    )
    file, _, number = done.stdout.decode(errors="replace").rpartition("\n")
    return (Path(file), int(number)) if Path(file).is_file() else None


def _listed(form: str) -> list[str]:
    """Return what fontconfig says of each font, each different line once, sorted."""
    program = shutil.which("fc-list")
    if program is None:
        raise MissingComponentError(
            "fc-list", found="none", remedy="install it: apt-get install fontconfig"
        )
    done = subprocess.run(
        [program, "--format", f"{form}\n"],
        capture_output=True,
        check=True,
        env=child_environment(),
    )
    return sorted(set(done.stdout.decode(errors="replace").splitlines()))
