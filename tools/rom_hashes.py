"""Writes rom/roms.sha256, the hashes of all ROM images; ``make hashes`` runs it.

They say that a build is the same on every machine, and which change of the sources changed which
image. After ``make rom`` anybody can check them: ``sha256sum -c rom/roms.sha256``.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from romproof.projects import build, load_manifest
from romproof.support.files import write_atomically
from romproof.text.errors import RomproofError

ROOT = Path(__file__).parents[1]
FILE = ROOT / "rom" / "roms.sha256"


def line(name: str, image: bytes) -> str:
    """An image's line, in the form of sha256sum."""
    return f"{hashlib.sha256(image).hexdigest()}  build/rom/{name}\n"


def main() -> int:
    """Build all ROMs in memory and write the file."""
    lines = []
    try:
        for path in sorted(ROOT.glob("rom/*/manifest.toml")):
            file = build(load_manifest(path)).image.files[0]
            lines.append(line(file.name, file.data))
    except RomproofError as fault:
        print(f"hashes: {fault}", file=sys.stderr)
        return 1
    write_atomically(FILE, "".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
