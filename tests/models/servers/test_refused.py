"""
Refusals of parameters, in the words that services were seen to use.
"""

from __future__ import annotations

import json
from typing import Final

import pytest

from surefoot.models.servers.refused import accepted, refused_parameter

SENT: Final = ("max_tokens", "temperature", "seed", "stream")
# As reported by users of OpenAI, Azure, Gemini's compatible address, Mistral, vLLM, Anthropic.
RECORDED: Final = [
    (
        "temperature",
        """{"error": {"message": "Unsupported value: 'temperature' does not support 0 with this
        model. Only the default (1) value is supported.", "type": "invalid_request_error",
        "param": "temperature", "code": "unsupported_value"}}""",
    ),
    (
        "temperature",
        """{"error": {"message": "Unsupported parameter: 'temperature' is not supported with this
        model.", "type": "invalid_request_error", "param": "temperature",
        "code": "unsupported_parameter"}}""",
    ),
    (
        "max_tokens",
        """{"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this
        model. Use 'max_completion_tokens' instead.", "code": "invalid_request_body"}}""",
    ),
    (
        "seed",
        r"""[{"error": {"code": 400, "message": "Invalid JSON payload received. Unknown name
        \"frequency_penalty\": Cannot find field.\nInvalid JSON payload received. Unknown name
        \"seed\": Cannot find field.", "status": "INVALID_ARGUMENT"}}]""",
    ),
    (
        "seed",
        """{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","seed"],
        "msg":"Extra inputs are not permitted","input":0}]},"type":"invalid_request_error"}""",
    ),
    (
        "seed",
        """{'object': 'error', 'message': "[{'type': 'extra_forbidden', 'loc': ('body', 'seed'),
        'msg': 'Extra inputs are not permitted', 'input': 0}]", 'type': 'BadRequestError'}""",
    ),
    (
        "temperature",
        """{"error":{"message":"`temperature` and `top_p` cannot both be specified for this model.
        Please use only one.","type":"invalid_request_error"}}""",
    ),
]


@pytest.mark.parametrize(("name", "words"), RECORDED)
def test_recorded_refusals_name_their_parameter(name: str, words: str) -> None:
    """Of each service's refusal the parameter is found, whatever else was sent."""
    line = " ".join(words.split())

    assert refused_parameter(line, SENT) == name
    assert refused_parameter(json.dumps(line), SENT) == name
    assert refused_parameter(line, ["stream"]) == ""


@pytest.mark.parametrize(
    "words",
    [
        "",
        "max_tokens must be at least 1, got 0",
        "'max_tokens' is too large: 128000. This model supports at most 16384 completion tokens",
        "This model's maximum context length is 4096 tokens. Reduce the length of the messages.",
        '{"detail":[{"type":"missing","loc":["body","messages"],"msg":"Field required"}]}',
        "the model `seed` does not exist",
    ],
)
def test_other_faults_are_no_refusals(words: str) -> None:
    """A limit that is too large, or a fault of another field, takes nothing out of a request."""
    assert refused_parameter(words, SENT) == ""


def test_a_refused_new_limit_leaves_none() -> None:
    """A server that takes neither limit is sent neither."""
    settings = {"max_tokens": 128, "temperature": 0.0}

    assert accepted(settings, {"max_tokens"}, limited=True) == {
        "max_completion_tokens": 128,
        "temperature": 0.0,
    }
    assert accepted(settings, {"max_tokens", "max_completion_tokens"}, limited=True) == {
        "temperature": 0.0
    }
