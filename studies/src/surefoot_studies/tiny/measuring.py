"""
What a trained model answers on held-out screens, by a plain loop over Transformers.

``surefoot run --model hf:FOLDER`` asks the same; here nothing but the family's own classes
stands between a question and its reply.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np
from PIL import Image

from surefoot.core.foreign.model_folders import SAFELY
from surefoot.core.geometry import Point
from surefoot.core.pictures import opened
from surefoot.core.question import Choice, Parsed, Question
from surefoot.core.store import ObjectStore
from surefoot.models import worded
from surefoot.models.format import ChatMessages
from surefoot.models.opening import FORMATS
from surefoot.run.folders.folder import read_questions, read_screens
from surefoot.score.conditions.scores import mean_of
from surefoot.score.metric import GivenMetric
from surefoot.score.stats.clusters import (
    CHANGE,
    difference_of_ratios,
    interval_bounds,
    sum_by_cluster,
)
from surefoot_studies.tiny.asking import LANGUAGES

if TYPE_CHECKING:
    from transformers import PreTrainedModel


BATCH: Final = 32
LONGEST: Final = 24  # tokens of a reply
BEGIN: Final = "<!-- measured by surefoot-studies tiny measure -->"
_END: Final = "<!-- end of what is measured -->"
RIGHT: Final = GivenMetric(name="right", title="right", summary="the share of right replies")


class MeasuredReply(msgspec.Struct, frozen=True):
    """Hold a question with the reply to it and what it was read as."""

    question: Question
    text: str
    parsed: Parsed

    @property
    def right(self) -> bool:
        """Tell whether the click is inside the target, or the letter the right one."""
        if isinstance(self.parsed, Point):
            return self.question.truth.contains(self.parsed)
        return isinstance(self.parsed, Choice) and self.parsed.label in self.question.answers


class PlainModel:
    """Hold a folder's model, tokenizer and image processor, as Transformers loads them."""

    def __init__(self, folder: Path, speaks: str, device: str = "cpu") -> None:
        import torch
        from transformers import AutoImageProcessor, AutoModelForImageTextToText, AutoTokenizer

        self.format = FORMATS.get(speaks)
        self.device = device
        self.tokenizer = AutoTokenizer.from_pretrained(folder, **SAFELY)
        self.images = AutoImageProcessor.from_pretrained(folder, **SAFELY)
        self.model: PreTrainedModel = (
            AutoModelForImageTextToText.from_pretrained(folder, dtype=torch.float32, **SAFELY)
            .to(device)
            .eval()
        )

    def reply(self, messages: Sequence[ChatMessages], images: Sequence[Image.Image]) -> list[str]:
        """Return the greedy replies to one turn each, in one batch."""
        import torch

        seen = self.images(list(images), return_tensors="pt")
        merged = self.images.merge_size**2
        counts = [int(grid.prod()) // merged for grid in seen["image_grid_thw"]]
        texts = [
            self._prompt(message).replace("<|image_pad|>", "<|image_pad|>" * count)
            for message, count in zip(messages, counts, strict=True)
        ]
        given: dict[str, Any] = {**self.tokenizer(texts, padding=True, return_tensors="pt")}
        given.pop("token_type_ids", None)
        image = self.tokenizer.convert_tokens_to_ids("<|image_pad|>")
        given |= {"mm_token_type_ids": (given["input_ids"] == image).long(), **seen}
        with torch.no_grad():
            said = self.model.generate(
                **{name: tensor.to(self.device) for name, tensor in given.items()},
                max_new_tokens=LONGEST,
                do_sample=False,
            )
        after = said[:, given["input_ids"].shape[1] :]
        return list(self.tokenizer.batch_decode(after, skip_special_tokens=True))

    def _prompt(self, messages: ChatMessages) -> str:
        words = {"type": "text", "text": messages.user}
        turn = {"role": "user", "content": [{"type": "image"}, words]}
        system = [{"role": "system", "content": messages.system}] if messages.system else []
        return str(
            self.tokenizer.apply_chat_template(
                [*system, turn], tokenize=False, add_generation_prompt=True
            )
        )


def replies(model: PlainModel, bench: Path, *, batch: int = BATCH) -> Iterator[MeasuredReply]:
    """Ask a model every question of a BENCH of places or options, and read each reply."""
    store = ObjectStore(bench)
    questions = read_questions(bench)
    for start in range(0, len(questions), batch):
        asked = questions[start : start + batch]
        images = [opened(store.get(item.image)) for item in asked]
        messages = [_messages(model, item) for item in asked]
        for question, text in zip(asked, model.reply(messages, images), strict=True):
            if question.asks == "place":
                parsed = model.format.parse(text, question.width, question.height)
            else:
                parsed = worded.read_reply(text, question)
            yield MeasuredReply(question, text, parsed)


def _messages(model: PlainModel, question: Question) -> ChatMessages:
    if question.asks != "place":
        return worded.messages(question)
    return model.format.messages(
        question.instruction.text, question.width, question.height, reasoning=False
    )


class MeasuredRate(msgspec.Struct, frozen=True):
    """Hold a share of right replies with its interval over screens, and what chance has."""

    what: str
    n: int
    screens: int
    share: float
    low: float
    high: float
    chance: float


def rates(found: Sequence[MeasuredReply], chance: float, what: str = "") -> Iterator[MeasuredRate]:
    """Yield the rate of all replies, and of each kind of question."""
    kinds = sorted({reply.question.cell.instruction for reply in found})
    for kind in ("", *kinds):
        own = [reply for reply in found if kind in ("", reply.question.cell.instruction)]
        score = mean_of(
            RIGHT, [(reply.question.cluster, float(reply.right)) for reply in own], "tiny"
        )
        interval, share = score.interval, score.amount
        if interval is None or share is None:
            continue
        name = " ".join(filter(None, (what, kind or "all")))
        yield MeasuredRate(
            name, len(own), score.clusters, share, interval.low, interval.high, chance
        )


def measured(model: PlainModel, click: Path, test: Path) -> str:
    """Return tables of what a model has right: clicks, choices by language, and the gaps."""
    clicked, chosen = list(replies(model, click)), list(replies(model, test))
    lines = ["| | replies | screens | right | 95 % interval | chance |", "|" + " --- |" * 6]
    area = [_area(reply.question) for reply in clicked]
    figures = {screen.id: len(screen.elements) for screen in read_screens(click)}
    lines += _rows(rates(clicked, float(np.mean(area)), "clicks,"))
    by_language: defaultdict[str, list[MeasuredReply]] = defaultdict(list)
    for reply in chosen:
        by_language[reply.question.instruction.language].append(reply)
    languages = [language for language in LANGUAGES if language in by_language]
    for language in languages:
        own = by_language[language]
        chance = float(np.mean([1 / len(reply.question.options) for reply in own]))
        lines += _rows(rates(own, chance, f"choices, {language},"))
    some = float(np.mean([1 / figures[reply.question.screen] for reply in clicked]))
    unread = sum(not isinstance(reply.parsed, Point | Choice) for reply in (*clicked, *chosen))
    lines += [
        "",
        _told(some, unread),
        "",
        "| English minus | items | points | 95 % interval |",
        "|" + " --- |" * 4,
        *(_gap(language, by_language) for language in languages if language != "en"),
    ]
    return "\n".join(lines)


def _told(some: float, unread: int) -> str:
    return (
        "Chance of a click is the mean share of the picture that the target covers; who clicks "
        f"any one figure has {some:.2f}. Replies that could not be read: {unread}."
    )


def _area(question: Question) -> float:
    return question.truth.area / (question.width * question.height)


def _rows(found: Iterator[MeasuredRate]) -> Iterator[str]:
    for rate in found:
        yield (
            f"| {rate.what} | {rate.n} | {rate.screens} | {rate.share:.3f} "
            f"| {rate.low:.3f} to {rate.high:.3f} | {rate.chance:.2f} |"
        )


def _gap(language: str, found: dict[str, list[MeasuredReply]]) -> str:
    """Return the row of a language: its gap to English on the same items, over screens."""
    english = {reply.question.pair: reply for reply in found["en"]}
    own = {reply.question.pair: reply for reply in found[language]}
    pairs = sorted(english.keys() & own.keys())
    clusters = [own[pair].question.cluster for pair in pairs]

    def sums(side: dict[str, MeasuredReply]) -> tuple[Any, Any]:
        right = np.array([[float(side[pair].right)] for pair in pairs])
        return sum_by_cluster(clusters, right), sum_by_cluster(clusters, np.ones_like(right))

    estimate = difference_of_ratios(sums(own), sums(english))
    low, high = (float(end[0]) for end in interval_bounds(estimate, CHANGE))
    told = [f"{100 * number:+.1f}" for number in (float(estimate.value[0]), low, high)]
    return f"| {language} | {len(pairs)} | {told[0]} | {told[1]} to {told[2]} |"


def measured_page(page: str, table: str) -> str:
    """Return a page with the table between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{BEGIN}\n\n{table}\n\n{_END}{after}"
