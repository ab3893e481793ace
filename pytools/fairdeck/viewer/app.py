"""The viewer as a Starlette application. It keeps nothing of what it is sent."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from fairdeck.viewer.document import MAX_INPUT, BadDocument, Document, Wanted, read_document
from fairdeck.viewer.guard import Guard
from fairdeck.viewer.machines import machine_round
from fairdeck.viewer.page import make_page, script, static_page, style
from fairdeck.viewer.strings import LANGUAGES
from romproof import BadInput, RomproofError

_READERS = 2
"""So many games are read at once; others wait."""
_MAX_DRAINED = 256 << 20
"""Bytes of a body that are taken in, and dropped, so that the browser reads the answer to it."""
_MAX_NUMBER = 10
"""Digits of a number among the options."""


class TooLarge(Exception):
    """A body has more bytes than are read."""


class Viewer:
    """The requests of one viewer. ``start`` is what it shows first, None: nothing."""

    def __init__(
        self, language: str, start: bytes | None = None, wanted: Wanted | None = None
    ) -> None:
        self._language = language
        self._start = start
        self._wanted = wanted or Wanted()
        self._reading = CapacityLimiter(_READERS)
        self._machine = CapacityLimiter(1)

    async def page(self, request: Request) -> Response:
        """The page itself; the browser's language, where there is a column for it."""
        fields = None
        if self._start is not None:
            wanted = self._wanted
            fields = {
                "players": str(wanted.players),
                "uncertain": None if wanted.uncertain is None else str(wanted.uncertain),
                "commitment": wanted.commitment,
            }
        return HTMLResponse(make_page(self._language, fields))

    async def start(self, request: Request) -> Response:
        """What was named on the command line."""
        return Response(self._start or b"", media_type="application/octet-stream")

    async def show(self, request: Request) -> Response:
        """A game's document, out of the body."""
        return await self._answer(request, lambda document: JSONResponse(document))

    async def html(self, request: Request) -> Response:
        """A game as one file."""
        language = request.query_params.get("lang", "")
        language = language if language in LANGUAGES else self._language
        return await self._answer(request, lambda d: HTMLResponse(static_page(d, language)))

    async def machine(self, request: Request) -> Response:
        """A round by an emulated CPU."""
        cpu = request.query_params.get("cpu", "")
        number = _number(request, "round") or 0
        return await self._answer(
            request, lambda d: JSONResponse(machine_round(d, number, cpu)), self._machine
        )

    async def _answer(
        self,
        request: Request,
        answer: Callable[[Document], Response],
        limiter: CapacityLimiter | None = None,
    ) -> Response:
        """Read the body and work on it in a thread, so that others are answered meanwhile."""
        try:
            wanted = _find_view(request)
            data = await _body(request)
            work = partial(_work, data, wanted, answer)
            return await to_thread.run_sync(work, limiter=limiter or self._reading)
        except TooLarge:
            return _error(f"this is more than {MAX_INPUT >> 20} MiB", 413)
        except BadInput as fault:
            return _error(str(fault), 422)
        except RomproofError as fault:
            return _error(str(fault), 500)


def _work(data: bytes, wanted: Wanted, answer: Callable[[Document], Response]) -> Response:
    try:
        return answer(read_document(data, wanted))
    except (RomproofError, MemoryError):
        raise
    except Exception as fault:
        # a fault of ours must neither end the viewer nor pass for one of the log's
        raise RomproofError(f"internal fault, a bug in fairdeck: {fault!r}") from fault


async def _body(request: Request) -> bytes:
    """The body; of one that is too large nothing is kept. Raises TooLarge."""
    body, seen = bytearray(), 0
    async for piece in request.stream():
        seen += len(piece)
        if seen > _MAX_DRAINED:
            raise TooLarge
        if seen <= MAX_INPUT:
            body += piece
        else:
            body.clear()
    if seen > MAX_INPUT:
        raise TooLarge
    return bytes(body)


def _find_view(request: Request) -> Wanted:
    query = request.query_params
    return Wanted(
        players=_number(request, "players") or 4,
        uncertain=_number(request, "uncertain"),
        commitment=query.get("commitment") or None,
    )


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_NUMBER):
        raise BadDocument(f"'{text[:20]}' is not a number from 0")
    return int(text)


def _error(text: str, status: int) -> JSONResponse:
    return JSONResponse({"error": text}, status)


def viewer_app(
    token: str,
    hosts: frozenset[str],
    language: str = "en",
    start: bytes | None = None,
    wanted: Wanted | None = None,
) -> ASGIApp:
    """The application behind ``/TOKEN/``; ``hosts`` are the values the Host header may have."""
    viewer = Viewer(language, start, wanted)
    code, sheet = script(), style()
    routes = [
        Route("/", viewer.page),
        Route("/start", viewer.start),
        Route("/viewer.js", lambda _: Response(code, media_type="text/javascript")),
        Route("/viewer.css", lambda _: Response(sheet, media_type="text/css")),
        Route("/show", viewer.show, methods=["POST"]),
        Route("/page", viewer.html, methods=["POST"]),
        Route("/machine", viewer.machine, methods=["POST"]),
    ]
    return Guard(Starlette(routes=[Mount(f"/{token}", routes=routes)]), token, hosts)
