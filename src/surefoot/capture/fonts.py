"""
The fonts that a capture sees: those that set-up names, by rules of our own, and no others.

So neither a font that somebody installs nor a machine with more of them changes a picture.
Which files they are, and by which rules one is chosen, lies in ``fontconfig/``, written by
``scripts/fonts.py``; what is in the files is part of every plan, package by package.
"""

from __future__ import annotations

import functools
import importlib.resources
import shutil
import subprocess
import tempfile
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from surefoot.capture.contents import file_digest
from surefoot.core.canonical import digest
from surefoot.core.children import child_environment
from surefoot.core.errors import MissingComponentError

CONFIGURATION: Final = "FONTCONFIG_FILE"  # the variable that names a configuration
FONTS: Final = Path("/", "usr", "share", "fonts")
CACHE: Final = Path("/", "var", "cache", "fontconfig")
# What programs of a desktop see besides: it comes with LibreOffice, whose signs are in it.
OF_DESKTOP: Final = "fonts-opensymbol"
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
    Return the letters of a text that no font of ours has, as what a screen is without.

    For programs of a desktop, which look for a letter in every font that they see. Raises
    MissingComponentError without fontconfig's ``fc-list``.
    """
    letters = {letter for letter in text if unicodedata.category(letter) not in UNSEEN}
    return undrawn_letters(ord(letter) for letter in letters if ord(letter) not in _covered())


@functools.cache
def _covered() -> frozenset[int]:
    """Return every code point that some font of a desktop has."""
    found: set[int] = set()
    listed = ask_fontconfig("fc-list", "--format", "%{charset}\n", desktop=True)
    for span in set(listed.split()):
        first, _, last = span.partition("-")
        found.update(range(int(first, 16), int(last or first, 16) + 1))
    return frozenset(found)


@functools.cache
def fonts_identity(*, desktop: bool = False) -> dict[str, str]:
    """
    Return what of the fonts determines pixels, for plans: digests of each package and the rules.

    A package that is not installed is left out. Raises MissingComponentError without
    fontconfig.
    """
    _program("fc-list")
    found = {"fonts": digest(_data("rules.conf"))[:16]}
    for package, files in installed_fonts(desktop=desktop).items():
        if files:
            contents = sorted((file.name, file_digest(file)) for file in files)
            found[package] = digest(contents)[:16]
    return found


def font_configuration(*, desktop: bool = False, rules: str = "") -> str:
    """
    Return a configuration for fontconfig by which a program sees our fonts alone.

    ``rules`` are its own, XML, and stand where fontconfig has those of a person.
    """
    files = [file for found in installed_fonts(desktop=desktop).values() for file in found]
    folders = {place for file in files for place in file.parents if place.is_relative_to(FONTS)}
    globs = (f"<glob>{escape(str(path))}</glob>" for path in (*sorted(folders), *files))
    places = (
        f"<dir>{FONTS}</dir><cachedir>{CACHE}</cachedir>"
        '<cachedir prefix="xdg">fontconfig</cachedir>\n'
        "<selectfont><rejectfont><glob>*</glob></rejectfont>"
        f"<acceptfont>{''.join(globs)}</acceptfont></selectfont>"
    )
    return _data("rules.conf").replace("<!-- PLACES -->", places).replace("<!-- PERSON -->", rules)


@functools.cache
def font_file_for(letters: frozenset[str]) -> tuple[Path, int] | None:
    """
    Return the file, and the number in it, of the font that has most of some letters.

    It is a sans-serif one where there is; None without fontconfig's ``fc-match``.
    """
    wanted = " ".join(sorted(f"{ord(letter):x}" for letter in letters))
    try:
        found = ask_fontconfig(
            "fc-match", "--format", "%{file}\n%{index}", f"sans:charset={wanted}"
        )
    except MissingComponentError:
        return None
    file, _, number = found.rpartition("\n")
    return (Path(file), int(number)) if Path(file).is_file() else None


def ask_fontconfig(program: str, *arguments: str, desktop: bool = False) -> str:
    """
    Return what a program of fontconfig says of our fonts; raises MissingComponentError.
    """
    with tempfile.TemporaryDirectory(prefix="surefoot-fonts-") as folder:
        file = Path(folder, "fonts.conf")
        file.write_text(font_configuration(desktop=desktop), encoding="utf-8")
        done = subprocess.run(
            [_program(program), *arguments],
            capture_output=True,
            check=True,
            env=child_environment({CONFIGURATION: str(file)}),
        )
    return done.stdout.decode(errors="replace")


def _program(name: str) -> str:
    program = shutil.which(name)
    if program is None:
        remedy = "install it: apt-get install fontconfig"
        raise MissingComponentError(name, found="none", remedy=remedy)
    return program


@functools.cache
def installed_fonts(*, desktop: bool) -> Mapping[str, tuple[Path, ...]]:
    """
    Return the files of each package that are there, where Debian has them or by their names.
    """
    named: dict[str, list[str]] = tomllib.loads(_data("files.toml"))
    if not desktop:
        del named[OF_DESKTOP]
    elsewhere: dict[str, Path] = {}
    if any(not (FONTS / path).is_file() for paths in named.values() for path in paths):
        for file in sorted(FONTS.rglob("*")):
            elsewhere.setdefault(file.name, file)
    return {
        package: tuple(
            found
            for path in paths
            if (found := _at(path, elsewhere)) is not None and found.is_file()
        )
        for package, paths in named.items()
    }


def _at(path: str, elsewhere: Mapping[str, Path]) -> Path | None:
    usual = FONTS / path
    return usual if usual.is_file() else elsewhere.get(usual.name)


def _data(name: str) -> str:
    folder = importlib.resources.files(__package__).joinpath("fontconfig")
    return folder.joinpath(name).read_text("utf-8")
