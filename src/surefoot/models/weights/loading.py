"""
A model in memory: weights, processor and device, loaded from a folder and from nowhere else.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psutil
import torch

from surefoot.core.errors import InvalidInputError, MissingComponentError, SurefootError
from surefoot.core.foreign.model_folders import SAFELY, check_files, loading, own_files
from surefoot.models.weights.folder import WeightsFolder, read_folder
from surefoot.models.weights.processing import load_processor

DTYPES: Final = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
QUANTIZATIONS: Final = ("4bit", "8bit")
ADAPTERS: Final = ("adapter_model.safetensors", "adapter_model.bin")
GIGABYTE: Final = 1e9


@dataclasses.dataclass(frozen=True)
class LocalModel:
    """
    Hold a model that can be asked on this machine.

    ``device`` is "cpu" or "cuda", ``dtype`` the name of its numbers' type, ``family`` what its
    configuration calls its architecture.
    """

    model: Any
    processor: Any
    device: str
    dtype: str
    name: str
    family: str

    @property
    def tokenizer(self) -> Any:  # noqa: ANN401 - a library's
        """Return the processor's tokenizer, which pads on the left."""
        return self.processor.tokenizer


def load(
    path: Path | str,
    *,
    device: str = "auto",
    dtype: str = "auto",
    quantization: str = "",
    adapter: Path | str = "",
) -> LocalModel:
    """
    Load a model from its folder, and an adapter (LoRA) onto it.

    ``device`` "auto" is a GPU where there is one; ``dtype`` "auto" is that of the weights on a
    GPU and float32 on a processor, which computes in it fastest. ``quantization`` "4bit" and
    "8bit" need a GPU and bitsandbytes.

    Raises InvalidInputError for a folder that is no model's, or a device or dtype that is not
    to be had; MissingComponentError without bitsandbytes; SurefootError where the memory
    does not hold it.
    """
    folder = read_folder(Path(path))
    _require_seeing(folder)
    _require_plain(folder)
    device = _device(device)
    chosen = _dtype(dtype, device)
    settings: dict[str, Any] = {"dtype": chosen, **SAFELY}
    if quantization:
        settings |= _quantized(quantization, device, chosen)
    else:
        _check_memory(folder, device, chosen)
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    processor = load_processor(folder.path, folder.family)
    model = _model(folder, settings)
    if adapter:
        model = _adapted(model, Path(adapter))
    model = model.eval() if quantization else model.to(device).eval()
    used = str(next(model.parameters()).dtype).removeprefix("torch.")
    return LocalModel(model, processor, device, used, folder.name, folder.family)


def decoder_layers(model: Any) -> Any:  # noqa: ANN401 - a library's
    """
    Return the decoder's layers of a model of any family, in their order.

    They are the longest list of layers outside of what sees. Raises InvalidInputError for a
    model without one.
    """
    lists = [
        module
        for name, module in model.named_modules()
        if isinstance(module, torch.nn.ModuleList)
        and name.rpartition(".")[2] in {"layers", "h", "blocks"}
        and not any(part in name for part in ("vis", "image", "audio"))
    ]
    if not lists:
        raise InvalidInputError("a model with decoder layers", found=type(model).__name__)
    return max(lists, key=len)


def _require_seeing(folder: WeightsFolder) -> None:
    from transformers.models.auto.modeling_auto import (
        MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES as SEEING,
    )

    if folder.family not in SEEING:
        raise InvalidInputError(
            f"a model in {folder.path} that looks at pictures and writes, of a family that this "
            "version of transformers knows",
            found=f"'{folder.family}'",
            remedy="name another folder, or install a newer transformers",
        )


def _require_plain(folder: WeightsFolder) -> None:
    """Refuse weights that were quantized: what computes with them is no part of this."""
    if folder.quantized:
        raise InvalidInputError(
            f"weights of plain numbers in {folder.path}",
            found=f"some that were quantized by {folder.quantized}",
            remedy="name the folder that they were made from, or serve this one with vLLM and "
            "ask it through openai:NAME@BASE_URL",
        )


def _device(wanted: str) -> str:
    there = "cuda" if torch.cuda.is_available() else "cpu"
    if wanted == "auto":
        return there
    if wanted not in {"cpu", "cuda"}:
        raise InvalidInputError("the device auto, cpu or cuda", found=f"'{wanted}'")
    if wanted == "cuda" and there != "cuda":
        raise InvalidInputError(
            "a GPU that PyTorch can use",
            found=f"none (PyTorch {torch.__version__})",
            remedy="give --device cpu, or install PyTorch's build for this GPU",
        )
    return wanted


def _dtype(wanted: str, device: str) -> Any:  # noqa: ANN401 - a library's
    if wanted == "auto":
        return "auto" if device == "cuda" else torch.float32
    if wanted not in DTYPES:
        raise InvalidInputError(f"a dtype, one of auto, {', '.join(DTYPES)}", found=f"'{wanted}'")
    if wanted == "float16" and device == "cpu":
        raise InvalidInputError(
            "a dtype that a processor computes in",
            found="float16",
            remedy="give --dtype bfloat16 or float32",
        )
    return DTYPES[wanted]


def _quantized(wanted: str, device: str, dtype: Any) -> dict[str, Any]:  # noqa: ANN401
    if wanted not in QUANTIZATIONS:
        raise InvalidInputError(
            f"a quantization, {' or '.join(QUANTIZATIONS)}", found=f"'{wanted}'"
        )
    if device != "cuda":
        raise InvalidInputError(
            f"a GPU for {wanted} weights", found="none", remedy="leave --quantization out"
        )
    try:
        import bitsandbytes  # type: ignore[import-not-found]  # noqa: F401 - used by transformers
    except ImportError as error:
        raise MissingComponentError(
            "the package bitsandbytes", found="none", remedy="run pip install bitsandbytes"
        ) from error
    from transformers import BitsAndBytesConfig

    compute = torch.bfloat16 if dtype == "auto" else dtype
    config = (
        BitsAndBytesConfig(
            load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=compute
        )
        if wanted == "4bit"
        else BitsAndBytesConfig(load_in_8bit=True)
    )
    return {"quantization_config": config, "device_map": {"": 0}}


def _check_memory(folder: WeightsFolder, device: str, dtype: Any) -> None:  # noqa: ANN401
    """Refuse weights that do not fit; those on disk are taken to be of two bytes a number."""
    needed = folder.size * (2 if dtype == torch.float32 and _halves(folder) else 1)
    free = torch.cuda.mem_get_info()[0] if device == "cuda" else psutil.virtual_memory().available
    if needed > free:
        smaller = "--dtype bfloat16, " if dtype == torch.float32 else ""
        smaller += "--quantization 4bit, " if device == "cuda" else ""
        raise SurefootError(
            f"{needed / GIGABYTE:.1f} GB of memory for the weights of {folder.name}",
            found=f"{free / GIGABYTE:.1f} GB on the {'GPU' if device == 'cuda' else 'machine'}",
            remedy=f"give {smaller}or a smaller model",
        )


def _halves(folder: WeightsFolder) -> bool:
    from safetensors import SafetensorError, safe_open

    weights = next(file for file in own_files(folder.path) if file.suffix == ".safetensors")
    try:
        with safe_open(weights, framework="pt") as opened:
            first = next(iter(opened.keys()))
            return bool(opened.get_slice(first).get_dtype() in {"BF16", "F16"})
    except (SafetensorError, StopIteration) as error:
        raise InvalidInputError(
            f"weights in {weights}", found=f"{error}", remedy="copy the file again"
        ) from error


def _model(folder: WeightsFolder, settings: dict[str, Any]) -> Any:  # noqa: ANN401
    from transformers import AutoModelForImageTextToText

    what = "a vision-language model that this version of transformers loads"
    with loading(what, folder.path), quietly():
        try:
            model, loaded = AutoModelForImageTextToText.from_pretrained(
                folder.path, output_loading_info=True, **settings
            )
        except (torch.OutOfMemoryError, MemoryError) as error:
            raise SurefootError(
                f"memory for {folder.name}",
                found="not enough",
                remedy="give --dtype bfloat16 or --quantization 4bit, or a smaller model",
            ) from error
    # The library draws them at random, and such a model answers all the same.
    if missing := sorted(loaded["missing_keys"]):
        raise InvalidInputError(
            f"weights for all parts of the model in {folder.path}",
            found=f"none for {missing[0]}" + f" and {len(missing) - 1} more" * (len(missing) > 1),
            remedy="copy all files again; an adapter is given by --adapter",
        )
    return model


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Keep transformers' progress and advice off the screen for a block."""
    from transformers.utils import logging

    before, shown = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if shown:
            logging.enable_progress_bar()


def _adapted(model: Any, adapter: Path) -> Any:  # noqa: ANN401
    """Return a model with an adapter merged into its weights."""
    from peft import PeftModel

    # Without its weights peft would look for the folder's name on the network.
    for names in (("adapter_config.json",), ADAPTERS):
        if not any((adapter / name).is_file() for name in names):
            raise InvalidInputError(
                f"a folder of an adapter with {' or '.join(names)} at {adapter}",
                found="none",
                remedy="name the folder that peft or a trainer saved",
            )
    check_files(adapter)
    with loading("an adapter for this model", adapter), warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # peft's own, about transformers
        # Weights under other names are left out with a warning alone.
        warnings.filterwarnings("error", "Found missing adapter keys")
        return PeftModel.from_pretrained(
            model, str(adapter), local_files_only=True
        ).merge_and_unload()
