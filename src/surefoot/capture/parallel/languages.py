"""
The languages that screens are captured in, and whether words are of the one that was asked for.

Scripts tell them apart but for those in Latin letters: what is Latin proves itself by being
other words than the English ones. Simplified and traditional Chinese are told apart by the
national character sets, GB 2312 and Big5.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import Final

# What a language is asked for as, where a source has no word for it of its own.
LOCALES: Final = {
    "en": "en-US",
    "zh": "zh-CN",
    "fr": "fr-FR",
    "ru": "ru-RU",
    "ja": "ja-JP",
    "th": "th-TH",
}
PARALLEL: Final = tuple(LOCALES)
# The scripts that a language is written in; all of a text's letters are of these or Latin.
SCRIPTS: Final = {
    "zh": ("CJK",),
    "ru": ("CYRILLIC",),
    "ja": ("CJK", "HIRAGANA", "KATAKANA"),
    "th": ("THAI",),
    "ko": ("HANGUL",),
    "el": ("GREEK",),
    "he": ("HEBREW",),
    "ar": ("ARABIC",),
    "uk": ("CYRILLIC",),
    "bg": ("CYRILLIC",),
}
KANA: Final = ("HIRAGANA", "KATAKANA")
WORD: Final = re.compile(r"[^\W\d_]+")
# Of the letters of words that were changed; names and terms may stay Latin.
LEAST_OWN: Final = 0.5
# Japanese is hardly written without kana, and Chinese never with.
LEAST_KANA: Final = 0.1
# Of Han letters, the share outside a character set from which on the text is not written in it.
MOST_OUTSIDE: Final = 0.1
FEW: Final = 8  # letters, of which nothing can be said


def primary(tag: str) -> str:
    """
    Return the language of a BCP 47 tag, in lower case.

    >>> primary("zh-CN"), primary("EN")
    ('zh', 'en')
    """
    return tag.replace("_", "-").partition("-")[0].lower()


def words_of(text: str) -> Counter[str]:
    """
    Count the words of a text in lower case, numbers left out.

    Languages that put no space between words count what stands between other signs as one.

    >>> sorted(words_of("Log in 2 times, log out").items())
    [('in', 1), ('log', 2), ('out', 1), ('times', 1)]
    """
    return Counter(word.lower() for word in WORD.findall(unicodedata.normalize("NFC", text)))


def script_trouble(tag: str, text: str) -> str:
    """
    Return what a text is written in that its language is not, "" where nothing speaks against.

    >>> script_trouble("ru", "Войти в систему")
    ''
    >>> script_trouble("zh-CN", "ログインしてください")
    'Japanese'
    >>> script_trouble("ja", "保存所有的文件并退出系统")
    'Chinese'
    """
    letters = Counter(_script(letter) for letter in text if letter.isalpha())
    total = letters.total()
    language = primary(tag)
    if total < FEW:
        return ""
    if language not in SCRIPTS:
        own = letters["LATIN"]
        return "" if own >= LEAST_OWN * total else _most(letters)
    kana = sum(letters[script] for script in KANA)
    japanese = kana > LEAST_KANA * (kana + letters["CJK"])
    if language == "zh" and japanese:
        return "Japanese"
    if sum(letters[script] for script in SCRIPTS[language]) < LEAST_OWN * total:
        return _most(letters)
    if language == "ja" and not japanese:
        return "Chinese"
    if language == "zh":
        return _other_chinese(tag, [letter for letter in text if _script(letter) == "CJK"])
    return ""


def _other_chinese(tag: str, letters: list[str]) -> str:
    traditional = any(part in tag.upper() for part in ("TW", "HK", "MO", "HANT"))
    own, other = ("big5", "gb2312") if traditional else ("gb2312", "big5")
    outside = sum(not _in(own, letter) for letter in letters)
    if outside <= MOST_OUTSIDE * len(letters) or outside <= sum(
        not _in(other, letter) for letter in letters
    ):
        return ""
    return "simplified Chinese" if traditional else "traditional Chinese"


def _in(charset: str, letter: str) -> bool:
    try:
        letter.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


def _script(letter: str) -> str:
    return unicodedata.name(letter, "?").split()[0]


def _most(letters: Counter[str]) -> str:
    """Return the commonest script, as a person calls it."""
    return f"{letters.most_common(1)[0][0].capitalize()} script"
