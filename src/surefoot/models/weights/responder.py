"""
A model in memory that answers requests as they come, several at once.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.core.errors import ModelError
from surefoot.core.seeds import derive_seed
from surefoot.models.backend import Options
from surefoot.models.model import Reply, Request
from surefoot.models.replies.letters import asks_letter
from surefoot.models.spaces import ResizeRule
from surefoot.models.weights.folder import fingerprint, read_folder

if TYPE_CHECKING:
    from PIL import Image

    from surefoot.models.weights.loading import LocalModel


# How its replies are written, of a family whose folder has a name of its own.
FAMILIES: Final = {"qwen2_vl": "qwen2-vl", "qwen2_5_vl": "qwen2.5-vl", "qwen3_vl": "qwen3-vl"}
GATHERING_S: Final = 0.005
GIGABYTE: Final = 1e9
AHEAD: Final = 4  # batches among which requests of a length are looked for


class _Waiting(msgspec.Struct, frozen=True):
    request: Request
    reply: asyncio.Future[Reply]


class AskingSpeed(msgspec.Struct, frozen=True):
    """Say how fast a model was on this machine, and what memory it took."""

    device: str
    dtype: str
    questions: int
    seconds_a_question: float
    tokens_a_second: float
    memory_bytes: int


class WeightsResponder:
    """
    Reply with a model whose folder is ``path``.

    Requests that wait are asked together, those of a length beside each other, in a thread; a
    reply is the same as if its request had been asked alone. Raises as ``loading.load`` does
    when it is prepared, at the latest by the first request; ``read_folder``'s errors come at once.
    """

    speaks = ""

    def __init__(self, path: Path, options: Options) -> None:
        self.folder = read_folder(path)
        self.options = options
        self.name = self.folder.name
        self.usual_format = FAMILIES.get(self.folder.family, "")
        self._rule: ResizeRule | None = None
        self._local: LocalModel | None = None
        self._waiting: list[_Waiting] = []
        self._asking: list[_Waiting] = []
        self._working: asyncio.Task[None] | None = None
        self._asked = self._tokens = 0
        self._seconds = 0.0
        self._speed: AskingSpeed | None = None

    def resize_as(self, rule: ResizeRule) -> None:
        """Have pictures resized as a format reckons with, whatever the folder's own limits."""
        if isinstance(rule, ResizeRule):  # Claude's rule is of no processor
            self._rule = rule

    def identity(self) -> dict[str, object]:
        """Return the files' fingerprint and how they are loaded and asked."""
        options = self.options
        return {
            "backend": "hf",
            "weights": fingerprint(self.folder.path),
            "adapter": fingerprint(Path(options.adapter)) if options.adapter else "",
            "dtype": options.dtype,
            "quantization": options.quantization,
            "temperature": options.temperature,
            "seed": options.seed,
            "max_tokens": options.max_tokens,
        }

    def prepare(self) -> None:
        """Load the model, so that what cannot be loaded is told before anything is asked."""
        self._loaded()

    def speed(self) -> AskingSpeed | None:
        """Return how fast the model was, also after its end; None before it was asked."""
        if self._local is not None and self._asked:
            self._speed = AskingSpeed(
                self._local.device,
                self._local.dtype,
                self._asked,
                round(self._seconds / self._asked, 4),
                round(self._tokens / self._seconds, 2),
                _memory(self._local.device),
            )
        return self._speed

    def notes(self) -> list[str]:
        """Say how fast the model was, and what memory it took."""
        speed = self.speed()
        if speed is None:
            return []
        where = "the GPU's memory at most" if speed.device == "cuda" else "memory"
        note = (
            f"{self.name} ran on {speed.device} in {speed.dtype}: "
            f"{speed.seconds_a_question:.2f} s a question, "
            f"{speed.tokens_a_second:.1f} tokens a second, "
            f"{speed.memory_bytes / GIGABYTE:.1f} GB of {where}"
        )
        return [note]

    async def reply(self, request: Request) -> Reply:
        """Return the model's reply; raises ModelError "out-of-memory" or "bad-image"."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(request, future))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        return await future

    async def close(self) -> None:
        """Free the model's memory."""
        if self._working is not None:
            self._working.cancel()
            self._working = None
        for waiting in (*self._asking, *self._waiting):
            waiting.reply.cancel()
        self._asking, self._waiting = [], []
        self.speed()  # is told afterwards, too
        self._local = None

    async def _work(self) -> None:
        await asyncio.sleep(GATHERING_S)  # so that what is asked at once is answered at once
        while self._waiting:
            self._asking = batch = self._next_batch()
            try:
                replies = await asyncio.to_thread(
                    self._answered, [waiting.request for waiting in batch]
                )
            except Exception as error:  # noqa: BLE001 - whoever asked is told, others go on
                for waiting in batch:
                    if not waiting.reply.done():
                        waiting.reply.set_exception(error)
                continue
            for waiting, reply in zip(batch, replies, strict=True):
                if not waiting.reply.done():
                    waiting.reply.set_result(reply)

    def _next_batch(self) -> list[_Waiting]:
        """Take the first that waits, and those that are most like it."""
        size = max(1, self.options.concurrency)
        near = self._waiting[: size * AHEAD]
        first = _kind(near[0].request)
        near.sort(key=lambda one: (_kind(one.request) != first, _length(one.request)))
        batch = [waiting for waiting in near[:size] if _kind(waiting.request) == first]
        taken = set(map(id, batch))
        self._waiting = [waiting for waiting in self._waiting if id(waiting) not in taken]
        return batch

    def _answered(self, requests: list[Request]) -> list[Reply]:
        import torch

        from surefoot.models.weights.generating import Chat, Sampling, generate

        local = self._loaded()
        chats = [
            Chat(item.messages, tuple(map(opened, (item.image, *item.further))))
            for item in requests
        ]
        seeds = tuple(
            derive_seed(self.options.seed, "hf", item.question.id, str(item.question.sample))
            for item in requests
        )
        begun = time.perf_counter()
        try:
            replies = generate(
                local,
                chats,
                max_tokens=self.options.max_tokens or requests[0].max_tokens,
                sampling=Sampling(self.options.temperature or 0.0, seeds),
                labels=requests[0].question.options if asks_letter(requests[0].question) else (),
            )
        except (torch.OutOfMemoryError, MemoryError) as error:
            raise ModelError(
                "out-of-memory",
                expected=f"memory for one question of {self.name}",
                found="not enough",
                remedy="give --dtype bfloat16 or --quantization 4bit",
            ) from error
        self._seconds += time.perf_counter() - begun
        self._asked += len(replies)
        self._tokens += sum(reply.usage.completion_tokens for reply in replies)
        return [Reply(reply.text, reply.usage, reply.tokens, reply.cut) for reply in replies]

    def _loaded(self) -> LocalModel:
        if self._local is None:
            from surefoot.models.weights.loading import load
            from surefoot.models.weights.processing import set_resize_rule

            options = self.options
            self._local = load(
                self.folder.path,
                device=options.device,
                dtype=options.dtype,
                quantization=options.quantization,
                adapter=options.adapter,
            )
            if self._rule is not None:
                set_resize_rule(self._local.processor, self._rule)
        return self._local


def _kind(request: Request) -> tuple[object, ...]:
    """Return what all requests of a batch share."""
    question = request.question
    labels = question.options if asks_letter(question) else ()
    return request.max_tokens, labels, len(question.images)


def _length(request: Request) -> int:
    """Return a measure of how long a prompt is: pixels of its pictures, then words."""
    return request.question.width * request.question.height + len(request.messages.user)


def opened(image: bytes) -> Image.Image:
    """Return a picture; raises ModelError "bad-image" for bytes that are none."""
    from PIL import Image

    from surefoot.core import pictures

    try:
        return pictures.opened(image)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ModelError("bad-image", expected="a picture", found=f"{error}") from error


def _memory(device: str) -> int:
    if device == "cuda":
        import torch

        return int(torch.cuda.max_memory_allocated())
    import psutil

    return int(psutil.Process().memory_info().rss)
