"""
What a release missed of a firm baseline, as a BENCH of its own that is asked again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import msgspec

from surefoot.core.ledger import Ledger, read_plan
from surefoot.core.store import ObjectStore
from surefoot.run.folders.folder import export, read_questions, read_screens
from surefoot.run.gates.baseline import GatedQuestion
from surefoot.score.gate import GateCount


def write_suspects(bench: Path, out: Path, ids: Collection[str]) -> Path:
    """Write a BENCH with the questions of these ids alone, and return its folder."""
    kept = [question for question in read_questions(bench) if question.id in ids]
    used = {shown.screen for question in kept for shown in question.screen_images}
    screens = [screen for screen in read_screens(bench) if screen.id in used]
    with Ledger.open(out, {**read_plan(bench), "asked again": sorted(ids)}):
        source, target = ObjectStore(bench), ObjectStore(out)
        for image in sorted({item for question in kept for item in question.images if item}):
            target.put(source.get(image))
        export(out, "bench", {"screens.jsonl": screens, "questions.jsonl": kept})
    return out


def with_again(counts: Sequence[GateCount], questions: Sequence[GatedQuestion]) -> list[GateCount]:
    """Return counts with the answers to those questions that were asked again."""
    again = {question.id: question for question in questions}
    return [
        msgspec.structs.replace(
            count, again=again[count.id].asked, hits_again=again[count.id].hits
        )
        if count.id in again
        else count
        for count in counts
    ]
