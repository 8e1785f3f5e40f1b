"""
Papers by a model: asked over HTTP, kept where they are proven, never asked for twice.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from surefoot.core.errors import PlanMismatchError, SurefootError
from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.instance import Instance
from surefoot.forms.letters.verifying import verify
from surefoot.forms.letters.writing import LEVELS, Level, write_document
from surefoot.forms.specification import said
from surefoot.forms.values.making import make_instance
from surefoot.models import Options, open_chat
from surefoot.run.engine.outcome import Outcome
from surefoot.run.folders.folder import read_table
from surefoot.run.forms.building import Paper, build_forms, read_forms
from surefoot.run.forms.letters import AskedLetter, letter_lines, letter_writer

if TYPE_CHECKING:
    from tests.conftest import FakeServer, MakeStep, Step

FORM: Final = find_form("personal_loan_application")
MADE: Final = tuple(make_instance(FORM, seed=5, index=index) for index in range(2))
KEY: Final = "sk-secret-0123456789"
AGAIN: Final = "could not be used"
TOLD: Final = {"labelled": "before each value", "derived": "neither steel nor wood"}


def completion(text: str) -> bytes:
    """Return what a server replies."""
    return json.dumps({"choices": [{"message": {"content": text}}]}).encode()


def prompt_of(body: dict[str, Any]) -> str:
    """Return the words of a request."""
    return str(body["messages"][-1]["content"])


def letter(instance: Instance) -> str:
    """Return a text that says every value, and that the grammar would not write."""
    document = write_document(FORM, instance, kind="letter", level="paraphrased", seed=99)
    return f"{document.text}\nThank you for your time."


def build(
    server: FakeServer, out: Path, *, instances: int = 2, retry_failed: bool = False
) -> Outcome:
    """Build one form with letters from the fake server."""
    options = Options(seed=5, attempts=1, key_variable="LETTER_KEY")
    writer = letter_writer(open_chat(f"openai:scribe@{server.base}", options=options))
    how: dict[str, Any] = {"writer": writer, "retry_failed": retry_failed}
    return build_forms([FORM], out, instances=instances, seed=5, **how)


def papers_of(folder: Path) -> dict[tuple[int, Level], Paper]:
    """Return the papers of a folder by instance and level."""
    papers = read_table(folder, "documents.jsonl", Paper, kind="form-bench")
    return {(paper.index, paper.document.level): paper for paper in papers}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a key into the environment, as a user would."""
    monkeypatch.setenv("LETTER_KEY", KEY)


@pytest.fixture
def scribe(server: FakeServer, step: MakeStep) -> FakeServer:
    """
    Return a server that writes good letters, but for labelled ones garbage.

    For the derived one of the second instance it is good at the second try; of the first
    one it gives no reply.
    """

    def answer(body: dict[str, Any]) -> Step:
        prompt = prompt_of(body)
        at = next(
            at for at, instance in enumerate(MADE) if str(instance.values["last_name"]) in prompt
        )
        if TOLD["labelled"] in prompt:
            return step(completion("[" * 50))
        if TOLD["derived"] in prompt and AGAIN not in prompt:
            return step(completion("No.")) if at else step(b"", status=400)
        return step(completion(letter(MADE[at])))

    server.choose = answer
    return server


def test_each_level_gets_what_could_be_proven(scribe: FakeServer, tmp_path: Path) -> None:
    """Proven replies are the papers, the grammar's stand elsewhere, and all is counted."""
    outcome = build(scribe, tmp_path)
    papers = papers_of(tmp_path)

    assert len(papers) == 6
    for (index, level), paper in papers.items():
        own = level == "paraphrased" or (index, level) == (1, "derived")
        assert paper.writer == ("scribe" if own else ""), (index, level)
        assert verify(FORM, MADE[index], paper.document) == ()
        grammar = write_document(FORM, MADE[index], level=level, seed=5)
        text = letter(MADE[index]).strip() + "\n"
        assert paper.document.text == (text if own else grammar.text)
    assert outcome.lines[3].startswith("writer scribe: 3 of 6 papers kept (50.0 %, 95 % interval ")
    assert outcome.lines[4].startswith("  labelled: 0 of 2 papers kept (0.0 %")
    assert outcome.lines[6].startswith("  derived: 1 of 2 papers kept")
    assert outcome.lines[7].startswith("  the grammar wrote the other 3: 1 no reply, 14 missing")
    assert [failure.reason for failure in outcome.failures] == ["http-400"]
    asked = read_table(tmp_path, "letters.jsonl", AskedLetter, kind="form-bench")
    assert [(item.replies, item.kept) for item in asked] == [
        (3, False), (1, True), (0, False),
        (3, False), (1, True), (2, True),
    ]  # fmt: skip
    bodies = scribe.bodies
    assert len({prompt_of(body) for body in bodies}) == len(bodies) == 6 + 3
    assert {body["max_tokens"] for body in bodies} == {4096}
    assert scribe.headers[0]["authorization"] == f"Bearer {KEY}"
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in item for item in written)


def test_nothing_is_asked_twice(scribe: FakeServer, step: MakeStep, tmp_path: Path) -> None:
    """The same command asks nothing and writes the same; failures are asked when told to."""
    build(scribe, tmp_path)
    before, asked = (tmp_path / "manifest.json").read_bytes(), len(scribe.bodies)
    build(scribe, tmp_path)
    assert ((tmp_path / "manifest.json").read_bytes(), len(scribe.bodies)) == (before, asked)

    scribe.choose = lambda _: step(completion(letter(MADE[0])))
    outcome = build(scribe, tmp_path, retry_failed=True)
    assert (outcome.failures, len(scribe.bodies)) == ((), asked + 1)
    assert papers_of(tmp_path)[0, "derived"].writer == "scribe"
    other = letter_writer(open_chat(f"openai:poet@{scribe.base}"))
    for writer in (other, None):
        with pytest.raises(PlanMismatchError, match="writer"):
            build_forms([FORM], tmp_path, instances=2, seed=5, writer=writer)


def test_a_build_that_was_cut_off_goes_on(
    scribe: FakeServer, step: MakeStep, tmp_path: Path
) -> None:
    """What came before a server went away is kept; only the rest is asked later."""
    answer = scribe.choose
    assert answer is not None
    scribe.choose = lambda body: step(drop=True) if AGAIN in prompt_of(body) else answer(body)
    cut = build(scribe, tmp_path / "cut")
    assert {failure.reason for failure in cut.failures} == {"connection", "http-400"}
    first = [prompt_of(body) for body in scribe.bodies if AGAIN not in prompt_of(body)]
    scribe.bodies.clear()
    scribe.choose = answer
    build(scribe, tmp_path / "cut", retry_failed=True)
    again = [prompt_of(body) for body in scribe.bodies if AGAIN not in prompt_of(body)]
    assert (len(first), len(again)) == (6, 1)  # the one that was answered with 400
    build(scribe, tmp_path / "whole")
    for name in ("manifest.json", "documents.jsonl", "letters.jsonl"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_server_that_is_not_there_fails_nothing(server: FakeServer, tmp_path: Path) -> None:
    """Where nobody listens this is said at once, without an export or a recorded failure."""
    writer = letter_writer(
        open_chat("openai:m@http://127.0.0.1:9/v1", options=Options(attempts=1))
    )
    with pytest.raises(SurefootError, match="connection refused"):
        build_forms([FORM], tmp_path, instances=1, seed=5, writer=writer)
    assert not (tmp_path / "manifest.json").exists()
    assert server.bodies == []


def test_a_run_hands_over_what_the_model_wrote(scribe: FakeServer, tmp_path: Path) -> None:
    """Texts of the levels asked for come back where the model wrote them, and no others."""
    build(scribe, tmp_path)
    assert read_forms(tmp_path).letters == {}
    found = read_forms(tmp_path, levels=LEVELS).letters
    assert set(found) == {
        (FORM.id, 0, "paraphrased"),
        (FORM.id, 1, "paraphrased"),
        (FORM.id, 1, "derived"),
    }
    assert found[FORM.id, 1, "derived"] == letter(MADE[1]).strip() + "\n"
    fewer = read_forms(tmp_path, instances=1, levels=["paraphrased"]).letters
    assert set(fewer) == {(FORM.id, 0, "paraphrased")}


def test_a_prompt_shows_labels_and_asks_for_its_level(scribe: FakeServer, tmp_path: Path) -> None:
    """Every instance is asked for at every level, with the labels of all its fields."""
    build(scribe, tmp_path, instances=1)
    prompts = [prompt_of(body) for body in scribe.bodies if AGAIN not in prompt_of(body)]
    assert len(set(prompts)) == len(prompts) == len(LEVELS)
    for prompt in prompts:
        assert all(f"- {said(field.label, 'en')}: " in prompt for field in FORM.fields)


def test_lines_tell_a_clean_sweep() -> None:
    """Where every letter was kept there is no line about others."""
    asked = [AskedLetter(FORM.id, 0, level, 1, kept=True) for level in LEVELS]
    lines = list(letter_lines("m", asked))
    kept = "3 of 3 papers kept (100.0 %, 95 % interval unknown)"
    assert lines[0] == f"writer m: {kept}"
    assert len(lines) == 1 + len(LEVELS)
