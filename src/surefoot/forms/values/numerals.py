"""
Read numbers as people and controls write them: signs, separators, currency, any digits.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LONGEST: Final = 60
_LARGEST_EXPONENT: Final = 15
COMMA_DECIMAL: Final = frozenset({"fr", "ru"})
_SIGN: Final = (
    r"(?:(?:US)?[$\u00a2-\u00a5\u20a0-\u20cf\u0e3f]|USD|EUR|GBP|RUB|JPY|CNY|RMB|THB|CAD)"
)
_CURRENCY: Final = re.compile(rf"^{_SIGN}?\s*|\s*(?:{_SIGN}|%)?$")
_MACHINE: Final = re.compile(r"([+-]?)(\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?")
_ASCII: Final[dict[int, str | int]] = {
    **dict.fromkeys(range(0x2010, 0x2014), "-"),
    0x2212: "-",
    0x3000: " ",
    # Arabic signs: percent, decimal point, and the mark between thousands.
    0x066A: "%",
    0x066B: ".",
    0x066C: "'",
    # What only turns the reading direction, as texts copied from such pages hold it.
    **dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)), ""),
    0xFFE5: "\u00a5",
    **{wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)},
}
_SPACES: Final = re.compile(r"(?<=\d)[\s'\u2019](?=\d{3}(?!\d))")


def plain_digits(text: str) -> str:
    r"""
    Write any script's digits, full-width letters and dashes in ASCII; trim the ends.

    Arabic's signs of numbers become a point, an apostrophe between thousands and a percent
    sign; marks that turn the reading direction are left out.

    >>> plain_digits("\uff11\uff12\uff0c\uff15 ๓ \u22124")
    '12,5 3 -4'
    >>> plain_digits("\u200e\u0661\u066c\u0662\u0665\u0660\u066b\u0665")
    "1'250.5"
    """
    composed = unicodedata.normalize("NFC", text)
    return "".join(
        str(unicodedata.decimal(item, item)) for item in composed.translate(_ASCII)
    ).strip()


def read_number(raw: str, *, language: str = "en") -> str | None:
    """
    Return a number as a plain decimal, or None where the text is no number.

    What a number control sends (``1250.5``) means the same in every language. Beyond it,
    French and Russian set a comma before the decimals and everybody else a point; the
    thousands may be apart by the other sign, a space or an apostrophe, in threes.

    >>> read_number("$1,250.50"), read_number("1 250,50 €", language="fr")
    ('1250.5', '1250.5')
    >>> read_number("1.250", language="fr"), read_number("12,5"), read_number("12k")
    ('1.25', None, None)
    """
    if len(raw) > _LONGEST:
        return None
    text = _bare(plain_digits(raw))
    plain = _machine(text)
    if plain is not None:
        return plain
    comma = language in COMMA_DECIMAL
    group, point = (".", ",") if comma else (",", ".")
    whole, mark, decimals = _SPACES.sub("", text).partition(point)
    if mark and not decimals.isdecimal():
        return None
    if group in whole and not re.fullmatch(
        rf"[+-]?\d{{1,3}}(?:{re.escape(group)}\d{{3}})+", whole
    ):
        return None
    joined = whole.replace(group, "")
    return _machine(f"{joined}.{decimals}" if mark else joined)


def _bare(text: str) -> str:
    """Take the currency or the percent sign off, behind or before the sign of the number."""
    sign = text[:1] if text[:1] in {"+", "-"} else ""
    return sign + _CURRENCY.sub("", text.removeprefix(sign))


def _machine(text: str) -> str | None:
    """Read what a program writes: digits, one point, perhaps an exponent."""
    match = _MACHINE.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        return None
    sign, whole, decimals, exponent = match[1], match[2], match[3] or "", int(match[4] or 0)
    if abs(exponent) > _LARGEST_EXPONENT:
        return None
    digits = whole + decimals
    at = len(whole) + exponent
    digits = digits.rjust(len(digits) - at, "0") if at < 0 else digits.ljust(at, "0")
    at = max(at, 0)
    number = (digits[:at].lstrip("0") or "0") + "." + digits[at:]
    number = number.rstrip("0").rstrip(".")
    return f"-{number}" if sign == "-" and number != "0" else number
