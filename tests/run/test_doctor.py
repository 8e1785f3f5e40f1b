"""
Doctor tells a complete machine from one that lacks something, and how to mend it.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from surefoot.capture.ocr import scan
from surefoot.core.errors import MissingComponentError
from surefoot.perturb.style import load_themes
from surefoot.run.doctor import (
    EXTRAS,
    FONTS,
    LANGUAGES,
    ThisMachine,
    examine,
    install,
    install_command,
    wanted,
)

ROOT = Path(__file__).parents[2]
EXTRAS_OF = [package for package, _ in EXTRAS.values()]


class FakeMachine(msgspec.Struct):
    """Describe a machine by what its programs print."""

    programs: dict[str, str] = {}
    distributions: dict[str, str] = {}
    own: str = ""
    languages: frozenset[str] = frozenset()
    words: bool = False
    confined: str = ""
    scripts: dict[str, str] = {}

    def output(self, program: str, *_arguments: str) -> str:
        """Return what the program prints."""
        return self.programs.get(program, "")

    def distribution(self, name: str) -> str:
        """Return the version of a Python package."""
        return self.distributions.get(name, "")

    def own_chromium(self) -> str:
        """Return the path of Playwright's own Chromium."""
        return self.own

    def confinement(self) -> str:
        """Return what confines pages."""
        return self.confined

    def ocr_languages(self) -> frozenset[str]:
        """Return the languages of the OCR engine."""
        return self.languages

    def font_families(self) -> str:
        """Return what is told of fonts."""
        return self.output("fc-list")

    def wordnet(self) -> bool:
        """Tell whether WordNet is there."""
        return self.words

    def form_scripts(self) -> dict[str, str]:
        """Return what each form renderer lacks."""
        return self.scripts


def complete() -> FakeMachine:
    """Describe a machine that lacks nothing."""
    return FakeMachine(
        programs={
            "chromium": "Chromium 1",
            "chromium-headless-shell": "Chromium 1",
            "npm": "10",
            "dpkg-query": "1.0-1",
            "fc-list": "\n".join(",".join(font) for font in FONTS.values()),
        },
        distributions=dict.fromkeys(("tesserocr", *EXTRAS_OF), "1"),
        languages=frozenset(LANGUAGES),
        words=True,
        confined="a sandbox",
        scripts={"surveyjs": ""},
    )


def test_complete_machine_lacks_nothing() -> None:
    """A machine with every component has none missing and nothing to install."""
    components = examine(complete())

    assert not [component for component in components if component.missing]
    assert install_command(components) == ""


@pytest.mark.parametrize(
    ("program", "name"),
    [
        ("chromium-headless-shell", "headless shell"),
        ("npm", "npm"),
        ("fc-list", "fonts-inter"),
    ],
)
def test_absent_program_is_missing(program: str, name: str) -> None:
    """Taking one program away makes its component missing, with a package that brings it."""
    machine = complete()
    del machine.programs[program]

    components = examine(machine)

    missing = {component.name: component for component in components if component.missing}
    assert name in missing
    assert missing[name].package in install_command(components)


def test_base_install_needs_no_browser() -> None:
    """Without the extras nothing of a browser is needed, and each extra is an offer."""
    machine = complete()
    machine.programs = {}
    machine.distributions = {"tesserocr": "1"}

    components = examine(machine)

    assert not wanted(components)
    offers = {item.name: item.remedy for item in components if item.name.startswith("extra ")}
    assert offers == {f"extra {name}": f"pip install 'surefoot[{name}]'" for name in EXTRAS}


def test_what_the_browser_needs_is_fixed_with_its_walls() -> None:
    """With the extra "web", Chromium, npm and bubblewrap are what --fix installs, and no more."""
    machine = complete()
    machine.programs = {}

    assert [item.package for item in wanted(examine(machine))] == ["chromium", "npm", "bubblewrap"]


def test_absent_confinement_is_told_with_its_mend() -> None:
    """Where no sandbox confines pages, doctor says so and how to get one, and needs it not."""
    machine = complete()
    machine.confined = ""

    (missing,) = [component for component in examine(machine) if component.missing]

    assert (missing.name, missing.needed) == ("confinement", False)
    assert "bubblewrap" in missing.remedy


def test_either_chromium_will_do() -> None:
    """The headless shell alone renders pages; without both, Chromium is needed and missing."""
    machine = complete()
    del machine.programs["chromium"]
    assert "chromium" not in {item.name for item in examine(machine) if item.missing}
    del machine.programs["chromium-headless-shell"]

    components = examine(machine)

    missing = {component.name: component for component in components if component.missing}
    assert missing["chromium"].needed
    assert not missing["headless shell"].needed
    assert " chromium chromium-headless-shell" in install_command(components)


def test_only_english_is_needed_of_the_languages() -> None:
    """Other OCR languages may be absent; without English the built-in model cannot work."""
    machine = complete()
    machine.languages = frozenset()

    missing = [component for component in examine(machine) if component.missing]

    assert [component.name for component in missing if component.needed] == ["ocr language eng"]
    assert len(missing) == len(LANGUAGES)


def test_playwrights_own_chromium_counts() -> None:
    """Where no system Chromium is found, Playwright's own is as good."""
    machine = complete()
    absent = {"chromium": "", "chromium-headless-shell": ""}
    machine.programs = {**machine.programs, **absent, "/own/chrome": "Chromium 2"}
    machine.own = "/own/chrome"

    found = {component.name: component for component in examine(machine)}

    assert found["chromium"].version == "Chromium 2"


def test_family_is_matched_whole() -> None:
    """A family whose name merely contains the wanted one does not count as installed."""
    machine = complete()
    machine.programs["fc-list"] = "Inter Display,Inter Display Thin"  # but not Inter

    missing = {component.name for component in examine(machine) if component.missing}

    assert "fonts-inter" in missing


def test_packages_agree_with_set_up() -> None:
    """What doctor tells people to install is exactly what set-up installs, npm apart."""
    lists = ("apt.txt", "apt-desktop.txt")
    listed = [(ROOT / "scripts" / name).read_text(encoding="utf-8").split() for name in lists]

    named = {component.package for component in examine(FakeMachine()) if component.package}

    assert sorted(named - {"npm"}) == sorted([*listed[0], *listed[1]])


def test_fonts_of_all_themes_are_looked_for() -> None:
    """Every font that a theme is set in is one that doctor looks for."""
    themed = {
        family for theme in load_themes().values() for pair in theme.fonts for family in pair
    }

    assert themed
    assert themed <= {family for families in FONTS.values() for family in families}


def test_this_machine_answers_for_what_is_there() -> None:
    """The real probe reports a program and a package that run this very test."""
    machine = ThisMachine()

    assert machine.distribution("pytest") == pytest.__version__
    assert machine.distribution("no-such-package") == ""
    assert machine.output("sh", "-c", "echo there") == "there"
    assert machine.output("sh", "-c", "exit 1") == ""
    assert machine.output("no-such-program") == ""


def test_desktop_packages_are_optional() -> None:
    """Without the desktop's packages everything else works; doctor names what brings them."""
    machine = complete()
    del machine.programs["dpkg-query"]

    missing = [component for component in examine(machine) if component.missing]

    assert {"xvfb", "gir1.2-atspi-2.0", "kcalc"} <= {component.package for component in missing}
    assert not any(component.needed for component in missing)


def test_absent_wordnet_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where WordNet's files are not, doctor names their package; no run needs them."""
    machine = complete()
    machine.words = False
    (missing,) = (component for component in examine(machine) if component.missing)

    assert (missing.package, missing.needed) == ("wordnet-base", False)
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path))
    assert not ThisMachine().wordnet()


def test_languages_are_those_that_the_engine_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A language counts where the OCR engine would find its data, and only there."""
    (tmp_path / "eng.traineddata").touch()
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    monkeypatch.setattr(scan, "FOLDERS", ())

    assert ThisMachine().ocr_languages() == {"eng"}


def test_a_form_script_that_is_not_built_is_named() -> None:
    """A form renderer without its script is absent, and the command that builds it is named."""
    machine = complete()
    machine.scripts["surveyjs"] = "scripts/build.sh"

    (absent,) = [component for component in examine(machine) if component.missing]

    assert (absent.name, absent.needed) == ("forms surveyjs", False)
    assert absent.remedy == "build it: scripts/build.sh"


@pytest.mark.parametrize("asks", [True, False])
def test_nobody_is_asked_for_a_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, asks: bool
) -> None:
    """Where root needs a password, the command is named and not begun; else it is run."""
    done, sudo = tmp_path / "done", tmp_path / "sudo"
    sudo.write_text(f'#!/bin/sh\n[ "$1" = -n ] && exit {int(asks)}\n"$@"\n', "utf-8")
    sudo.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    command = f"sudo touch {done}"
    if asks:
        with pytest.raises(MissingComponentError, match=f"Run as root: {command}"):
            install(command)
    else:
        install(command)

    assert done.exists() is not asks
