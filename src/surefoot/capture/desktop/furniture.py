"""
The files of a fresh home folder and the environment: what a program finds when it starts.

Fonts, colours and the blinking of carets are set so that they are the same everywhere;
nothing that the bus could start by itself is there but the accessibility service.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import msgspec

from surefoot.capture.clock import CLOCK
from surefoot.capture.fonts import CONFIGURATION, font_configuration
from surefoot.core.children import child_environment

BUS_LAUNCHER: Final = "/usr/libexec/at-spi-bus-launcher"
# Every file of the home folder bears this time, so that file managers show the same.
MODIFIED: Final = 1_767_225_600.0
LOCALE_S: Final = 30
LIBRARIES: Final = Path("/usr/lib")
FAKETIME: Final = "*/faketime/libfaketimeMT.so.1"
FONT: Final = "DejaVu Sans"

OPENBOX: Final = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
  <placement><policy>Smart</policy><center>yes</center></placement>
  <theme><name>Clearlooks</name><titleLayout>NLIMC</titleLayout><animateIconify>no</animateIconify>
    <font place="ActiveWindow"><name>DejaVu Sans</name><size>9</size></font>
    <font place="InactiveWindow"><name>DejaVu Sans</name><size>9</size></font>
  </theme>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <keyboard/>
  <mouse/>
  <applications>
    <application type="normal"><maximized>yes</maximized><focus>yes</focus></application>
  </applications>
</openbox_config>
"""
BUS: Final = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <servicedir>{services}</servicedir>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
SERVICE: Final = f"""[D-BUS Service]
Name=org.a11y.Bus
Exec={BUS_LAUNCHER} --launch-immediately --a11y=1
"""
FONT_RULES: Final = """
  <match target="font">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
  <alias binding="strong"><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer>
  </alias>
"""
FONTS: Final = ".config/fontconfig/fonts.conf"
GTK: Final = f"""[Settings]
gtk-theme-name=Adwaita
gtk-icon-theme-name=Adwaita
gtk-font-name={FONT} 10
gtk-cursor-blink=false
gtk-enable-animations=false
gtk-overlay-scrolling=false
gtk-xft-antialias=1
gtk-xft-hinting=0
gtk-xft-rgba=none
gtk-recent-files-enabled=false
"""
GTK2: Final = f"""gtk-icon-theme-name="Adwaita"
gtk-font-name="{FONT} 10"
gtk-cursor-blink=0
gtk-enable-animations=0
gtk-xft-rgba="none"
"""
KDE: Final = f"""[General]
font={FONT},10,-1,5,50,0,0,0,0,0
[KDE]
CursorBlinkRate=0
widgetStyle=Fusion
[Icons]
Theme=Adwaita
"""
FILES: Final[Mapping[str, str]] = {
    ".config/openbox/rc.xml": OPENBOX,
    ".config/gtk-3.0/settings.ini": GTK,
    ".config/gtk-4.0/settings.ini": GTK,
    ".gtkrc-2.0": GTK2,
    ".config/kdeglobals": KDE,
}


class Rooms(msgspec.Struct, frozen=True):
    """Name the folders and sockets of one session, all below its home or runtime folder."""

    home: Path
    runtime: Path

    @property
    def bus(self) -> Path:
        """Return the session bus's socket."""
        return self.runtime / "bus"

    @property
    def bus_config(self) -> Path:
        """Return the session bus's configuration file."""
        return self.runtime / "bus.conf"

    @property
    def services(self) -> Path:
        """Return the folder of what the session bus may start by itself."""
        return self.runtime / "services"

    @property
    def locales(self) -> Path:
        """Return the folder of locales that were compiled for this session."""
        return self.runtime / "locales"


def language_of(locale: str) -> str:
    """
    Spell a BCP 47 tag as the C library does.

    >>> language_of("fr-FR"), language_of("zh-Hans-CN"), language_of("ja")
    ('fr_FR.UTF-8', 'zh_CN.UTF-8', 'ja_JP.UTF-8')
    """
    language, *rest = locale.replace("_", "-").split("-")
    usual = {"en": "US", "ja": "JP", "zh": "CN"}.get(language, language.upper())
    territory = next((item for item in rest if len(item) == len("US")), usual)
    return f"{language.lower()}_{territory.upper()}.UTF-8"


def furnish(rooms: Rooms, locale: str, files: Mapping[str, str]) -> None:
    """
    Write the home folder's files and the bus's configuration, and compile the locale.

    ``files`` are texts by their path in the home folder; one that ends in "/" is a folder.
    """
    rooms.runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
    fonts = {FONTS: font_configuration(desktop=True, rules=FONT_RULES)}
    for path, text in {**FILES, **fonts, **files}.items():
        target = rooms.home / path
        if path.endswith("/"):
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    rooms.services.mkdir(exist_ok=True)
    (rooms.services / "org.a11y.Bus.service").write_text(SERVICE, encoding="utf-8")
    bus = BUS.format(socket=rooms.bus, services=rooms.services)
    rooms.bus_config.write_text(bus, encoding="utf-8")
    _compile(rooms.locales, language_of(locale))
    for item in sorted(rooms.home.rglob("*"), reverse=True):
        os.utime(item, (MODIFIED, MODIFIED))


def environment(rooms: Rooms, display: str, locale: str, timezone: str) -> dict[str, str]:
    """Return the whole environment of a program, nothing of ours passed on but the path."""
    language = language_of(locale)
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(rooms.home),
        CONFIGURATION: str(rooms.home / FONTS),
        "USER": "person",
        "LOGNAME": "person",
        "SHELL": "/bin/bash",
        "LANG": language,
        "LC_ALL": language,
        "LANGUAGE": language.partition(".")[0],
        "LOCPATH": str(rooms.locales),
        "TZ": timezone,
        "DISPLAY": display,
        "XDG_RUNTIME_DIR": str(rooms.runtime),
        "XDG_SESSION_TYPE": "x11",
        "XDG_CURRENT_DESKTOP": "Openbox",
        "QT_QPA_PLATFORMTHEME": "kde",
        "KDE_SESSION_VERSION": "5",
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={rooms.bus}",
        "GTK_MODULES": "gail:atk-bridge",
        "GTK_OVERLAY_SCROLLING": "0",
        "GTK2_RC_FILES": str(rooms.home / ".gtkrc-2.0"),
        "GDK_BACKEND": "x11",
        "GDK_SCALE": "1",
        "GIO_USE_VFS": "local",
        "GSETTINGS_BACKEND": "memory",
        "NO_AT_BRIDGE": "0",
        "QT_ACCESSIBILITY": "1",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "QT_QPA_PLATFORM": "xcb",
        "SAL_USE_VCLPLUGIN": "gtk3",
        "GSK_RENDERER": "cairo",
        "NO_COLOR": "1",
    }


def still_clock(timezone: str) -> dict[str, str]:
    """
    Return what makes a program believe that it is always the moment of all captures.

    Its timers go on: they count by another clock. Nothing where libfaketime is not installed.
    """
    library = next(iter(sorted(LIBRARIES.glob(FAKETIME))), None)
    if library is None:
        return {}
    moment = CLOCK.astimezone(ZoneInfo(timezone))
    return {
        "LD_PRELOAD": str(library),
        "FAKETIME": f"{moment:%Y-%m-%d %H:%M:%S}",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "NO_FAKE_STAT": "1",
    }


def _compile(folder: Path, language: str) -> None:
    """
    Compile a locale into a folder where the C library finds it, where there is one to compile.

    The C library translates no word in a locale that it does not find, whatever LANGUAGE says.
    """
    program = shutil.which("localedef")
    folder.mkdir(parents=True, exist_ok=True)
    if program is not None:
        command = [program, "-i", language.partition(".")[0], "-f", "UTF-8"]
        subprocess.run(
            [*command, str(folder / language)],
            capture_output=True,
            timeout=LOCALE_S,
            check=False,
            env=child_environment(),
        )


def speaks(rooms: Rooms, locale: str) -> bool:
    """Tell whether programs of a furnished session can speak a language; all speak English."""
    language = language_of(locale)
    return language.startswith("en_") or (rooms.locales / language / "LC_MESSAGES").is_dir()


def wait_for(path: Path, seconds: float) -> bool:
    """Wait until a file is there; tell whether it came in time."""
    until = time.monotonic() + seconds
    while not path.exists():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True
