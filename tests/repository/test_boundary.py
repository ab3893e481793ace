"""What romproof exports, and that fairdeck uses nothing else of it."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest
from every_case import every_case

import romproof

PYTOOLS = Path(__file__).parents[2] / "pytools"
PACKAGE = PYTOOLS / "romproof"
FAIRDECK = sorted((PYTOOLS / "fairdeck").rglob("*.py"))

EXPORTED = [
    "Asked",
    "Attained",
    "BadInput",
    "BuildFailed",
    "Built",
    "Clock",
    "CommandGroup",
    "Contract",
    "Device",
    "Exchange",
    "Finding",
    "GameBoy",
    "Image",
    "Machine",
    "MachineState",
    "Message",
    "MessageKind",
    "MissingExtra",
    "Number",
    "Profile",
    "Proof",
    "ProofOptions",
    "Prover",
    "Result",
    "Rom",
    "RomproofError",
    "RomproofWarning",
    "Stage",
    "Verdict",
    "bounds",
    "build",
    "carry_out",
    "choose",
    "disassemble",
    "engines",
    "equivalent",
    "find_clock",
    "keep",
    "load",
    "processes",
    "profile",
    "progress",
    "prove",
    "read_input",
    "read_lines",
    "recall",
    "same_as",
    "show_error",
    "show_warnings",
    "suggest",
    "table",
    "wants_colour",
    "word",
    "workers",
    "write_all",
]
"""A name that goes, or changes what it means, is a new major version; a new one is a minor one."""


def test_the_surface_is_this_list() -> None:
    assert [name for name in dir(romproof) if not name.startswith("_")] == EXPORTED


@pytest.mark.parametrize("name", EXPORTED)
def test_an_exported_name_is_a_function_or_class_that_is_explained(name: str) -> None:
    found = getattr(romproof, name)
    assert isinstance(found, FunctionType | type)
    assert inspect.getdoc(found)
    assert found.__name__ == name
    assert not (PACKAGE / name).exists()
    assert not (PACKAGE / f"{name}.py").exists()


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))
    (checking,) = [
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    seen = {}
    for node in checking.body:
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            assert alias.asname == alias.name  # exported again, as type checkers see it
            seen[alias.name] = node.module
    assert sorted(seen) == EXPORTED
    homes = romproof._HOMES
    assert seen == {name: f"romproof.{home}" for name, home in homes.items()}


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, romproof; print([n for n in sys.modules if n.startswith('romproof')])"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={"PYTHONPATH": str(PYTOOLS)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "['romproof']"


def inner(tree: ast.AST) -> list[str]:
    """What a module uses of romproof that is not exported: by any import, by attributes."""
    found: list[str] = []
    names = {"romproof"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "romproof" and alias.asname:
                    names.add(alias.asname)
                if alias.name.startswith("romproof."):
                    found.append(alias.name)
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module.startswith("romproof."):
                found.append(node.module)
            elif node.module == "romproof":
                found += [a.name for a in node.names if a.name not in {*EXPORTED, "__version__"}]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            found += [
                argument.value
                for argument in node.args
                if isinstance(argument, ast.Constant)
                and isinstance(argument.value, str)
                and argument.value.startswith("romproof")
            ]
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in names
            and node.attr not in {*EXPORTED, "__version__"}
        ):
            found.append(ast.unparse(node))
    return found


@every_case("path", FAIRDECK, ids=lambda path: str(path.relative_to(PYTOOLS)))
def test_fairdeck_uses_exported_names_only(path: Path) -> None:
    assert inner(ast.parse(path.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    "text",
    [
        "import romproof.prover",
        "import romproof\nromproof.prover",
        "import romproof as r\nr.harness.rom",
        "from romproof import harness",
        "def f():\n    from romproof.harness.rom import Rom",
        "if TYPE_CHECKING:\n    from romproof.harness.rom import Rom",
        "from importlib import import_module\nimport_module('romproof.harness')",
    ],
)
def test_no_way_in_is_overlooked(text: str) -> None:
    assert inner(ast.parse(text)) != []
