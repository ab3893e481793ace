"""What is installed is enough for what it is said to be for; what lacks says so in one line.

Each environment is a process in which nothing else can be found than what the distributions say
they require (see environments.py); of the extras, all lack in the first one.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest
from environments import FILES, PYTOOLS, ROOT, extras, importable, project, required, without

import romproof

DEMO = """\
        .segment "ZEROPAGE"
lfsr:   .res 4
        .exportzp lfsr
        .segment "CODE"
        .export main, step
.proc main
        jsr step
halt:   jmp halt
.endproc

;; step – turn the register by one bit.
; in:       zp lfsr[4]
; out:      A lfsr[4]
; clobbers: N Z C
; stack:    0
; cycles:   29
.proc step
        asl lfsr
        rol lfsr+1
        rol lfsr+2
        rol lfsr+3
        lda lfsr
        rts
.endproc
"""
GAME = """\
SECTION "Entry", ROM0[$0100]
    nop
    jp main
SECTION "Main", ROM0[$0150]
main::
    call double
.done:
    jr .done

;; double – twice A.
; in:       A
; out:      A
; clobbers: F
; stack:    0
; cycles:   5
double::
    add a, a
    ret
"""
TESTS = """\
import romproof

def model(state):
    state = state << 1 & 0xFFFFFFFF
    return state & 0xFF, state

def test_a_call(rom):
    assert rom.call("step", mem={"lfsr": bytes([0x81, 0, 0, 0])}).a == 2

@romproof.equivalent("step", model, takes={"state": "lfsr:little"}, gives=("a", "lfsr:little"))
def test_the_model(): ...
"""
NOP = {
    "name": "ea",
    "initial": {"pc": 512, "s": 253, "a": 1, "x": 2, "y": 3, "p": 36, "ram": [[512, 234]]},
    "final": {"pc": 513, "s": 253, "a": 1, "x": 2, "y": 3, "p": 36, "ram": [[512, 234]]},
    "cycles": [[512, 234, "read"], [513, 0, "read"]],
}
NOP["initial"]["ram"] = NOP["final"]["ram"] = [[512, 234], [513, 0]]  # type: ignore[index]
STEP = "romproof run demo --call step --mem lfsr=81000000"
PYTEST = "pytest -q -p romproof.pytest_plugin -p no:cacheprovider tests"

LINES = {  # what each extra is for; without it the line that installs it is told
    "romproof[bitwuzla]": ["romproof prove demo --cross"],
    "romproof[cluster]": [
        "romproof conformance suites --scheduler tcp://127.0.0.1:9",
        "fairdeck audit tarot --on 6502 --shuffles 50 --scheduler tcp://127.0.0.1:9",
    ],
    "romproof[equivalent]": [],  # PYTEST
    "romproof[fast]": [
        f"{STEP} --engine llvm",
        f"{STEP} --engine recompiled",
        "romproof report demo --engine llvm --call step --mem lfsr=81000000",
        "romproof conformance suites --engine llvm",
    ],
    "romproof[pictures]": ["romproof run game --frames 1 --screenshot game.png"],
    "romproof[prove]": [
        "romproof prove demo --loose",
        "romproof bounds --prove",
        "fairdeck prove tarot/6502/flip",
    ],
    "romproof[py65]": [
        f"{STEP} --engine py65",
        "romproof conformance suites --engine py65",
    ],
    "fairdeck[emulators]": ["fairdeck tarot gameboy --presses 1", "fairdeck tarot nes"],
    "fairdeck[pictures]": ["fairdeck audit tarot --pictures drawn"],
    "fairdeck[viewer]": ["fairdeck viewer --no-open"],
}
FOR_FAIRDECK = {"romproof[fast]": ["fairdeck audit tarot --on 6502 --shuffles 50"]}

BASE = [
    "romproof build",
    STEP,
    f"{STEP} --engine plain --json",
    "romproof run game --call double --reg a=3",
    "romproof report demo --call step --mem lfsr=81000000",
    "romproof report game --call double --reg a=3",
    "romproof bounds",
    "romproof init --force --dry-run",
    "romproof engines",
    "romproof engines --json",
    "romproof completion bash",
    "romproof asm rom/demo/demo.s -o demo.bin --listing demo.lst",
    "romproof ca65 -o demo.o rom/demo/demo.s",
    "romproof ld65 -t none -o demo2.bin demo.o",
    "romproof rgbasm -o game.o rom/game/game.asm",
    "romproof rgblink -o game.gb game.o",
    "romproof rgbfix -v game.gb",
    "romproof rgbgfx -c #fff,#000 -p game.pal",
    "romproof disasm demo.bin",
    "romproof conformance suites",
]
FAIRDECK_BASE = [
    "fairdeck tarot shuffle --seed 12345678 --on 6502 --engine py65",
    "fairdeck tarot stats",
    "fairdeck riichi analyze 123m456p23478s11z",
    "fairdeck audit tarot",
    "fairdeck prove --list",
    "fairdeck completion bash",
]

ASKED_FIRST = {  # imported by make_engine, profilers and prover.cycles only: all ask first
    "romproof.engine.py65_cpu",
    "romproof.engine.py65_engine",
    "romproof.engine.recompiled.accesses",
    "romproof.engine.recompiled.batch",
    "romproof.engine.recompiled.region",
    "romproof.engine.recompiled.translate",
    "romproof.prover.calls.costs",
    "romproof.measure.batches",
    "romproof.prover.cycles.reachability",
}

SERVED = {f"fairdeck.viewer.{name}" for name in ("app", "guard", "serve")}
"""Imported by the command only, which looks for what they need."""

FOR_PROOFS = {f"romproof:{name}" for name in ("Exchange", "ProofOptions", "Prover")}
FOR_PROOFS |= {f"romproof:{name}" for name in ("choose", "table", "word")}
"""The exported names that cannot even be had without the extra."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a ROM for each CPU, a test, and a public test suite of one case."""
    for name, source, ending, keys in (
        ("demo", DEMO, "s", 'entry = "main"\n'),
        ("game", GAME, "asm", 'cpu = "sm83"\n[rom.header]\ntitle = "GAME"\n'),
    ):
        rom = tmp_path / "rom" / name
        rom.mkdir(parents=True)
        (rom / f"{name}.{ending}").write_text(source, "utf-8")
        (rom / "manifest.toml").write_text(f'[rom]\nsources = ["{name}.{ending}"]\n{keys}', "utf-8")
    table = '[tool.romproof]\nrom = "rom/demo/manifest.toml"\nfolders = ["rom"]\n'
    (tmp_path / "pyproject.toml").write_text(table, "utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_demo.py").write_text(TESTS, "utf-8")
    suite = tmp_path / "suites" / "6502" / "v1"
    suite.mkdir(parents=True)
    (suite / "ea.json").write_text(json.dumps([NOP]), "utf-8")
    return tmp_path


def modules(package: str) -> list[str]:
    """The names of all modules that are installed with a distribution of ours."""
    paths = (path.relative_to(PYTOOLS) for path in (PYTOOLS / package).rglob("*.py"))
    names = (".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths)
    return sorted(name for name in names if not name.endswith(("hatch_build", "__main__")))


def split(lines: Sequence[str]) -> list[list[str]]:
    return [shlex.split(line) for line in lines]


def here(*extras: str) -> None:
    """Skip where what an extra brings is not installed."""
    for name in sorted(direct(*extras)):
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed")


def direct(*extras: str) -> set[str]:
    """The names by which the packages of extras are imported that are theirs alone."""
    bare = [extra.partition("[")[0] for extra in extras]
    return importable(required(extras) - required(bare))


def test_every_extra_is_tried() -> None:
    known = {f"{name}[{extra}]" for name in FILES for extra in extras(name)}
    assert known == set(LINES)


@pytest.mark.slow
def test_romproof_alone(folder: Path) -> None:
    refused = [(extra, line) for extra in LINES for line in LINES[extra] if "fairdeck" not in line]
    lines = [*BASE, *(line for _, line in refused), PYTEST, f"{PYTEST} --romproof-prove"]
    there = required(["romproof", "pytest"])
    exported = [f"romproof:{name}" for name in dir(romproof) if not name.startswith("_")]
    names = [*modules("romproof"), *exported]
    came, errors = without(there, folder, split(lines), names)
    for one in came[: len(BASE)]:
        assert (one.code, one.err) == (0, ""), one
    for (extra, line), one in zip(refused, came[len(BASE) :], strict=False):
        wanted = "romproof[prove]" if "--cross" in line else extra  # z3 is asked for first
        assert one.code == 2, one
        assert one.err.startswith("error: "), one
        assert one.err.endswith(f'pip install "{wanted}"\n'), one
        assert one.err.count("\n") == 1, one
    sampled, proved = came[-2:]
    for one, extra in ((sampled, "equivalent"), (proved, "prove")):
        assert one.code == 1, one
        assert "1 failed, 1 passed" in one.out, one
        assert f'pip install "romproof[{extra}]"' in one.out, one
    wrong = {
        name: error
        for name, error in errors.items()
        if error and not re.fullmatch(r'MissingExtra: .*: pip install "romproof\[\w+\]"', error)
    }
    assert wrong.keys() == ASKED_FIRST, wrong
    assert {name for name in exported if errors[name]} == FOR_PROOFS


# that romproof[cluster] is enough is seen in tests/support/test_cluster.py: there is a cluster
ALONE = [extra for extra in LINES if extra.startswith("romproof") and "cluster" not in extra]


@pytest.mark.slow
@pytest.mark.parametrize("extra", ALONE)
def test_the_line_is_enough(extra: str, folder: Path) -> None:
    """With the extra alone, what it is for works."""
    wanted = {"romproof[bitwuzla]": [extra, "romproof[prove]"]}.get(extra, [extra])
    here(*wanted)
    lines = [line for line in LINES[extra][:2] if "fairdeck" not in line]
    tests = {"romproof[equivalent]": PYTEST, "romproof[prove]": f"{PYTEST} --romproof-prove"}
    if extra in tests:
        lines.append(tests[extra])
    if extra == "romproof[prove]":
        lines.append("romproof prove demo --cross")
    came, _ = without(required([*wanted, "pytest"]), folder, split(lines))
    if extra == "romproof[prove]":
        cross = came.pop()
        assert cross.code == 2
        assert cross.err.endswith('pip install "romproof[bitwuzla]"\n')
    for one in came:
        assert (one.code, one.err) == (0, ""), one


@pytest.mark.slow
def test_fairdeck_alone(tmp_path: Path) -> None:
    every = {extra: [*LINES[extra], *FOR_FAIRDECK.get(extra, [])] for extra in LINES}
    refused = [(extra, line) for extra in every for line in every[extra] if "fairdeck " in line]
    here("fairdeck")
    there = required(["fairdeck"])
    lines = [*FAIRDECK_BASE, *(line for _, line in refused)]
    came, errors = without(there, tmp_path, split(lines), modules("fairdeck"))
    for one in came[: len(FAIRDECK_BASE)]:
        assert (one.code, one.err) == (0, ""), one
    for (extra, _), one in zip(refused, came[len(FAIRDECK_BASE) :], strict=True):
        assert (one.code, one.out) == (2, ""), one
        assert one.err.endswith(f'pip install "{extra}"\n'), one
        assert one.err.count("\n") == 1, one
    assert {name for name, error in errors.items() if error} == SERVED
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("extra", ["fairdeck[emulators]", "fairdeck[pictures]"])
def test_the_line_is_enough_for_fairdeck(extra: str, tmp_path: Path) -> None:
    here(extra)
    came, _ = without(required([extra]), tmp_path, split(LINES[extra]))
    assert {(one.code, one.err) for one in came} == {(0, "")}
    assert [path.name for path in tmp_path.rglob("*.png")] == (
        ["tarot.png"] if "pictures" in extra else []
    )


# a process each; that the packages of the second case lack, test_romproof_alone and
# test_fairdeck_alone tell too, of numpy they do not: other packages are asked for before
@pytest.mark.slow_cases("numpy")
@pytest.mark.parametrize(
    ("gone", "told"),
    [
        (
            {"numpy"},
            {
                "romproof prove demo": "romproof[prove]",
                "romproof bounds --prove": "romproof[prove]",
                PYTEST: "romproof[equivalent]",
                "fairdeck riichi analyze 123m456p23478s11z --on 6502": "",
                f"{STEP} --engine llvm": "",
                f"{STEP} --engine recompiled": "",
            },
        ),
        pytest.param(
            {"z3-solver", "hypothesis", "pillow"},
            {
                "romproof prove demo": "romproof[prove]",
                PYTEST: "romproof[equivalent]",
                "fairdeck tarot gameboy": "fairdeck[emulators]",
                "fairdeck audit tarot --pictures drawn": "fairdeck[pictures]",
            },
            marks=pytest.mark.slow,
        ),
    ],
    ids=["numpy", "others"],
)
def test_a_part_of_what_an_extra_brings(gone: set[str], told: dict[str, str], folder: Path) -> None:
    here("romproof[all]", "fairdeck[all]")
    there = required(["romproof[all]", "fairdeck[all]", "pytest"]) - gone
    came, _ = without(there, folder, split(list(told)))
    for (line, extra), one in zip(told.items(), came, strict=True):
        assert one.code == (0 if not extra else 1 if line == PYTEST else 2), one
        assert not extra or f'pip install "{extra}"\n' in one.out + one.err, one


def _needed(path: Path) -> list[tuple[str, list[str]]]:
    """The extras that a module asks for by ``need``, each with its packages."""
    text = path.read_text("utf-8")
    found: list[tuple[str, list[str]]] = []
    if "need(" not in text:  # few modules do; parsing all of them takes seconds
        return found
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "need":
            words = [word.value for word in node.args if isinstance(word, ast.Constant)]
            assert len(words) == len(node.args), f"{path}: not all of need()'s words are written"
            found.append((words[1], words[2:]))
    return found


def test_what_is_asked_for_is_brought() -> None:
    from romproof.engine.engines import ENGINES

    asked = [one for path in PYTOOLS.rglob("*.py") for one in _needed(path)]
    asked += [(f"romproof[{row.extra}]", row.packages) for row in ENGINES.values() if row.packages]
    assert len(asked) > 10
    for extra, packages in asked:
        here(extra)
        assert set(packages) <= importable(required([extra])), extra


def test_named_extras_exist() -> None:
    """In messages, help texts and pages."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
    for path in [*pages, *PYTOOLS.rglob("*.py"), *PYTOOLS.rglob("*.md")]:
        for name, extra in re.findall(r"\b(romproof|fairdeck)\[(\w+)\]", path.read_text("utf-8")):
            assert extra in project(name)["optional-dependencies"], f"{path}: {name}[{extra}]"
