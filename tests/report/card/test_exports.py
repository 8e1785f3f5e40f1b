"""
A card for other places: what Hugging Face's own library reads, and LaTeX.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from huggingface_hub import ModelCard, ModelCardData, parse_eval_result_entries

from surefoot.core.errors import InvalidInputError
from surefoot.report.card.exports import latex_table, model_card, result_entries
from surefoot.report.card.opening import open_sources
from surefoot.report.card.page import CardChoices, score_card
from surefoot.report.card.record import CardRecord

yaml = pytest.importorskip("yaml")  # comes with huggingface_hub
Runs = Callable[..., list[Path]]
NAME = "walker_1 & <b>*bold*</b> | 5 %"


@pytest.fixture(scope="module")
def record(
    runs_of: Runs, references: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> CardRecord:
    """Score a model whose name is full of what the formats take for their own."""
    folder = tmp_path_factory.mktemp("named")
    runs = runs_of(
        folder, {("perturbed", "dark"): 0.7}, name=NAME.replace("/", "\N{FRACTION SLASH}")
    )
    return score_card(open_sources(runs, references), CardChoices()).record


def test_hugging_face_reads_every_number(record: CardRecord) -> None:
    """Its library finds the name, and of each pillar the rate with interval and changes."""
    card = ModelCard(model_card(record))
    assert isinstance(card.data, ModelCardData)
    results = card.data.eval_results or []
    rates = {one.dataset_name: one for one in results if one.metric_type == "accuracy"}
    changes = [one for one in results if one.metric_type == "change"]

    assert card.data.model_name == record.models[0]
    assert card.data.tags == ["surefoot"]
    assert rates.keys() == {"perturbed", "hidden", "multilingual"}
    for pillar in record.pillars:
        (plain,) = [one for one in pillar.summary.baselines if one.model == record.models[0]]
        told = rates[pillar.name]
        assert told.metric_value == pytest.approx(plain.amount, abs=1e-6)
        assert plain.interval is not None
        assert told.metric_args is not None
        assert told.metric_args["interval"] == pytest.approx(
            [plain.interval.low, plain.interval.high], abs=1e-6
        )
    assert any(
        "dark" in (one.metric_name or "") and (one.metric_args or {})["found"] for one in changes
    )
    assert "*bold*" not in card.text.replace(r"\*bold\*", "")
    assert "<b>" not in card.text


def test_entries_are_read_back(record: CardRecord) -> None:
    """The Hub's parser reads one entry a pillar, with the interval in its notes."""
    entries = parse_eval_result_entries(yaml.safe_load(result_entries(record, "owner/suite-1")))

    assert [one.task_id for one in entries] == ["perturbed", "hidden", "multilingual"]
    assert {one.dataset_id for one in entries} == {"owner/suite-1"}
    assert all(re.search(r"95 % interval [\d.]+ to [\d.]+", one.notes or "") for one in entries)
    assert all(0 <= one.value <= 100 for one in entries)
    assert "surest loss found: under darkened" in (entries[0].notes or "")


@pytest.mark.parametrize("dataset", ["", "suite", "a/b/c", "a/ b", "a/b\n"])
def test_another_id_is_refused(record: CardRecord, dataset: str) -> None:
    """What is no id of a data set on the Hub is the user's mistake."""
    with pytest.raises(InvalidInputError, match="OWNER/NAME"):
        result_entries(record, dataset)


def test_metadata_are_of_one_model(runs_of: Runs, tmp_path: Path) -> None:
    """Of two models there is no model card, but a table."""
    runs = [*runs_of(tmp_path, {}, name="one"), *runs_of(tmp_path, {}, name="two")]
    record = score_card(open_sources(runs), CardChoices()).record

    with pytest.raises(InvalidInputError, match="Make a card for each"):
        model_card(record)
    assert latex_table(record).count(r"\\") == 1 + 6


def test_latex_has_every_special_character_escaped(record: CardRecord) -> None:
    """Each row has six columns, whatever a name holds."""
    rows = [line for line in latex_table(record).splitlines() if line.startswith("walker")]

    assert len(rows) == 3
    for row in rows:
        assert row.startswith(r"walker\_1 \& <b>*bold*<")
        assert len(re.findall(r"(?<!\\)&", row)) == 5
        assert not re.search(r"(?<!\\)[%#_]", row)
