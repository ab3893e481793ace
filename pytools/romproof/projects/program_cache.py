"""Programs that are built again only when something has changed of what they were made of.

What the build read is noted, and what it looked for in vain (romproof.support.account); the image
is kept with that (romproof.support.cache), and taken as long as all of it is as it was, and
romproof's own source too; its warnings, and what it printed, are told once more. A build that
fails or asks for the time is done each time.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence

from romproof.program.image import Image
from romproof.program.serialize import (
    diagnostics_from_row,
    diagnostics_to_row,
    from_bytes,
    to_bytes,
)
from romproof.projects.built import Built
from romproof.projects.manifest import Manifest
from romproof.support import cache
from romproof.support.account import (
    Account,
    accounting,
    environment,
    from_row,
    print_out,
    still_true,
    to_row,
)
from romproof.text.diagnostic import Diagnostic

_ENDING = ".image"
_MAX = 256
"""Images that are kept: of more programs, those that were not used for longest are built again."""
_MAKERS = tuple(f"romproof.{name}" for name in ("isa", "program", "projects", "text", "toolchains"))


def build_cached(manifest: Manifest, defines: Mapping[str, int] | None = None) -> Built:
    """Build a ROM in memory, or take the image of an earlier build if it would be the same.

    ``defines`` win over those of the manifest. Raises BuildFailed.
    """
    name = _name(manifest, defines or {})
    known = None if manifest.foreign else _recall(name)
    if known is not None:
        image, diagnostics, printed = known
        for text in printed:
            print_out(text)
        return Built(manifest, image, (), diagnostics)
    from romproof.projects.builder import build

    if manifest.foreign:
        return build(manifest, defines=defines)  # made elsewhere: there is only a file to read
    with accounting() as account:
        made = build(manifest, defines=defines)
    if account.repeatable:
        _keep(name, account, made)
    return made


def _name(manifest: Manifest, defines: Mapping[str, int]) -> str:
    """One for each program: a build of it takes the place of the one before."""
    what = (os.getcwd(), manifest, sorted(defines.items()), environment())
    return hashlib.sha256(repr(what).encode("utf-8", "surrogateescape")).hexdigest() + _ENDING


def _recall(name: str) -> tuple[Image, tuple[Diagnostic, ...], Sequence[str]] | None:
    """The image, the warnings, and what is to be printed."""
    data = cache.recall(name)
    if data is None:
        return None
    try:
        head, _, rest = data.partition(b"\n")
        makers, row, warnings = json.loads(head)
        if makers != cache.digest_of_packages(*_MAKERS):
            return None
        account = from_row(row)
        if not still_true(account):
            return None
        return from_bytes(rest), diagnostics_from_row(warnings), account.printed
    except ValueError:
        return None


def _keep(name: str, account: Account, made: Built) -> None:
    makers = cache.digest_of_packages(*_MAKERS)
    try:
        warnings = diagnostics_to_row(made.diagnostics)
        data = to_bytes(made.image)
    except RecursionError:  # macros within macros, thousands of them
        return
    head = json.dumps([makers, to_row(account), warnings]).encode()
    cache.keep(name, head + b"\n" + data, _MAX)
