"""
Wordings change what they may and nothing else: never a value, never a name unasked.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError, MissingComponentError
from surefoot.core.instruction import Action, Expression, Instruction, Region
from surefoot.perturb.wording import WORDINGS, wordings
from surefoot.perturb.wording.lexicon import load_lexicon, proven_synonyms
from surefoot.perturb.wording.quotes import quoted_spans
from surefoot.perturb.wording.wordings import (
    NEIGHBOURS,
    SLIPS,
    Slip,
    misspell,
    paraphrases,
    spelling,
    synonyms,
)

NOUNS = ("button", "link", "field", "drop-down", "checkbox", "menu item", "search field", "tab")
names = st.text(
    st.sampled_from("abcdefgh ABC0129,.!?-'\"\u201cäé"), min_size=1, max_size=24
).filter(lambda item: item.strip() == item)
seeds = st.integers(0, 2**40)


def quoted(text: str) -> str:
    """Put a text into the first quotes that do not occur in it."""
    return next(
        f"{pair[0]}{text}{pair[1]}"
        for pair in ("''", '""', "\u201c\u201d", "\u00ab\u00bb")
        if pair[0] not in text and pair[1] not in text
    )


@st.composite
def instructions(draw: st.DrawFn) -> Instruction:
    """Draw an instruction with a name, perhaps a landmark, perhaps a value."""
    name, noun = draw(names), draw(st.sampled_from(NOUNS))
    value = draw(st.one_of(st.just(""), names))
    landmark = draw(st.one_of(st.none(), names))
    said = f"the {quoted(name)} {noun}"
    expression = Expression(role="button", name=name)
    if landmark is not None:
        said += f" directly below {quoted(landmark)}"
        expression = Expression(
            role="button", name=name, direction="below", landmark=Expression(text=landmark)
        )
    text = f"Type {quoted(value)} in {said}" if value else f"Click {said}"
    action: Action = "type" if value else "click"
    return Instruction(text, "en", "direct", "high", expression, "a", action, value)


def in_own_words(instruction: Instruction) -> str:
    """Say an instruction's synonyms back in the words of ours: its first verb, and its nouns."""
    ours = {
        pos: {other: word for word, others in words.items() for other in (word, *others)}
        for pos, words in proven_synonyms().items()
    }

    def back(match: re.Match[str]) -> str:
        plain = match["quoted"] or (ours["noun"] | ours["verb"])[match[0].lower()]
        return plain[0].upper() + plain[1:] if match[0][0].isupper() else plain

    said = [instruction.text[span.start - 1 : span.end + 1] for span in quoted_spans(instruction)]
    quoted, verbs, nouns = (
        "|".join(sorted(map(re.escape, words), key=len, reverse=True))
        for words in (said, ours["verb"], ours["noun"])
    )
    known = (
        rf"(?P<quoted>{quoted})|(?:^|(?<=, ))(?:{verbs})(?![\w-])|(?<![\w-])(?:{nouns})(?![\w-])"
    )
    return re.sub(known, back, instruction.text, flags=re.IGNORECASE)


def save(text: str = "Click the 'Save' button") -> Instruction:
    """Return an instruction about a button named Save."""
    return Instruction(text, "en", "direct", "high", Expression(role="button", name="Save"), "a")


def quotes_of(instruction: Instruction, text: str) -> Counter[str]:
    """Count how often a text has each of the quotes of an instruction."""
    found = {instruction.text[span.start : span.end] for span in quoted_spans(instruction)}
    return Counter({item: text.count(item) for item in found})


@pytest.mark.parametrize("name", WORDINGS)
@given(instruction=instructions(), seed=seeds)
def test_only_words_change(name: str, instruction: Instruction, seed: int) -> None:
    """Expression, target and value stay, and so does each quote unless names are misspelt."""
    changed = WORDINGS[name](instruction, seed)
    assert WORDINGS[name](instruction, seed) == changed
    if changed is None:
        return

    assert changed.wording == name
    assert changed.text != instruction.text
    for field in ("expression", "target", "value", "action", "kind", "language"):
        assert getattr(changed, field) == getattr(instruction, field)
    if instruction.value:
        assert quoted(instruction.value) in changed.text
    if not name.endswith("in-names"):
        before, after = (quotes_of(instruction, item.text) for item in (instruction, changed))
        assert all(after[item] >= min(before[item], 1) for item in before)


@pytest.mark.parametrize("slip", SLIPS)
@given(instruction=instructions(), seed=seeds, errors=st.integers(1, 4))
def test_so_many_words_are_misspelt(
    slip: Slip, instruction: Instruction, seed: int, errors: int
) -> None:
    """At most so many words differ, each outside the quotes, and no error is reserved."""
    changed = spelling(instruction, seed, slip=slip, errors=errors)
    assert changed is not None
    spans = quoted_spans(instruction)
    outside = instruction.text
    for span in reversed(spans):
        outside = outside[: span.start] + outside[span.end :]
    rest = changed.text
    for said in sorted({instruction.text[x.start : x.end] for x in spans}, key=len, reverse=True):
        rest = re.sub(rf"(?<=['\"\u201c\u00ab]){re.escape(said)}(?=['\"\u201d\u00bb])", "", rest)
    wrong = Counter(re.findall(r"\w+", rest)) - Counter(re.findall(r"\w+", outside))

    possible = sum(len(word) >= 4 for word in re.findall(r"\w+", outside))
    assert min(1, possible) <= wrong.total() <= errors
    assert not {item.lower() for item in wrong} & load_lexicon().reserved.words


@given(word=st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), min_size=4), seed=seeds)
def test_slips_are_what_they_say(word: str, seed: int) -> None:
    """A neighbouring key, a letter less, two letters swapped; the first letter stays."""
    draw = partial(random.Random, seed)
    for slip in SLIPS:
        wrong = misspell(word, slip, draw())
        if not wrong:
            assert slip == "swap" or len(set(word)) <= 2 or slip == "keyboard"
            continue
        assert wrong[0] == word[0]
        apart = [at for at in range(min(len(word), len(wrong))) if word[at] != wrong[at]]
        if slip == "keyboard":
            (at,) = apart
            assert wrong[at] in NEIGHBOURS[word[at]]
        elif slip == "deletion":
            assert len(wrong) == len(word) - 1
        else:
            assert sorted(wrong) == sorted(word)
            assert apart == [apart[0], apart[0] + 1]


def test_keys_know_their_neighbours() -> None:
    """Neighbourhood is mutual, and known keys have the neighbours of a keyboard."""
    assert all(key in NEIGHBOURS[item] for key, near in NEIGHBOURS.items() for item in near)
    assert set(NEIGHBOURS["g"]) == set("fhtyvb")
    assert set(NEIGHBOURS["q"]) == set("wa")


def test_names_are_misspelt_only_on_demand() -> None:
    """The level for names changes the name and nothing else; a short name has no such view."""
    found = WORDINGS["spelling-swap-in-names"](save(), 4)
    assert found is not None
    assert re.fullmatch(r"Click the 'S(vae|aev)' button", found.text)
    short = Instruction(
        "Click the 'OK' button", "en", "direct", "high", Expression(role="button", name="OK"), "a"
    )
    assert WORDINGS["spelling-swap-in-names"](short, 4) is None


def test_a_value_that_is_also_the_name_stays() -> None:
    """Where name and value are spelled the same, neither is touched."""
    twice = Instruction(
        "Type 'Search' in the 'Search' field", "en", "direct", "high",
        Expression(role="textbox", name="Search"), "a", "type", "Search",
    )  # fmt: skip
    assert WORDINGS["spelling-keyboard-in-names"](twice, 1) is None


def test_no_error_is_refused() -> None:
    """Fewer errors than one are the caller's mistake."""
    with pytest.raises(InvalidInputError):
        wordings(0)["spelling-swap"](save(), 1)


@given(instruction=instructions(), seed=seeds)
def test_synonyms_read_back(instruction: Instruction, seed: int) -> None:
    """Every synonym leads back to the words that it came from."""
    changed = synonyms(instruction, seed)
    assert changed is not None
    assert in_own_words(changed) == instruction.text
    assert in_own_words(instruction) == instruction.text


def test_every_synonym_comes_up_and_reads_back() -> None:
    """Over many seeds each verb and noun of the whitelist is said in each of its ways."""
    table = proven_synonyms()
    for verb, others in table["verb"].items():
        value = "" if verb == "click" else " 'Berlin' in"
        action: Action = "click" if verb == "click" else "type"
        text = f"{verb.capitalize()}{value} the 'Save' link"
        instruction = Instruction(
            text, "en", "direct", "high", Expression(role="link", name="Save"), "a",
            action, "Berlin" if value else "",
        )  # fmt: skip
        found = {synonyms(instruction, seed) for seed in range(40)}
        said = {item.text.split(" the ")[0].split(" '")[0] for item in found if item}
        assert said == {other.capitalize() for other in others}


def test_a_verb_inside_is_no_request() -> None:
    """What a field is for is not said otherwise: only the request's own verb changes."""
    text = "Click the drop-down where you choose 'Save'"
    found = {WORDINGS["synonym"](save(text), seed) for seed in range(20)}
    assert all(
        instruction is not None and "where you choose 'Save'" in instruction.text
        for instruction in found
    )
    assert in_own_words(save(text)) == text


def test_without_wordnet_synonyms_say_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    """The error that names the package reaches who asks for synonyms."""
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path))
    proven_synonyms.cache_clear()
    with pytest.raises(MissingComponentError, match="wordnet-base"):
        synonyms(save(), 1)
    proven_synonyms.cache_clear()


@given(instruction=instructions(), seed=seeds)
def test_paraphrases_keep_the_reference(instruction: Instruction, seed: int) -> None:
    """Every sentence holds the reference as a whole, and the drawn one is of the table."""
    found = paraphrases(instruction)
    drawn = WORDINGS["paraphrase"](instruction, seed)
    reference = instruction.text[1:].split(" the ", 1)[1] if not instruction.value else ""

    assert drawn is not None
    assert drawn.text in found
    assert len(set(found)) == len(found) >= 9
    assert all(reference in item for item in found)


@pytest.mark.parametrize(
    ("text", "expression", "value", "turned"),
    [
        (
            "Type 'Berlin' in the 'City' field",
            Expression(role="textbox", name="City"),
            "Berlin",
            "In the 'City' field, type 'Berlin'",
        ),
        (
            "Click the button at the top of the screen",
            Expression(role="button", region=Region("top")),
            "",
            "At the top of the screen, click the button",
        ),
        (
            "Click the 'Copy in the box' icon in the 'Clip in the air' section",
            Expression(
                role="button",
                name="Copy in the box",
                container=Expression(role="section", name="Clip in the air"),
            ),
            "",
            "In the 'Clip in the air' section, click the 'Copy in the box' icon",
        ),
    ],
)
def test_where_may_come_first(text: str, expression: Expression, value: str, turned: str) -> None:
    """A field, a region or a container that can only be the target's is said first."""
    action: Action = "type" if value else "click"
    asked = Instruction(text, "en", "direct", "high", expression, "a", action, value)
    assert turned in paraphrases(asked)


def test_a_landmarks_place_is_not_moved() -> None:
    """Where the container may be the landmark's, the order of words stays."""
    expression = Expression(
        role="button",
        direction="below",
        landmark=Expression(
            role="link", name="Help", container=Expression(role="section", name="More")
        ),
    )
    text = "Click the button directly below the 'Help' link in the 'More' section"
    asked = Instruction(text, "en", "relational", "medium", expression, "a")
    assert not any(paraphrase.startswith("In ") for paraphrase in paraphrases(asked))


@pytest.mark.parametrize("name", WORDINGS)
def test_other_languages_have_no_wordings_yet(name: str) -> None:
    """An instruction that is not English is left alone."""
    other = Instruction("Cliquez", "fr", "direct", "high", Expression(role="button"), "a")
    assert WORDINGS[name](other, 1) is None
