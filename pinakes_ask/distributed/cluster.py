"""Joining a cluster, and leaving it."""

from __future__ import annotations

import logging
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from pinakes_ask.distributed.errors import ClusterUnusable
from pinakes_ask.distributed.machines import check_machines

#: The address that stands for a cluster of this machine alone, which ends with the command.
LOCAL = "local"
#: Seconds in which a cluster must let somebody connect, and then must let him in. Ray itself waits for minutes.
CONNECT, LET_IN = 5.0, 30.0
#: Bytes for what workers of a local cluster hand over; a record has some hundred thousand.
_STORE = 256 * 1024 * 1024
_HOW = "Name the machine and port that `ray start --head` printed, on a machine of the cluster"


@contextmanager
def joined(address: str) -> Iterator[None]:
    """Be part of the cluster at ``address``, ``host:port`` or :data:`LOCAL`, and see that its machines can work.

    :raises ClusterUnusable: also where Ray is not installed here.
    """
    check_installed()
    if address != LOCAL:
        check_reachable(address)
    import ray

    logging.getLogger("ray").setLevel(logging.ERROR)
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        ray.init(**_manner(address))
    except (RuntimeError, OSError, ValueError) as error:
        raise refused(address, str(error)) from error
    try:
        if threading.current_thread() is threading.main_thread():
            # Signals are a matter of the command; Ray would end it.
            for number, handler in before.items():
                signal.signal(number, handler)
        check_machines(address)
        yield
    finally:
        ray.shutdown()


def check_installed() -> None:
    """Raise :class:`ClusterUnusable` where Ray is not installed."""
    if find_spec("ray") is None:
        raise ClusterUnusable("--ray cannot be used", "Ray is not installed", "pip install 'pinakes-ask[ray]'")


def check_reachable(address: str) -> None:
    """See that a cluster answers at ``address``, in bounded time.

    What Ray does about an address where nobody answers, or somebody else, is to try for minutes, or to end the
    process; so a process of its own tries first.

    :raises ClusterUnusable: saying why.
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or "/" in host or not 0 < int(port) < 65536:
        why = "it is neither 'local' nor a host and port"
        raise ClusterUnusable(f"The cluster {address!r} cannot be used", why, _HOW)
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT).close()
    except OSError as error:
        raise refused(address, f"nobody answers there ({error.strerror or error})") from error
    command = [sys.executable, "-m", "pinakes_ask.distributed.reach", address]
    try:
        tried = subprocess.run(command, capture_output=True, text=True, timeout=LET_IN, check=False)
    except subprocess.TimeoutExpired as error:
        why = f"what answers there let nobody in for {LET_IN:.0f} seconds, as a cluster would"
        raise refused(address, why) from error
    if tried.returncode != 0:
        raise refused(address, tried.stdout.strip() or _last_line(tried.stderr) or "it refused without a word")


def refused(address: str, why: str) -> ClusterUnusable:
    """Return the error for a cluster that cannot be joined, and why."""
    words = " ".join(why.split()).rstrip(".")[:400]
    if address == LOCAL:
        how = "Free memory and disk, or name another folder for what Ray writes with RAY_TMPDIR"
        return ClusterUnusable("Ray cannot be started on this machine", words, how)
    how = "Install the same Python and Ray on all machines" if "Version mismatch" in words else _HOW
    return ClusterUnusable(f"The cluster at {address} cannot be joined", words, how)


def _manner(address: str) -> dict[str, Any]:
    """How to join, so that nothing is printed and workers' output stays in their logs."""
    quiet = {"log_to_driver": False, "configure_logging": False}
    if address != LOCAL:
        return {"address": address, **quiet}
    own = {"include_dashboard": False, "object_store_memory": _STORE, "_node_ip_address": "127.0.0.1"}
    return {"address": LOCAL, **own, **quiet}


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")
