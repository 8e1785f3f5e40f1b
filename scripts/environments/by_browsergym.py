"""
Play steps as an agent of BrowserGym; runs where BrowserGym is installed.

The browser is the system's, under the name that BrowserGym's Playwright looks for.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import gymnasium
from browsergym.core.action.highlevel import HighLevelActionSet
from playwright.sync_api import sync_playwright

import surefoot.environments.browsergym  # noqa: F401 - registers the tasks

told = json.load(sys.stdin)
with sync_playwright() as playwright:
    looked_for = Path(playwright.chromium.executable_path)
if told["chromium"] and not looked_for.exists():
    looked_for.parent.mkdir(parents=True, exist_ok=True)
    looked_for.symlink_to(told["chromium"])

actions = HighLevelActionSet(["coord"], multiaction=True)
env = gymnasium.make(
    f"browsergym/surefoot.{told['form']}",
    task_kwargs={
        "desk": told["desk"],
        "agent": told["agent"],
        "height": told["height"],
        "level": "lines",
    },
    action_mapping=actions.to_python_code,
    resizeable_window=True,
)
seen, _ = env.reset(seed=told["seed"])
# The goal names the files by their paths; the recorded steps name them alone.
paths = [Path(word) for word in seen["goal"].split() if word.startswith("/")]
os.chdir(paths[-1].parent)
seconds = []
for step in told["steps"]:
    start = time.perf_counter()
    came = env.step(step)
    seconds.append(time.perf_counter() - start)
    if came[0]["last_action_error"]:
        sys.exit(came[0]["last_action_error"])
env.close()
if not came[2]:
    sys.exit("Expected the end of an episode, found none.")
print(json.dumps(seconds))
