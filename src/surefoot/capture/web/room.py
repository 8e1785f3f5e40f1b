"""
The room in which Chromium runs: what of the machine it sees, as which user, in which sandbox.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.confinement import (
    HOME,
    USER,
    another_user,
    is_root,
    wall_in,
    walls_hold,
    with_environment,
)
from surefoot.capture.fonts import CONFIGURATION, font_configuration
from surefoot.core.errors import MissingComponentError

# Set in the environment where a person allows pages of others to run without a sandbox.
UNCONFINED: Final = "SUREFOOT_UNCONFINED"

# Links that /usr leads through, and Debian's own flags.
SETTINGS: Final = tuple(
    str(Path("/", "etc", name))
    for name in (
        *("alternatives", "chromium", "chromium.d", "debian_version"),
        *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime"),
    )
)
FONT_CACHE: Final = str(Path("/", "var", "cache", "fontconfig"))
SCREENS: Final = str(Path("/", "tmp", ".X11-unix"))
# Chromium takes the last of several, and so nothing lies where Playwright would have it.
SCRIPT: Final = """#!/bin/sh
echo $$ >{pid}
exec {command} "$@" --user-data-dir={profile}
"""


REMEDY: Final = (
    "install bubblewrap and chromium (apt-get install bubblewrap chromium) on a machine or in a "
    "container that allows user namespaces; --unconfined opens it all the same"
)


class Confinement(msgspec.Struct, frozen=True):
    """
    Say what confines Chromium: bubblewrap's walls, a user that owns nothing, its own sandbox.

    ``before`` is the command that changes the user, if it is changed.
    """

    walls: bool = False
    sandbox: bool = False
    before: tuple[str, ...] = ()

    def __str__(self) -> str:
        """
        Say it in one line.

        >>> str(Confinement())
        "none: Chromium's sandbox cannot work here, and pages run with our rights"
        """
        if not self.sandbox:
            return "none: Chromium's sandbox cannot work here, and pages run with our rights"
        user = f" as user {USER}," if self.before else " as root without its rights,"
        walls = "inside walls that hide our files and environment"
        bare = "without walls, so that it can read what that user can"
        return (
            f"Chromium's own sandbox,{user if is_root() else ''} {walls if self.walls else bare}"
        )

    def check(self, what: str) -> None:
        """Raise MissingComponentError unless ``what`` may be opened so."""
        if not self.sandbox and os.environ.get(UNCONFINED) != "1":
            raise MissingComponentError(
                f"a sandbox for {what}, which may run the code of others",
                found=str(self),
                remedy=REMEDY,
            )


class Room:
    """
    Prepare a folder for one browser at a time, and the script that starts it there.

    ``folder`` must last as long as the browser does.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        self._fonts = folder / "fonts.conf"
        self._fonts.write_text(font_configuration(), encoding="utf-8")
        self._fonts.chmod(0o644)

    @property
    def pid(self) -> int:
        """Return the process that the script became, above all others of the browser."""
        return int((self._folder / "pid").read_text("ascii"))

    def confinements(self, program: str, display: str = "") -> Iterator[Confinement]:
        """Yield what can confine a program here, the most first and none at all last."""
        before = walls_hold(self._shown(program, display))
        if before is not None:
            yield Confinement(walls=True, sandbox=True, before=before)
        before = another_user()
        if before is not None:
            yield Confinement(sandbox=True, before=before)
        yield Confinement()

    def script(self, program: str, confinement: Confinement, display: str = "") -> Path:
        """Write the script that starts a program, so confined, with whatever arguments."""
        home = HOME if confinement.walls else os.environ.get("HOME", "")
        profile = Path(home, "profile") if confinement.walls else self._folder / "profile"
        if not confinement.walls:
            shutil.rmtree(profile, ignore_errors=True)
            profile.mkdir(mode=0o700)
        if confinement.before and not confinement.walls:
            os.chown(profile, USER, USER)
            home = str(profile)
        fonts = Path(HOME, self._fonts.name) if confinement.walls else self._fonts
        environment = {"HOME": home, CONFIGURATION: str(fonts)}
        environment |= {"DISPLAY": display} if display else {}
        if confinement.walls:
            shown = self._shown(program, display)
            command = wall_in(confinement.before, shown, environment, network=True)
        else:
            command = (*with_environment(environment), *confinement.before)
        script = self._folder / "chromium"
        text = SCRIPT.format(
            pid=shlex.quote(str(self._folder / "pid")),
            command=shlex.join((*command, program)),
            profile=shlex.quote(str(profile)),
        )
        script.write_text(text, encoding="utf-8")
        script.chmod(0o755)
        return script

    def _shown(self, program: str, display: str) -> dict[str, str]:
        """Return what lies outside, by where it is seen inside the walls."""
        seen = [*SETTINGS, FONT_CACHE, *([SCREENS] if display else [])]
        place = Path(program).resolve().parent
        if not place.is_relative_to("/usr"):
            seen.append(str(place))
        wanted = {path: path for path in seen}
        wanted[str(Path(HOME, self._fonts.name))] = str(self._fonts)
        return {inside: outside for inside, outside in wanted.items() if Path(outside).exists()}
