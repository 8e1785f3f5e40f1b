"""
Failures to look at: the matched variants of one target side by side, drawn on.

The picture is embedded once at reduced size; target, landmark and prediction are vector
shapes in the picture's own pixels, so that they stay sharp and can be described in words.
"""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterable, Mapping, Sequence
from html import escape

import msgspec
from PIL import Image

from surefoot.core.geometry import Box
from surefoot.core.perturbation import variant_title
from surefoot.core.pictures import cropped, opened, webp_of
from surefoot.core.question import Answer, Question
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source
from surefoot.failures.thought import thought_of
from surefoot.report.html.verdicts import truth_shapes, verdict
from surefoot.score.truths import place_of

_WIDTH = 1280  # pixels of an embedded picture: enough to read its words when it is enlarged
_QUOTED = 1200  # characters of a reply
_GAP = 16  # pixels of the picture between one and the next of a sequence


class InstructionLine(msgspec.Struct, frozen=True):
    """Hold one instruction of several that a drawing shows, and what became of it."""

    text: str
    note: str
    hit: bool


class Pane(msgspec.Struct, frozen=True):
    """
    Hold one variant of a card: its name, its drawing and what happened, in words.

    ``words`` are the instructions whose clicks the drawing numbers, where it shows several,
    or what else ``noun`` names. ``hit`` is None where nothing was answered. ``reply`` is what is
    known of the model's reply, as (name, words).
    """

    variant: str
    svg: str
    verdict: str
    hit: bool | None
    words: tuple[InstructionLine, ...] = ()
    noun: str = "instructions"
    reply: tuple[tuple[str, str], ...] = ()


class Card(msgspec.Struct, frozen=True):
    """
    Hold one failure: the instruction, where it happened, and its variants.

    ``caption`` takes the place of where it happened, for a card of several failures, and
    ``note`` is what else is to be said of it. ``code`` is to be copied, as (language, text).
    """

    instruction: str
    page: str
    model: str
    role: str
    panes: tuple[Pane, ...]
    whose: str = "asked of"
    caption: str = ""
    note: str = ""
    code: tuple[tuple[str, str], ...] = ()

    @property
    def facts(self) -> str:
        """Say in one line where it happened and to whom."""
        return self.caption or f"{self.role} on {self.page}, {self.whose} {self.model}"


def choose_failures(
    questions: Iterable[Question], hits: Mapping[str, bool], *, limit: int, seed: int
) -> list[tuple[Question, ...]]:
    """
    Choose matched groups in which the original is hit and a variant missed; ``hits`` has answers.

    Where no question is on a variant, those that were missed are chosen. A group holds the
    questions of one pair and one instruction kind. Groups are drawn from a seeded order, each
    page once before any page twice, at most ``limit`` of them.
    """
    groups: dict[tuple[str, str, bool], list[Question]] = {}
    for question in questions:
        key = (question.pair, question.cell.instruction, question.cell.reasoning)
        groups.setdefault(key, []).append(question)
    varied = any(item.cell.variant != "original" for group in groups.values() for item in group)
    fell = _flips if varied else _misses
    flipped = [tuple(group) for group in groups.values() if fell(group, hits)]
    flipped.sort(key=lambda group: group[0].id)
    random_source(seed, "gallery").shuffle(flipped)
    seen: dict[str, int] = {}
    ranked: list[tuple[int, int, tuple[Question, ...]]] = []
    for order, group in enumerate(flipped):
        page = group[0].page_name
        turn = seen.get(page, 0)
        seen[page] = turn + 1
        ranked.append((turn, order, group))
    return [group for _, _, group in sorted(ranked, key=lambda item: item[:2])[:limit]]


def draw_pane(
    question: Question,
    answer: Answer | None,
    screen: Screen,
    *pictures: str,
    hit: bool,
    seconds: float | None = None,
    rivals: Iterable[Element] = (),
) -> Pane:
    """
    Draw target, landmark and prediction of one question over its embedded pictures.

    Further pictures stand below the first, in their order. ``hit`` is the scores' judgement,
    ``seconds`` what the answer took, if that is known, and ``rivals`` what else is framed.
    """
    parsed = answer.parsed if answer else None
    landmark = screen.element(question.instruction.landmark)
    shapes = [_rectangle("rival", rival.box) for rival in rivals]
    shapes.append(truth_shapes(question, "target"))
    if landmark:
        shapes.append(_rectangle("landmark", words_box(landmark)))
    point = place_of(parsed)
    if point:
        shapes.append(
            f'<circle class="prediction" cx="{point.x:.1f}" cy="{point.y:.1f}" r="13"/>'
            f'<circle class="prediction-dot" cx="{point.x:.1f}" cy="{point.y:.1f}" r="3"/>'
        )
    verdict_words = verdict(question, parsed, hit=hit)
    label = f"{variant_title(question.cell.variant)}: {verdict_words}"
    sizes = [(shown.width, shown.height) for shown in question.screen_images]
    tops = list(itertools.accumulate((height + _GAP for _, height in sizes), initial=0))
    places = [f' y="{top}"' if top else "" for top in tops]
    images = "".join(
        f'<image href="{picture}"{place} width="{width}" height="{height}"/>'
        for picture, place, (width, height) in zip(pictures, places, sizes, strict=False)
    )
    svg = (
        f'<svg role="img" aria-label="{escape(label)}" '
        f'viewBox="0 0 {max(width for width, _ in sizes)} {tops[-1] - _GAP}">'
        f"{images}{''.join(shapes)}</svg>"
    )
    return Pane(
        variant_title(question.cell.variant),
        svg,
        verdict_words,
        hit,
        reply=told_reply(answer, seconds),
    )


def told_reply(answer: Answer | None, seconds: float | None = None) -> tuple[tuple[str, str], ...]:
    """
    Return what is known of a reply, as (name, words): thought, words, seconds, tokens, cost.

    >>> from surefoot.core.geometry import Point
    >>> told_reply(Answer("a", "(3, 4)", Point(3, 4)), 0.718)
    (('Reply', '(3, 4)'), ('Seconds', '0.72'))
    """
    if answer is None:
        return ()
    usage, thought = answer.usage, thought_of(answer.raw)
    tokens = f"{usage.prompt_tokens:,} read, {usage.completion_tokens:,} written"
    facts = {
        "Thought": _cut(thought),
        "Reply": _cut(answer.raw),
        "Seconds": f"{seconds:.2f}" if seconds is not None else "",
        "Tokens": tokens if usage.prompt_tokens or usage.completion_tokens else "",
        "Cost": f"{usage.cost:.4g} $" if usage.cost else "",
    }
    return tuple((name, words) for name, words in facts.items() if words)


def embed_image(
    picture: bytes | Image.Image, part: Box | None = None, *, width: int = _WIDTH
) -> str:
    """Return a picture or a part of it as a data URI, WebP, at most so many pixels wide."""
    image = opened(picture) if isinstance(picture, bytes) else picture
    shown = image if part is None else cropped(image, part)
    encoded = base64.b64encode(webp_of(shown, width, quality=72, method=4))
    return f"data:image/webp;base64,{encoded.decode()}"


def words_box(element: Element) -> Box:
    """
    Return what an element's visible words span, or its box where it has none.

    >>> words_box(Element("a", "heading", Box(0, 0, 90, 9), text_boxes=(Box(0, 0, 20, 9),)))
    Box(left=0, top=0, right=20, bottom=9)
    """
    return Box.around(element.text_boxes) if element.text_boxes else element.box


def _flips(group: Sequence[Question], hits: Mapping[str, bool]) -> bool:
    original = [question for question in group if question.cell.variant == "original"]
    others = [question for question in group if question.cell.variant != "original"]
    return any(hits.get(question.id, False) for question in original) and any(
        not hits.get(other.id, True) for other in others
    )


def _misses(group: Sequence[Question], hits: Mapping[str, bool]) -> bool:
    return not all(hits.get(question.id, True) for question in group)


def _cut(words: str) -> str:
    words = words.strip()
    return words if len(words) <= _QUOTED else f"{words[:_QUOTED]} ... ({len(words):,} characters)"


def _rectangle(kind: str, box: Box) -> str:
    return (
        f'<rect class="{kind}" x="{box.left:.1f}" y="{box.top:.1f}" '
        f'width="{box.width:.1f}" height="{box.height:.1f}"/>'
    )
