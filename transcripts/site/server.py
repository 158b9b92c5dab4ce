"""Listening on the loopback address, and nowhere else, until somebody ends it."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from retrieval.errors import UsageError
from transcripts.site.admission import Admission
from transcripts.site.served import Site

HOST = "127.0.0.1"
_SECONDS_TO_END = 2


def serve(site: Site, *, port: int, token: str, ready: Callable[[str], None]) -> None:
    """Serve ``site`` until a signal ends it, which is then raised as usual.

    :param port: 0 takes one that is free.
    :param token: what a browser has to know; it stands in the address.
    :param ready: told the address once it can be opened.
    :raises UsageError: when the port cannot be had.
    :raises KeyboardInterrupt: on Ctrl-C, after the server has ended.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
            listener.listen()
        except OSError as error:
            raise UsageError(
                f"Cannot listen on port {port}", error.strerror or str(error), "Name another with --port, or 0"
            ) from error
        bound = listener.getsockname()[1]
        config = uvicorn.Config(
            Admission(site.app(), port=bound, token=token),
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=_SECONDS_TO_END,
        )
        ready(f"http://{HOST}:{bound}/?token={token}")
        uvicorn.Server(config).run(sockets=[listener])
