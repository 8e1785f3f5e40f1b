"""
Messages between coordinator and worker: whole or none.
"""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError, MissingComponentError, SurefootError
from surefoot.run.engine.wire import (
    HEADER,
    FinishMessage,
    FromWorker,
    Ready,
    Result,
    StartMessage,
    TaskMessage,
    ToWorker,
    Trouble,
    body_length,
    frame,
    parse_reply,
    read_task,
)

TASKS: list[ToWorker] = [
    StartMessage("a:b", {"x": [1, "é"]}),
    TaskMessage({"n": 1}),
    TaskMessage({}),
    FinishMessage(),
]


def test_tasks_arrive_in_order() -> None:
    """Messages written one after the other are read one after the other, then the end."""
    stream = io.BytesIO(b"".join(map(frame, TASKS)))
    assert [read_task(stream) for _ in range(5)] == [*TASKS, None]


@given(cut=st.integers(0, len(frame(TASKS[0])) - 1))
def test_a_torn_message_is_the_end(cut: int) -> None:
    """A coordinator that died while writing is one that has gone."""
    assert read_task(io.BytesIO(frame(TASKS[0])[:cut])) is None


@given(payload=st.binary(max_size=300), seconds=st.floats(0, 9))
def test_replies_keep_every_byte(payload: bytes, seconds: float) -> None:
    """Any payload comes back, and so do the other kinds of reply."""
    trouble = Trouble("bug", "text", "SurefootError", ("a", "b", "c"), 0.5)
    replies: list[FromWorker] = [Ready(), Result(payload, seconds), trouble]
    for reply in replies:
        data = frame(reply)
        assert body_length(data[:HEADER]) == len(data) - HEADER
        assert parse_reply(data[HEADER:]) == reply


@pytest.mark.parametrize("body", [b"", b"hello", b"{}", b'{"type":"task","body":{}}'])
def test_nonsense_is_refused(body: bytes) -> None:
    """What no worker of ours says is an error, not a result."""
    with pytest.raises(InvalidInputError, match="a worker's reply"):
        parse_reply(body)
    with pytest.raises(InvalidInputError, match="at most"):
        body_length(b"hello wo")


def test_errors_cross_the_wire() -> None:
    """An error that ends the run is raised as the class it was; a unit's failure is not."""
    parts = ("fonts", "none", "install some")
    with pytest.raises(MissingComponentError, match=r"fonts, found none\. Install some"):
        Trouble("stopped", "", "MissingComponentError", parts).end_run()
    with pytest.raises(SurefootError, match="Expected fonts"):
        Trouble("stopped", "", "NoSuchError", parts).end_run()
    Trouble("timeout", "text").end_run()
