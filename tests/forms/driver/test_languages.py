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
    Drag,
    Finish,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    NextPage,
    Press,
    Scroll,
    Submit,
    Type,
    Upload,
    Wait,
)
from surefoot.forms.driver.language import ACTION_LANGUAGES

NAMES = ("browsergym", "paper", "ui-tars", "qwen", "computer-use")
BUTTONS = st.sampled_from(("left", "middle", "right"))
ONE_KEY = st.sampled_from([*sorted(KEYS), "a", "+", "é"])
numbers = st.floats(-1e6, 1e6).map(lambda value: 0.0 if abs(value) < 1e-12 else value)
texts = st.text(max_size=40)
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Click, numbers, numbers, BUTTONS, st.integers(1, 2)),
    st.builds(Move, numbers, numbers),
    st.builds(MouseDown, numbers, numbers, BUTTONS),
    st.builds(MouseUp, numbers, numbers, BUTTONS),
    st.builds(Drag, numbers, numbers, numbers, numbers),
    st.builds(KeyDown, ONE_KEY),
    st.builds(KeyUp, ONE_KEY),
    st.builds(Wait, st.sampled_from([0.0, 0.25, 1.0, 30.0])),
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
@given(reply=st.text(alphabet="Clicktype_mous(\"'\\[]{}),.=-+0159e#`\n ;ux<>/:A", max_size=80))
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
        ("mouse_move(65.2, 158.5)", Move(65.2, 158.5)),
        ("mouse_down(140.2, 580.1)", MouseDown(140.2, 580.1)),
        ("mouse_up(250, 120, 'right')", MouseUp(250, 120, "right")),
        ("mouse_drag_and_drop(10.7, 325, 235.6, 24.54)", Drag(10.7, 325, 235.6, 24.54)),
        ("keyboard_down('Shift')", KeyDown("Shift")),
        ("keyboard_up('c')", KeyUp("c")),
        ("keyboard_insert_text('Hello world!')", Type("Hello world!")),
        ("noop()", Wait(1.0)),
        ("noop(500)", Wait(0.5)),
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
        ("Click(1, 2, 'left', 1, 'a', 5)", "6 arguments"),
        ("Click(1, 2, z=3)", "with 'z'"),
        ("Click(1, 2, x=3)", "with 'x'"),
        ("Click(1, 2, 'up')", "buttons"),
        ("Click(1, 2, 'left', 1.5)", "once to three times"),
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


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("[402,680] Ann Lee", (Click(402, 680, content="Ann Lee"), Type("Ann Lee"))),
        ('- `[402.5, 680]  O\'Brien "x"`', None),
        ("[402,680]", (Click(402, 680),)),
        ("[A15_3][706,1409][click][Student Loans]", (Click(706, 1409, content="Student Loans"),)),
        ("[fig] [7, 9] [Click] [a] b]", (Click(7, 9, content="a] b"),)),
        ("[7,9][type][2025/02/02]", (Click(7, 9, content="2025/02/02"), Type("2025/02/02"))),
        ("[fig][7,9][click][]", (Click(7, 9),)),
        ("Click(7, 9, content='Grants')", (Click(7, 9, content="Grants"),)),
    ],
)
def test_lines_of_the_paper_are_read(line: str, wanted: tuple[Action, ...] | None) -> None:
    """A point with its content clicks and types; one that says "click" only clicks."""
    wanted = wanted or (Click(402.5, 680, content='O\'Brien "x"'), Type('O\'Brien "x"'))

    read = ACTION_LANGUAGES.get("paper").read(f"Here it is:\n```\n{line}\nSubmit()\n```\n")

    assert read == (*wanted, Submit())


@pytest.mark.parametrize("line", ["[fig][7,9][fly][a]", "[9e9999,2] a", "[1,2,3] a"])
def test_other_lines_are_no_actions_of_the_paper(line: str) -> None:
    """A verb that there is not, and what is no point, do nothing."""
    read = ACTION_LANGUAGES.get("paper").read(line)

    assert all(isinstance(item, Unparsed) for item in read)


BOX = "<|box_start|>(84,54)<|box_end|>"


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        (f"Thought: I click(1) it.\nAction: click(start_box='{BOX}')", (Click(84, 54),)),
        ("Action: click(point='<point>84 54</point>')", (Click(84, 54),)),
        ("click(start_box='(84,54)')\n\ntype(content='Ann')", (Click(84, 54), Type("Ann"))),
        ("Action: click(start_box='[80, 50, 88, 58]')", (Click(84, 54),)),
        ("Action: left_double(start_box='(84,54)')", (Click(84, 54, count=2),)),
        ("Action: right_single(point='84 54')", (Click(84, 54, "right"),)),
        (
            "Action: drag(start_box='(1,2)', end_box='(3,4)')",
            (Drag(1, 2, 3, 4),),
        ),
        ("Action: type(content='it's \\'so\\'\\n')", (Type("it's 'so'\n"),)),
        ("Action: hotkey(key='ctrl shift a')", (Press("Control+Shift+a"),)),
        ("Action: hotkey(key='enter')", (Press("Enter"),)),
        ("Action: scroll(start_box='(5,6)', direction='up')", (Scroll(0, -500, 5, 6),)),
        ("Action: scroll(direction='right')", (Scroll(500, 0),)),
        ("Action: wait()", (Wait(5.0),)),
        ("Action: finished(content='done')", (Finish("done"),)),
        ("Action: finished()", (Finish(),)),
        ("Action: next_page()\nThought: next.\nAction: submit_form()", (NextPage(), Submit())),
    ],
)
def test_actions_of_ui_tars_are_read(reply: str, wanted: tuple[Action, ...]) -> None:
    """Boxes with and without tokens, points, thoughts and bare apostrophes are understood."""
    assert ACTION_LANGUAGES.get("ui-tars").read(reply) == wanted


def call_of_qwen(arguments: str) -> str:
    """Return a call of Qwen's tool."""
    return f'<tool_call>\n{{"name": "computer_use", "arguments": {arguments}}}\n</tool_call>'


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        (call_of_qwen('{"action": "left_click", "coordinate": [84, 54]}'), (Click(84, 54),)),
        (
            call_of_qwen('{"action": "left_click", "coordinate": [80, 50, 88, 58]}'),
            (Click(84, 54),),
        ),
        (call_of_qwen('{"action": "key", "keys": ["ctrl", "a"]}'), (Press("Control+a"),)),
        (call_of_qwen('{"action": "type", "text": "O\'Brien \\u00e9"}'), (Type("O'Brien é"),)),
        (call_of_qwen('{"action": "scroll", "pixels": -300}'), (Scroll(0, 300),)),
        (call_of_qwen('{"action": "hscroll", "pixels": -300}'), (Scroll(300, 0),)),
        (call_of_qwen('{"action": "wait", "time": 2}'), (Wait(2.0),)),
        (call_of_qwen('{"action": "terminate", "status": "failure"}'), (Finish("failure"),)),
        (call_of_qwen('{"action": "answer", "text": "so"}'), (Finish("so"),)),
        (
            "<think>{}</think>" + call_of_qwen('{"action": "triple_click", "coordinate": [1, 2]}'),
            (Click(1, 2, count=3),),
        ),
        ('{"action": "left_click", "coordinate": [84, 54]}', (Click(84, 54),)),
        ('{"action": "key", "text": "Return"}', (Press("Enter"),)),
        ('{"action": "key", "text": "ctrl+Page_Down"}', (Press("Control+PageDown"),)),
        (
            (
                '{"action": "scroll", "coordinate": [5, 6], "scroll_direction": "down", '
                '"scroll_amount": 3}'
            ),
            (Scroll(0, 300, 5, 6),),
        ),
        (
            '{"action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [3, 4]}',
            (Drag(1, 2, 3, 4),),
        ),
        ('{"action": "screenshot"}', (Wait(0.0),)),
        (
            '{"type": "tool_use", "name": "computer", "input": {"action": "type", "text": "a"}}',
            (Type("a"),),
        ),
        ('{"type": "click", "x": 84, "y": 54, "button": "right"}', (Click(84, 54, "right"),)),
        (
            (
                '[{"type": "computer_call", "action": {"type": "keypress", "keys": '
                '["CTRL", "A"]}}, {"type": "computer_call", '
                '"action": {"type": "type", "text": "x"}}]'
            ),
            (Press("Control+a"), Type("x")),
        ),
        (
            '{"type": "scroll", "x": 5, "y": 6, "scroll_x": 0, "scroll_y": -80}',
            (Scroll(0, -80, 5, 6),),
        ),
        (
            '{"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 9, "y": 9}, {"x": 3, "y": 4}]}',
            (Drag(1, 2, 3, 4),),
        ),
        (
            (
                '{"function": {"name": "computer_use", "arguments": '
                '"{\\"action\\": \\"mouse_move\\", \\"coordinate\\": [1, 2]}"}}'
            ),
            (Move(1, 2),),
        ),
        ('{"name": "click_at", "args": {"x": 84, "y": 54}}', (Click(84, 54),)),
        (
            '{"name": "type_text_at", "args": {"x": 1, "y": 2, "text": "a", "press_enter": true}}',
            (Click(1, 2), Press("Control+a"), Type("a"), Press("Enter")),
        ),
        ('{"name": "scroll_document", "args": {"direction": "down"}}', (Scroll(0, 500),)),
        ('{"action": "upload_file", "coordinate": [1, 2], "file": "a"}', (Upload(1, 2, "a"),)),
    ],
)
@pytest.mark.parametrize("name", ["qwen", "computer-use"])
def test_calls_of_computer_tools_are_read(
    name: str, reply: str, wanted: tuple[Action, ...]
) -> None:
    """The shapes that Qwen, Anthropic, OpenAI and Gemini document are read alike."""
    assert ACTION_LANGUAGES.get(name).read(reply) == wanted


@pytest.mark.parametrize(
    ("name", "reply", "says"),
    [
        ("qwen", call_of_qwen('{"action": "fly"}'), "'fly' is no action"),
        ("qwen", call_of_qwen('{"action": "left_click"}'), "a number as x"),
        ("qwen", call_of_qwen('{"action": "left_click", "coordinate": [1]}'), "two numbers"),
        ("qwen", call_of_qwen('{"action": "left_click", "coordinate": ["1", 2]}'), "a number"),
        ("qwen", call_of_qwen('{"action": "left_click", "coordinate": [true, 2]}'), "a number"),
        ("qwen", call_of_qwen('{"action": "left_click", "coordinate": [1e999, 2]}'), "a number"),
        ("qwen", call_of_qwen('{"action": "left_click_drag", "coordinate": [1, 2]}'), "begins"),
        ("qwen", call_of_qwen('{"action": "key", "keys": ["bogus"]}'), "name of a key"),
        ("qwen", call_of_qwen('{"action": "key", "keys": 7}'), "keys"),
        ("qwen", call_of_qwen('{"action": "type"}'), "a text as text"),
        ("qwen", call_of_qwen('{"action": "type", "text": "\\ud800"}'), "half a letter"),
        ("qwen", call_of_qwen('{"action": "wait", "time": 1e6}'), "seconds to wait"),
        ("computer-use", '{"action": "left_click", "coordinate": [1', "no JSON"),
        ("computer-use", "I would click.", "no action"),
        ("ui-tars", "Action: click(start_box='(84)')", "two numbers"),
        ("ui-tars", "Action: click()", "a point"),
        ("ui-tars", "Action: fly(start_box='(1,2)')", "'fly' is no action"),
        ("ui-tars", "Action: scroll(start_box='(1,2)')", "a direction"),
        ("ui-tars", "Action: hotkey(key='')", "name of a key"),
        ("ui-tars", "Action: type(content=7)", "a text"),
        ("ui-tars", "Thought: nothing.", "no action"),
    ],
)
def test_what_no_tool_has_is_counted(name: str, reply: str, says: str) -> None:
    """An unknown action, half a point and broken JSON do nothing, and say what is wrong."""
    (read,) = ACTION_LANGUAGES.get(name).read(reply)

    assert isinstance(read, Unparsed)
    assert says in read.why


@pytest.mark.parametrize(
    "text", ["{" * 90_000, '{"a":' * 20_000, '{"a": "' * 20_000, "[" * 90_000]
)
def test_endless_json_is_no_action(text: str) -> None:
    """A reply made to exhaust the reader is refused by it."""
    read = ACTION_LANGUAGES.get("qwen").read(text)

    assert read
    assert all(isinstance(item, Unparsed) for item in read)


@pytest.mark.parametrize("name", NAMES)
def test_a_language_explains_every_verb(name: str) -> None:
    """The lines for a prompt show each verb with its parameters and defaults."""
    language = ACTION_LANGUAGES.get(name)

    lines = language.explain().splitlines()

    told = [verb for verb in language.verbs if verb.told]
    assert len(lines) == len(told or language.lines)
    assert not told or any('button="left"' in line for line in lines)
