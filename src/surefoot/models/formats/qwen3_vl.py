"""
Qwen3-VL: a computer_use tool call in thousandths of the picture.

Facts of the interface: the call is that of Qwen2.5-VL; coordinates run from 0 to 1000 in both
directions whatever the picture's size, so the tool's resolution is declared as 1000x1000.
"""

from __future__ import annotations

from surefoot.models.format import Format, Prompt, Prompts
from surefoot.models.formats.qwen25_vl import ACTIONS, SPELLING, read, tool_prompts
from surefoot.models.spaces import PER_MILLE


def _per_mille(prompt: Prompt) -> Prompt:
    return Prompt(prompt.user, prompt.system.replace("{width}x{height}", "1000x1000"))


# Fewer actions than Qwen2.5-VL's: what the toy model of the studies was trained on.
PIXELS = tool_prompts(ACTIONS)
QWEN3_VL = Format(
    name="qwen3-vl",
    version=1,
    summary="Qwen3-VL: computer_use tool call in thousandths of the picture",
    space=PER_MILLE,
    source="QwenLM/Qwen3-VL, cookbooks/computer_use",
    models=("qwen3-vl*", "qwen3_vl*", "qwen3vl*"),
    read=read,
    writes=SPELLING,
    prompts=Prompts(
        plain=_per_mille(PIXELS.plain),
        reasoning=_per_mille(PIXELS.reasoning),
    ),
)
