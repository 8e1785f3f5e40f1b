"""
A plan: everything that determines a folder's contents, and where two plans part.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from typing import Final

from surefoot.core.canonical import canonical_json, digest

__all__ = ["first_difference", "plan_digest"]

_ABSENT: Final = object()
_LONGEST = 80  # characters of a value that a message quotes


def plan_digest(plan: Mapping[str, object]) -> str:
    """
    Return the SHA-256 that names a plan.

    >>> plan_digest({"seed": 1}) == plan_digest({"seed": 1.0})
    False
    """
    return digest(plan)


def first_difference(then: object, now: object) -> str:
    """
    Name the first place, in sorted order, at which two plans differ; "" where they agree.

    >>> first_difference({"variants": ["original", "zoom:0.7"]}, {"variants": ["original"]})
    "variants[1]: 'zoom:0.7' then, absent now"
    """
    return _difference(json.loads(canonical_json(then)), json.loads(canonical_json(now)), "")


def _difference(then: object, now: object, path: str) -> str:
    if isinstance(then, dict) and isinstance(now, dict):
        keys = sorted(then.keys() | now.keys())
        pairs = [
            (f"{path}.{key}".lstrip("."), then.get(key, _ABSENT), now.get(key, _ABSENT))
            for key in keys
        ]
    elif isinstance(then, list) and isinstance(now, list):
        pairs = [
            (f"{path}[{index}]", before, after)
            for index, (before, after) in enumerate(
                itertools.zip_longest(then, now, fillvalue=_ABSENT)
            )
        ]
    else:
        return "" if _same(then, now) else f"{path}: {_say(then)} then, {_say(now)} now"
    found = (_difference(before, after, where) for where, before, after in pairs)
    return next(filter(None, found), "")


def _same(then: object, now: object) -> bool:
    return type(then) is type(now) and then == now


def _say(value: object) -> str:
    if value is _ABSENT:
        return "absent"
    text = repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
