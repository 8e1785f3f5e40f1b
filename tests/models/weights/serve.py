"""
Start transformers' own server of chat completions, also where there is no torchvision.

All that is ours here is the processor without videos, told to the library beforehand.
"""

from __future__ import annotations

import sys

from surefoot.models.weights.processing import QWEN, without_videos

if __name__ == "__main__":
    from transformers import AutoConfig, AutoProcessor
    from transformers.cli.transformers import main

    for family in QWEN:
        config = type(AutoConfig.for_model(family))
        AutoProcessor.register(config, without_videos(family), exist_ok=True)
    sys.argv = ["transformers", "serve", *sys.argv[1:]]
    main()
