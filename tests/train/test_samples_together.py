"""
Rejection sampling: a run of several samples becomes data of its hits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from surefoot.models import Options
from surefoot.models.opening import FORMATS
from surefoot.run.asking.run import ask_model
from surefoot.run.asking.runs import open_run
from surefoot.score.hits import judge
from surefoot.train.data import build_data
from surefoot.train.examples import read_examples
from surefoot.train.layout import LAYOUTS
from surefoot.train.mixture import Mixture
from surefoot_studies.tiny.bench import write_clicks
from surefoot_studies.tiny.cli import WEIGHTS


def test_each_different_reply_that_hit_is_learned_once(tmp_path: Path) -> None:
    """Of five samples a question, all hits of different words are examples, and no others."""
    bench = write_clicks(tmp_path / "bench", seed=3, screens=4, variants=("small",))
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
