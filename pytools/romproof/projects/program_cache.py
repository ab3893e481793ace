"""Programs that are built again only when something has changed of what they were made of.

What the build read is noted, and what it looked for in vain (romproof.support.account); the image
is kept with that (romproof.support.cache), and taken as long as all of it is as it was, and
romproof's own source too. A build that prints, warns, fails, or asks for the time is done each
time.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping

from romproof.program.image import Image
from romproof.program.serialize import from_bytes, to_bytes
from romproof.projects.built import Built
from romproof.projects.manifest import Manifest
from romproof.support import cache
from romproof.support.account import Account, accounting, still_true

_ENDING = ".image"
_MAX = 256
"""Images that are kept: of more programs, those that were not used for longest are built again."""
_MAKERS = tuple(f"romproof.{name}" for name in ("isa", "program", "projects", "text", "toolchains"))


def build_cached(manifest: Manifest, defines: Mapping[str, int] | None = None) -> Built:
    """Build a ROM in memory, or take the image of an earlier build if it would be the same.

    ``defines`` win over those of the manifest. Raises BuildFailed.
    """
    name = _name(manifest, defines or {})
    image = None if manifest.foreign else _recall(name)
    if image is not None:
        return Built(manifest, image, (), ())
    from romproof.projects.builder import build

    if manifest.foreign:
        return build(manifest, defines=defines)  # made elsewhere: there is only a file to read
    with accounting() as account:
        made = build(manifest, defines=defines)
    if account.repeatable and not made.diagnostics:
        _keep(name, account, made.image)
    return made


def _name(manifest: Manifest, defines: Mapping[str, int]) -> str:
    """One for each program: a build of it takes the place of the one before."""
    what = (os.getcwd(), manifest, sorted(defines.items()))
    return hashlib.sha256(repr(what).encode("utf-8", "surrogateescape")).hexdigest() + _ENDING


def _recall(name: str) -> Image | None:
    data = cache.recall(name)
    if data is None:
        return None
    try:
        head, _, rest = data.partition(b"\n")
        makers, files, absent = json.loads(head)
        if makers != cache.digest_of_packages(*_MAKERS):
            return None
        return from_bytes(rest) if still_true(Account(files, set(absent))) else None
    except ValueError:
        return None


def _keep(name: str, account: Account, image: Image) -> None:
    makers = cache.digest_of_packages(*_MAKERS)
    head = json.dumps([makers, account.files, sorted(account.absent)]).encode()
    try:
        data = to_bytes(image)
    except RecursionError:  # macros within macros, thousands of them
        return
    cache.keep(name, head + b"\n" + data, _MAX)
