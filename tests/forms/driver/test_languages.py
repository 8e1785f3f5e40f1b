"""
A reply is read into actions and nothing else; what is written is read back the same.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.question import Unparsed
from surefoot.forms.driver.actions import (
    KEYS,
    Action,
    Click,
    Finish,
    NextPage,
    Press,
    Scroll,
    Submit,
    Type,
    Upload,
)
from surefoot.forms.driver.language import ACTION_LANGUAGES

NAMES = ("browsergym", "paper")
numbers = st.floats(-1e6, 1e6).map(lambda value: 0.0 if abs(value) < 1e-12 else value)
texts = st.text(max_size=40)
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(
        Click, numbers, numbers, st.sampled_from(("left", "middle", "right")), st.integers(1, 2)
    ),
    st.builds(Type, texts),
    st.builds(Press, st.sampled_from([*sorted(KEYS), "a", "+", "Control+a", "Control++", '"'])),
    st.builds(Scroll, numbers, numbers),
    st.builds(Scroll, numbers, numbers, numbers, numbers),
    st.builds(Upload, numbers, numbers, texts),
    st.builds(Finish, texts),
    st.just(NextPage()),
    st.just(Submit()),
)


@pytest.mark.parametrize("name", NAMES)
@given(wanted=st.lists(actions, min_size=1, max_size=5))
def test_what_is_written_is_read_back(name: str, wanted: list[Action]) -> None:
    """Any list of actions survives being written, one a line, and read."""
    language = ACTION_LANGUAGES.get(name)

    reply = "\n".join(language.write(item) for item in wanted)

    assert language.read(reply) == tuple(wanted)


@pytest.mark.parametrize("name", NAMES)
@given(reply=st.text(alphabet="Clicktype_mous(\"'\\[]{}),.=-+0159e#`\n ;ux<>/", max_size=80))
def test_hostile_text_never_breaks_the_reader(name: str, reply: str) -> None:
    """Whatever a model writes, the reader returns actions and Unparsed, at least one."""
    read = ACTION_LANGUAGES.get(name).read(reply)

    assert read
    assert all(isinstance(item, Action | Unparsed) for item in read)


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        ("mouse_click(887.2, 68)", Click(887.2, 68)),
        ("mouse_click(56, 712.56, 'right')", Click(56, 712.56, "right")),
        ('mouse_click(x=56, y=7, button="middle")', Click(56, 7, "middle")),
        ("mouse_dblclick(5, 236)", Click(5, 236, count=2)),
        ("keyboard_press('Control+a')", Press("Control+a")),
        ("keyboard_type('Hello world!')", Type("Hello world!")),
        ("keyboard_type('it\\'s \\u00e9, \\ud83d\\ude00')", Type("it's é, \U0001f600")),
        ("keyboard_type('''two\nlines''')", Type("two\nlines")),
        ("keyboard_type('C:\\\\new\\dir')", Type("C:\\new\\dir")),
        ("scroll(-50.2, -100.5)", Scroll(-50.2, -100.5)),
        ("scroll_at(3, 4, 0, 200)", Scroll(0, 200, 3, 4)),
        ('mouse_upload_file(132.1, 547, "receipt.pdf")', Upload(132.1, 547, "receipt.pdf")),
        ('mouse_upload_file(1, 2, ["receipt.pdf"])', Upload(1, 2, "receipt.pdf")),
        ("report_infeasible('no such field')", Finish("no such field")),
    ],
)
def test_calls_of_browsergym_are_read(reply: str, wanted: Action) -> None:
    """The calls in the form in which BrowserGym documents them are read."""
    assert ACTION_LANGUAGES.get("browsergym").read(reply) == (wanted,)


def test_reasoning_is_passed_over() -> None:
    """Thoughts, prose, bullets, code fences and comments do not hide the actions."""
    reply = (
        "<think>Click(9, 9) maybe</think>The name comes first.\n"
        "```python\n1. Click(10, 20)  # the name\n- `Type(\"Ann\")`\nPress('Tab'); Submit()\n```\n"
    )

    read = ACTION_LANGUAGES.get("paper").read(reply)

    assert read == (Click(10, 20), Type("Ann"), Press("Tab"), Submit())


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("", "no action"),
        ("I cannot do that.", "no action"),
        ("\nFly(1, 2)", "line 2: 'Fly' is no action"),
        ("Click(1)", "line 1: Click without y"),
        ("Click(1, 2, 3)", "button is no text"),
        ("Click('1', 2)", "x is no number"),
        ("Click(1, 2, 'left', 1, 5)", "5 arguments"),
        ("Click(1, 2, z=3)", "with 'z'"),
        ("Click(1, 2, x=3)", "with 'x'"),
        ("Click(1, 2, 'up')", "buttons"),
        ("Click(1, 2, 'left', 1.5)", "once or twice"),
        ("Click(1, 2", "does not end"),
        ("Click(1e999, 2)", "number"),
        ("Click(nan, 2)", "neither a number"),
        ("Click(__import__('os'), 2)", "neither a number"),
        ("Type('open", "neither a number nor a quoted text"),
        ("Type('\\ud800')", "half character"),
        ("Upload(1, 2, ['a', 'b'])", "a list"),
        ("Press('Bogus')", "name of a key"),
        ("Press('a+b')", "name of a key"),
        ("Press('')", "name of a key"),
        ("Now I Click(3, 4) there", "amid a sentence"),
    ],
)
def test_junk_is_unparsed_with_its_place(reply: str, says: str) -> None:
    """Each kind of bad call gives one Unparsed that says what is wrong, and no action."""
    read = ACTION_LANGUAGES.get("paper").read(reply)

    assert [says in item.why for item in read if isinstance(item, Unparsed)] == [True]
    assert len(read) == 1


def test_one_bad_call_costs_one_action() -> None:
    """Calls before and after a bad one are still read, in order."""
    read = ACTION_LANGUAGES.get("paper").read("Click(1, 2)\nClick(oops)\nType('x')")

    assert [type(item) for item in read] == [Click, Unparsed, Type]


def test_endless_replies_are_cut() -> None:
    """A reply with more than a thousand calls is read up to there, and said to be longer."""
    read = ACTION_LANGUAGES.get("paper").read("Click(1, 2)\n" * 5000)

    assert len(read) == 1001
    assert isinstance(read[-1], Unparsed)


@pytest.mark.parametrize("name", NAMES)
def test_a_language_explains_every_verb(name: str) -> None:
    """The lines for a prompt show each verb with its parameters and defaults."""
    language = ACTION_LANGUAGES.get(name)

    lines = language.explain().splitlines()

    assert len(lines) == len(language.verbs)
    assert any('button="left"' in line for line in lines)
