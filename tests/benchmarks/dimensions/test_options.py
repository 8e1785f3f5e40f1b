"""
Wrong options are drawn so that the right one stands out by nothing that is not the picture.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import msgspec
import pytest

from surefoot.benchmarks.dimensions.baselines import AskedOptions, baselines, given_away
from surefoot.benchmarks.dimensions.options import KeyBalance, drawn_wrong
from surefoot.core.seeds import random_source

PLACES: Final = ("top", "left", "right", "bottom", "center", "top left", "bottom right")
# What may be wrong where one is right: no corner beside its sides.
BESIDE: Final = {
    key: [
        other
        for other in PLACES
        if other != key and not {*key.split()} & {*other.split()}
    ]
    for key in PLACES
}  # fmt: skip


class _Option(msgspec.Struct, frozen=True):
    key: str
    words: dict[str, str]

    def say(self, language: str, shown: str) -> str:  # noqa: ARG002 - its words are names
        return self.words[shown]


def _asked(
    number: int, options: list[str], right: str, keys: list[str] | None = None
) -> AskedOptions:
    return AskedOptions(
        "d",
        f"site {number % 5}",
        "Where is it?",
        tuple(keys or options),
        tuple(options),
        options.index(right),
        "en",
        f"item {number}",
    )


def test_options_that_are_words_give_nothing_away_in_any_language() -> None:
    """Though left is right twice as often as a corner, no words leak, in a part neither."""
    random = random_source(7, "options")
    weights = {"left": 2, "top": 2, "center": 2}
    rights = random.choices(PLACES, [weights.get(key, 1) for key in PLACES], k=900)
    spoken = [("en", "th") if number % 3 == 0 else ("en",) for number in range(len(rights))]
    balance = KeyBalance(
        Counter(
            ("d", language, right)
            for right, languages in zip(rights, spoken, strict=True)
            for language in languages
        ),
        {("d", right, wrong) for right, own in BESIDE.items() for wrong in own},
    )
    asked: dict[str, list[AskedOptions]] = {"en": [], "th": []}
    for number, (right, languages) in enumerate(zip(rights, spoken, strict=True)):
        wrong = balance.drawn("d", right, BESIDE[right], languages, random=random)
        assert len({*wrong, right}) == 4
        options = [right, *wrong]
        random.shuffle(options)
        for language in languages:
            asked[language].append(_asked(number, options, right))
    for own in asked.values():
        (told,) = baselines(own)
        assert not {"position", "majority", "text"} & {*told.leaks}


def test_what_must_be_there_is() -> None:
    """An option that is always among the four is, but for where it is the right one."""
    balance = KeyBalance({}, set())
    drawn = balance.drawn(
        "wi", "a", "bcdes", ["en"], always="s", random=random_source(1, "options")
    )
    assert drawn[0] == "s"
    assert "s" not in balance.drawn(
        "wi", "s", "abcd", ["en"], always="s", random=random_source(1, "options")
    )


def test_the_right_option_is_as_often_long_as_short() -> None:
    """Of pools with shorter and longer names, the right one is drawn to each rank about evenly."""
    random = random_source(3, "options")
    longer: Counter[int] = Counter()
    for number in range(200):
        lengths = random.sample(range(2, 30), 8)
        names = [_Option(str(at), {"en": "x" * length}) for at, length in enumerate(lengths)]
        right, *pool = sorted(names, key=lambda one: abs(len(one.words["en"]) - 15))
        drawn = drawn_wrong(right, pool, ["en"], rank=number % 4, often={}, random=random)
        longer[sum(len(one.words["en"]) > len(right.words["en"]) for one in drawn)] += 1
    assert max(longer.values()) - min(longer[rank] for rank in range(4)) <= 24


@pytest.mark.parametrize(
    "rights",
    [lambda words: max(words, key=len), lambda words: min(words, key=len)],
    ids=["longest", "shortest"],
)
def test_a_reader_of_form_finds_what_stands_out(rights: object) -> None:
    """Where the longest or shortest is right, the reader of form alone is sure of it."""
    random = random_source(5, "options")
    asked = []
    for number in range(300):
        words = ["".join(random.sample("abcdefghijklmnopqrstuvw", random.randrange(2, 20)))
                 for _ in range(4)]  # fmt: skip
        asked.append(_asked(number, words, rights(words)))  # type: ignore[operator]
    (told,) = baselines(asked)
    assert told.leaks == ("form",)
    assert told.worst == told.form - 0.25
    away = given_away(asked, told, 0.1)
    assert 1 <= len(away) <= 30
    assert away <= {one.item for one in asked}
