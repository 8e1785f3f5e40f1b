"""
What a folder in Hugging Face's layout says of itself, read without PyTorch.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import digest, sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.foreign.model_folders import check_files, own_files

WHOLE: Final = 64 * 2**20  # bytes; of a longer file both ends and the length stand for it
END: Final = 2**20
TOKENIZERS: Final = ("tokenizer.json", "vocab.json", "tokenizer.model")
PROCESSORS: Final = ("preprocessor_config.json", "processor_config.json")


class WeightsFolder(msgspec.Struct, frozen=True):
    """
    Hold what is known of a model before it is loaded.

    ``family`` is its architecture as the configuration names it ("qwen2_5_vl"); ``size`` the
    bytes of its weights; ``quantized`` by which method they were quantized, "" for none.
    """

    path: Path
    family: str
    size: int
    quantized: str = ""

    @property
    def name(self) -> str:
        """Return the folder's own name, by which reports call the model."""
        return self.path.resolve().name


def fingerprint(folder: Path) -> str:
    """
    Return what tells the files of a model or an adapter from others.

    Of a file over 64 MiB its length and both ends count, so that no run begins with minutes of
    reading. What clients leave beside the files is no part of it. Raises InvalidInputError as
    ``check_files`` does.
    """
    if folder.is_dir():
        check_files(folder)
    files = own_files(folder) if folder.is_dir() else []
    return digest([[file.name, _mark(file)] for file in files if "." in file.name])


def read_folder(path: Path) -> WeightsFolder:
    """
    Read a model's folder.

    Raises InvalidInputError, which names what is missing, for anything that cannot be loaded.
    """
    if not path.is_dir():
        raise InvalidInputError(
            f"a folder with a model at {path}",
            found="a file" if path.exists() else "nothing",
            remedy="download the model there first: nothing is fetched while a model is asked",
        )
    check_files(path)
    config = path / "config.json"
    try:
        config_values = json.loads(config.read_bytes())
        family = str(config_values["model_type"])
        quantization = config_values.get("quantization_config") or {}
        quantized = str(quantization.get("quant_method") or "unknown") if quantization else ""
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        found = "none" if not config.exists() else f"{error!r}"
        raise InvalidInputError(
            f"a config.json with a model_type in {path}",
            found=found,
            remedy="name the folder that holds the model's files, as Hugging Face lays them out",
        ) from error
    weights = [file for file in own_files(path) if file.suffix == ".safetensors"]
    for what, there in (
        ("weights (*.safetensors)", weights),
        (f"a tokenizer ({' or '.join(TOKENIZERS)})", _any(path, TOKENIZERS)),
        (f"an image processor ({' or '.join(PROCESSORS)})", _any(path, PROCESSORS)),
    ):
        if not there:
            raise InvalidInputError(
                f"{what} in {path}", found="none", remedy="copy it from where the model is from"
            )
    return WeightsFolder(path, family, sum(file.stat().st_size for file in weights), quantized)


def _any(path: Path, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if (path / name).is_file()]


def _mark(file: Path) -> str:
    size = file.stat().st_size
    if size <= WHOLE:
        return sha256(file.read_bytes())
    with file.open("rb") as opened:
        first = opened.read(END)
        opened.seek(-END, 2)
        return f"{size} {sha256(first + opened.read())}"
