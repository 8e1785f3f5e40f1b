"""
Rejection sampling: a run of several samples becomes data of its hits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from surefoot.core.geometry import Point
from surefoot.core.question import Question
from surefoot.models import Options
from surefoot.models.format import Format
from surefoot.models.opening import FORMATS
from surefoot.run.asking.run import ask_model
from surefoot.run.asking.runs import open_run
from surefoot.score.hits import judge
from surefoot.train.data import build_data, own_replies, read_source
from surefoot.train.examples import read_examples
from surefoot.train.layout import LAYOUTS
from surefoot.train.mixture import Mixture
from surefoot_studies.tiny.bench import write_clicks
from surefoot_studies.tiny.cli import WEIGHTS


def test_a_run_teaches_its_different_hits(tmp_path: Path) -> None:
    """Different hits of five samples are learned, also beside the benchmark, where they hit."""
    bench = write_clicks(tmp_path / "bench", seed=3, screens=3, variants=("original", "small"))
    options = Options(temperature=1.0, device="cpu")
    run, data = tmp_path / "run", tmp_path / "data"
    given: dict[str, Any] = {"format_name": "tiny", "check": False, "keep_going": True}
    ask_model(bench, f"hf:{WEIGHTS}", run, options=options, samples=5, **given)
    form, layout = FORMATS.get("tiny"), LAYOUTS.get("trl")
    build_data([run], data, form=form, mixture=Mixture(), layout=layout)

    asked = open_run(run)
    hit = judge(asked.questions, asked.answers)
    hits = [answer for answer in asked.answers if hit[answer.question]]
    said = [(answer.question.partition("~")[0], answer.raw) for answer in hits]
    examples = read_examples(data)
    learned = [(one.question.first_sample, one.completion) for one in examples]
    assert len(learned) < len(said), "no two samples were alike"
    assert len({first for first, _ in learned}) < len(learned), "no question had two hits"
    assert sorted(learned) == sorted(set(said))
    assert len({one.id for one in examples}) == len(examples)

    both = read_source(bench, form, own_replies([bench, run]), "bench")
    assert len(both.examples) == len(asked.questions) / 5
    pair = {one.id: (one.pair, one.instruction.text) for one in asked.questions}
    own = {(*pair[answer.question], answer.raw) for answer in hits}
    lent = 0
    for question, completion in ((one.question, one.completion) for one in both.examples):
        told = question.pair, question.instruction.text
        if any(key[:2] == told and lies_in(question, key[2], form) for key in own):
            assert (*told, completion) in own
            assert lies_in(question, completion, form)
            lent += (question.id, completion) not in said
        else:
            assert completion == form.write(question.truth.center, question.width, question.height)
    assert lent, "no reply came from another picture"


def lies_in(question: Question, raw: str, form: Format) -> bool:
    """Tell whether a reply's place lies in the target."""
    place = form.parse(raw, question.width, question.height)
    return isinstance(place, Point) and question.truth.contains(place)
