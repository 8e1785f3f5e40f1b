"""
Bytes of requests, and replies in all their shapes.
"""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.question import Refusal, Usage
from surefoot.models.format import ChatMessages
from surefoot.models.opening import FORMATS
from surefoot.models.servers.chat import ImageParts, chat_body, read_completion

PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)
WORDS = st.text(st.characters(exclude_categories=["Cs"]))


@given(WORDS, WORDS, WORDS, st.booleans(), st.integers(1, 3))
def test_joined_bytes_are_the_json_that_was_meant(
    model: str, system: str, user: str, first: bool, count: int
) -> None:
    """The body that is joined from parts equals the one that an encoder would write."""
    parts = [ImageParts().part(str(number), PNG + bytes(number)) for number in range(count)]
    body = chat_body(model, ChatMessages(system, user, first), parts, {"seed": 1, "top_p": None})
    text = {"type": "text", "text": user}
    pictures = [json.loads(part) for part in parts]
    messages: list[dict[str, object]] = [{"role": "system", "content": system}] if system else []
    messages.append({"role": "user", "content": [*pictures, text] if first else [text, *pictures]})
    assert json.loads(body) == {"model": model, "seed": 1, "messages": messages}


@given(WORDS, WORDS)
def test_words_alone_are_plain_text(system: str, user: str) -> None:
    """Without an image the user's turn is a string, which servers without eyes take too."""
    body = json.loads(chat_body("m", ChatMessages(system, user), (), {}))
    assert body["messages"][-1] == {"role": "user", "content": user}
    assert len(body["messages"]) == 1 + bool(system)


def test_the_cache_is_bounded_and_keeps_the_latest() -> None:
    """The cache never holds more than its limit, and forgets the image used longest ago."""
    size = len(ImageParts().part("a", PNG))
    parts = ImageParts(limit=2 * size)
    for name in ("a", "b", "a", "c", "a", "b"):
        parts.part(name, PNG)
    assert parts.held <= 2 * size
    assert parts.built == 4


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"content": "hi"}, "hi"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "ab"),
        ({"content": None, "refusal": "I will not"}, '{"refusal": "I will not"}'),
        ({"content": ""}, ""),
        ({}, ""),
        (
            {
                "content": None,
                "tool_calls": [{"function": {"name": "f", "arguments": '{"coordinate": [1, 2]}'}}],
            },
            '<tool_call>\n{"name": "f", "arguments": {"coordinate": [1, 2]}}\n</tool_call>',
        ),
    ],
)
def test_texts(message: dict[str, object], expected: str) -> None:
    """Text, parts, refusals and tool calls all become the text that the model wrote."""
    data = json.dumps({"choices": [{"message": message}]}).encode()
    assert read_completion(data).text == expected


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 5, "completion_tokens": 7, "cost": 0.5}, Usage(5, 7, 0.5)),
        ({"prompt_tokens": "5", "completion_tokens": -7, "cost": "x"}, Usage()),
        ({"prompt_tokens": 10**30, "cost": 1e300}, Usage()),
        (None, Usage()),
        ("much", Usage()),
    ],
)
def test_usage_is_read_where_it_makes_sense(usage: object, expected: Usage) -> None:
    """Nonsense in usage counts as none; it never loses the reply."""
    data = json.dumps({"choices": [{"message": {"content": "a"}}], "usage": usage}).encode()
    assert read_completion(data).usage == expected


def test_no_choice_is_an_error() -> None:
    """A completion without choices is no completion."""
    with pytest.raises(msgspec.ValidationError):
        read_completion(b'{"choices": []}')


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b'"cut \\ud83d"', "cut ?"),
        (b'"cut \xf0\x9f\x98"', "cut \ufffd"),
        (b'[{"text": "\\ud83d"}, {"text": "\\ude42"}, {"text": 3}]', "\U0001f642"),
    ],
)
def test_half_a_letter_costs_no_reply(content: bytes, text: str) -> None:
    """A letter that was cut is replaced; halves in two parts are one letter again."""
    data = b'{"choices": [{"message": {"content": %s}}]}' % content
    assert read_completion(data).text == text


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ({"message": {"content": None, "refusal": "I can't."}}, "I can't."),
        ({"message": {"content": "", "refusal": "I can't."}, "finish_reason": "stop"}, "I can't."),
        ({"message": {"content": None}, "finish_reason": "content_filter"}, "content_filter"),
        ({"message": {"content": "I"}, "finish_reason": "content_filter"}, "content_filter"),
        (
            {"message": {"content": [{"type": "refusal", "refusal": "I can't."}]}},
            "I can't.",
        ),
        (
            {"message": {"content": [{"type": "text", "text": "No."}, {"refusal": "I can't."}]}},
            "I can't.",
        ),
        (
            {"message": {"content": None, "refusal": "I can't."}, "finish_reason": "length"},
            "I can't.",
        ),
    ],
)
@pytest.mark.parametrize("name", sorted(FORMATS.entries))
def test_a_refusal_outside_the_text_declines(
    name: str, choice: dict[str, object], reason: str
) -> None:
    """However a server tells a refusal, it is one in every format, and not cut."""
    reply = read_completion(json.dumps({"choices": [choice]}).encode())

    assert not reply.cut
    assert FORMATS.get(name).read(reply.text) == Refusal(reason)


@pytest.mark.parametrize(
    ("reason", "cut"),
    [
        ("length", True),
        ("LENGTH", True),
        ("max_tokens", True),
        ("MAX_TOKENS", True),
        ("model_length", True),
        ("max_output_tokens", True),
        ("model_context_window_exceeded", True),
        ("stop", False),
        ("tool_calls", False),
        ("eos", False),
        (None, False),
        (3, False),
    ],
)
def test_what_the_limit_of_tokens_ended_is_cut(reason: object, cut: bool) -> None:
    """The reasons that servers give for a limit of tokens say that a reply was cut."""
    choice = {"message": {"content": "(1, 2)"}, "finish_reason": reason}

    assert read_completion(json.dumps({"choices": [choice]}).encode()).cut is cut
