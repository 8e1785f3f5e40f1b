"""
Run a script of browser-use, whose model is a stand-in that reads labels; runs beside browser-use.

The script comes on standard input. The stand-in speaks for OpenAI's server: it types into
each field of the page what the task says after the field's label, and clicks on Submit; or on
what the task says to click, once.
"""

from __future__ import annotations

import http.server
import json
import os
import re
import subprocess
import sys
import threading
from typing import Any, Final

LABELLED: Final = re.compile(r"^(\w.*)\n.*?\[(\d+)\]<(?:input|textarea)\b", re.MULTILINE)
SUBMIT: Final = re.compile(r"\[(\d+)\]<button\b.*value=submit")
CLICKED: Final[list[str]] = []  # by the one agent that runs
CLICK: Final = re.compile(r"Click the '(.+?)'")
TOLD: Final = re.compile(r"^(.+?): (.+)$", re.MULTILINE)


def reply(request: dict[str, Any]) -> dict[str, Any]:
    """Return what the agent does next: fill in and submit, or nothing more."""
    parts = [part for message in request["messages"][1:] for part in parts_of(message)]
    seen = "\n".join(parts)
    values = dict(TOLD.findall(seen[: seen.index("</user_request>")]))
    shown = seen[seen.index("<browser_state>") :]
    if wanted := CLICK.search(seen):
        return thought(click(wanted[1], shown, CLICKED))
    actions: list[dict[str, Any]] = [
        {"input": {"index": int(index), "text": values[label]}}
        for label, index in LABELLED.findall(shown)
    ]
    button = SUBMIT.search(shown)
    if button and "<input" in shown:
        actions.append({"click": {"index": int(button[1])}})
    else:
        actions = [{"done": {"text": "submitted", "success": True}}]
    return thought(actions)


def thought(actions: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a reply with actions, and no thoughts."""
    thoughts = ("thinking", "evaluation_previous_goal", "memory", "next_goal")
    return dict.fromkeys(thoughts, "") | {"action": actions}


def click(name: str, shown: str, asked: list[str]) -> list[dict[str, Any]]:
    """Return a click on what has a name, the first time that it is seen; then the end."""
    found = re.search(rf"\[(\d+)\]<[^\n]*\n\s*{re.escape(name)}\s", shown)
    if found is None or asked:
        return [{"done": {"text": "clicked", "success": True}}]
    asked.append(name)
    return [{"click": {"index": int(found[1])}}]


def parts_of(message: dict[str, Any]) -> list[str]:
    """Return the texts of a message."""
    content = message["content"]
    if isinstance(content, str):
        return [content]
    return [part["text"] for part in content if part["type"] == "text"]


class Handler(http.server.BaseHTTPRequestHandler):
    """Speak as a server of chat completions does."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer a request."""
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        message = {"role": "assistant", "content": json.dumps(reply(request))}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        told = {"id": "1", "object": "chat.completion", "created": 1, "model": request["model"]}
        body = json.dumps(told | {"choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep still."""


with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    environ = {
        **os.environ,
        "OPENAI_BASE_URL": f"http://127.0.0.1:{server.server_address[1]}/v1",
        "OPENAI_API_KEY": "none",
        "ANONYMIZED_TELEMETRY": "false",
    }
    ended = subprocess.run(
        [sys.executable, "-"], input=sys.stdin.read(), env=environ, text=True, check=False
    )
    server.shutdown()
sys.exit(ended.returncode)
