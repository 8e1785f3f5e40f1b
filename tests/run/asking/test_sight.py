"""
Requests with pictures through every protocol: what is sent is what the request describes.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from surefoot.benchmarks.seeing.pictures import SeeingRequest, ShownPicture, draw_shown, spell
from surefoot.core.errors import ModelError
from surefoot.core.geometry import Box
from surefoot.core.pictures import png_of
from surefoot.core.store import ObjectStore
from surefoot.models import open_seeing
from surefoot.models.format import ChatMessages
from surefoot.run.asking.sight import PictureChat

SAID = "<think>seen: no</think>seen: yes"
REPLIES: dict[str, Any] = {
    "openai": {"choices": [{"message": {"content": SAID}}]},
    "anthropic": {"content": [{"type": "text", "text": SAID}]},
    "google": {"candidates": [{"content": {"parts": [{"text": SAID}]}}]},
}


@pytest.fixture
def store(tmp_path: Path) -> ObjectStore:
    """Return a store with no picture yet."""
    return ObjectStore(tmp_path)


@pytest.fixture
def request_text(store: ObjectStore) -> str:
    """Return a request of two pictures, one of them marked, and words."""
    sha = store.put(png_of(Image.new("RGB", (120, 80), "#eeeeee")))
    marked = ShownPicture(sha, frame=Box(20, 20, 60, 40))
    return spell(SeeingRequest((ShownPicture(sha), marked), "Is it red?"))


@pytest.mark.parametrize("maker", REPLIES)
def test_pictures_and_words_are_sent_in_their_order(
    server: Any,  # noqa: ANN401 - the fake server
    step: Callable[..., Any],
    store: ObjectStore,
    request_text: str,
    maker: str,
) -> None:
    """Each protocol carries both pictures as drawn, then the words; thoughts are no reply."""
    server.steps = [step(json.dumps(REPLIES[maker]).encode())]
    chat = PictureChat(open_seeing(f"{maker}:m@{server.base}"), store.get)

    async def ask() -> str:
        try:
            return (await chat.say(ChatMessages("", request_text), 64)).text
        finally:
            await chat.close()

    assert asyncio.run(ask()) == "seen: yes"
    (body,) = server.bodies
    sent = json.dumps(body)
    found = re.findall(r"[A-Za-z0-9+/=]{60,}", sent)
    asked = json.loads(request_text)["pictures"]
    plain = store.get(asked[0]["image"])
    marked = ShownPicture(asked[0]["image"], frame=Box(20, 20, 60, 40))
    assert [base64.b64decode(item) for item in found] == [plain, draw_shown(marked, plain)]
    assert sent.index("Is it red?") > sent.index(found[1])
    assert "<think>" not in chat.name


@pytest.mark.parametrize("frame", [None, Box(0, 0, 9, 9)])
def test_a_stored_picture_that_is_none_fails_its_request(
    server: Any,  # noqa: ANN401 - the fake server
    store: ObjectStore,
    frame: Box | None,
) -> None:
    """Bytes that are no picture, marked or as they are, are told, and nothing is sent."""
    sha = store.put(b"no picture")
    text = spell(SeeingRequest((ShownPicture(sha, frame=frame),), "Is it red?"))
    chat = PictureChat(open_seeing(f"openai:m@{server.base}"), store.get)

    with pytest.raises(ModelError, match="a picture"):
        asyncio.run(chat.say(ChatMessages("", text), 64))
    assert server.bodies == []
