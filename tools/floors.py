"""The lowest releases that pyproject.toml allows, as requirements: ``make floors`` installs them
and runs tests with them.

    python tools/floors.py > build/floors.txt

Every requirement of both distributions, their extras too, names the release it begins with:
``>=X`` becomes ``==X``. Of what several name the highest counts. Our own packages, and what is for
other systems, are left out. Ends with exit code 1 where a requirement names no lowest release.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECTS = (ROOT / "pyproject.toml", ROOT / "pytools" / "fairdeck" / "pyproject.toml")


class NoFloor(Exception):
    """A requirement that names no lowest release."""


def requirements(projects: Iterable[Path] = PROJECTS) -> Iterator[Requirement]:
    """All that the distributions require of others."""
    tables = [tomllib.loads(path.read_text("utf-8"))["project"] for path in projects]
    own = {table["name"] for table in tables}
    for table in tables:
        extras = table.get("optional-dependencies", {}).values()
        for line in (*table.get("dependencies", ()), *(one for group in extras for one in group)):
            wanted = Requirement(line)
            if wanted.name not in own and (wanted.marker is None or wanted.marker.evaluate()):
                yield wanted


def floors(wanted: Iterable[Requirement]) -> dict[str, str]:
    """The lowest release of each, by the name with its extras. Raises NoFloor."""
    lowest: dict[str, Version] = {}
    limited: set[str] = set()
    for one in wanted:
        name = one.name + (f"[{','.join(sorted(one.extras))}]" if one.extras else "")
        found = [part.version for part in one.specifier if part.operator == ">="]
        if found:
            lowest[name] = max([*map(Version, found), *filter(None, [lowest.get(name)])])
        limited.add(name)
    unsaid = sorted(limited - lowest.keys())
    if unsaid:
        raise NoFloor(f"no lowest release is named for {', '.join(unsaid)}")
    return {name: str(version) for name, version in sorted(lowest.items())}


def main() -> int:
    """Print them, one a line."""
    try:
        found = floors(requirements())
    except NoFloor as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    for name, version in found.items():
        print(f"{name}=={version}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
