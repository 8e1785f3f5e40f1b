"""
The steps that an agent posts, read as hostile input.
"""

from __future__ import annotations

import threading
from typing import Final

import msgspec

from surefoot.capture.described.pairs import decode_picture
from surefoot.capture.live.protocol import LONGEST_WORDS, PostedStep
from surefoot.capture.settings import Limits
from surefoot.core.errors import CaptureError, InvalidInputError
from surefoot.core.store import ObjectStore
from surefoot.run.asking.traces import TracedStep

LARGEST_STEP: Final = 16 << 20
"""
How many bytes a posted step may have: its picture in base64, its words as JSON escapes them.
"""
_LIMITS: Final = Limits(pixels=1 << 25, side_px=1 << 15)
_DECODING: Final = threading.Lock()  # one picture in memory at a time, whoever posts


def keep_step(posted: PostedStep, store: ObjectStore) -> TracedStep:
    """
    Store a posted step's picture, and return the step as a trace has it.

    The picture is a PNG of at most 33 million pixels. Raises InvalidInputError for one that
    does not decode or is larger, for too many words, and for a step with nothing in it.
    """
    action = action_words(posted.action)
    thought = posted.thought
    if not (action or thought or posted.screenshot):
        raise InvalidInputError(
            "an action, a screenshot or a thought in a step",
            found="none of them",
            remedy='send JSON such as {"action": "click(640, 330)"}',
        )
    if not posted.screenshot:
        return TracedStep(action, thought)
    with _DECODING:
        try:
            picture = decode_picture(posted.screenshot, "a step's screenshot", _LIMITS, ("PNG",))
        except CaptureError as error:
            raise InvalidInputError(
                "a PNG as a step's screenshot", found=str(error), remedy="send its bytes in base64"
            ) from error
        image = store.put(picture.png)
    return TracedStep(action, thought, image, picture.width, picture.height)


def action_words(action: msgspec.Raw) -> str:
    r"""
    Return an action's text, or its JSON as it came; raises InvalidInputError.

    >>> action_words(msgspec.Raw(b'"click(\\u0031, 2)"')), action_words(msgspec.Raw(b'{"x": 1}'))
    ('click(1, 2)', '{"x": 1}')
    """
    data = bytes(action)
    try:
        words = msgspec.json.decode(data, type=str) if data[:1] == b'"' else data.decode()
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InvalidInputError("an action in UTF-8", found=error) from error
    if len(words) > LONGEST_WORDS:
        raise InvalidInputError(
            f"an action of at most {LONGEST_WORDS:,} letters", found=f"{len(words):,}"
        )
    return words
