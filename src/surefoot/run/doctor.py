"""
What is installed of all that Surefoot uses, what is missing, and the command that gets it.

Knows the machine only through `Machine`, so that a test can describe any other.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

import msgspec

from surefoot.capture.fonts import ask_fontconfig
from surefoot.capture.ocr.scan import tessdata_folder
from surefoot.capture.web.chromium import HEADLESS_SHELLS, PROGRAMS
from surefoot.capture.web.driver import started_driver
from surefoot.capture.web.room import REMEDY
from surefoot.core.children import child_environment
from surefoot.core.errors import MissingComponentError
from surefoot.forms.rendering import RENDERERS
from surefoot.perturb.wording.wordnet import wordnet_folder

SCREEN_PACKAGES: Final[Mapping[str, str]] = {
    "adwaita-icon-theme": "draws the icons of desktop programs",
    "at-spi2-core": "carries the accessibility tree of desktop programs",
    "bubblewrap": "walls off pages and desktop programs from the disk",
    "dbus-daemon": "is the bus of desktop programs",
    "gir1.2-atspi-2.0": "reads the accessibility tree",
    "libatk-adaptor": "gives GTK 2 programs an accessibility tree",
    "libfaketime": "stops clocks that tick in desktop programs",
    "libgail-common": "gives GTK 2 programs an accessibility tree",
    "librsvg2-common": "draws the icons of GTK programs",
    "locales": "lets desktop programs speak other languages",
    "openbox": "manages the windows of desktop programs",
    "python3-gi": "reads the accessibility tree",
    "python3-pyqt5": "draws the windows that the tests look at",
    "xdotool": "moves the pointer and types",
    "x11-utils": "tells which windows take all clicks",
    "xvfb": "is the screen of desktop programs",
}
DEMO_PACKAGES: Final = (
    "featherpad",
    "galculator",
    "gedit",
    "kcalc",
    "libreoffice-calc",
    "libreoffice-gtk3",
    "libreoffice-writer",
    "lxterminal",
    "mousepad",
    "pcmanfm",
    "qalculate-gtk",
    "speedcrunch",
    "thunar",
    "xarchiver",
)
FONTS: Final = {
    "fonts-dejavu-core": ("DejaVu Sans", "DejaVu Sans Mono", "DejaVu Serif"),
    "fonts-dejavu-extra": ("DejaVu Sans Condensed",),
    "fonts-inter": ("Inter", "Inter Display"),
    "fonts-jetbrains-mono": ("JetBrains Mono",),
    "fonts-lato": ("Lato",),
    "fonts-liberation": ("Liberation Sans", "Liberation Serif"),
    "fonts-noto-cjk": ("Noto Sans CJK JP", "Noto Sans CJK SC"),
    "fonts-noto-color-emoji": ("Noto Color Emoji",),
    "fonts-noto-core": (
        "Noto Sans",
        "Noto Naskh Arabic",
        "Noto Sans Arabic",
        "Noto Sans Display",
        "Noto Sans Thai",
        "Noto Serif",
        "Noto Serif Display",
    ),
    "fonts-open-sans": ("Open Sans",),
    "fonts-roboto-unhinted": ("Roboto", "Roboto Condensed"),
}
LANGUAGES: Final = {
    "eng": "tesseract-ocr-eng",
    "chi_sim": "tesseract-ocr-chi-sim",
    "fra": "tesseract-ocr-fra",
    "jpn": "tesseract-ocr-jpn",
    "rus": "tesseract-ocr-rus",
    "tha": "tesseract-ocr-tha",
}
# By extra: the package that stands for it, and what it is for.
EXTRAS: Final = {
    "web": ("playwright", "captures web pages in Chromium, and rebuilds them under variants"),
    "forms": ("sacrebleu", "serves the forms, fills them in and scores what arrived"),
    "view": ("uvicorn", "shows questions, answers and screens in the browser"),
    "parquet": ("pyarrow", "exports parquet, and reads sets that come as parquet"),
    "django": ("django", "serves django-admin: pages"),
    "local": ("torch", "runs local models (hf:), and changes what they have inside (xli)"),
}
ANSWER_S: Final = 20
QUIETLY: Final = {"DEBIAN_FRONTEND": "noninteractive"}


class Component(msgspec.Struct, frozen=True):
    """
    Say of one component what it is for, which version is there, and how to get it.

    ``version`` is empty where it is missing. ``needed`` means that what is installed of
    Surefoot cannot do without; all else is an offer. ``package`` is the
    Debian package, "" where there is none.
    """

    name: str
    purpose: str
    needed: bool
    version: str
    package: str = ""
    remedy: str = ""

    @property
    def missing(self) -> bool:
        """Say whether it is absent."""
        return not self.version


class Machine(Protocol):
    """Ask of a machine what is installed on it."""

    def output(self, program: str, *arguments: str) -> str:
        """Return what a program prints, stripped; "" where it is absent or fails."""

    def distribution(self, name: str) -> str:
        """Return the version of a Python package, "" where it is absent."""

    def own_chromium(self) -> str:
        """Return the path of Playwright's own Chromium, "" where it is absent."""

    def confinement(self) -> str:
        """Return what confines pages here, "" where nothing does or no browser starts."""

    def ocr_languages(self) -> frozenset[str]:
        """Return the languages that the OCR engine can load."""

    def font_families(self) -> str:
        """Return the families that a capture sees, as ``fc-list`` prints them, "" without it."""

    def wordnet(self) -> bool:
        """Tell whether WordNet's files are there."""

    def form_scripts(self) -> dict[str, str]:
        """Return, by form renderer, the command that builds its script, "" where it is built."""


class ThisMachine:
    """Look at the machine that this process runs on."""

    def output(self, program: str, *arguments: str) -> str:
        """Return what a program prints, stripped; "" where it is absent or fails."""
        path = shutil.which(program)
        if path is None:
            return ""
        try:
            done = subprocess.run(
                [path, *arguments],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=ANSWER_S,
                check=True,
                env=child_environment(),
            )
        except (OSError, subprocess.SubprocessError):
            return ""
        return done.stdout.decode(errors="replace").strip()

    def distribution(self, name: str) -> str:
        """Return the version of a Python package, "" where it is absent."""
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return ""

    def own_chromium(self) -> str:
        """Return the path of Playwright's own Chromium, "" where it is absent."""
        with started_driver() as playwright:
            path = playwright.chromium.executable_path
        return path if Path(path).exists() else ""

    def confinement(self) -> str:
        """Return what confines pages here, "" where nothing does or no browser starts."""
        try:
            from surefoot.capture.web.browser import Browser

            with Browser() as browser:
                return str(browser.confinement) if browser.confinement.sandbox else ""
        except (MissingComponentError, ModuleNotFoundError):
            return ""

    def ocr_languages(self) -> frozenset[str]:
        """Return the languages that the OCR engine can load."""
        return frozenset(filter(_can_be_read, LANGUAGES))

    def font_families(self) -> str:
        """Return the families that a capture sees, "" without fontconfig."""
        try:
            return ask_fontconfig("fc-list", ":", "family")
        except MissingComponentError:
            return ""

    def wordnet(self) -> bool:
        """Tell whether WordNet's files are there."""
        try:
            wordnet_folder()
        except MissingComponentError:
            return False
        return True

    def form_scripts(self) -> dict[str, str]:
        """Return, by form renderer, the command that builds its script, "" where it is built."""
        renderers = RENDERERS.entries.values()
        return {renderer.name: renderer.missing() for renderer in renderers if renderer.scripted}


def examine(machine: Machine) -> tuple[Component, ...]:
    """
    Look for every component; needed ones first, in the order a run meets them.

    What an extra needs is needed where that extra is installed.
    """
    web = bool(machine.distribution("playwright"))
    return (
        Component("python", "runs Surefoot", needed=True, version=platform.python_version()),
        *_extras(machine),
        _chromium(machine, needed=web),
        Component(
            "confinement",
            "keeps pages of others from this machine",
            needed=False,
            version=machine.confinement(),
            remedy=REMEDY,
        ),
        Component(
            "headless shell",
            "renders the same pages in a quarter of the processor time",
            needed=False,
            version=_first_version(machine, HEADLESS_SHELLS),
            package="chromium-headless-shell",
        ),
        Component(
            "npm",
            "fetches the pages of npm: sources",
            needed=web,
            version=machine.output("npm", "--version"),
            package="npm",
        ),
        Component(
            "tesserocr",
            "reads screens for the 'ocr' model",
            needed=True,
            version=machine.distribution("tesserocr"),
            remedy="pip install tesserocr",
        ),
        *_languages(machine),
        *_fonts(machine),
        Component(
            "wordnet",
            "proves the synonyms that instructions are reworded with",
            needed=False,
            version="installed" if machine.wordnet() else "",
            package="wordnet-base",
        ),
        *_desktop(machine),
        *_form_scripts(machine),
    )


def wanted(components: Sequence[Component]) -> list[Component]:
    """Return what is needed and missing; with Chromium, the walls that pages of others need."""
    needed = [item for item in components if item.missing and item.needed]
    web = any(item.name == "chromium" and item.needed for item in components)
    walls = [item for item in components if item.name == "bubblewrap" and item.missing]
    return [*needed, *(walls if web else ())]


def install(command: str) -> None:
    """
    Run an install command of ours.

    Raises MissingComponentError where it fails, and where it needs root that cannot be had
    without a question: the command is then the person's to give.
    """
    asks = (
        command.startswith("sudo ")
        and subprocess.run(
            ["sh", "-c", "sudo -n true"], check=False, capture_output=True, env=child_environment()
        ).returncode
    )
    if asks:
        raise MissingComponentError(
            "root, to install packages", found="another user", remedy=f"run as root: {command}"
        )
    done = subprocess.run(["sh", "-c", command], check=False, env=child_environment(QUIETLY))
    if done.returncode:
        raise MissingComponentError(
            "packages that can be installed",
            found=f"exit code {done.returncode}",
            remedy=f"run it by hand: {command}",
        )


def install_command(components: Iterable[Component]) -> str:
    """
    Return the one command that installs every missing Debian package, "" for none.

    >>> install_command([Component("npm", "", needed=True, version="", package="npm")])
    'apt-get update && apt-get install -y --no-install-recommends npm'
    """
    packages = sorted(
        {component.package for component in components if component.missing and component.package}
    )
    if not packages:
        return ""
    prefix = "sudo " if hasattr(os, "geteuid") and os.geteuid() != 0 else ""
    install = f"{prefix}apt-get install -y --no-install-recommends {' '.join(packages)}"
    return f"{prefix}apt-get update && {install}"


def _extras(machine: Machine) -> Iterator[Component]:
    for extra, (package, purpose) in EXTRAS.items():
        yield Component(
            f"extra {extra}",
            purpose,
            needed=False,
            version=machine.distribution(package) and "installed",
            remedy=f"pip install 'surefoot[{extra}]'",
        )


def _chromium(machine: Machine, *, needed: bool) -> Component:
    version = _first_version(machine, (*PROGRAMS, *HEADLESS_SHELLS))
    if not version and needed:
        path = machine.own_chromium()
        version = path and (machine.output(path, "--version") or f"Playwright's, at {path}")
    return Component(
        "chromium",
        "renders the pages",
        needed=needed,
        version=version,
        package="chromium",
        remedy="or, without root: python -m playwright install chromium",
    )


def _first_version(machine: Machine, programs: Iterable[str]) -> str:
    answers = (machine.output(program, "--version") for program in programs)
    return next(filter(None, answers), "")


def _languages(machine: Machine) -> Iterator[Component]:
    there = machine.ocr_languages()
    for language, package in LANGUAGES.items():
        yield Component(
            f"ocr language {language}",
            "lets the 'ocr' model read it",
            needed=language == "eng",
            version="installed" if language in there else "",
            package=package,
        )


def _fonts(machine: Machine) -> Iterator[Component]:
    listed = machine.font_families()
    families = {name.strip() for line in listed.splitlines() for name in line.split(",")}
    for package, wanted in FONTS.items():
        absent = [family for family in wanted if family not in families]
        yield Component(
            package,
            "themes, or a script, are set in " + ", ".join(absent or wanted),
            needed=False,
            version="" if absent else "installed",
            package=package,
        )


def _desktop(machine: Machine) -> Iterator[Component]:
    wanted = {**SCREEN_PACKAGES, **dict.fromkeys(DEMO_PACKAGES, "is captured by desktop:demo")}
    for package, purpose in wanted.items():
        version = machine.output("dpkg-query", "--show", "--showformat", "${Version}", package)
        yield Component(package, purpose, needed=False, version=version, package=package)


def _form_scripts(machine: Machine) -> Iterator[Component]:
    for name, command in machine.form_scripts().items():
        yield Component(
            f"forms {name}",
            "draws forms in the widgets of a library",
            needed=False,
            version="" if command else "built",
            remedy=command and f"build it: {command}",
        )


def _can_be_read(language: str) -> bool:
    try:
        tessdata_folder(language)
    except MissingComponentError:
        return False
    return True
