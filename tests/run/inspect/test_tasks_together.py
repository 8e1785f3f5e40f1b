"""
Tasks of Inspect AI ask what ``surefoot run`` asks, and their logs become the same runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Unparsed
from surefoot.run.folders.folder import read_answers, read_questions
from surefoot.run.imports.results import import_results
from surefoot.score.hits import judge

Evaluate = Callable[..., Path]
JSON = ("-T", "format=json", "--model", "offline/gpt-json")


def _read(log: Path) -> Any:  # noqa: ANN401 - a type of an extra
    from inspect_ai.log import read_eval_log

    found = read_eval_log(log)
    assert found.status == "success"
    return found


def test_a_log_becomes_the_run_of_the_same_replies(
    perturbed_bench: Path, log: Path, tmp_path: Path
) -> None:
    """Every sample is an answer, read as the task read it; accuracy is our rate of hits."""
    found = import_results("inspect-log", log, perturbed_bench, tmp_path / "run")

    questions, answers = read_questions(perturbed_bench), read_answers(tmp_path / "run")
    assert len(answers) == len(questions) == 36
    assert any(isinstance(answer.parsed, Unparsed) for answer in answers)
    assert (found.counts["verdicts"], found.counts["differing"]) == (36, 0)
    hits = judge(questions, answers)
    assert 0 < sum(hits.values()) < 36
    accuracy = _read(log).results.scores[0].metrics["accuracy"].value
    assert accuracy == pytest.approx(sum(hits.values()) / 36)
    assert {answer.usage.prompt_tokens for answer in answers} == {11}


def test_accuracy_is_told_by_variant_and_its_error_by_site(
    perturbed_bench: Path, log: Path
) -> None:
    """Groups are the variants, each with its own rate; sites, not samples, are independent."""
    whole = _read(log)
    metrics = {
        name: item.value for part in whole.results.scores for name, item in part.metrics.items()
    }
    questions = read_questions(perturbed_bench)
    hit = {str(sample.id): sample.scores["hit"].value == "C" for sample in whole.samples}
    for variant in ("original", "style", "zoom:1.5"):
        own = [hit[item.id] for item in questions if item.cell.variant == variant]
        assert metrics[variant] == pytest.approx(sum(own) / len(own))
    # Sums over sites, by hand: n / (n - 1) times the sum of squares, over all samples.
    mean = sum(hit.values()) / len(hit)
    sums: dict[str, float] = {}
    for item in questions:
        sums[item.cluster] = sums.get(item.cluster, 0.0) + hit[item.id] - mean
    square = sum(value**2 for value in sums.values()) * len(sums) / (len(sums) - 1)
    assert metrics["stderr"] == pytest.approx(square**0.5 / len(hit))


def test_pictures_stay_out_of_the_log(log: Path) -> None:
    """With images left out no sample holds the bytes of a picture."""
    samples = [item.model_dump(mode="json") for item in _read(log).samples]
    assert "iVBORw0KGgo" not in json.dumps(samples)


@pytest.mark.parametrize(
    ("task", "other", "words"),
    [
        ("surefoot/hidden", False, "benchmark 'hidden'"),
        ("surefoot/perturbed", True, "surefoot/questions"),
    ],
)
def test_a_task_takes_its_own_benchmark(
    evaluate: Evaluate, perturbed_bench: Path, drawn: Path, task: str, words: str, *, other: bool
) -> None:
    """A benchmark of another name is an error that names the task that takes any."""
    evaluate(task, "-T", f"bench={drawn if other else perturbed_bench}", *JSON, failing=words)


def test_a_log_of_another_benchmark_is_rejected(
    evaluate: Evaluate, perturbed_bench: Path, drawn: Path, tmp_path: Path
) -> None:
    """The digest in the log's metadata says which benchmark was asked, whatever the ids are."""
    other = evaluate("surefoot/questions", "-T", f"bench={drawn}", *JSON)
    with pytest.raises(InvalidInputError, match="replies to another"):
        import_results("inspect-log", other, perturbed_bench, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_epochs_are_samples_and_errors_are_failures(
    evaluate: Evaluate, perturbed_bench: Path, tmp_path: Path
) -> None:
    """Two epochs are two samples of each question; one that ended in an error is no answer."""
    log = evaluate(
        "surefoot/questions",
        *("-T", f"bench={perturbed_bench}", "-T", "format=json", "--model", "offline/broken-json"),
        *("--epochs", 2, "--no-fail-on-error"),
    )
    found = import_results("inspect-log", log, perturbed_bench, tmp_path / "run")
    answers = read_answers(tmp_path / "run")
    failed = found.counts["failed"]
    assert failed == 2 * sum(
        "Click 'send'" in item.instruction.text for item in read_questions(perturbed_bench)
    )
    assert len(answers) == 72 - failed
    assert sum(answer.question.endswith("~2") for answer in answers) == len(answers) / 2


def _prompts(bodies: list[dict[str, Any]]) -> list[str]:
    """Return the words of each request, sorted."""

    def words(message: Mapping[str, Any]) -> str:
        content = message["content"]
        if isinstance(content, str):
            return content
        return "".join(part["text"] for part in content if part["type"] == "text")

    return sorted("\n".join(map(words, body["messages"])) for body in bodies)


def _shown(body: Mapping[str, Any]) -> str:
    """Return the pictures of a request, so that replies follow from them as well."""
    listed = [item["content"] for item in body["messages"] if not isinstance(item["content"], str)]
    parts = [part for content in listed for part in content]
    return "".join(part["image_url"]["url"] for part in parts if part["type"] == "image_url")


def test_inspect_eval_and_surefoot_run_agree_on_one_server(
    surefoot: Callable[..., Any],
    evaluate: Evaluate,
    perturbed_bench: Path,
    tmp_path: Path,
    server: Any,  # noqa: ANN401 - see the conftest of all tests
    step: Any,  # noqa: ANN401 - as above
) -> None:
    """One server, asked by both programs: equal prompts, equal replies, equal hits."""
    from tests.run.inspect.offline_api import drawn_reply

    def choose(body: dict[str, Any]) -> Any:  # noqa: ANN401 - a step
        reply = drawn_reply(_prompts([body])[0] + _shown(body))
        message = {"role": "assistant", "content": reply}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}
        whole = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
        return step(json.dumps(whole | {"choices": [choice], "usage": usage}).encode())

    server.choose = choose
    words = ("-T", f"bench={perturbed_bench}", "-T", "format=json", "--model", "openai-api/mock/m")
    found = evaluate("surefoot/perturbed", *words, MOCK_API_KEY="none", MOCK_BASE_URL=server.base)
    theirs = _prompts(server.bodies)
    server.bodies.clear()

    name = f"openai:m@{server.base}"
    own = ("run", perturbed_bench, "--model", name, "--format", "json", "--no-self-check")
    asked = surefoot(*own, "--keep-going", "--out", tmp_path / "own")
    read = surefoot(
        "import", "inspect-log", found, "--bench", perturbed_bench, "--out", tmp_path / "read"
    )

    assert (asked.code, read.code) == (0, 0), asked.err + read.err
    assert theirs == _prompts(server.bodies)
    assert len(theirs) == 36
    assert read_answers(tmp_path / "own") == read_answers(tmp_path / "read")
    assert "36 of 36 verdicts are as the file has them" in read.out
