"""
Compare what a detector finds in pictures with the trees of the same screens.

    python bench/detector.py CAPTURED DETECTED [BENCH]

CAPTURED are screens with trees, DETECTED those that were made of their pictures alone
(``surefoot capture pictures:DIR --detector NAME``), BENCH is `sensitivity` built from these.
The tables replace those between the marks of docs/detector.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
from scipy.optimize import linear_sum_assignment

from surefoot.core.geometry import Box
from surefoot.core.question import Question
from surefoot.core.screen import INTERACTIVE_ROLES, Element, Screen
from surefoot.refer.resolve.resolve import prove
from surefoot.refer.scene.scene import Scene
from surefoot.run.folders.tables import stream_table

SAME = 0.5
PAGE = Path(__file__).parent.parent / "docs" / "detector.md"
MARKS = ("<!-- begin: bench/detector.py -->", "<!-- end: bench/detector.py -->")
ROLES = {
    "field": {"textbox", "searchbox", "spinbutton", "combobox", "listbox"},
    "check box": {"checkbox", "radio", "switch"},
}


def kinds_of(elements: Iterable[Element], *, seen: float = 0.5) -> dict[str, list[Box]]:
    """Sort the boxes of visible elements by what they look like; "any control" has them all."""
    found: dict[str, list[Box]] = {
        kind: [] for kind in ("line of text", "button", "icon", *ROLES, "any control")
    }
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


def matched(truth: Sequence[Box], found: Sequence[Box]) -> list[float]:
    """Return the overlaps of pairs, at most one for each box, as good as can be."""
    overlaps = np.array([[one.iou(two) for two in found] for one in truth] or [[]])
    rows, columns = linear_sum_assignment(np.where(overlaps >= SAME, -overlaps, 0.0))
    return [float(value) for value in overlaps[rows, columns] if value >= SAME]


def kinds_table(pairs: Sequence[tuple[Screen, Screen]]) -> list[str]:
    """Return recall, precision and overlap of every kind, as Markdown."""
    lines = [
        "| kind | recorded | found | recall | precision | mean IoU of those matched |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    sorted_pairs = [(kinds_of(one.elements), kinds_of(two.elements)) for one, two in pairs]
    for kind in sorted_pairs[0][0]:
        overlaps = [matched(one[kind], two[kind]) for one, two in sorted_pairs]
        truth = sum(len(one[kind]) for one, _ in sorted_pairs)
        found = sum(len(two[kind]) for _, two in sorted_pairs)
        hits = [overlap for page in overlaps for overlap in page]
        shares = (len(hits) / max(truth, 1), len(hits) / max(found, 1), fmean(hits or [0.0]))
        lines.append(
            f"| {kind} | {truth} | {found} | " + " | ".join(f"{s:.2f}" for s in shares) + " |"
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
        f"Of {asked} instructions that were proven on pictures alone, {boxed} ask for the box of "
        f"a recorded element (IoU of {SAME} at least), and {proven} are proven on the recorded "
        "tree as well, roles and all."
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
    lines = [f"Measured on {len(pairs)} screens, found by `{by}`:", "", *kinds_table(pairs)]
    if folders[2:]:
        lines += ["", proofs(folders[2], captured)]
    before, _, rest = PAGE.read_text("utf-8").partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    PAGE.write_text(f"{before}{MARKS[0]}\n" + "\n".join(lines) + f"\n{MARKS[1]}{after}", "utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
