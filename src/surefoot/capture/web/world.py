"""
Our own world in a page: functions that the page can neither see nor replace.

Chromium gives an isolated world the same nodes but its own globals, so prototypes that the
page has changed do no harm; what its forms and fields are called does none either, since nodes
are read through ``dom.js`` alone. Every call but the wait for a frame is one synchronous
evaluation, since in an archived page (MHTML) no timer, frame or observer ever fires.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeVar

import msgspec
from playwright.sync_api import CDPSession, Error, Page

from surefoot.capture.web.chromium import page_script
from surefoot.core.errors import CaptureError

T = TypeVar("T")


class SinceEdits(msgspec.Struct, frozen=True):
    """
    Say what is known of a page since it was edited.

    ``is_closed`` tells whether there can be no shadow root that our side of the page has not been
    told of. ``layout`` is the edited page's before anything of its own could run, where nothing
    has run since and nothing is about to, else None.
    """

    is_closed: bool = False
    layout: int | None = None


LONGEST: Final = 300
NOWHERE: Final[Mapping[int, int]] = MappingProxyType({})
ELEMENT: Final = 1
_EVERYTHING: Final = {"depth": -1, "pierce": True}
CLICKS: Final = frozenset({"click", "mousedown", "mouseup", "pointerdown", "pointerup"})
HOVERS: Final = frozenset({"mouseenter", "mouseover", "pointerenter", "pointerover"})
SCRIPTS: Final = (
    "dom",
    "tree",
    "pointing",
    "roles",
    "names",
    "visibility",
    "colors",
    "painted",
    "standins",
    "controls",
    "groups",
    "sections",
    "collect",
    "unrecorded",
    "settle",
    "edits",
    "acting",
    "asked",
    "contrast",
    "mending",
    "tiles",
    "recorded",
    "resources",
    "structure",
    "glyphs",
    "freeze",
    "thaw",
    "restoring",
)


@functools.cache
def _library() -> str:
    return "\n".join(page_script(f"{name}.js") for name in SCRIPTS)


class World:
    """
    Call the page's side of capture by name; answers are decoded to the wanted type.

    ``session`` is the DevTools session that the world was made with. ``since_edits`` says what
    is known of the page since it was edited: nothing, unless somebody watches it. ``stirs`` tells
    whether a frame may do more to the edited page than draw it.
    """

    since_edits: Callable[[], SinceEdits] = staticmethod(SinceEdits)
    stirs: Callable[[], bool] = staticmethod(lambda: True)

    def __init__(self, page: Page) -> None:
        self._heard: dict[str, list[int]] = {}
        self.session: CDPSession = page.context.new_cdp_session(page)
        frame = self.session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        made = self.session.send("Page.createIsolatedWorld", {"frameId": frame})
        self._context = int(made["executionContextId"])
        self._evaluate(_library() + "\n;''")

    def call(self, kind: type[T], function: str, *arguments: object) -> T:
        """
        Call a function of the page's side and decode what it returns.

        Raises CaptureError "script-error" where it throws, and "navigated-away" where the
        world is gone.
        """
        spelled = ",".join(json.dumps(argument) for argument in arguments)
        answer = self._evaluate(f"JSON.stringify(surefoot.{function}({spelled}))")
        return msgspec.json.decode(answer, type=kind)

    def call_after_frame(self, kind: type[T], function: str, *arguments: object) -> T:
        """
        Do as ``call`` does, after what ``await_frame`` waits for.
        """
        spelled = ",".join(json.dumps(argument) for argument in arguments)
        return self._await(kind, f"surefoot.afterFrame(() => surefoot.{function}({spelled}))")

    def call_awaited(self, kind: type[T], function: str) -> T:
        """Do as ``call`` does with a function that returns a promise."""
        return self._await(kind, f"surefoot.{function}()")

    def _await(self, kind: type[T], promise: str) -> T:
        spelled = f"{promise}.then((found) => JSON.stringify(found))"
        answer = self._send(spelled, by_value=True, awaited=True)["result"]["value"]
        return msgspec.json.decode(answer, type=kind)

    def await_frame(self) -> None:
        """
        Wait until the browser has drawn a frame and its observers have been told.

        Not for archived pages, in which no frame ever comes; the wait then ends by itself.
        """
        self._send("surefoot.nextFrame()", by_value=True, awaited=True)

    def hear(self, *, later: bool = False) -> None:
        """
        Tell our side of the page which nodes its scripts listen to for clicks and for hovering.

        ``later`` leaves the telling to ``read_tree``, which knows most nodes by their places.
        No script of a page can see the listeners of another; the debugger can. It is asked
        from the page's own world: from ours it compiles handlers that stand in attributes in
        the wrong one, of which the page dies.
        """
        page = self.session.send("Runtime.evaluate", {"expression": "document"})["result"]
        found = self.session.send(
            "DOMDebugger.getEventListeners",
            {"objectId": page["objectId"], "depth": -1, "pierce": True},
        )["listeners"]
        nodes: dict[str, list[int]] = {}
        for function, kinds in (("listening", CLICKS), ("hovering", HOVERS)):
            heard = {
                listener["backendNodeId"]
                for listener in found
                if listener["type"] in kinds and "backendNodeId" in listener
            }
            nodes[function] = sorted(heard)
        if later:
            self._heard = nodes
        else:
            self._tell_heard(nodes)

    def _tell_heard(
        self, heard: Mapping[str, Sequence[int]], places: Mapping[int, int] = NOWHERE
    ) -> None:
        """Hand the nodes over that are listened to, but for those with one of these places."""
        for function, nodes in heard.items():
            self._hand(function, [self._resolved(node) for node in nodes if node not in places])

    def thaw(self) -> bool:
        """
        Bring back what no markup says of a frozen document, such as its canvases.

        Tell whether something has the focus.
        """
        self.session.send("Runtime.evaluate", {"expression": page_script("define.js")})
        self.open_roots()
        answer = self._send("surefoot.thaw()", by_value=True, awaited=True)
        return bool(answer["result"]["value"])

    def open_roots(self) -> dict[str, Any]:
        """
        Tell our side of the page the closed shadow roots, which only the protocol shows.

        Return the document as the protocol describes it.
        """
        root: dict[str, Any] = self.session.send("DOM.getDocument", _EVERYTHING)["root"]
        try:
            if roots := [self._resolved(node) for node in _closed_roots(root)]:
                self._hand("openRoots", roots)
        finally:
            # Else every later change of the page would be told to us.
            self.session.send("DOM.disable")
        return root

    def read_tree(self) -> None:
        """
        Tell our side of the page the roles and names of the browser's accessibility tree.

        And the nodes that ``hear`` has left to be told.
        """
        places = {node: place for place, node in enumerate(_elements(self.open_roots()))}
        rows = [
            (places[node["backendDOMNodeId"]], node["role"]["value"], node["name"]["value"])
            for node in self.session.send("Accessibility.getFullAXTree")["nodes"]
            if not node["ignored"] and "name" in node and node.get("backendDOMNodeId") in places
        ]
        heard, self._heard = self._heard, {}
        self._tell_heard(heard, places)
        known = {
            function: [places[node] for node in nodes if node in places]
            for function, nodes in heard.items()
        }
        if not self.call(bool, "readTree", len(places), rows, known):
            self._tell_heard(heard)

    def written(self) -> list[list[str]]:
        """Return the words that scripts wrote on each canvas of the document, in its order."""
        asked = "JSON.stringify(globalThis[Symbol.for('surefoot.canvases')]?.() ?? [])"
        result = self.session.send(
            "Runtime.evaluate", {"expression": asked, "returnByValue": True}
        )
        return _lists_of_words(result.get("result", {}).get("value"))

    def _hand(self, function: str, nodes: Iterable[str]) -> None:
        """Call a function of the page's side with nodes, by their ids as objects of our world."""
        given = [{"objectId": node} for node in nodes if node]
        self.session.send(
            "Runtime.callFunctionOn",
            {
                "executionContextId": self._context,
                "functionDeclaration": f"function (...nodes) {{ surefoot.{function}(nodes); }}",
                "arguments": given,
            },
        )

    def _resolved(self, node: int) -> str:
        """Return a node as an object of our world, "" where it is of another frame or gone."""
        wanted = {"backendNodeId": node, "executionContextId": self._context}
        try:
            return str(self.session.send("DOM.resolveNode", wanted)["object"].get("objectId", ""))
        except Error:
            return ""

    def handle(self, expression: str) -> str:
        """Evaluate an expression and return the remote object's id."""
        result = self._send(expression, by_value=False)
        return str(result["result"]["objectId"])

    def close(self) -> None:
        """Let go of the session."""
        self.session.detach()

    def _evaluate(self, expression: str) -> str:
        return str(self._send(expression, by_value=True)["result"]["value"])

    def _send(self, expression: str, *, by_value: bool, awaited: bool = False) -> dict[str, Any]:
        try:
            result = self.session.send(
                "Runtime.evaluate",
                {
                    "expression": expression,
                    "contextId": self._context,
                    "returnByValue": by_value,
                    "awaitPromise": awaited,
                },
            )
        except Error as error:
            if not any(sign in str(error) for sign in ("context", "target navigated")):
                raise
            raise CaptureError(
                "navigated-away", expected="the page that was opened", found="another document"
            ) from error
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            found = details.get("exception", {}).get("description", details["text"])
            raise CaptureError(
                "script-error",
                expected="a page that can be measured",
                found=f"that measuring it failed: {str(found).partition(chr(10))[0][:LONGEST]}",
            )
        return result


def _lists_of_words(found: object) -> list[list[str]]:
    """Read what a page's own world says, which a page may have changed."""
    try:
        return msgspec.json.decode(str(found), type=list[list[str]])
    except msgspec.MsgspecError:
        return []


def _closed_roots(root: dict[str, Any]) -> Iterator[int]:
    """Yield the closed shadow roots of a document, those within others after them."""
    pending = [root]
    while pending:
        node = pending.pop()
        roots = node.get("shadowRoots", [])
        yield from (item["backendNodeId"] for item in roots if item["shadowRootType"] == "closed")
        inner = [node["contentDocument"]] if "contentDocument" in node else []
        pending += [*roots, *node.get("children", []), *inner]


def _elements(root: dict[str, Any]) -> Iterator[int]:
    """Yield the elements of a document, those of a shadow root before its host's children."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node["nodeType"] == ELEMENT:
            yield node["backendNodeId"]
        roots = node.get("shadowRoots", [])
        shown = [item for item in roots if item["shadowRootType"] != "user-agent"]
        inside = [child for item in (*shown, node) for child in item.get("children", [])]
        pending += reversed(inside)
