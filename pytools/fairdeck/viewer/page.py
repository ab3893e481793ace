"""The page: as it is served, and as one file that needs nothing else.

Both run the same script. Served, it comes from an address of its own and asks the viewer; in a
file, script and style stand in the page, and a policy names them by their hashes, so that the
browser runs nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from html import escape
from string import Template

from fairdeck.viewer.document import MAX_INPUT, Document
from fairdeck.viewer.strings import asset, strings, word
from fairdeck.viewer.tile_art import sprite

SCRIPTS = ("words.js", "state.js", "board.js", "report.js", "main.js")
SERVED_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of the served page: nothing from elsewhere, nothing inline."""


def script() -> str:
    """The page's script: small files one after another, closed off from the page's names."""
    return '"use strict";\n(() => {\n' + "\n".join(asset(name) for name in SCRIPTS) + "})();\n"


def style() -> str:
    """The page's style sheet."""
    return asset("viewer.css")


def make_page(language: str, start: Mapping[str, object] | None = None) -> str:
    """The page that asks the viewer; with ``start`` it begins by showing what "start" gives.

    ``start`` are values of the form's fields by their names.
    """
    attribute = "" if start is None else f' data-start="{escape(json.dumps(start))}"'
    return _page(
        language,
        document=None,
        policy="",
        head='<link rel="stylesheet" href="viewer.css">',
        end='<script src="viewer.js" defer></script>',
        form=asset("input.html"),
        start=attribute,
    )


def static_page(document: Document, language: str) -> str:
    """A game as one HTML file; it shows what the document has, and asks nobody."""
    code, sheet = script(), style()
    policy = (
        f"default-src 'none'; script-src '{_hash(code)}'; style-src '{_hash(sheet)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return _page(
        language,
        document=document,
        policy=f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
        head=f"<style>{sheet}</style>",
        end=f"<script>{code}</script>",
        form="",
        start="",
    )


def _page(
    language: str,
    *,
    document: Document | None,
    policy: str,
    head: str,
    end: str,
    form: str,
    start: str,
) -> str:
    return Template(asset("page.html")).substitute(
        lang={"zh": "zh-Hans"}.get(language, language),
        title=escape(word("title", language)),
        noscript=escape(word("noscript", language)),
        policy=policy,
        style=head,
        sprite=sprite(),
        input=form,
        most=MAX_INPUT,
        start=start,
        strings=_data(dict(strings())),
        document=_data(document),
        script=end,
    )


def _data(value: object) -> str:
    """JSON that may stand in a script element: whatever it holds does not end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
