"""
A model that is told the boxes and values of a form, and asked as any other: over HTTP.

It sees no list of options, so it types them, as a model does that answers one page at a time.
"""

from __future__ import annotations

import contextlib
import http.server
import itertools
import json
import threading
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from surefoot.core.geometry import Point
from surefoot.forms.driver.actions import Action, Click, Press, Scroll, Type
from surefoot.forms.driver.agent import Policy
from surefoot.forms.driver.executor import ExecutedAction
from surefoot.forms.driver.language import ACTION_LANGUAGES
from surefoot.forms.rendering import Rendering
from surefoot.forms.specification import Field, Form, Kind, said
from surefoot.models import FORMATS
from surefoot.run.forms.models import AskOptions
from surefoot.run.forms.prompts import placed
from surefoot.run.forms.units import FormResult, Turn

ASKED: Final[dict[Policy, AskOptions]] = {
    "page": AskOptions("page", "browsergym", "json"),
    "step": AskOptions("step", "browsergym", "json"),
}


class ScriptedServer:
    """
    Say what is in its script, reply by reply, in the shape of OpenAI's chat completions.

    ``base`` is its address. A request after the last reply gets an empty one.
    """

    def __init__(self, base: str) -> None:
        self.base = base
        self._script: deque[str] = deque()

    def put(self, script: Iterable[str]) -> None:
        """Begin another script."""
        self._script = deque(script)

    def reply(self) -> str:
        """Take the next reply."""
        return self._script.popleft() if self._script else ""


@contextlib.contextmanager
def scripted_server() -> Iterator[ScriptedServer]:
    """Serve scripts on the loopback interface, one request at a time."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            body = completion(scripted.reply())
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            del format, args

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        scripted = ScriptedServer(f"http://127.0.0.1:{server.server_address[1]}/v1")
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield scripted
        finally:
            server.shutdown()
            thread.join()


def completion(text: str) -> bytes:
    """
    Return a reply as a chat completion.

    >>> completion("noop()")
    b'{"choices": [{"message": {"content": "noop()"}}]}'
    """
    return json.dumps({"choices": [{"message": {"content": text}}]}).encode()


def replies(oracle: FormResult, form: Form, look: Rendering, policy: Policy) -> list[str]:
    """
    Spell what the oracle did as the replies of a model that knew boxes and values alone.

    There is one reply a page, or, step by step, one for each field and each button.
    """
    steps = [
        (turn, list(effects))
        for turn in oracle.turns
        for _, effects in itertools.groupby(turn.effects, lambda one: one.field or one.button)
    ]
    entered: set[str] = set()
    by_step: list[tuple[int, str]] = []
    for turn, effects in steps:
        done = [*_typed(effects, form, look, entered)]
        if look.theme == "antd" and any(_is_date(form, effect) for effect in effects):
            done.append(Press("Tab"))  # its field takes a date when the focus goes on
            entered |= {effect.field for effect in effects}
        turned = [action.action for action in effects if action.button in {"next", "submit"}]
        if policy == "step":
            done += turned
        if done:
            by_step.append((turn.page, _spelt(done, turn, policy)))
    if policy == "step":
        return [_fenced([text]) for _, text in by_step]
    pages = itertools.groupby(by_step, lambda step: step[0])
    return [_fenced([text for _, text in told]) for _, told in pages]


def _spelt(actions: Sequence[Action], turn: Turn, policy: Policy) -> str:
    asked = ASKED[policy]
    space, write = FORMATS.get(asked.format).space, ACTION_LANGUAGES.get(asked.actions).write

    def own(x: float, y: float) -> tuple[float, float]:
        return space.from_image(Point(x, y), width=turn.width, height=turn.height)

    return "\n".join(write(placed(action, own)) for action in actions)


def _fenced(texts: Iterable[str]) -> str:
    return "\n".join(["```", *texts, "```"])


def _is_date(form: Form, effect: ExecutedAction) -> bool:
    field = form.field(effect.field)
    return (
        isinstance(effect.action, Type) and field is not None and field.traits.widget is Kind.DATE
    )


def _typed(
    effects: Iterable[ExecutedAction], form: Form, look: Rendering, entered: Collection[str]
) -> Iterator[Action]:
    """
    Yield what is done without sight of a list: its options are typed.

    Fields that were ``entered`` rightly are left as they are.
    """
    for effect in effects:
        field = form.field(effect.field)
        if effect.field in entered:
            continue
        if field is None or field.traits.widget is not Kind.DROP_DOWN:
            if effect.button not in {"next", "submit"}:
                yield effect.action
        elif isinstance(effect.action, Click) and effect.option:
            yield from _chosen(field, effect.option, look)
        elif not isinstance(effect.action, Scroll):
            yield effect.action


def _chosen(field: Field, value: str, look: Rendering) -> Iterator[Action]:
    """
    Yield what chooses an option of an open list: its text, and Enter.

    The lists of MUI search no further than a space: the first word is typed, and the arrow
    goes on from the first option that begins with it.
    """
    labels = [said(option.label, look.language) for option in field.options]
    label = labels[[option.value for option in field.options].index(value)]
    if look.theme == "mui":
        first = label.split()[0]
        found = next(item for item in labels if item.casefold().startswith(first.casefold()))
        yield Type(first)
        yield from [Press("ArrowDown")] * (labels.index(label) - labels.index(found))
    else:
        yield Type(label)
    yield Press("Enter")
