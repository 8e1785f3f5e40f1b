"""
Click one place on a question's live page by a toolkit; runs where that toolkit is installed.

The toolkit is the argument; what is to be done comes on standard input as JSON: the desk's
address, the question, and the place in pixels of its picture.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any


def by_gymnasium(told: dict[str, Any]) -> None:
    """Play in Surefoot's own environment, by our driver."""
    from surefoot.environments.questions import QuestionEnv

    env = QuestionEnv(desk=told["desk"])
    env.reset(options={"question": told["question"]})
    _, _, ended, _, _ = env.step(f"mouse_click({told['x']}, {told['y']})")
    env.close()
    require(ended)


def by_browsergym(told: dict[str, Any]) -> None:
    """Play as an agent of BrowserGym, in the system's browser under the name it looks for."""
    import gymnasium
    from browsergym.core.action.highlevel import HighLevelActionSet
    from playwright.sync_api import sync_playwright

    import surefoot.environments.browsergym  # noqa: F401 - registers the task

    with sync_playwright() as playwright:
        looked_for = Path(playwright.chromium.executable_path)
    if told["chromium"] and not looked_for.exists():
        looked_for.parent.mkdir(parents=True, exist_ok=True)
        looked_for.symlink_to(told["chromium"])
    env = gymnasium.make(
        "browsergym/surefoot.question",
        task_kwargs={"desk": told["desk"], "question": told["question"]},
        action_mapping=HighLevelActionSet(["coord"]).to_python_code,
        resizeable_window=True,
    )
    env.reset(seed=0)
    came = env.step(f"mouse_click({told['x']}, {told['y']})")
    env.close()
    require(came[2])


def by_openenv(told: dict[str, Any]) -> None:
    """Play through an OpenEnv server, over its WebSockets."""
    import socket

    import uvicorn
    from openenv.core.generic_client import GenericEnvClient

    from surefoot.environments.openenv import application

    listener = socket.create_server(("127.0.0.1", 0))
    app = application(1, questions=True, desk=told["desk"])
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    threading.Thread(target=server.run, args=([listener],), daemon=True).start()
    while not server.started:
        time.sleep(0.1)
    with GenericEnvClient(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}").sync() as env:
        env.reset(question=told["question"])
        came = env.step({"calls": f"mouse_click({told['x']}, {told['y']})"})
    require(came.done)


def by_playwright(told: dict[str, Any]) -> None:
    """Play with Playwright alone, as any script would."""
    from playwright.sync_api import sync_playwright

    from surefoot.environments.desk import DeskClient

    with DeskClient(told["desk"]) as desk, sync_playwright() as playwright:
        episode = desk.ask(told["question"])
        window = episode.browser
        browser = playwright.chromium.launch(executable_path=told["chromium"] or None)
        page = browser.new_page(
            viewport={"width": window.width, "height": window.height},
            device_scale_factor=window.scale,
        )
        page.goto(episode.url, wait_until="networkidle")
        page.mouse.click(told["x"] / window.scale, told["y"] / window.scale)
        browser.close()
        require(desk.stands(episode).ended)


def by_playwright_mcp(told: dict[str, Any]) -> None:
    """Play by the tools of Playwright's MCP server, as a language model calls them."""
    from surefoot.environments.desk import DeskClient

    command = [told["node"], told["mcp"], "--headless", "--isolated", "--no-sandbox"]
    if told["chromium"]:
        command += ["--executable-path", told["chromium"]]
    with (
        DeskClient(told["desk"]) as desk,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as server,
    ):
        episode = desk.ask(told["question"])
        numbers = itertools.count(1)

        def call(method: str, **parameters: object) -> dict[str, Any]:
            number = next(numbers)
            asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
            print(json.dumps(asked), file=server.stdin, flush=True)
            for line in server.stdout or ():
                answer: dict[str, Any] = json.loads(line)
                if answer.get("id") == number:
                    return answer
            sys.exit("Expected an answer of the MCP server, found its end.")

        def tool(name: str, **arguments: object) -> str:
            result = call("tools/call", name=name, arguments=arguments)["result"]
            return "\n".join(part.get("text", "") for part in result["content"])

        info = {"name": "surefoot", "version": "1"}
        call("initialize", protocolVersion="2024-11-05", capabilities={}, clientInfo=info)
        tool("browser_navigate", url=episode.url)
        desk.await_ready(episode)
        name = episode.instruction.split("'")[1]
        seen = tool("browser_snapshot")
        found = re.search(rf'button "{name}".*\[ref=(\w+)\]', seen)
        if found is None:
            sys.exit(f"Expected a button '{name}', found:\n{seen}")
        said = tool("browser_click", element=name, ref=found[1], target=found[1])
        ended = desk.stands(episode).ended
        server.terminate()
        if not ended:
            sys.exit(f"Expected the end of an episode, found:\n{said}")


def require(ended: object) -> None:
    """End with an error where the episode goes on."""
    if not ended:
        sys.exit("Expected the end of an episode, found none.")


if __name__ == "__main__":
    os.environ.setdefault("BROWSER_USE_SETUP_LOGGING", "false")
    globals()[f"by_{sys.argv[1]}"](json.load(sys.stdin))
