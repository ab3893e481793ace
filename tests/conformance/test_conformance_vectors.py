"""Cases of one instruction each: what passes, what fails and how it is told, what is apart."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from small_suites import Case, silicon, step_case, steps_6502, steps_sm83

from romproof.conformance.model import CaseFailure, SuiteOutcome, SuiteRow
from romproof.conformance.run import pieces_in, run_pieces
from romproof.engine.engines import ENGINES

DAMAGED = "this is not a file of the suite, or it is damaged"
FAST = [name for name in ("llvm", "recompiled") if ENGINES[name].missing() is None]


def run(folder: Path, suite: str, engine: str = "auto", sample: int = 1) -> list[SuiteRow]:
    return run_pieces(pieces_in(folder, [suite], engine, sample), jobs=1)


def only_row(folder: Path, suite: str, engine: str = "plain", sample: int = 1) -> SuiteRow:
    (row,) = run(folder, suite, engine, sample)
    return row


def test_true_cases_pass_on_the_engine_with_a_bus_trace_and_on_the_fast_one(tmp_path: Path) -> None:
    steps_6502(tmp_path, 0x6D)
    steps_6502(tmp_path, 0xDB)  # undocumented
    rows = run(tmp_path, "6502-steps")
    assert [row.engine for row in rows] == ["plain", *FAST[:1]]
    for row in rows:
        assert row.outcome == SuiteOutcome(passed=24)
        assert row.failed_files == ()


def _wrong_register(case: Case) -> None:
    case["final"]["a"] ^= 0x10


def _wrong_memory(case: Case) -> None:
    case["final"]["ram"] = [[a, v ^ 1 if a == 0x1234 else v] for a, v in case["final"]["ram"]]


def _missing_cycle(case: Case) -> None:
    case["cycles"].pop()


def _other_cycle(case: Case) -> None:
    address, value, _ = case["cycles"][-2]
    case["cycles"][-2] = [address, value ^ 0x80, "write"]


INC = {  # inc $1234
    "name": "ee 34 12",
    "initial": {"pc": 0x0200, "s": 0xFD, "a": 1, "x": 2, "y": 3, "p": 0x24}
    | {"ram": [[0x0200, 0xEE], [0x0201, 0x34], [0x0202, 0x12], [0x1234, 0x7F]]},
    "final": {"pc": 0x0203, "s": 0xFD, "a": 1, "x": 2, "y": 3, "p": 0xA4}
    | {"ram": [[0x0200, 0xEE], [0x0201, 0x34], [0x0202, 0x12], [0x1234, 0x80]]},
    "cycles": [
        [0x0200, 0xEE, "read"],
        [0x0201, 0x34, "read"],
        [0x0202, 0x12, "read"],
        [0x1234, 0x7F, "read"],
        [0x1234, 0x7F, "write"],
        [0x1234, 0x80, "write"],
    ],
}


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (_wrong_register, "register A is $01, not $11"),
        (_wrong_memory, "$1234 holds $80, not $81"),
        (_missing_cycle, "6 cycles, not 5"),
        (_other_cycle, "cycle 4: write $1234 $7F, not write $1234 $FF"),
    ],
)
def test_what_is_wrong_is_told(spoil: Callable[[Case], None], what: str, tmp_path: Path) -> None:
    right, wrong = (json.loads(json.dumps(INC)) for _ in range(2))
    spoil(wrong)
    steps_6502(tmp_path, 0xEE, [right, wrong, right])
    row = only_row(tmp_path, "6502-steps")
    assert row.outcome == SuiteOutcome(2, 1, {}, (CaseFailure("ee 34 12", what),))
    assert [(file.name, file.outcome.failed) for file in row.failed_files] == [("ee.json", 1)]


@pytest.mark.parametrize("engine", FAST)
def test_without_a_bus_trace_the_cycles_are_only_counted(engine: str, tmp_path: Path) -> None:
    other = json.loads(json.dumps(INC))
    _other_cycle(other)
    fewer = json.loads(json.dumps(INC))
    _missing_cycle(fewer)
    steps_6502(tmp_path, 0xEE, [other, fewer])
    outcome = only_row(tmp_path, "6502-steps", engine).outcome
    translated = (2, 2) if engine == "recompiled" else (0, 0)
    assert outcome == SuiteOutcome(
        1, 1, {}, (CaseFailure("ee 34 12", "6 cycles, not 5"),), *translated
    )


def test_a_case_that_failed_leaves_nothing_behind(tmp_path: Path) -> None:
    store = json.loads(json.dumps(INC))  # it names another address than the one that is written
    store["final"]["ram"][3] = [0x1235, 0x80]
    follower = json.loads(json.dumps(INC))
    follower["initial"]["ram"][3] = follower["final"]["ram"][3] = [0x1235, 0]
    follower["final"]["ram"].append([0x1234, 0x01])  # from 0, not from 0x80
    follower["final"]["p"] = 0x24
    follower["cycles"][3:] = [[0x1234, 0, "read"], [0x1234, 0, "write"], [0x1234, 1, "write"]]
    steps_6502(tmp_path, 0xEE, [store, follower])
    outcome = only_row(tmp_path, "6502-steps").outcome
    assert (outcome.passed, outcome.failed) == (1, 1)
    assert outcome.failures[0].what == "$1235 holds $00, not $80"


def test_opcodes_that_stop_the_processor_and_unstable_stores_are_apart(tmp_path: Path) -> None:
    steps_6502(tmp_path, 0x9C)
    jam = json.loads(json.dumps(INC))
    jam["initial"]["ram"][0][1] = 0x02
    steps_6502(tmp_path, 0x02, [jam])
    outcome = only_row(tmp_path, "6502-steps").outcome
    assert outcome.cases == 0
    reasons = dict(outcome.apart)
    assert reasons.pop("opcode that stops the processor: not run") == 1
    assert sum(reasons.values()) == 12
    assert all(reason.startswith("store that differs from chip to chip: ") for reason in reasons)


def test_an_engine_without_undocumented_opcodes_leaves_them_out(tmp_path: Path) -> None:
    steps_6502(tmp_path, 0x6D)
    steps_6502(tmp_path, 0xDB)
    outcome = only_row(tmp_path, "6502-steps", "py65").outcome
    assert (outcome.passed, outcome.failed) == (12, 0)
    assert outcome.apart == {"undocumented opcode, which the engine refuses: not run": 12}


def test_a_sample_is_every_nth_case(tmp_path: Path) -> None:
    cases = [step_case(vector, number) for number, vector in enumerate(silicon(0x6D))]
    for case in cases[1:5]:
        _wrong_register(case)
    steps_6502(tmp_path, 0x6D, cases)
    assert only_row(tmp_path, "6502-steps", sample=5).outcome == SuiteOutcome(passed=3)
    outcome = only_row(tmp_path, "6502-steps", sample=4).outcome
    assert (outcome.passed, outcome.failed) == (2, 1)
    assert outcome.failures[0].case == "6d 04"


@pytest.mark.parametrize("engine", ["plain", *FAST])
def test_the_game_boys_cpu(engine: str, tmp_path: Path) -> None:
    steps_sm83(tmp_path)
    # halt is left to the interpreter
    translated = (3, 2) if engine == "recompiled" else (0, 0)
    outcome = only_row(tmp_path, "sm83-steps", engine).outcome
    assert outcome == SuiteOutcome(3, 0, {}, (), *translated)


@pytest.mark.skipif("recompiled" not in FAST, reason="the engine needs llvmlite")
@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (_wrong_register, "register A is $01, not $11"),
        (_wrong_memory, "$1234 holds $80, not $81"),
        (_missing_cycle, "6 cycles, not 5"),
        (lambda case: case["final"].update(pc=0x0204), "register PC is "),
    ],
)
def test_translated_code_is_compared(
    spoil: Callable[[Case], None], what: str, tmp_path: Path
) -> None:
    wrong = json.loads(json.dumps(INC))
    spoil(wrong)
    steps_6502(tmp_path, 0xEE, [INC, wrong, INC])
    outcome = only_row(tmp_path, "6502-steps", "recompiled").outcome
    assert (outcome.passed, outcome.failed) == (2, 1)
    assert outcome.failures[0].what.startswith(what)
    assert outcome.translated >= 3


@pytest.mark.skipif("recompiled" not in FAST, reason="the engine needs llvmlite")
def test_vectors_are_translated_unless_they_change_or_come_back_to_their_code(
    tmp_path: Path,
) -> None:
    def case(code: bytes, pc: int, after: int, **changed: int) -> Case:
        state = {"s": 0xFD, "a": 1, "x": 0, "y": 3, "p": 0x24}
        ram = {pc + i: byte for i, byte in enumerate(code)}
        return {
            "name": f"{code.hex()} at {pc:04x}",
            "initial": {**state, "pc": pc, "ram": sorted(ram.items())},
            "final": {**state, "pc": after, "ram": sorted(ram.items())}
            | {"ram": sorted((ram | {int(a[1:]): v for a, v in changed.items()}).items())},
            "cycles": [[0, 0, "read"]] * (4 if code[0] == 0x8D else 3),
        }

    cases = [
        case(b"\x4c\x00\x30", 0x0200, 0x3000),
        case(b"\x4c\x00\x02", 0x3000, 0x0200),  # to where the first one's code was
        case(b"\x4c\x02\x02", 0x0202, 0x0202),  # to itself
        case(b"\x8d\x02\x04", 0x0400, 0x0403, _1026=1),  # sta $0402: into its own code
        case(b"\x8d\x00\x02", 0x0500, 0x0503, _512=1),  # into another one's
    ]
    steps_6502(tmp_path, 0x4C, cases)
    outcome = only_row(tmp_path, "6502-steps", "recompiled").outcome
    assert outcome == SuiteOutcome(5, 0, {}, (), 5, 3)


def test_a_wrong_case_of_the_game_boys_cpu(tmp_path: Path) -> None:
    case = steps_sm83(tmp_path)["cb 36"]
    case["cycles"][2], case["cycles"][3] = None, case["cycles"][3]
    (tmp_path / "sm83" / "v1" / "cb 36.json").write_text(json.dumps([case]))
    row = only_row(tmp_path, "sm83-steps")
    assert (row.outcome.passed, row.outcome.failed) == (2, 1)
    assert row.outcome.failures[0].what == "cycle 2: read $C066 $A5, not idle"


def test_a_cpu_that_the_engine_does_not_know(tmp_path: Path) -> None:
    steps_sm83(tmp_path)
    outcome = only_row(tmp_path, "sm83-steps", "py65").outcome
    reason = "file that the engine cannot run: it knows mos6502 only, not sm83"
    assert outcome == SuiteOutcome(apart={reason: 3})


def test_our_own_vectors(tmp_path: Path) -> None:
    # $2B: the chip and the simulation differ, so this needs the simulation's CPU; $9E: unstable
    cases = [*silicon(0x6D), *silicon(0x2B), *silicon(0x9E)]
    packed = gzip.compress(json.dumps(cases).encode())
    (tmp_path / "silicon-6502.json.gz").write_bytes(packed)
    for row in run(tmp_path, "6502-silicon"):
        assert row.outcome == SuiteOutcome(passed=36)


@pytest.mark.slow_cases("[1]-this is not a file of the suite, or it is damaged: TypeError")
@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", f"{DAMAGED}: JSONDecodeError"),
        (b"[1]", f"{DAMAGED}: TypeError"),
        (
            b'[{"name": "ea"}]',
            "this is not a file of the suite, or it is damaged: KeyError: 'initial'",
        ),
        (b"[]", "this file has no cases"),
    ],
)
def test_a_damaged_file_has_failed(data: bytes, what: str, tmp_path: Path) -> None:
    steps_6502(tmp_path, 0x6D)
    (tmp_path / "6502" / "v1" / "ea.json").write_bytes(data)
    row = only_row(tmp_path, "6502-steps")
    assert (row.outcome.passed, row.outcome.failed) == (12, 1)
    (failure,) = row.outcome.failures
    assert failure.case == "ea.json"
    assert failure.what.startswith(what)
