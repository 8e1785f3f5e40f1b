"""
Connects to a Ray cluster, or starts one of this machine alone, for as long as a run needs it.

A cluster that is started here listens on loopback alone and knows no key of ours.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator, Mapping
from typing import Any, Final

# Ray reads these as it is imported. Otherwise it takes 127.0.0.1 for the machine's outer address,
# which may be walled, and a cluster that is started there listens on all addresses.
LOOPBACK_SETTING: Final = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
os.environ.setdefault(LOOPBACK_SETTING, "0")
# Otherwise it prints pages about each node that dies, among what programs read of our output.
os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")

import ray  # noqa: E402 - after its settings
import ray.util  # noqa: E402
from ray.exceptions import RayError  # noqa: E402

from surefoot.core.children import environment_of_children  # noqa: E402
from surefoot.core.errors import InvalidInputError, SurefootError  # noqa: E402
from surefoot.run.engine.processes import Launch, Workers  # noqa: E402
from surefoot.run.engine.ray_workers import RayCluster  # noqa: E402

LOCAL: Final = "local"
AUTO: Final = "auto"  # Ray's word for a cluster that was started on this machine
WORDS: Final = frozenset({LOCAL, AUTO})
LOOPBACK: Final = "127.0.0.1"
CONNECT_S: Final = 10.0
# One try of Ray's is 40 seconds long, and it makes twenty.
ONE_TRY: Final = {"RAY_gcs_server_port_wait_time_s": "1"}
REMEDY: Final = (
    "see `ray status`, use the cluster's versions of Ray and Python, and set RAY_AUTH_MODE=token "
    "where it wants a token"
)
NO_STATISTICS: Final = {"RAY_USAGE_STATS_ENABLED": "0"}
QUIET: Final[Mapping[str, Any]] = {"log_to_driver": False, "logging_level": logging.ERROR}


@contextlib.contextmanager
def ray_cluster(workers: Workers) -> Iterator[Launch]:
    """
    Connect to the cluster that workers name, and yield what launches one there.

    Without an address that is the cluster of RAY_ADDRESS, or else one of this machine alone,
    which ends with the block. Raises InvalidInputError for what must not leave this machine,
    and for what is no address; SurefootError where no cluster replies, within a minute.
    """
    if workers.arguments.get("secrets"):
        raise InvalidInputError(
            "work without secrets, for --engine ray",
            found="a login, a header or a password, which stays on this machine",
            remedy="record the pages first (surefoot record), or leave --engine out",
        )
    connected = ray.is_initialized()
    address = workers.engine.partition(":")[2] or os.environ.get("RAY_ADDRESS", LOCAL)
    if not connected:
        _connect(address, workers.count)
    try:
        yield RayCluster(workers, own=not connected and address == LOCAL).launch
    finally:
        if not connected:
            ray.shutdown()


def _connect(address: str, processors: int) -> None:
    """Connect to a cluster, or start one of so many processors, and leave signals to us."""
    host, _, port = address.rpartition(":")
    if address not in WORDS and ("/" in address or not host or not port.isdecimal()):
        raise InvalidInputError("the address HOST:PORT of a Ray cluster", found=f"'{address}'")
    # Ray ends the process at once on SIGTERM, where ours ends the run.
    ours = signal.getsignal(signal.SIGTERM)
    try:
        if address == LOCAL:
            _start(processors)
        else:
            _join(address)
    except (OSError, RuntimeError, ValueError, RayError) as error:
        raise SurefootError(
            f"a Ray cluster that replies at {address}",
            found=error,
            remedy=REMEDY,
        ) from error
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, ours)


def _start(processors: int) -> None:
    """Start a cluster that nobody else reaches, and whose processes have no key of ours."""
    if (taken := ray.util.get_node_ip_address()) != LOOPBACK:
        raise SurefootError(
            f"a Ray that takes {LOOPBACK} as it is",
            found=f"one that takes it for {taken}",
            remedy=f"set {LOOPBACK_SETTING}=0 before Ray is imported, or name a cluster",
        )
    settings = {name: value for name, value in os.environ.items() if name.startswith("RAY_")}
    with environment_of_children(), _environment(NO_STATISTICS | settings):
        ray.init(
            LOCAL,
            num_cpus=processors,
            include_dashboard=False,
            _node_ip_address=LOOPBACK,
            **QUIET,
        )


def _join(address: str) -> None:
    """Connect to a cluster by its address, once something listens there."""
    if address != AUTO:
        host, _, port = address.rpartition(":")
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_S).close()
    with _environment(ONE_TRY):
        ray.init(address, **QUIET)


@contextlib.contextmanager
def _environment(settings: Mapping[str, str]) -> Iterator[None]:
    """Have settings in the environment for a block, and undo them and what Ray adds to them."""
    kept = dict(os.environ)
    os.environ.update(settings)
    try:
        yield
    finally:
        for name in os.environ.keys() - kept.keys():
            del os.environ[name]
        os.environ.update(kept)
