"""The words of names, counted in the sources of both packages.

- *Participles*: a function is a verb. Of all functions, methods and properties, the share whose
  first word is a participle: it ends in ``ed`` (``joined``), or is in ``IRREGULAR`` (``held``).
- *Words of several meanings*: names of functions and modules that say nothing without their class,
  because each class means another thing by them (``WORDS``).
- *Nouns of several meanings*: public classes and aliases, with every module that defines one of the
  name.
- *Choices of modules without a type*: one of several modules is chosen, by a table or a condition.
  Mypy accepts any name of it, and a rename passes unnoticed, unless a protocol says its functions.

    python tests/repository/names.py       # the figures of each package
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PYTOOLS = Path(__file__).parents[2] / "pytools"

IRREGULAR = frozenset(
    [
        "alive",
        "asked",
        "begun",
        "bound",
        "broken",
        "built",
        "chosen",
        "done",
        "drawn",
        "felt",
        "found",
        "given",
        "gone",
        "grown",
        "handed",
        "heard",
        "held",
        "hidden",
        "kept",
        "known",
        "left",
        "lost",
        "made",
        "meant",
        "said",
        "seen",
        "sent",
        "shown",
        "spent",
        "split",
        "surely",
        "taken",
        "told",
        "thrown",
        "worth",
        "written",
    ]
)
"""Participles without ``ed``, and what stands for one (``alive``, ``surely``, ``worth``)."""

_VERBS = frozenset(
    {"bound", "embed", "exceed", "feed", "need", "proceed", "seed", "speed", "split"}
)
"""Words that look like participles and are verbs as well."""

WORDS = frozenset(
    [
        "alive",
        "asked",
        "begin",
        "given",
        "handed",
        "heard",
        "held",
        "kept",
        "matters",
        "meant",
        "own",
        "surely",
        "take",
        "taken",
    ]
)
"""Names that no function has, public or not: what is begun, kept or taken is said."""

MODULES = WORDS | {"bank", "banks", "parts", "pieces", "places"}
"""Names that no module has by themselves."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function, a method or a property; ``where`` is its module's path and its line."""

    name: str
    where: str


@dataclass(frozen=True, slots=True)
class Module:
    """What a module defines: functions with their lines, those within others included; classes and
    aliases of types."""

    functions: tuple[tuple[str, int], ...]
    nouns: frozenset[str]


def modules(package: Path) -> Iterator[tuple[str, Module]]:
    """The modules of a package by their paths from the folder that the package is in."""
    for path in sorted(package.rglob("*.py")):
        yield path.relative_to(package.parent).as_posix(), _read(path)


@cache
def _read(path: Path) -> Module:
    tree = ast.parse(path.read_text("utf-8"))
    found: list[tuple[str, int]] = []
    nouns = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append((node.name, node.lineno))
        elif isinstance(node, ast.ClassDef):
            nouns.add(node.name)
    for each in tree.body:
        targets = each.targets if isinstance(each, ast.Assign) else []
        if isinstance(each, ast.AnnAssign):
            targets = [each.target]
        nouns.update(target.id for target in targets if isinstance(target, ast.Name))
    return Module(tuple(found), frozenset(n for n in nouns if n[0].isupper() and not n.isupper()))


def functions(package: Path) -> Iterator[Function]:
    """All functions of a package; no lambdas."""
    for path, module in modules(package):
        for name, line in module.functions:
            yield Function(name, f"{path}:{line}")


def is_participle(name: str) -> bool:
    """Whether the first word of a function's name is a participle."""
    word = name.strip("_").partition("_")[0]
    return word not in _VERBS and (word in IRREGULAR or word.endswith("ed"))


def participles(package: Path) -> tuple[list[Function], int]:
    """The functions of a package that are participles, and the number of all."""
    every = list(functions(package))
    return [each for each in every if is_participle(each.name)], len(every)


def vague_names(package: Path) -> list[str]:
    """Where functions and modules have names of ``WORDS`` and ``MODULES``."""
    found = [
        f"{each.where} {each.name}" for each in functions(package) if each.name.strip("_") in WORDS
    ]
    return found + [path for path, _ in modules(package) if Path(path).stem in MODULES]


def nouns(package: Path) -> Mapping[str, tuple[str, ...]]:
    """The modules that define a public class or an alias of a type, by its name."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, module in modules(package):
        for name in module.nouns:
            found[name].append(path)
    return {name: tuple(paths) for name, paths in found.items()}


def untyped_choices(package: Path) -> list[str]:
    """Where one of several modules is chosen, and nothing says which functions they have."""
    found: list[str] = []
    for path in sorted(package.rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        imported = _imported_modules(nodes, package.parent)
        if len(imported) < 2:
            continue
        typed = {id(each.value) for each in nodes if isinstance(each, ast.AnnAssign)}
        where = path.relative_to(package.parent).as_posix()
        for node in nodes:
            names = {each.id for each in _choices(node) if isinstance(each, ast.Name)}
            if len(names & imported) > 1 and id(node) not in typed:
                found.append(f"{where}:{node.lineno}")  # type: ignore[attr-defined]
    return sorted(found)


def _choices(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Dict(values=values):
            return values
        case ast.Tuple(elts=values) | ast.List(elts=values):
            return values
        case ast.IfExp(body=one, orelse=other):
            return [one, other]
    return []


def _imported_modules(nodes: Iterable[ast.AST], root: Path) -> set[str]:
    """The names by which a module knows others of its package, and not a function of the same name
    that their folder hands on."""
    found = set[str]()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            folder = root.joinpath(*node.module.split("."))
            for each in node.names:
                paths = folder / f"{each.name}.py", folder / each.name / "__init__.py"
                if any(map(_exists, paths)) and each.name not in _handed_on(folder):
                    found.add(each.asname or each.name)
    return found


@cache
def _exists(path: Path) -> bool:
    return path.exists()


@cache
def _handed_on(folder: Path) -> frozenset[str]:
    """What a package imports: a name of it hides its module of that name."""
    init = folder / "__init__.py"
    tree = ast.parse(init.read_text("utf-8")) if init.exists() else ast.Module([], [])
    aliases = (a for each in tree.body if isinstance(each, ast.ImportFrom) for a in each.names)
    return frozenset(alias.asname or alias.name for alias in aliases)


def rooms() -> list[str]:
    """The packages within both packages, as ``romproof/prover``."""
    inits = PYTOOLS.glob("*/*/__init__.py")
    return sorted(path.parent.relative_to(PYTOOLS).as_posix() for path in inits)


def main() -> None:
    for room in rooms():
        found, count = participles(PYTOOLS / room)
        print(f"{room:28} {count:5} functions {len(found) / max(count, 1):7.1%} participles")
    for package in ("fairdeck", "romproof"):
        for name, paths in sorted(nouns(PYTOOLS / package).items()):
            if len(paths) > 2:
                print(f"{name}: {', '.join(paths)}")


if __name__ == "__main__":
    main()
