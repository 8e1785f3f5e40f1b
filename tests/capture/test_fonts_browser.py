"""
A letter that no font draws is told, and what is drawn, by whatever font, is not.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from surefoot.capture.captured import Capture
from surefoot.capture.fonts import FONTS, letters_without_font
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.core.children import child_environment

Shooter = Callable[..., Capture]
WORDS: Final = {
    "en": "Save the draft 12:30 → “quoted” ½ ©",
    "zh": "保存草稿并关闭窗口、下一步",
    "fr": "Où êtes-vous ? Œuvre, naïveté, ça — « guillemets »",
    "ru": "Сохранить черновик — подъезд №5",
    "ja": "下書きを保存してウィンドウを閉じる、次へ",
    "th": "บันทึกฉบับร่างและปิดหน้าต่างที่นี่ ๑๒๓ ฿",
    "emoji": "😀 👩‍👩‍👧 ❤️ 🇫🇷 👍🏽 ☎️",
}
STYLES: Final = ("serif", "sans-serif", "monospace", "Roboto", "nothing-of-this-name")


@pytest.mark.browser
def test_what_no_font_draws_is_told_in_every_style(shot: Shooter) -> None:
    """Private-use letters are missing, in text and in fields; six languages and emoji are not."""
    rows = "".join(
        f"<p lang={language} style='font: bold italic 15px {style}'>{text}"
        for style in STYLES
        for language, text in WORDS.items()
    )
    missing = shot(f"{rows}<p>\ue123 and <code>\uf8ff</code><input value='\U0010fffd'>")

    told = "no font has it"
    assert missing.screen.missing == {"U+E123": told, "U+F8FF": told, "U+10FFFD": told}


@pytest.mark.browser
def test_a_font_of_the_page_draws_its_own_signs(shot: Shooter, tmp_path: Path) -> None:
    """A private-use sign is drawn where the page's own font has it, and nowhere else."""
    listed = subprocess.run(
        ["fc-list", ":family=Inter:charset=e123", "file"],
        capture_output=True,
        check=True,
        text=True,
        env=child_environment(),
    ).stdout
    if not listed:
        pytest.skip("the font Inter is not installed")
    (tmp_path / "site").mkdir()
    shutil.copy(listed.splitlines()[0].rstrip(": "), tmp_path / "site" / "icons.otf")
    face = "<style>@font-face{font-family:icons;src:url(icons.otf)} i{font-family:icons}</style>"

    found = shot(f"{face}<p><i>\ue123\uf8fe</i>\ue124")

    assert sorted(found.screen.missing) == ["U+E124", "U+F8FE"]


def test_installed_fonts_have_the_letters_of_six_languages() -> None:
    """What programs of a desktop may show is looked for in every installed font."""
    assert letters_without_font("".join(WORDS.values())) == {}
    assert letters_without_font("a\U0010fffe") == {"U+10FFFE": "no font has it"}


@pytest.mark.browser
def test_a_font_of_a_person_changes_no_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: Callable[..., Address]
) -> None:
    """A family that lies in one's own folder of fonts, and one's own rules, are not seen."""
    there = FONTS / "truetype/dejavu/DejaVuSansMono-Bold.ttf"
    if not there.is_file():
        pytest.skip("DejaVu Sans Mono is not installed")
    page = address("<p style='font: 20px \"ZejaVu Sans Mono\", Helvetica'>Words of a page")
    own = tmp_path / "home" / ".local" / "share" / "fonts" / "own.ttf"
    own.parent.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    with Browser() as browser:
        before = capture(browser, page, Settings())
    name = "DejaVu Sans Mono".encode("utf-16-be")
    own.write_bytes(there.read_bytes().replace(name, b"\0Z" + name[2:]))
    rules = tmp_path / "home" / ".config" / "fontconfig" / "fonts.conf"
    rules.parent.mkdir(parents=True)
    rules.write_text(
        '<fontconfig><alias binding="strong"><family>Helvetica</family>'
        "<prefer><family>Inter</family></prefer></alias></fontconfig>"
    )
    listed = subprocess.run(
        ["fc-list", "ZejaVu Sans Mono"],
        capture_output=True,
        check=True,
        env=child_environment(),
    ).stdout
    with Browser() as browser:
        after = capture(browser, page, Settings())
        identity = browser.identity

    assert listed
    assert after == before
    assert "fonts-dejavu-core" in identity
