"""Tools start without urllib, and paths are what they are."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from romproof.text.light_pathlib import import_pathlib
import_pathlib()
assert sys.version_info >= (3, 13) or "ipaddress" not in sys.modules
from pathlib import Path
print(Path("/a b/c").as_uri())
import urllib.parse
print(urllib.parse.quote("a b"), urllib.parse.__name__)
import_pathlib()
"""


def test_paths_know_urls_when_they_are_asked() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.stdout.split() == ["file:///a%20b/c", "a%20b", "urllib.parse"], done.stderr
