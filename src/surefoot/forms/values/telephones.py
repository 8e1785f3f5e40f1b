"""
Read telephone numbers: E.164, with an extension where one is given.
"""

from __future__ import annotations

import re
from typing import Final

from surefoot.forms.values.numerals import plain_digits

__all__ = ["read_telephone"]

_LONGEST: Final = 40
_REGION: Final = "US"
_SHAPE: Final = re.compile(
    r"[+(]{0,2}\d[\d\s().\-/]*(?:(?:,?\s*(?:extension|ext\.?|x)\s*|\s*#\s*|;ext=)\d{1,9})?",
    re.IGNORECASE,
)


def read_telephone(raw: str) -> str | None:
    """
    Return a number in E.164, with ";ext=N" behind it for an extension; None for no number.

    A number without a country is one of the United States; ``00`` stands for ``+``. Local
    numbers without an area code belong to nobody in particular and are refused.

    >>> read_telephone("(202) 555-0143"), read_telephone("001-250-204-3652x755")
    ('+12025550143', '+12502043652;ext=755')
    >>> read_telephone("555-0143"), read_telephone("call me")
    (None, None)
    """
    import phonenumbers

    text = plain_digits(raw)
    if len(raw) > _LONGEST or not _SHAPE.fullmatch(text):
        return None
    if text.startswith("00"):
        text = f"+{text[2:]}"
    try:
        number = phonenumbers.parse(text, _REGION)
    except phonenumbers.NumberParseException:
        return None
    possible = phonenumbers.is_possible_number_with_reason(number)
    if possible != phonenumbers.ValidationResult.IS_POSSIBLE:
        return None
    plain = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    return f"{plain};ext={number.extension}" if number.extension else plain
