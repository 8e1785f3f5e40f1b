"""
The page of both studies: tables, whatever they say, and sentences that follow from them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from surefoot.core.files import write_atomic
from surefoot.phrasing.calibration import calibration_sentence
from surefoot_studies.tiny.drawing import MASKS
from surefoot_studies.tuned.masked import WAYS, MaskedStudy
from surefoot_studies.tuned.perturbed import (
    AXES,
    LEARNED,
    TunedChange,
    TunedStudy,
)

WORDS: Final = {
    "untrained": "as it is",
    "calibrated, untrained": "as it is, its run calibrated",
    "boxes without masks": "trained on boxes without masks",
    "masks": "trained on masks",
}
TITLES: Final = {
    "style": "style: other colours of ground and bar",
    "precision": "precision: all at 70 %, towards the corner",
    "text_shrink": "text shrink: figures at 80 %",
    "small": "figures at 55 %",
}
OPENING: Final = """\
# What training teaches, taken apart on a toy model

Two papers report what training on screens did to large models, and neither separates what it \
taught from what it merely switched on.
This page repeats both on [a toy model](../studies/docs/tiny.md) that clicks coloured figures in \
drawn windows, so that every part can be trained apart.
It shows that the parts can be told apart, and how; it says nothing of their sizes in large \
models on real screens.""".splitlines()
HIDDEN: Final = """
## Hidden Forms: a manifold gain from masked boxes

The paper trains models to say where a masked control must be, and the overlap of their boxes \
with the right ones (IoU) grows five to seven times on desktops and the web.
Its boxes are in pixels of the stored picture, which need not be the pixels that its models speak \
in.
A part of the gain may be the space, a part that boxes were practised at all, and the rest what \
masks taught.

The toy model first learned to answer in boxes, in thousandths, from {examples:,} examples in \
{updates:,} steps of 16.
It was then asked for boxes in pixels of an enlarged picture on which the figure that is asked \
for is covered, on {elements:,} screens of another seed.
Both further trainings have as many examples and steps, that on masks as many of each mask; the \
run is calibrated on other screens than it is measured on.
Longer trainings were not tried; two earlier designs are left out: boxes as four sides, which \
were not learned, and training on low-contrast masks alone, which helped more there.

| IoU, and BCP in % | {masks} | nothing covered |
| --- | --- | --- | --- | --- |""".splitlines()
PERTURBED: Final = """
## GUI-Perturbed: does training on perturbed screens help?

The paper trains an adapter on four mixtures of perturbed screens, and finds no gain and some loss.
Its script puts the adapter on the last 32 of 196 linear layers, a sixth, at a rate of 1e-5, so \
that is what the finding is of.
Here the last 5 of 28 layers stand for it, beside all layers at the rate of our preset, and both \
at a rate at which the toy model is known to learn.
The mixtures are the paper's, cut to a share ({examples} examples), for three epochs in batches \
of 8.
Under each axis {screens:,} screens of another seed were asked; `style` is another draw of \
colours than those learned, and the last three axes were never learned.
The replies learned are bare calls, as the format spells them, while the toy model names a figure \
before it clicks; so a part of what is lost is its own way to reply, which \
[`surefoot train loop`](training.md) keeps.

Changes against the untrained model, and which of the {changes:,} simultaneous 95 % intervals \
leave out no change:

| adapter | better | worse | unclear | mean, learned axes | mean, other axes |
| --- | ---: | ---: | ---: | ---: | ---: |""".splitlines()


def write_study(page: Path, masks: MaskedStudy, tuned: TunedStudy, command: str) -> None:
    """Write the page."""
    lines = [*OPENING, "", f"`{command}` wrote all of it; each training ran once."]
    lines += [*_masks(masks), *_tuned(tuned)]
    write_atomic(page, "\n".join([*lines, ""]).encode())


def _masks(found: MaskedStudy) -> Iterator[str]:
    facts = {"examples": found.examples, "updates": found.updates, "elements": found.elements}
    yield from (line.format(**facts, masks=" | ".join(MASKS)) for line in HIDDEN)
    scores = {(score.way, score.variant): score for score in found.scores}
    for way in WAYS:
        row = (scores[way, variant] for variant in (*MASKS, "original"))
        cells = " | ".join(f"{score.iou:.3f}, {100 * score.bcp:.1f}" for score in row)
        yield f"| {WORDS[way]} | {cells} |"
    yield from (
        "",
        f"Each step on the same screens, with {len(found.steps)} simultaneous 95 % intervals:",
        "",
        "| mask | to | IoU | BCP, points |",
        "| --- | --- | --- | --- |",
    )
    steps = {(step.mask, step.way, step.metric): step for step in found.steps}
    for mask, way in itertools.product(MASKS, WAYS[1:]):
        iou, bcp = steps[mask, way, "iou"], steps[mask, way, "bcp"]
        yield (
            f"| {mask} | {WORDS[way]} "
            f"| {iou.change:+.3f} ({iou.low:+.3f} to {iou.high:+.3f}) "
            f"| {100 * bcp.change:+.1f} ({100 * bcp.low:+.1f} to {100 * bcp.high:+.1f}) |"
        )
    yield from ("", calibration_sentence(found.rule), "")
    yield from (_multiples(found, mask) for mask in MASKS)
    spent = ", ".join(f"{WORDS.get(way, way)} {cost:.0f}" for way, cost in found.seconds.items())
    yield from ("", f"CPU seconds of the trainings: {spent.replace('as it is', 'to box')}.")


def _multiples(found: MaskedStudy, mask: str) -> str:
    """Say by how much each way multiplies the untrained model's IoU under a mask."""
    ious = {score.way: score.iou for score in found.scores if score.variant == mask}
    first = ious[WAYS[0]]
    if not first:
        return f"- {mask}: no IoU to multiply."
    space, boxes, masks = (ious[way] / first for way in WAYS[1:])
    return (
        f"- {mask}: training on masks multiplies the IoU by {masks:.1f}, training on boxes "
        f"without masks by {boxes:.1f}, and the right space without any training by {space:.1f}."
    )


def _tuned(found: TunedStudy) -> Iterator[str]:
    examples = ", ".join(f"{name} {count:,}" for name, count in found.examples.items())
    facts = {"examples": examples, "screens": found.screens, "changes": len(found.changes)}
    yield from (line.format(**facts) for line in PERTURBED)
    adapters, mixtures = (
        list(dict.fromkeys(getattr(change, part) for change in found.changes))
        for part in ("adapter", "mixture")
    )
    for adapter in adapters:
        own = [change for change in found.changes if change.adapter == adapter]
        better, worse = (
            sum(change.low > 0 for change in own),
            sum(change.high < 0 for change in own),
        )
        learned, other = (
            _mean([change for change in own if (change.axis in LEARNED) == inside])
            for inside in (True, False)
        )
        yield (
            f"| {adapter} | {better} | {worse} | {len(own) - better - worse} "
            f"| {learned} | {other} |"
        )
    cells = {(change.adapter, change.mixture, change.axis): change for change in found.changes}
    for adapter in adapters:
        yield from (
            "",
            f"### {adapter[0].upper()}{adapter[1:]}",
            "",
            "| axis | untrained | " + " | ".join(mixtures) + " |",
            "| --- | ---: |" + " --- |" * len(mixtures),
        )
        for axis in AXES:
            row = [cells[adapter, mixture, axis] for mixture in mixtures]
            changes = " | ".join(map(_change, row))
            yield f"| {TITLES.get(axis, axis)} | {_percent(row[0].before)} | {changes} |"
    total = sum(found.seconds.values())
    yield from ("", f"CPU seconds of the {len(found.seconds)} trainings: {total:,.0f}.")


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _mean(changes: Sequence[TunedChange]) -> str:
    return f"{100 * sum(change.change for change in changes) / len(changes):+.1f}"


def _change(one: TunedChange) -> str:
    found = f"{100 * one.change:+.1f} ({100 * one.low:+.1f} to {100 * one.high:+.1f})"
    return f"**{found}**" if one.low > 0 or one.high < 0 else found
