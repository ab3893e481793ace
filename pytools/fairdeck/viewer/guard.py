"""What a request has to be before the viewer looks at it, and what every answer says.

The viewer listens on the loopback address, which other users of the machine and pages in its
browsers can reach as well. They do not know the token in the address; a page that makes a name of
its own lead to this machine is recognised by the Host header, one that posts here by Origin.
"""

from __future__ import annotations

from hmac import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fairdeck.viewer.page import SERVED_POLICY

HEADERS = {
    "Content-Security-Policy": SERVED_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "no-store",
}


class Guard:
    """Lets through what names this address, knows the token and comes from the page itself."""

    def __init__(self, app: ASGIApp, token: str, hosts: frozenset[str]) -> None:
        self._app = app
        self._token = token.encode("ascii")
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        fault = self._fault(scope)
        app = self._app if fault is None else fault
        await app(scope, receive, secured)

    def _fault(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        if headers.getlist("host") not in [[host] for host in self._hosts]:
            return JSONResponse({"error": "there is no page of that name"}, 421)
        first = scope["path"].split("/")[1:2]
        if not first or not compare_digest(first[0].encode("utf-8", "replace"), self._token):
            return JSONResponse({"error": "the address lacks the token that was printed"}, 404)
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in self._hosts}:
            return JSONResponse({"error": "this request comes from another page"}, 403)
        near = headers.get("sec-fetch-site", "none") in ("none", "same-origin")
        if not near and not _is_opened(scope, headers):
            return JSONResponse({"error": "this request comes from another page"}, 403)
        return None


def _is_opened(scope: Scope, headers: Headers) -> bool:
    """Whether somebody follows a link to the page, as of a terminal that is itself a page."""
    followed = (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest"))
    return scope["method"] == "GET" and followed == ("navigate", "document")
