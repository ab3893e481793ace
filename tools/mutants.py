"""Which conditions of the rules have a test in ``make test`` that fails without them.

    python tools/mutants.py map [TESTS]         which tests execute which line, once for all
    python tools/mutants.py run [--sample 300]  execute those tests with one condition changed
    python tools/mutants.py score               how many were seen, and which were not

A mutant is the code with one condition changed: taken for true or for false, one of its parts left
out, a border moved by one. The same for conditions that are formulas (``t.and_``, ``t.ult``). It is
put into a copy of the project, and the tests that execute its line run there until one fails: those
that take least first, until they have taken as long as ``--budget`` says. One of which no test
fails has survived; ``--budget`` is how much was tried of it. ``run`` goes on where it was left, and
writes build/mutants/result.jsonl, a line for each mutant.
"""

from __future__ import annotations

import ast
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from xml.etree import ElementTree

import click

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "mutants"
LINES, SECONDS, RESULT = BUILD / "coverage", BUILD / "tests.xml", BUILD / "result.jsonl"
PACKAGES = ("prover", "symbolic", "timing")
TESTS = (
    "tests/prover", "tests/symbolic", "tests/timing", "tests/cli/test_prove_cli.py",
    "tests/cli/test_prove_verdicts.py", "tests/cli/test_prove_lemmas.py",
    "tests/cli/test_cli_bounds.py", "tests/plugin/test_equivalent_prove.py",
)  # fmt: skip
"""Where the rules are tested: other tests execute them too, and look at something else."""

_BORDERS: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">",
}  # fmt: skip
_BUILD = ("hatch_build.py", "hatch_compile.py")
_COPIED = ("asm", "examples", "pytools", "rom", "tests", "tools", "bench", "docs")
_FORMULAS = ("and_", "or_")
_RUN = "|run"
"""How the names of contexts end that are the tests themselves, not what they set up."""
_LEAST = 0.01
"""Seconds of a test of which nothing is known."""
_WAITS = 20
"""How many times as long as the tests took without a change they may take: loops may not end."""


@dataclass(frozen=True, order=True)
class Mutant:
    """One change: the characters from ``start`` to ``end`` of a file become ``text``."""

    file: str
    line: int
    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.end :]

    def shown(self, source: str) -> str:
        """What is changed, in one line."""
        return f"{' '.join(source[self.start : self.end].split())} -> {self.text}"


def mutants_of(file: str, source: str) -> Iterator[Mutant]:
    """Every change of one file."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    raw = source.encode()

    def at(line: int, column: int) -> int:
        return len(raw[: starts[line - 1] + column].decode())

    def change(node: ast.expr, text: str) -> Mutant:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = at(node.lineno, node.col_offset)
        return Mutant(file, node.lineno, start, at(node.end_lineno, node.end_col_offset), text)

    def text_of(node: ast.AST) -> str:
        return ast.get_source_segment(source, node) or ""

    tree = ast.parse(source)
    annotated = {id(each) for each in _annotations(tree)}
    for node in ast.walk(tree):
        if id(node) in annotated:
            continue
        tests: list[ast.expr] = []
        match node:
            case ast.If(test=test) | ast.IfExp(test=test):
                tests = [test]
            case ast.comprehension(ifs=ifs):
                tests = ifs
            case ast.Return(value=ast.Compare() | ast.BoolOp() as value):
                tests = [value]
            case ast.Return(value=ast.UnaryOp(op=ast.Not()) as value):
                tests = [value]
        for test in tests:
            if text_of(test) not in ("TYPE_CHECKING",):
                yield from (change(test, value) for value in ("True", "False"))
        match node:
            case ast.BoolOp(values=values):
                word = " and " if isinstance(node.op, ast.And) else " or "
                for left_out in range(len(values)):
                    kept = [v for n, v in enumerate(values) if n != left_out]
                    yield change(node, "(" + word.join(f"({text_of(v)})" for v in kept) + ")")
            case ast.Compare(ops=[op], left=left, comparators=[right]) if type(op) in _BORDERS:
                yield change(node, f"({text_of(left)} {_BORDERS[type(op)]} {text_of(right)})")
            case ast.Call(func=ast.Attribute(value=ast.Name(id="t"), attr=name), args=[one, other]):
                if name in _FORMULAS:
                    yield from (change(node, text_of(each)) for each in (one, other))
                elif name == "ult":
                    yield change(node, f"t.not_(t.ult({text_of(other)}, {text_of(one)}))")
            case ast.BinOp(op=ast.BitAnd() | ast.BitOr(), left=one, right=other):
                yield from (change(node, f"({text_of(each)})") for each in (one, other))


def _annotations(tree: ast.AST) -> Iterator[ast.AST]:
    """What only says of which types something is."""
    for node in ast.walk(tree):
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(part, ast.AST):
                yield from ast.walk(part)


def every(packages: Sequence[str]) -> list[Mutant]:
    """All mutants, in order."""
    found: list[Mutant] = []
    for package in packages:
        for path in sorted((ROOT / "pytools" / "romproof" / package).rglob("*.py")):
            file = path.relative_to(ROOT).as_posix()
            found += dict.fromkeys(mutants_of(file, path.read_text("utf-8")))
    return found


@dataclass(frozen=True)
class Executed:
    """Which tests execute which lines, and the seconds that each of them takes."""

    data: sqlite3.Connection
    seconds: Mapping[str, float]

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Those that execute a line; first those that take least for each line of the file that
        they execute."""
        rows = self.data.execute(
            "select context.context, line_bits.numbits from line_bits"
            " join file on file.id = line_bits.file_id"
            " join context on context.id = line_bits.context_id where file.path like ?",
            (f"%/{mutant.file}",),
        )
        byte, bit = divmod(mutant.line, 8)
        lines = {
            name.removesuffix(_RUN): sum(each.bit_count() for each in bits)
            for name, bits in rows
            if byte < len(bits) and bits[byte] >> bit & 1 and name.endswith(_RUN)
        }
        return sorted(lines, key=lambda name: (self.takes(name) / lines[name] ** 2, name))

    def takes(self, test: str) -> float:
        """Seconds of a test."""
        return max(self.seconds.get(test, 0.0), _LEAST)


@click.group(help=(__doc__ or "").partition("\n")[0])
def main() -> None:
    """See the module."""


@main.command(name="list")
@click.argument("packages", nargs=-1)
def list_(packages: tuple[str, ...]) -> None:
    """Show all mutants."""
    for mutant in every(packages or PACKAGES):
        click.echo(f"{mutant.file}:{mutant.line}: {mutant.shown(_source(mutant))}")


@main.command(name="map")
@click.argument("tests", nargs=-1)
@click.option("-n", "processes", default="2", help="Processes that run the tests.")
def map_(tests: tuple[str, ...], processes: str) -> None:
    """Run tests once; note which lines each of them executes, and how long it takes."""
    BUILD.mkdir(parents=True, exist_ok=True)
    settings = BUILD / "settings.ini"  # not coverage.*: such files are data, and go
    sources = ",".join(f"romproof.{package}" for package in PACKAGES)
    settings.write_text(f"[run]\nsource_pkgs = {sources}\ndata_file = {LINES}\n", "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-n", processes, "--dist", "worksteal"]
    command += [*(tests or TESTS), "--cov", f"--cov-config={settings}", "--cov-context=test"]
    command += ["--cov-report=", f"--junitxml={SECONDS}", "-W", "ignore"]
    sys.exit(subprocess.run(command, cwd=ROOT, check=False).returncode)


@main.command()
@click.option("--sample", default=300, show_default=True, help="How many are tried.")
@click.option("--seed", default=1, show_default=True, help="Which ones these are.")
@click.option("--budget", default=60.0, show_default=True, help="Seconds of tests for each.")
@click.option("--only", default="", help="Only those whose file and change have these words.")
def run(sample: int, seed: int, budget: float, only: str) -> None:
    """Run the tests of a sample of the mutants, drawn from all conditions alike."""
    executed = _executed()
    chosen = every(PACKAGES)
    random.Random(seed).shuffle(chosen)
    chosen = [m for m in chosen if all(word in _told(m) for word in only.split())][:sample]
    known = {tuple(json.loads(line)["mutant"].values()) for line in _lines(RESULT)}
    copy = _copy()
    for number, mutant in enumerate(chosen, 1):
        if tuple(asdict(mutant).values()) in known:
            continue
        verdict = _try(copy, mutant, executed, budget)
        row = {"mutant": asdict(mutant), "change": mutant.shown(_source(mutant)), **verdict}
        with RESULT.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        click.echo(f"{number}/{len(chosen)} {verdict['verdict']}: {_told(mutant)}")


@main.command()
def score() -> None:
    """Show how many were seen, and those that were not."""
    rows = [json.loads(line) for line in _lines(RESULT)]
    for package in PACKAGES:
        verdicts = [row["verdict"] for row in rows if f"/{package}/" in row["mutant"]["file"]]
        counts = {word: verdicts.count(word) for word in ("seen", "survived", "not executed")}
        click.echo(f"{package}: {counts}")
    for row in sorted(rows, key=lambda row: (row["mutant"]["file"], row["mutant"]["line"])):
        if row["verdict"] != "seen":
            place = f"{row['mutant']['file']}:{row['mutant']['line']}"
            click.echo(f"{row['verdict']}: {place}: {row['change']} ({row['tests']} tests)")


def _try(copy: Path, mutant: Mutant, executed: Executed, budget: float) -> dict[str, object]:
    tests: list[str] = []
    seconds = 0.0
    for test in executed.tests_of(mutant):
        seconds += executed.takes(test)
        if tests and seconds > budget:
            break
        tests.append(test)
    if not tests:
        return {"verdict": "not executed", "tests": 0}
    path = copy / mutant.file
    source = path.read_text("utf-8")
    path.write_text(mutant.apply(source), "utf-8")
    try:
        failed = _fails(copy, tests, 60 + _WAITS * budget)
    finally:
        path.write_text(source, "utf-8")
    return {"verdict": "seen" if failed else "survived", "tests": len(tests), "by": failed}


def _fails(copy: Path, tests: Sequence[str], most: float) -> str | None:
    """Whether one of some tests fails in the copy: the first that does."""
    names = copy / "names.txt"
    names.write_text("\n".join(tests), "utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=no"]
    environment = {**os.environ, "PYTHONPATH": str(copy / "pytools"), "CI": "true"}
    environment["XDG_CACHE_HOME"] = environment["XDG_STATE_HOME"] = str(copy / "cache")
    running = subprocess.Popen(
        [*command, f"@{names}"], cwd=copy, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        told, _ = running.communicate(timeout=most)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        return "no end"
    if running.returncode == 0:
        return None
    return next(
        (line for line in told.splitlines() if line.startswith(("FAILED", "ERROR"))), told[-300:]
    )


def _executed() -> Executed:
    if not LINES.exists() or not SECONDS.exists():
        raise click.ClickException("which tests execute which line is not known: run 'map' first")
    seconds = {
        f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}": float(
            case.get("time", "0")
        )
        for case in ElementTree.parse(SECONDS).iter("testcase")
    }
    return Executed(sqlite3.connect(LINES), seconds)


def _copy() -> Path:
    """A copy of the project, in which files are changed."""
    copy = BUILD / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    for name in _COPIED:
        shutil.copytree(ROOT / name, copy / name, symlinks=True)
    for name in ("conftest.py", "pyproject.toml", "Makefile", "README.md", *_BUILD):
        shutil.copy(ROOT / name, copy / name)
    return copy


def _told(mutant: Mutant) -> str:
    return f"{mutant.file}:{mutant.line}: {mutant.shown(_source(mutant))}"


def _source(mutant: Mutant) -> str:
    return (ROOT / mutant.file).read_text("utf-8")


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines() if path.exists() else []


if __name__ == "__main__":
    main()
