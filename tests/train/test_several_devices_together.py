"""
Files for training on several GPUs, as far as they can be read where there is none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

pytest.importorskip("trl")
FILES: Final = Path(__file__).parents[2] / "docs" / "training"


def launched(name: str) -> Any:  # noqa: ANN401 - a library's
    """Return what ``accelerate launch`` understands of a file, refusing keys that it ignores."""
    from accelerate.commands.config.config_args import load_config_from_file
    from accelerate.commands.launch import _validate_launch_command, launch_command_parser

    file = str(FILES / name)
    given = launch_command_parser().parse_args(["--config_file", file, "-m", "surefoot"])
    read = load_config_from_file(file)
    assert {*read.fsdp_config, *read.deepspeed_config} <= set(vars(given))
    return _validate_launch_command(given)[0]


def test_fsdp_shares_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accelerate makes of the file's environment a plugin that wraps layer by layer."""
    from accelerate.utils import FullyShardedDataParallelPlugin
    from accelerate.utils.launch import prepare_multi_gpu_env

    given = launched("fsdp.yaml")
    assert (given.use_fsdp, given.num_processes, given.mixed_precision) == (True, 2, "bf16")
    for name, value in prepare_multi_gpu_env(given).items():
        monkeypatch.setenv(name, value)
    plugin = FullyShardedDataParallelPlugin()
    assert (plugin.fsdp_version, plugin.reshard_after_forward) == (2, True)
    assert plugin.auto_wrap_policy.__name__ == "transformer_auto_wrap_policy"
    assert plugin.cpu_ram_efficient_loading is False
    assert str(plugin.state_dict_type).endswith("FULL_STATE_DICT")


def test_deepspeed_shares_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accelerate makes of the file's environment the JSON of ZeRO 3 that DeepSpeed reads."""
    from accelerate.utils import DeepSpeedPlugin
    from accelerate.utils.launch import prepare_deepspeed_cmd_env

    given = launched("deepspeed.yaml")
    assert (given.use_deepspeed, given.num_processes, given.mixed_precision) == (True, 2, "bf16")
    given.deepspeed_fields_from_accelerate_config = "zero_stage"  # as its launcher does
    for name, value in prepare_deepspeed_cmd_env(given)[1].items():
        monkeypatch.setenv(name, value)
    config = DeepSpeedPlugin().hf_ds_config
    assert (config.is_zero3(), config.is_offload()) == (True, True)
    assert config.config["zero_optimization"]["offload_optimizer"]["device"] == "cpu"
    assert config.config["zero_optimization"]["stage3_gather_16bit_weights_on_model_save"] is True
