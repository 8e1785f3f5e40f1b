"""
What programs and a server of live questions say to each other, as JSON.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

Way: TypeAlias = Literal["pointer", "key", "input", "call"]
"""
How something was activated: by the pointer, by a key, by typing or choosing, by a script's call.
"""
EndReason: TypeAlias = Literal["", "right", "wrong", "given-up"]
"""
What ended an episode: the target was activated, too much else was, or the agent gave up.
"""
LONGEST_REFUSAL: Final = 500
MOST_STEPS: Final = 500
"""
How many steps of one episode are kept.
"""
LONGEST_WORDS: Final = 1 << 16
"""
How many letters the action or the thought of a step may have.
"""
LARGEST_PICTURE: Final = 8 << 20
"""
How many bytes the screenshot of a step may have.
"""


class QuestionRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for an episode of one question, by its id, or of the next that is open, if ""."""

    question: Annotated[str, msgspec.Meta(max_length=200)] = ""


class BrowserHint(msgspec.Struct, frozen=True):
    """
    Say in which window the page looks as the question's picture does.

    ``width`` and ``height`` are CSS pixels, ``scale`` device pixels per CSS pixel; in a window
    of another width a zoom is the page's own, and all else is laid out anew.
    """

    width: int
    height: int
    scale: float
    locale: str
    timezone: str


class OpenedQuestion(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Hand over an episode: what an agent may see, and the ``secret``, which it may not.

    ``url`` is the page, ``instruction`` what to do there; ``ready`` says whether the page has
    come to rest and is changed as its condition says. The secret opens the score.
    """

    id: str
    url: str
    instruction: str
    browser: BrowserHint
    question: str
    condition: str
    ready: bool = False
    secret: str = ""


class Activation(msgspec.Struct, frozen=True):
    """
    Name something that was activated: the recorded element, and the pixel of the picture.

    ``element`` is "" where no recorded element was met, ``point`` None without a pointer;
    ``what`` are the tag and the first words of the node, ``seconds`` are since the page was
    ready.
    """

    element: str
    by: Way
    point: tuple[float, float] | None
    what: str
    seconds: float


class EpisodeEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """End an episode: the agent has given up, or says that what is asked for is not there."""

    refusal: Annotated[str, msgspec.Meta(max_length=LONGEST_REFUSAL)] = ""


class PostedStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Tell one step of an agent before it is done: what it sees, thinks and does next.

    ``action`` is a text or any other JSON, ``screenshot`` a PNG, in base64 as JSON has it. Each
    may be left out, but not all.
    """

    action: msgspec.Raw = msgspec.Raw(b'""')
    screenshot: Annotated[bytes, msgspec.Meta(max_length=LARGEST_PICTURE)] = b""
    thought: Annotated[str, msgspec.Meta(max_length=LONGEST_WORDS)] = ""


class KeptStep(msgspec.Struct, frozen=True):
    """
    Confirm that a step is kept: as which entry of the episode's trace, and its picture's name.

    ``image`` is the SHA-256 under which the run's folder has the picture, "" without one.
    """

    number: int
    image: str


class ClickScore(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Say how an episode stands: what was activated, in its order, and whether that was right.

    ``moved`` is how far, in pixels of the picture, the target lay from where the picture has
    it when the page was ready; None before that, or where the page does not have it, and
    ``trouble`` is why the page is not what its condition says, "" where it is. Of the
    activations the last is the target where it is ``right``; all others are ``wrong``. ``steps``
    counts what the agent told of itself.
    """

    right: bool
    ended: EndReason
    activations: tuple[Activation, ...] = ()
    moved: float | None = None
    seconds: float = 0.0
    refusal: str = ""
    trouble: str = ""
    steps: int = 0

    @property
    def wrong(self) -> int:
        """Return how many activations were of something else than the target."""
        return len(self.activations) - self.right
