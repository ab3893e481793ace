"""Serving the viewer to this machine alone."""

from __future__ import annotations

import secrets
import socket
from dataclasses import dataclass

import uvicorn

from fairdeck.viewer.app import viewer_app
from fairdeck.viewer.document import Wanted
from romproof import BadInput

LOOPBACK = "127.0.0.1"
_TOKEN_BYTES = 24
_MAX_CONNECTIONS = 64


@dataclass(frozen=True)
class Served:
    """A viewer that is bound to its port: ``address`` is what to open, ``server`` runs it."""

    address: str
    server: uvicorn.Server
    listener: socket.socket

    def run(self) -> None:
        """Answer until the server is told to end, or Ctrl-C."""
        with self.listener:
            self.server.run(sockets=[self.listener])


def bound(
    port: int = 0, language: str = "en", start: bytes | None = None, wanted: Wanted | None = None
) -> Served:
    """A viewer on the loopback address, ``port`` 0 being any free one. Raises BadInput."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
        listener.listen()  # who opens the address at once waits for the server, instead of failing
    except OSError as fault:
        listener.close()
        raise BadInput(
            f"port {port} cannot be used: {fault.strerror}; 0 takes a free one"
        ) from None
    host = f"{LOOPBACK}:{listener.getsockname()[1]}"
    hosts = frozenset({host, host.replace(LOOPBACK, "localhost")})
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    config = uvicorn.Config(
        viewer_app(token, hosts, language, start, wanted),
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        limit_concurrency=_MAX_CONNECTIONS,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=1,
    )
    return Served(f"http://{host}/{token}/", uvicorn.Server(config), listener)
