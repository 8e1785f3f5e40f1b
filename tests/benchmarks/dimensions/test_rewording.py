"""
A model's words for a question are kept where the interface's words and the proof stand.
"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.benchmarks.dimensions.lines import QUESTION, question_lines
from surefoot.benchmarks.dimensions.rewording import INTENTS, fault_of, prompt_of
from surefoot.benchmarks.dimensions.sentences import known_languages, sentences_of
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.score.scorings.multilingual import DIMENSIONS as SCORED

LABELS = "ABCD"
# The keys of four options of a dimension whose options are sentences of a table.
KEYS = {
    "ael": ("top left", "top right", "bottom left", "center"),
    "rel": ("above", "below", "left of", "right of"),
    "wi": ("press", "type", "toggle", "static"),
}


def question(dimension: str, language: str = "en", name: str = "Save") -> Question:
    """Return a question in the words of the tables."""
    table = sentences_of(language)
    role = "" if dimension == "wi" else "button"  # which would be the answer
    element, other = table.called(name, role), table.called("Print", "link")
    facts: dict[str, str] = {}
    if dimension in KEYS:
        options = [table.option(dimension, key) for key in KEYS[dimension]]
        said = {"element": element, **({"other": other} if dimension == "rel" else {})}
        asked = table.asked(dimension, **said)
    elif dimension == "wf":
        options = [table.called(word) for word in (name, "Print", "Help", "Leave")]
        asked, facts = table.asked("wf", "search"), {"function": "search"}
    elif dimension == "au":
        options = [table.effect("page", word) for word in ("Orders", "Help")]
        options += [table.effect("dialog", "Print"), table.effect("on")]
        asked = table.asked("au", actions=table.done([("click", {"element": element})]))
    elif dimension == "ap":
        asked = table.asked("ap", effect=table.effect("page", "Orders"))
        options = [
            table.done([("click", {"element": table.called(word, "link")})])
            for word in ("Orders", "Help", "Print", "Leave")
        ]
    else:
        asked = table.goals["question"]
        options = [table.goal([("page", {"name": word})]) for word in ("Orders", "Help")]
        options += [table.goal([("search", {"value": word})]) for word in ("rope", "sail")]
    labelled = dict(zip(LABELS, options, strict=True))
    text = "\n".join([asked, *(f"{label}: {words}" for label, words in labelled.items())])
    return Question(
        id=dimension,
        pair=dimension,
        cluster="site",
        cell=Cell("original" if language == "en" else language, dimension),
        screen="s",
        image="",
        width=9,
        height=9,
        instruction=Instruction(text, language, "given", "high", Expression(), ""),
        truth=Box(0, 0, 0, 0),
        answers=("B",),
        asks="option",
        options=tuple(LABELS),
        facts={**facts, **labelled},
    )


DIMENSIONS = (*KEYS, "wf", "au", "ap", "si", "ri")
# Lines in other words that mean the same.
GOOD = {
    "ael": {"Q": 'In which part of the picture does "Save" (button) lie?',
            "A": "In the top left corner", "D": "Right in the middle"},
    "rel": {"A": "It is above it", "C": "It lies to the left of it"},
    "wi": {"Q": 'How would one use "Save"?', "B": "Click into it and then type something"},
    "wf": {"Q": "Which one of these is there for searching?"},
    "au": {"Q": 'What happens if this is done on the screen that is shown? '
                'Click "Save" (button).', "A": 'The page called "Orders" opens up'},
    "ap": {"Q": 'What has to be done on this screen to get the result below? '
                'The page "Orders" opens.'},
    "si": {"Q": "These screenshots were taken one after another while an application was used. "
                "What was the aim?", "A": 'Open the page named "Orders"'},
}  # fmt: skip


@pytest.mark.parametrize("dimension", GOOD)
def test_other_words_that_mean_the_same_are_kept(dimension: str) -> None:
    """A sensible rewording of each dimension has no fault."""
    asked = question(dimension)

    assert fault_of(asked, question_lines(asked) | GOOD[dimension]) == ""


@pytest.mark.parametrize("language", known_languages())
@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_the_tables_own_words_have_no_fault(dimension: str, language: str) -> None:
    """In every language each dimension's own words stand, also around a name in other letters."""
    asked = question(dimension, language, "บันทึก \"x\" {y} 'z'")

    assert fault_of(asked, question_lines(asked)) == ""
    assert all(words in prompt_of(asked) for words in question_lines(asked).values())


def test_seven_intents_of_eight_dimensions_reach_the_writer() -> None:
    """Each dimension has its intent in the request, both goals the same; no answer is told."""
    prompts = {name: prompt_of(question(name)) for name in DIMENSIONS}
    other = msgspec.structs.replace(question("wf"), answers=("C",))

    assert set(INTENTS) == set(SCORED)
    assert len(set(INTENTS.values())) == 7
    assert INTENTS["ri"] == INTENTS["si"]
    for name, prompt in prompts.items():
        assert all(words in prompt for words in msgspec.structs.astuple(INTENTS[name]))
        assert "{" not in prompt
    assert prompt_of(other) == prompts["wf"]


BAD = {
    "a name that is gone": ("ael", {"Q": "In which part of the picture does it lie?"}, "words"),
    "another name": ("ael", {"Q": 'In which part of the screenshot is "Sav" (button)?'}, "words"),
    "a role that is gone": ("ael", {"Q": 'In which part of the screenshot is "Save"?'}, "words"),
    "a name twice": (
        "ael", {"Q": 'In which part of "Save" (button) is "Save" (button)?'}, "words"),
    "a name more": ("ael", {"A": 'At the top left of "Print"'}, "A has not"),
    "options exchanged": ("ael", {"A": "At the top right", "B": "At the top left"}, "not nearest"),
    "options that are one": ("ael", {"A": "At the top right"}, "the same"),
    "options alike in capitals": ("ael", {"A": "AT THE TOP RIGHT"}, "the same"),
    "another question": ("ael", {"Q": 'How is "Save" (button) used?'}, "not nearest"),
    "another function": ("wf", {"Q": "Which of these closes something?"}, "not nearest"),
    "another language": ("ael", {"A": "En haut à gauche"}, "not nearest"),
    "elements exchanged": (
        "rel", {"Q": 'Seen from "Save" (button), where is "Print" (link)?'}, "stay"),
    "steps in other words": ("ap", {"A": 'First click "Orders" (link)'}, "stay"),
    "another action": ("au", {"Q": 'What happens when this is done on the screen shown? '
                                   'Click "Print" (button).'}, "words"),
    "another goal": ("si", {"A": 'Open the page "Help"'}, "words"),
    "an essay": ("wi", {"A": "Click it: it does something at once " * 20}, "too long"),
    "a control character": ("wi", {"A": "Click it:\x1b[2J it does something at once"}, "plain"),
    "nothing of it": ("wi", {"A": "Yes"}, "not nearest"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_what_is_not_proven_is_told(case: str) -> None:
    """Words that are lost, exchanged or not the interface's are a fault that names the line."""
    dimension, lines, why = BAD[case]
    asked = question(dimension)

    assert why in fault_of(asked, question_lines(asked) | lines)


@given(
    st.permutations(range(4)),
    st.sampled_from([*KEYS, "au", "si"]),
    st.sampled_from(known_languages()),
)
def test_options_in_another_order_are_never_kept(
    order: list[int], dimension: str, language: str
) -> None:
    """In every language, options that were exchanged have a fault, whichever they are."""
    asked = question(dimension, language)
    own = question_lines(asked)
    said = {label: own[LABELS[place]] for label, place in zip(LABELS, order, strict=True)}

    assert bool(fault_of(asked, {QUESTION: own[QUESTION], **said})) == (order != sorted(order))
