"""A process in which some packages cannot be found: what is asked of it comes as JSON on stdin.

``hidden`` are the names that packages are imported by, ``there`` the distributions that remain;
``lines`` are command lines, the program (one of ours, or pytest) first; ``modules`` are to be
imported. Prints JSON: for each line its exit code, stdout and stderr, for each module what came
of it.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any


class Without:
    """A finder that does not find packages and distributions that another one would find."""

    def __init__(self, finder: Any, hidden: set[str], there: set[str]) -> None:
        self.finder = finder
        self.hidden = hidden
        self.there = there

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.partition(".")[0] in self.hidden:
            return None
        find = getattr(self.finder, "find_spec", None)
        return None if find is None else find(name, path, target)

    def find_distributions(self, *context: Any) -> Iterator[Any]:
        find = getattr(self.finder, "find_distributions", None)
        for one in () if find is None else find(*context):
            if re.sub(r"[-_.]+", "-", one.metadata["Name"]).lower() in self.there:
                yield one

    def __getattr__(self, name: str) -> Any:  # what finders can do besides
        return getattr(self.finder, name)


def hide(hidden: set[str], there: set[str]) -> None:
    """From now on nothing of ``hidden`` can be found, and no distribution but ``there``."""
    for name in list(sys.modules):
        if name.partition(".")[0] in hidden:
            del sys.modules[name]
    sys.meta_path[:] = [Without(finder, hidden, there) for finder in sys.meta_path]


def carried_out(line: list[str]) -> tuple[int, str, str]:
    """A command line in this process: exit code, stdout and stderr."""
    program, *arguments = line
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        if program == "pytest":
            code = int(import_module("pytest").main(arguments))
        else:
            code = import_module(f"{program}.cli").run(arguments)
    return code, out.getvalue(), err.getvalue()


def imported(what: str) -> str:
    """What came of importing a module, or a name of one (``romproof:build``): "" or the error,
    with its type."""
    module, _, name = what.partition(":")
    try:
        found = import_module(module)
        if name:
            getattr(found, name)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def main() -> None:
    task = json.load(sys.stdin)
    hide(set(task["hidden"]), set(task["there"]))
    lines = [carried_out(line) for line in task["lines"]]
    modules = {module: imported(module) for module in task["modules"]}
    print(json.dumps({"lines": lines, "modules": modules}))


if __name__ == "__main__":
    main()
