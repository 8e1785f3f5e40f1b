"""
Tell the scripts that set no space between words: Chinese, Japanese, Thai.
"""

from __future__ import annotations

import re
from typing import Final

UNSPACED: Final = r"\u0e00-\u0e7f\u3005\u3040-\u30ff\u3400-\u9fff"
"""
Their characters, as within the brackets of a regular expression.
"""
_ALL: Final = re.compile(rf"[{UNSPACED}]+")


def is_unspaced(word: str) -> bool:
    """
    Say whether a word is written in a script without spaces.

    >>> is_unspaced("\u59d3\u540d"), is_unspaced("name"), is_unspaced("")
    (True, False, False)
    """
    return _ALL.fullmatch(word) is not None
