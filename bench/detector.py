"""
Compare what a detector finds in pictures with the trees of the same screens.

    python bench/detector.py CAPTURED DETECTED [BENCH]

CAPTURED are screens with trees, DETECTED those that were made of their pictures alone
(``surefoot capture pictures:DIR --detector NAME``), BENCH is `sensitivity` built from these.
The tables replace those between the marks of studies/docs/detector.md. The limits of the detector
`pixels` were chosen on the pages of half of the sites, drawn by a seed (``TUNED_ON``), so that
F1 by centres was largest there for each kind; the pages of the others are reported apart.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
from scipy.optimize import linear_sum_assignment

from surefoot.core.drawn.marks import STEP, Mask, steps_of
from surefoot.core.geometry import Box
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Question
from surefoot.core.screen import INTERACTIVE_ROLES, Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.refer.resolve.resolve import prove
from surefoot.refer.scene.scene import Scene
from surefoot.run.folders.tables import stream_table

SAME = 0.5
PAGE = Path(__file__).parent.parent / "studies" / "docs" / "detector.md"
MARKS = ("<!-- begin: bench/detector.py -->", "<!-- end: bench/detector.py -->")
EDGE_PX = 2
# Half of the 29 sites of 2026-11, by random_source(0, "detector").shuffle of their sorted names.
TUNED_ON = frozenset({
    "98.css", "app-altair", "ckeditor", "django-admin", "editor.md", "fomantic-ui", "footable",
    "framework7", "jsgrid", "jsoneditor", "nvd3", "smartmenus", "soft-ui-dashboard",
    "startbootstrap-sb-admin-2",
})  # fmt: skip
ROLES = {
    "field": {"textbox", "searchbox", "spinbutton", "combobox", "listbox"},
    "check box": {"checkbox", "radio", "switch"},
}
HEADER = (
    "| kind | recorded | drawn as large | found | recall | precision | mean IoU "
    "| recall by centres | precision by centres | on a control |"
)
RULE = "| --- |" + " ---: |" * 9
KINDS = ("line of text", "button", "icon", *ROLES, "any control")


def kinds_of(elements: Iterable[Element], *, seen: float = 0.5) -> dict[str, list[Box]]:
    """Sort the boxes of visible elements by what they look like; "any control" has them all."""
    found: dict[str, list[Box]] = {kind: [] for kind in KINDS}
    for item in elements:
        if item.visible_fraction < seen:
            continue
        found["line of text"] += [
            box for box in item.text_boxes if box not in found["line of text"]
        ]
        if item.role not in INTERACTIVE_ROLES or not any(item.hits):
            continue
        found["any control"].append(item.box)
        kind = next((name for name, roles in ROLES.items() if item.role in roles), "")
        if not kind and not item.text:
            kind = "icon"
        elif not kind and "background" in item.attributes:
            kind = "button"
        if kind:
            found[kind].append(item.box)
    return found


def matched(truth: Sequence[Box], found: Sequence[Box], scores: Mask) -> list[float]:
    """Return the overlaps of the pairs that may match, one for each box, as many as can be."""
    overlaps = np.array([[one.iou(two) for two in found] for one in truth])
    rows, columns = linear_sum_assignment(-(scores * (1 + overlaps))) if scores.size else ((), ())
    return [float(overlaps[at]) for at in zip(rows, columns, strict=True) if scores[at]]


def alike(truth: Sequence[Box], found: Sequence[Box]) -> Mask:
    """Tell which boxes overlap by half of their union."""
    pairs = [[one.iou(two) >= SAME for two in found] for one in truth]
    return np.array(pairs, dtype=bool).reshape(len(truth), len(found))


def centred(truth: Sequence[Box], found: Sequence[Box]) -> Mask:
    """Tell which boxes hold the centres of each other, so that a click on one hits the other."""
    pairs = [
        [one.contains(two.center) and two.contains(one.center) for two in found] for one in truth
    ]
    return np.array(pairs, dtype=bool).reshape(len(truth), len(found))


def drawn_as_large(box: Box, steps: Mask) -> bool:
    """Tell whether what is drawn in a box, or on its edge, spans a box that overlaps by half."""
    left, top, right, bottom = (round(side) for side in box.as_tuple())
    left, top = max(0, left - EDGE_PX), max(0, top - EDGE_PX)
    rows, columns = np.nonzero(steps[top : bottom + EDGE_PX, left : right + EDGE_PX])
    if not len(rows):
        return False
    low, high = (columns.min(), rows.min()), (columns.max(), rows.max())
    return Box(left + low[0], top + low[1], left + high[0], top + high[1]).iou(box) >= SAME


def kinds_table(pairs: Sequence[tuple[Screen, Screen]], pictures: ObjectStore) -> list[str]:
    """Return recall and precision of every kind by both rules, as Markdown."""
    lines = [HEADER, RULE]
    steps = [steps_of(pixels_of(pictures.get(one.image)), STEP) for one, _ in pairs]
    sorted_pairs = [(kinds_of(one.elements), kinds_of(two.elements)) for one, two in pairs]
    for kind in KINDS:
        truth = sum(len(one[kind]) for one, _ in sorted_pairs)
        found = sum(len(two[kind]) for _, two in sorted_pairs)
        by_rule = [
            [
                overlap
                for one, two in sorted_pairs
                for overlap in matched(one[kind], two[kind], rule(one[kind], two[kind]))
            ]
            for rule in (alike, centred)
        ]
        large = sum(
            drawn_as_large(box, step)
            for (one, _), step in zip(sorted_pairs, steps, strict=True)
            for box in one[kind]
        )
        on_control = sum(
            any(other.contains(box.center) for other in one["any control"])
            for one, two in sorted_pairs
            for box in two[kind]
        )
        overlaps, centres = by_rule
        shares = (
            len(overlaps) / max(truth, 1),
            len(overlaps) / max(found, 1),
            fmean(overlaps or [0.0]),
            len(centres) / max(truth, 1),
            len(centres) / max(found, 1),
            on_control / max(found, 1),
        )
        lines.append(
            f"| {kind} | {truth} | {large / max(truth, 1):.2f} | {found} | "
            + " | ".join(f"{share:.2f}" for share in shares)
            + " |"
        )
    return lines


def proofs(bench: Path, captured: Mapping[str, Screen]) -> str:
    """Say of how many instructions the recorded tree says the same as the picture did."""
    asked = boxed = proven = 0
    scenes = {image: Scene(screen) for image, screen in captured.items()}
    for question in stream_table(bench, "questions.jsonl", Question, kind="bench"):
        if question.image not in scenes or question.instruction.wording:
            continue
        asked += 1
        scene, words = scenes[question.image], question.instruction.expression
        near = [at for at, it in enumerate(scene.elements) if it.box.iou(question.truth) >= SAME]
        boxed += bool(near)
        proven += any(prove(scene, words, at) is None for at in near)
    return (
        f"Of {asked} instructions on them that were proven on pictures alone, {boxed} ask for "
        f"the box of a recorded element (IoU of {SAME} at least), and {proven} are proven on "
        "the recorded tree as well, roles and all."
    )


def main() -> None:
    """Write the tables into the page, and print them."""
    folders = [Path(argument) for argument in sys.argv[1:]]
    captured, detected = (
        {
            item.image: item
            for item in stream_table(folder, "screens.jsonl", Screen, kind="screens")
        }
        for folder in folders[:2]
    )
    pairs = [(captured[image], detected[image]) for image in sorted(captured) if image in detected]
    by = ", ".join(sorted({screen.guessed_by for _, screen in pairs}))
    pictures = ObjectStore(folders[0])
    lines: list[str] = []
    for chosen, title in (
        (False, f"Found by `{by}` on {{}} screens of {{}} sites on which no limit was chosen:"),
        (True, "On the {} screens of the {} sites on which the limits were chosen:"),
    ):
        half = [pair for pair in pairs if (pair[0].site in TUNED_ON) == chosen]
        sites = len({one.site for one, _ in half})
        lines += [title.format(len(half), sites), "", *kinds_table(half, pictures), ""]
        if folders[2:]:
            lines += [proofs(folders[2], {one.image: one for one, _ in half}), ""]
    lines.pop()
    before, _, rest = PAGE.read_text("utf-8").partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    PAGE.write_text(f"{before}{MARKS[0]}\n" + "\n".join(lines) + f"\n{MARKS[1]}{after}", "utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
