"""
Play steps through an OpenEnv server, over its WebSockets; runs where OpenEnv is installed.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
import time

import uvicorn
from openenv.core.generic_client import GenericEnvClient

from surefoot.environments.openenv import application

told = json.load(sys.stdin)
listener = socket.create_server(("127.0.0.1", 0))
app = application(
    1,
    form=told["form"],
    desk=told["desk"],
    agent=told["agent"],
    height=told["height"],
    level="lines",
)
server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
threading.Thread(target=server.run, args=([listener],), daemon=True).start()
while not server.started:
    time.sleep(0.1)

seconds = []
with GenericEnvClient(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}").sync() as env:
    env.reset(seed=told["seed"])
    for step in told["steps"]:
        start = time.perf_counter()
        came = env.step({"calls": step})
        seconds.append(time.perf_counter() - start)
    if not came.done:
        sys.exit(f"Expected the end of an episode, found {came.observation['refused']}.")
print(json.dumps(seconds))
