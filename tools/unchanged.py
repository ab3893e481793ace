"""Runs a command unless it has passed with exactly this code before.

    python tools/unchanged.py [--fresh] COMMAND...

What counts as this code: every file in FOLDERS, pyproject.toml, Python, the distributions that are
installed, and the command itself. That it passed is kept by the rule for caches (decision 0021);
--fresh runs it anyhow. The exit code is the command's.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import distributions
from pathlib import Path

from romproof.support.cache import keep, recall

ROOT = Path(__file__).parents[1]
FOLDERS = ("asm", "rom", "pytools", "tests", "tools")
_WRITTEN = ("__pycache__", ".egg-info", ".pyc")
"""Parts of names that Python and its installers write; nobody else does."""
_MAX = 64


def main(arguments: Sequence[str]) -> int:
    """Run the command, or say why not."""
    fresh = arguments[:1] == ["--fresh"]
    command = list(arguments[fresh:])
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    name = f"{digest(command)}.passed"
    if not fresh and recall(name) is not None:
        print(f"nothing has changed since this passed: {' '.join(command)}")
        return 0
    code = subprocess.run(command, check=False).returncode
    if code == 0:
        keep(name, b"passed", _MAX)
    return code


def digest(command: Sequence[str]) -> str:
    """What stands for the code that a command runs on."""
    installed = sorted(f"{each.name} {each.version}" for each in distributions())
    whole = hashlib.sha256(repr((sys.version, installed, list(command))).encode())
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    for path in sorted([*files, ROOT / "pyproject.toml"]):
        if not any(part in str(path) for part in _WRITTEN):
            whole.update(f"{path.relative_to(ROOT)}\n".encode("utf-8", "surrogateescape"))
            whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
