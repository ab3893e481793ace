"""``pathlib`` for tools that are started once for each source, without what it needs for URLs.

Until Python 3.13 ``pathlib`` imports ``urllib.parse`` for ``Path.as_uri``, which brings
``ipaddress``: a sixth of what a start takes beyond Python's own. While it is imported something
stands in for that module which gets the real one when it is called.
"""

from __future__ import annotations

import sys
from types import ModuleType

_PARSE = "urllib.parse"
_AS_IT_IS = (3, 13)


def import_pathlib() -> None:
    """Import ``pathlib``, unless it or ``urllib.parse`` is there already."""
    if sys.version_info >= _AS_IT_IS or "pathlib" in sys.modules or _PARSE in sys.modules:
        return
    stand_in = ModuleType(_PARSE)
    stand_in.quote_from_bytes = _quote_from_bytes  # type: ignore[attr-defined]
    sys.modules[_PARSE] = stand_in
    try:
        import pathlib  # noqa: F401
    finally:
        del sys.modules[_PARSE]


def _quote_from_bytes(data: bytes, safe: str = "/") -> str:
    from urllib.parse import quote_from_bytes

    return quote_from_bytes(data, safe)
