"""
From names to models.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.models.backend import Options
from surefoot.models.opening import (
    BACKENDS,
    check_one_server,
    format_of,
    open_chat,
    open_model,
    open_seeing,
)

SERVER = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Qwen/Qwen2.5-VL-7B-Instruct", "qwen2.5-vl"),
        ("qwen2.5vl:7b", "qwen2.5-vl"),
        ("Qwen/Qwen2-VL-7B-Instruct", "qwen2-vl"),
        ("Qwen/Qwen3-VL-8B-Instruct", "qwen3-vl"),
        ("UI-TARS-1.5-7B", "ui-tars-1.5"),
        ("someone/gta1-7b-2507", "gta1"),
        ("Hcompany/Holo1-7B", "holo1"),
        ("Hcompany/Holo1.5-7B", "holo1.5"),
        ("Hcompany/Holo2-8B", "holo2"),
        ("osunlp/UGround-V1-7B", "uground-v1"),
        ("OS-Copilot/OS-Atlas-Base-7B", "os-atlas"),
        ("OS-Copilot/OS-Atlas-Base-4B", "os-atlas-4b"),
        ("showlab/ShowUI-2B", "showui"),
        ("xlangai/Aguvis-7B-720P", "aguvis"),
        ("inclusionAI/UI-Venus-1.5-8B", "ui-venus-1.5"),
        ("xlangai/Jedi-7B-1080p", "qwen2.5-vl"),
        ("cckevinn/SeeClick", "seeclick"),
        ("ByteDance-Seed/UI-TARS-7B-DPO", "ui-tars"),
        ("InfiX-ai/InfiGUI-R1-3B", "infigui-r1"),
        ("LZXzju/Qwen2.5-VL-3B-UI-R1-E", "ui-r1"),
        ("THUDM/cogagent-9b-20241220", "cogagent"),
        ("doubao-1-5-thinking-vision-pro-250428", "seed"),
        ("zai-org/GLM-4.6V-Flash", "glm-v"),
        ("OpenGVLab/InternVL3_5-8B", "internvl"),
        ("openbmb/MiniCPM-V-4_5", "minicpm-v"),
        ("openbmb/AgentCPM-GUI", "agentcpm-gui"),
        ("claude-opus-5-5", "claude"),
        ("anthropic/claude-opus-4.7", "claude"),
        ("claude-haiku-4-5-20251001", "claude-1568"),
        ("claude-opus-4-20250514", "claude-1568"),
        ("gemini-3.5-flash", "gemini"),
        ("gemini-2.5-computer-use-preview-10-2025", "gemini-computer"),
        ("gpt-4o-mini", "json"),
    ],
)
def test_a_name_gives_its_format(name: str, expected: str) -> None:
    """A model's name gives its format whatever its case and owner."""
    assert format_of(name) == expected


@pytest.mark.parametrize("name", ["Qwen4-VL-8B", "mystery", "UI-TARS-2.0", ""])
def test_unknown_names_are_refused(name: str) -> None:
    """A model of no known format is an error that says how to name one, never a guess."""
    with pytest.raises(UnknownNameError, match=r"--format .*surefoot models"):
        format_of(name)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Qwen4-VL-8B", "qwen3-vl"),
        ("UI-TARS-2.0", "ui-tars"),
        ("someone/InfiGUI-G1-7B", "infigui-r1"),
        ("Holo3-35B", "holo2"),
        ("mystery", "json"),
    ],
)
def test_the_nearest_family_is_named(name: str, near: str) -> None:
    """The error names the family that is called most like the model, and how to say it."""
    with pytest.raises(UnknownNameError) as error:
        format_of(name)
    assert f"--format {near} " in str(error.value)


def test_format_option_overrides() -> None:
    """--format wins over the model's name, and a wrong one is an error."""
    spec = f"openai:gpt-4o@{SERVER}"
    assert open_model(spec).format.name == "json"
    assert open_model(spec, format_name="gta1").format.name == "gta1"
    with pytest.raises(UnknownNameError, match="Did you mean 'gta1'"):
        open_model(spec, format_name="gta2")
    with pytest.raises(UnknownNameError, match="version 9"):
        open_model(spec, format_name="gta1@9")


def test_built_in_models_reply_in_json_only() -> None:
    """Another format for a built-in model is refused rather than all unparsed."""
    with pytest.raises(InvalidInputError, match="'json', the only one"):
        open_model("center", format_name="gta1")


def test_unknown_backend() -> None:
    """A wrong first word is an error with the nearest name."""
    with pytest.raises(UnknownNameError, match="Did you mean 'oracle'"):
        open_model("oracel")


def test_prompt_file_changes_prompt_and_identity(tmp_path: Path) -> None:
    """A user's prompt is sent, and makes another identity."""
    file = tmp_path / "mine.txt"
    file.write_text("Mine: {instruction}", encoding="utf-8")
    plain = open_model(f"openai:gpt-4o@{SERVER}")
    mine = open_model(f"openai:gpt-4o@{SERVER}", options=Options(prompt_file=str(file)))
    assert mine.format.messages("go", 1, 1, reasoning=True).user == "Mine: go"
    assert mine.identity() != plain.identity()


def test_every_backend_says_how_to_name_it() -> None:
    """Each backend's usage begins with its name, and all of the contract are there."""
    assert set(BACKENDS.entries) >= {"center", "ocr", "openai", "oracle", "random", "replay"}
    for name, backend in BACKENDS.entries.items():
        assert backend.usage.startswith(name)
        assert backend.summary


def test_a_chat_in_words_needs_no_format() -> None:
    """A name that no format is known for can chat, and its identity holds the address."""
    chat = open_chat(f"openai:mystery@{SERVER}")
    assert chat.name == "mystery"
    assert chat.identity()["base_url"] == SERVER


@pytest.mark.parametrize(
    ("spec", "said"), [("ocr", "needs a picture"), ("opnai:m@x", "Did you mean 'openai'")]
)
def test_what_needs_a_picture_cannot_chat(spec: str, said: str) -> None:
    """A model that looks at pictures, or none at all, is refused with what can be written."""
    with pytest.raises(UnknownNameError, match=said):
        open_chat(spec)


@pytest.mark.parametrize(
    "spec", ["ocr", "random", "oracle", "flat-mask", "nearest-label", "replay:x"]
)
def test_what_replies_in_no_words_to_pictures_is_refused(spec: str) -> None:
    """A model of one picture, of places alone or of none is refused with what can be written."""
    with pytest.raises(UnknownNameError, match="openai:NAME@BASE_URL"):
        open_seeing(spec)


def test_a_named_key_is_for_one_server() -> None:
    """Models on several servers take no key that is named; on one server they do."""
    here, there = "openai:m@http://127.0.0.1:8000/v1", "openai:m@https://there.example/v1"
    named = Options(key_variable="SOME_KEY")
    for specs in ([here, there], [here, "openai:gpt-4o"]):
        with pytest.raises(InvalidInputError, match="one server for the key in SOME_KEY"):
            check_one_server(specs, named)
        check_one_server(specs, Options())
    check_one_server([here, here.replace("m@", "n@"), "ocr", "", "replay:run"], named)


def test_a_models_name_loads_no_numbers_and_no_pictures() -> None:
    """A server's model is opened without NumPy and Pillow, which take longer than requests."""
    code = (
        f"from surefoot.models import open_model; open_model('openai:m@{SERVER}', "
        "format_name='json'); import sys; print(*sorted({'numpy', 'PIL'} & sys.modules.keys()))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert ended.stdout.split() == []
