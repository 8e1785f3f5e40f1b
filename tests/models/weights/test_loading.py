"""
What is refused before a run begins, adapters, and that nothing heavy is imported by a name.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError, MissingComponentError, SurefootError
from surefoot.models import Options, open_model
from surefoot.models.format import ChatMessages
from surefoot.models.weights.folder import fingerprint, read_folder

torch = pytest.importorskip("torch")

from surefoot.models.weights.generating import Chat, generate  # noqa: E402
from surefoot.models.weights.loading import load  # noqa: E402


@pytest.fixture
def copied(folders: dict[str, Path], tmp_path: Path) -> Path:
    """Return a copy of a folder that a test may spoil."""
    return Path(shutil.copytree(folders["qwen3_vl"], tmp_path / "model"))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("config.json", "config.json"),
        ("model.safetensors", "weights"),
        ("tokenizer.json", "tokenizer"),
        ("preprocessor_config.json", "image processor"),
    ],
)
def test_a_missing_file_is_named_at_once(copied: Path, name: str, told: str) -> None:
    """A folder without a file it needs is refused when it is named, without PyTorch."""
    (copied / name).unlink()
    with pytest.raises(InvalidInputError, match=told):
        open_model(f"hf:{copied}")


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"model_type": ', b"\xff\xfe"])
def test_a_damaged_configuration_is_refused(copied: Path, content: bytes) -> None:
    """Whatever config.json holds, the error is one of ours."""
    (copied / "config.json").write_bytes(content)
    with pytest.raises(InvalidInputError, match="config"):
        read_folder(copied)


def test_a_model_that_sees_nothing_is_refused(copied: Path) -> None:
    """A family that writes and looks at no pictures is named, before weights are read."""
    told = json.loads((copied / "config.json").read_bytes())
    (copied / "config.json").write_text(json.dumps(told | {"model_type": "llama"}))
    with pytest.raises(InvalidInputError, match=r"looks at pictures.*'llama'"):
        load(copied)


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    """Neither a file nor nothing is a model, and nothing is fetched for a name."""
    with pytest.raises(InvalidInputError, match="found nothing"):
        open_model(f"hf:{tmp_path / 'Qwen' / 'Qwen3-VL-8B'}")


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"dtype": "float8"}, "dtype"),
        ({"dtype": "float16", "device": "cpu"}, "float16"),
        ({"device": "tpu"}, "device"),
        ({"quantization": "4bit", "device": "cpu"}, "GPU"),
        ({"quantization": "2bit"}, "quantization"),
        ({"adapter": "/nowhere"}, "adapter"),
    ],
)
def test_settings_that_cannot_be_are_refused(
    folders: dict[str, Path], settings: dict[str, str], told: str
) -> None:
    """Each wrong setting is told before a question is asked."""
    with pytest.raises(InvalidInputError, match=told):
        load(folders["qwen3_vl"], **settings)


def test_weights_that_are_too_large_are_refused(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the memory does not hold the weights, that is told before they are read."""
    import psutil

    small = psutil.virtual_memory()._replace(available=1000)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: small)
    with pytest.raises(SurefootError, match="memory for the weights"):
        load(folders["qwen3_vl"], device="cpu")


@pytest.mark.parametrize("dtype", ["auto", "bfloat16"])
@pytest.mark.parametrize("kept", [slice(0), slice(1000), slice(-1000)])
def test_damaged_weights_are_refused(copied: Path, kept: slice, dtype: str) -> None:
    """Weights that were cut off anywhere are an error of ours in any dtype."""
    weights = copied / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[kept])
    with pytest.raises(InvalidInputError, match="deserializing header"):
        load(copied, device="cpu", dtype=dtype)


@pytest.mark.parametrize("prefix", ["", "other."])
def test_weights_that_the_folder_lacks_are_not_drawn_at_random(copied: Path, prefix: str) -> None:
    """One tensor too few, or all under other names, is named and no model is loaded."""
    from safetensors.torch import load_file, save_file

    weights = load_file(copied / "model.safetensors")
    del weights[next(name for name in weights if name.endswith("layers.1.mlp.up_proj.weight"))]
    renamed = {prefix + name: tensor for name, tensor in weights.items()}
    save_file(renamed, copied / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(
        InvalidInputError, match=r"weights for all parts.*none for (model|lm_head)\."
    ):
        load(copied, device="cpu")


def test_a_configuration_of_the_wrong_types_is_refused(copied: Path) -> None:
    """A word where the family's configuration has a number is an error of ours."""
    told = json.loads((copied / "config.json").read_bytes())
    told["text_config"]["num_attention_heads"] = "four"
    (copied / "config.json").write_text(json.dumps(told))
    with pytest.raises(InvalidInputError, match="num_attention_heads"):
        load(copied, device="cpu")


def test_a_folder_without_a_chat_template_is_refused(copied: Path) -> None:
    """Without a template no question can be asked, which is told before the first."""
    (copied / "chat_template.jinja").unlink()
    with pytest.raises(InvalidInputError, match="chat template"):
        load(copied, device="cpu")


def test_a_processor_that_needs_torchvision_says_so(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A processor with a part for videos names the package, instead of the folder's files."""
    from surefoot.models.weights import processing

    if importlib.util.find_spec("torchvision") is not None:
        pytest.skip("torchvision is installed")
    monkeypatch.setattr(processing, "QWEN", {})  # as any other family is loaded
    with pytest.raises(MissingComponentError, match="pip install torchvision"):
        load(folders["qwen2_vl"], device="cpu")


@pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing`:FutureWarning")
def test_an_adapter_changes_the_model(folders: dict[str, Path], tmp_path: Path) -> None:
    """A LoRA adapter is merged: logits differ from the base's, and are those of peft's own."""
    from peft import LoraConfig, get_peft_model

    from surefoot.models.weights.generating import encode

    base = load(folders["qwen2_5_vl"], device="cpu")
    given = encode(base, [Chat(ChatMessages("", "Save"))])
    with torch.inference_mode():
        before = base.model(**given).logits
    config = LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    torch.manual_seed(1)
    tuned = get_peft_model(load(folders["qwen2_5_vl"], device="cpu").model, config).eval()
    with torch.inference_mode():
        expected = tuned(**given).logits
    tuned.save_pretrained(tmp_path)
    again = load(folders["qwen2_5_vl"], device="cpu", adapter=tmp_path)
    with torch.inference_mode():
        found = again.model(**given).logits

    assert not torch.allclose(before, expected, atol=1e-3)
    assert torch.allclose(found, expected, atol=1e-4)


@pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing`:FutureWarning")
@pytest.mark.parametrize("damage", ["names", "cut", "gone", "kind"])
def test_an_adapter_that_does_not_fit_is_refused(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    """An adapter of another model's names, cut, without weights or no LoRA is never left out."""
    from peft import LoraConfig, PromptTuningConfig, get_peft_model
    from safetensors.torch import load_file, save_file

    monkeypatch.chdir(tmp_path)
    folder = Path("out/lora")  # as a hub's names are spelt: nobody may be asked for it
    lora = LoraConfig(r=4, target_modules=["q_proj"], init_lora_weights=False)
    other = PromptTuningConfig(
        num_virtual_tokens=2, task_type="CAUSAL_LM", num_layers=3, token_dim=64,
        num_attention_heads=4, num_transformer_submodules=1,
    )  # fmt: skip
    base = load(folders["qwen2_5_vl"], device="cpu").model
    get_peft_model(base, other if damage == "kind" else lora).save_pretrained(folder)
    weights = folder / "adapter_model.safetensors"
    if damage == "names":
        save_file({f"other.{name}": one for name, one in load_file(weights).items()}, weights)
    elif damage == "cut":
        weights.write_bytes(weights.read_bytes()[:300])
    elif damage == "gone":
        weights.unlink()
    with pytest.raises(InvalidInputError, match="adapter"):
        load(folders["qwen2_5_vl"], device="cpu", adapter=folder)


def test_bfloat16_is_computed_in(folders: dict[str, Path]) -> None:
    """The dtype that is asked for is that of the weights, and replies come."""
    local = load(folders["qwen3_vl"], device="cpu", dtype="bfloat16")
    assert local.dtype == "bfloat16"
    assert generate(local, [Chat(ChatMessages("", "Save"))], max_tokens=3)


def test_the_fingerprint_is_that_of_the_files(copied: Path) -> None:
    """One changed byte of a file is another model, a file elsewhere is not."""
    before = fingerprint(copied)
    other = copied.parent / "elsewhere"
    shutil.copytree(copied, other)
    assert fingerprint(other) == before
    config = json.loads((copied / "config.json").read_text())
    (copied / "config.json").write_text(json.dumps(config | {"x": 1}))
    assert fingerprint(copied) != before


def test_the_format_is_that_of_the_family(folders: dict[str, Path]) -> None:
    """A folder of any name replies as its family does, unless its name or a user says more."""
    names = {family: open_model(f"hf:{folder}").format.name for family, folder in folders.items()}
    assert names == {
        "qwen2_vl": "qwen2-vl", "qwen2_5_vl": "qwen2.5-vl", "qwen3_vl": "qwen3-vl",
    }  # fmt: skip
    assert open_model(f"hf:{folders['qwen3_vl']}", format_name="json").format.name == "json"


def test_naming_a_model_imports_nothing_heavy(folders: dict[str, Path]) -> None:
    """To open a model, and to hash its files for the plan, takes no PyTorch."""
    program = (
        "import sys; from surefoot.models import open_model; "
        f"open_model('hf:{folders['qwen3_vl']}').identity(); "
        "sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_plan_knows_how_a_model_is_asked(folders: dict[str, Path]) -> None:
    """Another dtype or seed is another plan; another device or batch is not."""

    def plan(**settings: object) -> object:
        options = Options(**settings)  # type: ignore[arg-type]
        return open_model(f"hf:{folders['qwen3_vl']}", options=options).identity()

    assert plan() == plan(concurrency=3, device="cpu")
    assert plan() != plan(dtype="bfloat16")
    assert plan() != plan(seed=1)


CODE = "import pathlib\npathlib.Path(r'{}').write_text('ran')\nclass Own: pass\n"


def told(folder: Path, file: str, **fields: object) -> None:
    """Change fields of a file of settings."""
    path = folder / file
    known = json.loads(path.read_bytes()) if path.is_file() else {}
    path.write_text(json.dumps(known | fields))


def with_code(folder: Path, file: str, **fields: object) -> None:
    """Have a file of settings name a class of the folder's own code."""
    told(folder, file, **fields)
    for name in ("own", "modeling_own", "processing_own", "configuration_own"):
        (folder / f"{name}.py").write_text(CODE.format(folder.parent / "ran"))


OWN_CODE: dict[str, tuple[str, dict[str, object]]] = {
    "configuration": ("config.json", {"auto_map": {"AutoConfig": "own.Own"}}),
    "model": ("config.json", {"auto_map": {"AutoModelForImageTextToText": "own.Own"}}),
    "unknown family": (
        "config.json", {"model_type": "own", "auto_map": {"AutoConfig": "own.Own"}},
    ),
    "processor": (
        "processor_config.json",
        {"processor_class": "Own", "auto_map": {"AutoProcessor": "own.Own"}},
    ),
    "processor in the pictures' file": (
        "preprocessor_config.json",
        {"processor_class": "Own", "auto_map": {"AutoProcessor": "own.Own"}},
    ),
    "pictures": (
        "preprocessor_config.json",
        {"image_processor_type": "Own", "auto_map": {"AutoImageProcessor": "own.Own"}},
    ),
    "tokenizer": (
        "tokenizer_config.json",
        {"tokenizer_class": "Own", "auto_map": {"AutoTokenizer": ["own.Own", None]}},
    ),
    "tokenizer's processor": (
        "tokenizer_config.json",
        {"processor_class": "Own", "auto_map": {"AutoProcessor": "own.Own"}},
    ),
    "of another repository": (
        "config.json", {"model_type": "own", "auto_map": {"AutoConfig": "evil/repo--own.Own"}},
    ),
    "generation": ("generation_config.json", {"custom_generate": "own"}),
    "videos": (
        "video_preprocessor_config.json", {"auto_map": {"AutoVideoProcessor": "own.Own"}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("where", OWN_CODE)
def test_code_of_a_folder_is_not_run(
    copied: Path, where: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever names a class of the folder's code, it is neither run nor asked about."""
    file, fields = OWN_CODE[where]
    with_code(copied, file, **fields)
    answers = io.StringIO("y\n" * 9)
    monkeypatch.setattr(sys, "stdin", answers)
    with contextlib.suppress(SurefootError):
        load(copied)

    assert not (copied.parent / "ran").exists()
    assert answers.tell() == 0
    assert "[y/N]" not in capsys.readouterr().out


def pipe(folder: Path, name: str) -> None:
    """Put a pipe into a file's place."""
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)


def large(folder: Path, name: str) -> None:
    """Make a file of settings that has no end."""
    with (folder / name).open("ab") as stream:
        stream.truncate(2**40)


def linked(folder: Path, name: str, to: str) -> None:
    """Put a link into a file's place."""
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(to)


def unindexed(folder: Path) -> None:
    """Have an index name weights outside of the folder."""
    (folder / "model.safetensors").rename(folder / "other.safetensors")
    told(folder, "model.safetensors.index.json", weight_map={"a": "../../x.safetensors"})


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
DEEP = b'{"model_type": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
ODD: dict[str, Callable[[Path], object]] = {
    "a pipe as settings": lambda folder: pipe(folder, "config.json"),
    "a pipe as weights": lambda folder: pipe(folder, "model.safetensors"),
    "a pipe beside": lambda folder: pipe(folder, "notes.txt"),
    "a pipe for the tokenizer": lambda folder: pipe(folder, "tokenizer.json"),
    "a device": lambda folder: linked(folder, "tokenizer.json", "/dev/zero"),
    "a device as weights": lambda folder: linked(folder, "model.safetensors", "/dev/zero"),
    "settings without end": lambda folder: large(folder, "tokenizer_config.json"),
    "a folder as settings": lambda folder: linked(folder, "config.json", "."),
    "a folder as weights": lambda folder: linked(folder, "model.safetensors", "."),
    "a link to itself": lambda folder: linked(folder, "config.json", "config.json"),
    "weights not fetched": lambda folder: (folder / "model.safetensors").write_bytes(POINTER),
    "a tokenizer not fetched": lambda folder: (folder / "tokenizer.json").write_bytes(POINTER),
    "deep settings": lambda folder: (folder / "config.json").write_bytes(DEEP),
    "a deep tokenizer": lambda folder: (folder / "tokenizer.json").write_bytes(DEEP),
    "a list as tokenizer": lambda folder: (folder / "tokenizer.json").write_bytes(b"[]"),
    "a list as pictures": (
        lambda folder: (folder / "preprocessor_config.json").write_bytes(b"[]")
    ),
    "words as size": lambda folder: told(folder, "config.json", text_config="none"),
    "no layers": lambda folder: told(folder, "config.json", text_config={"hidden_size": 0}),
    "negative sizes": lambda folder: told(folder, "config.json", text_config={"vocab_size": -1}),
    "weights cut": lambda folder: (folder / "model.safetensors").write_bytes(b"\x08" + bytes(9)),
    "an index of nothing": unindexed,
    **{
        f"quantized by {method}": partial(
            told, file="config.json", quantization_config={"quant_method": method, "bits": 4}
        )
        for method in ("gptq", "awq", "bitsandbytes", "fp8", "compressed-tensors", "mxfp4", "")
    },
}


@pytest.mark.parametrize("how", ODD)
def test_an_odd_folder_ends_in_a_sentence_of_it(copied: Path, how: str) -> None:
    """A folder that no loader should open, or cannot, is named, and nothing waits for it."""
    ODD[how](copied)
    with pytest.raises(SurefootError, match="model"):
        load(copied)


def left(folder: Path, *names: str) -> None:
    """Leave files beside the model's, as clients do."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("not ours")


LEFT: dict[str, tuple[str, ...]] = {
    "hf download": (".cache/huggingface/download/config.json.metadata", ".cache/x.safetensors/y"),
    "git": (".git/config", ".git/objects.pack/a", ".gitattributes"),
    "macOS": ("._config.json", "._model.safetensors", ".DS_Store"),
    "folders with a dot": ("original.d/weights.pth", "onnx.v1/model.onnx"),
    "a lock": (".cache/huggingface/.gitignore", ".locks/a.lock"),
}


@pytest.mark.parametrize("client", LEFT)
def test_a_folder_is_loaded_as_clients_leave_it(copied: Path, client: str) -> None:
    """What `hf download`, git and systems leave is neither read nor part of the plan."""
    before = fingerprint(copied)
    left(copied, *LEFT[client])

    assert fingerprint(copied) == before
    assert load(copied).family == "qwen3_vl"


def test_a_snapshot_of_links_is_loaded(copied: Path, tmp_path: Path) -> None:
    """A folder of links into blobs, as huggingface_hub caches a model, is like any other."""
    snapshot = tmp_path / "snapshots" / "0a"
    snapshot.mkdir(parents=True)
    for file in copied.iterdir():
        (snapshot / file.name).symlink_to(f"../../model/{file.name}")

    assert fingerprint(snapshot) == fingerprint(copied)
    assert load(snapshot).family == "qwen3_vl"
