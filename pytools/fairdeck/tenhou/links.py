"""Links to games on Tenhou's site, and other texts that name a game without being its log.

Nothing is loaded here: who gives a link is told where a browser gets the log.
"""

from __future__ import annotations

import json
import os
import re
from urllib.parse import unquote

_ID = re.compile(
    r"(?<![0-9])20[0-9]{8}gm-[0-9a-f]{4}-[0-9]{4,5}-(?:x[0-9a-f]{12}|[0-9a-f]{8})(?![0-9a-f])"
)
"""The id of a game: when it began, its type, the lobby, and a number, plain or scrambled."""
_DOWNLOAD = "https://tenhou.net/0/log/find.cgi?log={id}&tw=0"
"""Where a browser gets the log of a game; from the published description of the verification."""
_DOWNLOAD_ANY = (
    f"a browser saves the log from {_DOWNLOAD.format(id='ID')}, where ID is the text after log= "
    f"in the link to the game"
)
_LINK = re.compile(r"[a-z]+://|(?:www\.)?tenhou\.net/", re.I)
_EDITOR_KEYS = frozenset({"name", "title", "rule", "ref"})
"""Of these keys the JSON of tenhou.net/6 has some beside ``log``."""
_LOOKED_AT = 1 << 20
"""Bytes of a file that are searched for links."""


def game_ids(text: str) -> tuple[str, ...]:
    """The ids of the games that a text names, each once, in its order."""
    return tuple(dict.fromkeys(_ID.findall(text)))


def game_id(name: str) -> str | None:
    """The id of the game that a file, or a link, is named after."""
    found = _ID.search(name)
    return None if found is None else found[0]


def explain_argument(text: str) -> str | None:
    """How to get the log that an argument means which is a link, or a game's id, and no file."""
    if os.path.exists(text) or not (_LINK.match(text) or _ID.fullmatch(text)):
        return None
    decoded = unquote(text)
    if "#json=" in decoded:
        return explain_contents(decoded.partition("#json=")[2].encode())
    return _explain_ids(game_ids(decoded)) or (
        f"a link, not a log: logs are not loaded from the net; {_DOWNLOAD_ANY}"
    )


def explain_contents(data: bytes) -> str | None:
    """How to get the log that a file leads to which is none: links, or JSON of tenhou.net/6.

    None: it is a log, or nothing that leads to one.
    """
    text = data[:_LOOKED_AT].decode("utf-8", "replace")
    if "<mjloggm" in text.lower():
        return None
    ids = game_ids(unquote(text))
    if _is_editor_json(data):
        how = _DOWNLOAD_ANY if not ids else f"its log is saved from {_DOWNLOAD.format(id=ids[0])}"
        return f"JSON of tenhou.net/6, which has no seed: nothing can be checked; {how}"
    return _explain_ids(ids)


def _explain_ids(ids: tuple[str, ...]) -> str | None:
    if not ids:
        return None
    page = _DOWNLOAD.format(id=ids[0])
    if len(ids) == 1:
        return (
            f"a link to a game, not a log: open {page} in a browser, and verify the file "
            f"that it saves"
        )
    return (
        f"links to {len(ids):,} games, not a log: open {page} in a browser, and verify the file "
        f"that it saves; do the same for the other ids"
    )


def _is_editor_json(data: bytes) -> bool:
    """Whether this is what tenhou.net/6 shows and exports: one object, or one a line."""
    stripped = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not stripped.startswith((b"{", b'"{')):
        return False
    for text in (stripped, stripped.partition(b"\n")[0]):
        try:
            found = json.loads(text)
            if isinstance(found, str):
                found = json.loads(found)
        except (ValueError, RecursionError):
            continue
        return (
            isinstance(found, dict)
            and isinstance(found.get("log"), list)
            and not _EDITOR_KEYS.isdisjoint(found)
        )
    return False
