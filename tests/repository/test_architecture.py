"""Who may import whom, and how large a module may be; docs/architecture.md tells why."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from every_case import every_case

pytestmark = pytest.mark.xdist_group("architecture")  # all modules are parsed once

PYTOOLS = Path(__file__).parents[2] / "pytools"
LEVELS = (  # lowest first; packages of one level do not import each other
    {"text"},
    {"support"},
    {"isa"},
    {"program"},
    {"toolchains", "engine", "symbolic", "formats"},
    {"machine", "projects"},
    {"measure", "contract", "conformance"},
    {"harness", "timing"},
    {"witness"},
    {"prover"},
    {"report"},
    {"cli", "pytest_plugin"},
    {"api"},
)
LEVEL = {package: level for level, packages in enumerate(LEVELS) for package in packages}
LEVEL["__init__.py"] = len(LEVELS)  # what romproof itself offers, looked up when it is asked for
LEVEL["__main__.py"] = len(LEVELS)
LINES = 500
"""A module of 400 deserves a question; one above this has two subjects."""
MODULES = sorted(path.relative_to(PYTOOLS) for path in PYTOOLS.rglob("*.py"))
IDS = [str(module) for module in MODULES]


def parse(module: Path) -> ast.Module:
    return ast.parse((PYTOOLS / module).read_text("utf-8"))


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements in a node, without a look into their expressions: these are most of it."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        for each in getattr(node, name, ()):
            if isinstance(each, ast.stmt):
                yield each
            yield from statements(each)


@cache
def imports(module: Path) -> list[tuple[str, ...]]:
    """The dotted names a module imports, each split; imports for type checking count too."""
    found: list[str] = []
    for node in statements(parse(module)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: write imports from the top"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return [tuple(name.split(".")) for name in found]


def test_every_package_has_a_level() -> None:
    folders = {path.name for path in (PYTOOLS / "romproof").iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == set().union(*LEVELS)


@every_case("module", MODULES, ids=IDS)
def test_a_module_imports_lower_levels_only(module: Path) -> None:
    top, own = module.parts[:2]
    for name in imports(module):
        if top == "romproof":
            assert name[0] != "fairdeck", "romproof knows nothing of fairdeck"
        if top == name[0] == "romproof" and name[1:] and name[1] != own:
            lower = name[1] in LEVEL and LEVEL[name[1]] < LEVEL.get(own, 0)
            assert lower, f"{own} imports {'.'.join(name)}, which is not of a lower level"


# rooms of packages with many modules, lowest first; those of one level do not import each other
ROOMS = {
    "contract": ({"nouns"}, {"text"}, {"names"}, {"reading"}, {"checks"}),
    "harness": (
        {"state"},
        {"replay"},
        {"errors"},
        {"checks"},
        {"calls"},
        {"listeners"},
        {"built", "comparing", "direct", "drawing", "finding", "gameboy", "machine"}
        | {"machine_state", "measured", "rom"},
    ),
    "prover": (
        {"catalogue"},
        {"results"},
        {"states"},
        {"exploration"},
        {"models"},
        {"replay"},
        {"conditions"},
        {"calls", "invariants"},
        {"cycles"},
        {"routines"},
        {"refinement"},
        {"infer", "prover", "same"},
    ),
}
IN_ROOMS = [m for m in MODULES if len(m.parts) > 2 and m.parts[1] in ROOMS and m.stem != "__init__"]


@every_case("module", IN_ROOMS, ids=str)
def test_a_room_imports_lower_ones_only(module: Path) -> None:
    package, own = module.with_suffix("").parts[1:3]
    levels = {room: level for level, rooms in enumerate(ROOMS[package]) for room in rooms}
    top = levels[own] == len(ROOMS[package]) - 1  # the last ones are no rooms, and know each other
    for name in imports(module):
        if name[:2] == ("romproof", package) and name[2] != own:
            lower = levels[name[2]] < levels[own] or (top and package == "harness")
            assert lower, f"{own} imports {'.'.join(name)}, which is not of a lower room"


NAMES = {
    ".".join(module.with_suffix("").parts).removesuffix(".__init__"): module for module in MODULES
}


def imported_modules(module: Path) -> set[str]:
    """The modules that one names in its imports, wherever they stand in it."""
    found = (".".join(name) for name in imports(module))
    return {name if name in NAMES else name.rpartition(".")[0] for name in found} & NAMES.keys()


def cycles(graph: Mapping[str, Collection[str]]) -> list[list[str]]:
    """The nodes of a graph that can be reached from each other, where that is more than one.

    Tarjan, "Depth-first search and linear graph algorithms", 1972.
    """
    found: list[list[str]] = []
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_: list[str] = []

    def visit(node: str) -> None:
        number[node] = lowest[node] = len(number)
        open_.append(node)
        for other in sorted(graph[node]):
            if other not in number:
                visit(other)
                lowest[node] = min(lowest[node], lowest[other])
            elif other in open_:
                lowest[node] = min(lowest[node], number[other])
        if lowest[node] == number[node]:
            start = open_.index(node)
            component = open_[start:]
            del open_[start:]
            if len(component) > 1 or node in graph[node]:
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return found


def test_cycles_of_a_graph_are_found() -> None:
    graph = {"a": "b", "b": "ce", "c": "a", "d": "ad", "e": "f", "f": "", "g": "h", "h": "g"}
    assert cycles(graph) == [["a", "b", "c"], ["d"], ["g", "h"]]


def test_no_module_imports_itself_in_the_end() -> None:
    """Also not by way of functions or of names that only the type checker sees."""
    assert cycles({name: imported_modules(module) for name, module in NAMES.items()}) == []


TOOLCHAINS = [m for m in MODULES if m.parts[:2] == ("romproof", "toolchains") and len(m.parts) > 3]


@every_case("module", TOOLCHAINS, ids=str)
def test_the_dialects_do_not_know_each_other(module: Path) -> None:
    """Within a dialect its tools meet in the objects only."""
    tools = ("asm", "link", "obj", "fix", "gfx")
    rooms = {tool: {tool, "obj"} for tool in tools}
    for name in imports(module):
        if name[:2] == ("romproof", "toolchains"):
            assert name[2] == module.parts[2], name
            assert name[3] in rooms.get(module.parts[3], set()), name


@every_case("module", [m for m in MODULES if m.parts[:2] == ("romproof", "witness")])
def test_what_executes_proofs_knows_nothing_of_the_prover(module: Path) -> None:
    """A mistake in terms, rules or solvers would be made twice, and nobody would see it."""
    for name in imports(module):
        assert name[:2] not in (("romproof", "symbolic"), ("romproof", "prover")), name


@every_case("module", MODULES, ids=IDS)
def test_a_module_is_short_and_its_package_explained(module: Path) -> None:
    assert len((PYTOOLS / module).read_text("utf-8").splitlines()) <= LINES
    assert ast.get_docstring(parse(module.parent / "__init__.py"))
