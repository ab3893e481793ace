"""Programs that test a machine from within, and how suites are found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from small_suites import (
    DECIMAL,
    INTERRUPTS,
    blargg,
    microtest,
    mooneye,
    nestest,
    program,
    steps_6502,
    steps_sm83,
)

from romproof.conformance.model import NoSuites, SuiteOutcome, SuiteRow
from romproof.conformance.run import all_passed, pieces_in, run_pieces
from romproof.engine.engines import ENGINES

HERE = [name for name, row in ENGINES.items() if row.missing() is None]
FULL = [name for name in HERE if name != "py65"]


def row_of(folder: Path, suite: str, engine: str = "plain") -> SuiteRow:
    (row,) = run_pieces(pieces_in(folder, [suite], engine), jobs=1)
    return row


def cases_of(row: SuiteRow) -> SuiteOutcome:
    """What came of the cases, without how they were executed."""
    return replace(row.outcome, instructions=0, translated=0)


def told(row: SuiteRow) -> list[str]:
    return [f"{failure.case}: {failure.what}" for failure in row.outcome.failures]


@pytest.mark.quick_cases("recompiled")
@pytest.mark.parametrize("engine", HERE)
def test_decimal_arithmetic(engine: str, tmp_path: Path) -> None:
    program(tmp_path, "6502_decimal_test.bin", {**DECIMAL, 0x000B: "01"})
    assert cases_of(row_of(tmp_path, "6502-klaus", engine)) == SuiteOutcome(passed=1)
    wrong = DECIMAL[0x0200].replace("c9 10", "c9 0a")  # as if the sum were binary
    places = {0x0000: "09 01", 0x0004: "10", 0x0006: "0a", 0x000B: "01"}
    program(tmp_path, "6502_decimal_test.bin", {0x0200: wrong, **places})
    assert told(row_of(tmp_path, "6502-klaus", engine)) == [
        "6502_decimal_test.bin: with $09 and $01: A is $10, not $0A, or a flag is wrong"
    ]


@pytest.mark.slow_cases("plain")
@pytest.mark.parametrize("engine", FULL)
def test_interrupts_through_the_port(engine: str, tmp_path: Path) -> None:
    program(tmp_path, "6502_interrupt_test.bin", INTERRUPTS)
    assert cases_of(row_of(tmp_path, "6502-klaus", engine)) == SuiteOutcome(passed=1)


@pytest.mark.slow_cases("plain")
@pytest.mark.parametrize("engine", FULL)
def test_a_trap_elsewhere_is_a_failure(engine: str, tmp_path: Path) -> None:
    first_irq = INTERRUPTS[0x0400].replace("a9 02", "a9 01", 1)
    program(tmp_path, "6502_interrupt_test.bin", {**INTERRUPTS, 0x0400: first_irq})
    row = row_of(tmp_path, "6502-klaus", engine)
    assert told(row) == ["6502_interrupt_test.bin: trapped at $0717; success is $06F5"]
    assert not all_passed([row])


@pytest.mark.slow
@pytest.mark.parametrize(("sources", "passes"), [("07", True), ("04", False)])
def test_nmi_in_place_of_brk_is_what_a_chip_does(
    sources: str, passes: bool, tmp_path: Path
) -> None:
    code = {0x0400: "4c 5c 07", 0x075C: "d0 fe 4c 5c 07", 0x0203: sources}
    program(tmp_path, "6502_interrupt_test.bin", code)
    assert all_passed([row_of(tmp_path, "6502-klaus")]) is passes


def test_py65_has_no_interrupts(tmp_path: Path) -> None:
    program(tmp_path, "6502_interrupt_test.bin", INTERRUPTS)
    ((reason, count),) = row_of(tmp_path, "6502-klaus", "py65").outcome.apart.items()
    assert count == 1
    assert reason.startswith("file that the engine cannot run: ")


def test_the_functional_test_has_to_take_its_cycles(tmp_path: Path) -> None:
    program(tmp_path, "6502_functional_test.bin", {0x0400: "4c 69 34", 0x3469: "4c 69 34"})
    program(tmp_path / "short", "6502_decimal_test.bin", DECIMAL)
    short = tmp_path / "short" / "6502_decimal_test.bin"
    short.write_bytes(short.read_bytes()[:-1])
    row = row_of(tmp_path, "6502-klaus")
    assert told(row) == [
        "6502_functional_test.bin: it took 2 instructions and 6 cycles, "
        "not 30,646,177 instructions and 96,241,367 cycles",
        "6502_decimal_test.bin: the image has 65,535 bytes, not 65,536",
    ]


@pytest.mark.parametrize("engine", HERE)
def test_nestest_line_by_line(engine: str, tmp_path: Path) -> None:
    nestest(tmp_path)
    assert cases_of(row_of(tmp_path, "6502-nestest", engine)) == SuiteOutcome(passed=4)


@pytest.mark.parametrize(
    ("right", "wrong", "passed", "what"),
    [
        ("CYC:14", "CYC:13", 3, "line 4: CYCLES is 14, not 13"),
        ("X:04 Y:00 P:24 SP:FD PPU:  0, 33", "X:04 Y:00 P:26 SP:FD PPU:  0, 33", 2, "P is $24"),
        ("C002  CA        DEX    ", "a line of another kind ", 1, "line 2: this is not a line"),
    ],
)
def test_nestest_tells_the_first_line_that_differs(
    right: str, wrong: str, passed: int, what: str, tmp_path: Path
) -> None:
    nestest(tmp_path)
    log = tmp_path / "nestest.log"
    log.write_text(log.read_text().replace(right, wrong, 1))
    row = row_of(tmp_path, "6502-nestest")
    assert (row.outcome.passed, row.outcome.failed) == (passed, 1)
    assert what in told(row)[0]


def test_nestest_leaves_its_errors_in_memory(tmp_path: Path) -> None:
    log = """\
C000  A9 04     LDA #$04                        A:00 X:00 Y:00 P:24 SP:FD PPU:  0, 21 CYC:7
C002  85 02     STA $02 = 00                    A:04 X:00 Y:00 P:24 SP:FD PPU:  0, 27 CYC:9
"""
    nestest(tmp_path, "a9 04 85 02", log)
    row = row_of(tmp_path, "6502-nestest")
    assert (row.outcome.passed, row.outcome.failed) == (2, 1)
    assert told(row) == ["result: $02 and $03 hold $04 and $00"]


def test_nestest_ends_where_the_engine_does(tmp_path: Path) -> None:
    nestest(tmp_path)
    rom = tmp_path / "nestest.nes"
    for opcode in ("02", "04"):  # one that stops the processor; an undocumented nop
        rom.write_bytes(rom.read_bytes()[:18] + bytes.fromhex(opcode) + rom.read_bytes()[19:])
        outcome = row_of(tmp_path, "6502-nestest", "py65").outcome
        if opcode == "04":
            apart = {"undocumented opcode, which the engine refuses: not run": 2}
            assert outcome == SuiteOutcome(passed=2, apart=apart)
        else:
            assert (outcome.passed, outcome.failed) == (2, 1)
            assert outcome.failures[0].case == "behind line 2"
            assert "stops the processor" in outcome.failures[0].what


@pytest.mark.slow_cases("recompiled")
@pytest.mark.parametrize("engine", FULL)
def test_game_boy_roms(engine: str, tmp_path: Path) -> None:
    mooneye(tmp_path, "acceptance/timer/one.gb")
    mooneye(tmp_path, "acceptance/two.gb", passes=False)
    mooneye(tmp_path, "misc/boot_regs-A.gb")
    blargg(tmp_path, "cpu_instrs/cpu_instrs.gb", "all well Passed")
    blargg(tmp_path, "mem_timing/individual/01.gb", "mine Failed 3")
    blargg(tmp_path, "oam_bug/oam_bug.gb", "Passed")
    row = row_of(tmp_path, "gb-mooneye", engine)
    assert (row.outcome.passed, row.outcome.failed) == (1, 1)
    assert row.outcome.apart == {
        "not run on this machine: for another model: the Game Boy Advance": 1
    }
    assert told(row) == ["acceptance/two.gb: dmg: the test reports a failure"]
    row = row_of(tmp_path, "gb-blargg", engine)
    assert (row.outcome.passed, row.outcome.failed) == (1, 1)
    assert told(row) == ["mem_timing/individual/01.gb: dmg: mine Failed 3"]
    assert len(row.outcome.apart) == 1
    assert row.outcome.translated == 0  # memory in pages is never translated
    assert (row.outcome.instructions > 0) == (engine == "recompiled")


def test_gbmicrotest_and_age(tmp_path: Path) -> None:
    folder = tmp_path / "anything" / "bin"
    microtest(folder, "is_if_set_during_ime0.gb")
    microtest(folder, "int_timer_halt.gb", passes=False)
    microtest(folder, "line_153_lyc_b.gb", passes=False)
    microtest(folder, "halt_bug.gb")  # blargg has one of that name
    microtest(tmp_path, "elsewhere.gb")
    row = row_of(tmp_path, "gb-micro")
    assert (row.outcome.passed, row.outcome.failed) == (2, 1)
    assert told(row) == ["gbmicrotest/int_timer_halt.gb: dmg: $12, wanted $34"]
    (reason,) = row.outcome.apart
    assert "contradicts line_153_lyc_a" in reason
    mooneye(tmp_path, "age/halt/ei-halt-dmgC-cgbBCE.gb")
    mooneye(tmp_path, "age/ly/ly-cgbE.gb", passes=False)
    mooneye(tmp_path, "age/ly/ly-ncmBC.gb", passes=False)
    mooneye(tmp_path, "age/vram/vram-read-dmgC.gb", passes=False)
    row = row_of(tmp_path, "gb-age")
    assert (row.outcome.passed, row.outcome.failed) == (1, 3)
    assert [line.split(": ")[1] for line in told(row)] == ["cgb-e", "cgb", "dmg"]
    assert {piece.suite for piece in pieces_in(tmp_path)} == {"gb-micro", "gb-age"}


def test_a_damaged_cartridge_has_failed(tmp_path: Path) -> None:
    mooneye(tmp_path, "acceptance/one.gb")
    (tmp_path / "acceptance" / "one.gb").write_bytes(bytes(100))
    row = row_of(tmp_path, "gb-mooneye")
    assert row.outcome.failed == 1
    assert "100 bytes" in told(row)[0]


# ---------------------------------------------------------------- finding


def test_suites_are_found_anywhere_below_the_folder(tmp_path: Path) -> None:
    deep = tmp_path / "some" / "where"
    steps_6502(deep / "65x02", 0xEA)
    steps_sm83(deep)
    program(deep, "6502_decimal_test.bin", DECIMAL)
    nestest(tmp_path)
    mooneye(tmp_path / "utils" / "mooneye", "acceptance/one.gb")
    mooneye(tmp_path / "utils" / "mooneye", "utils/two.gb")
    blargg(tmp_path, "halt_bug.gb", "Passed")
    found = pieces_in(tmp_path, engine="plain")
    assert [(piece.suite, piece.file.name) for piece in found] == [
        ("6502-steps", "ea.json"),
        ("6502-klaus", "6502_decimal_test.bin"),
        ("6502-nestest", "nestest.nes"),
        ("sm83-steps", "76.json"),
        ("sm83-steps", "c5.json"),
        ("sm83-steps", "cb 36.json"),
        ("gb-blargg", "halt_bug.gb"),
        ("gb-mooneye", "acceptance/one.gb"),
        ("gb-mooneye", "utils/two.gb"),
    ]


def test_what_only_looks_alike_is_no_suite(tmp_path: Path) -> None:
    steps_6502(tmp_path / "nes6502", 0xEA)
    (tmp_path / "nes6502" / "6502").rename(tmp_path / "nes6502" / "other")
    mooneye(tmp_path, "games/tetris.gb")
    mooneye(tmp_path, "misc/one.gb")
    nestest(tmp_path)
    (tmp_path / "nestest.log").unlink()
    with pytest.raises(NoSuites, match=r"no test suite below .*; looked for: 6502/v1/\*\.json of"):
        pieces_in(tmp_path)
    with pytest.raises(NoSuites, match=r"looked for: nestest\.nes with nestest\.log$"):
        pieces_in(tmp_path, ["6502-nestest"])


@pytest.mark.slow
def test_the_order_of_the_rows_does_not_depend_on_who_is_done_first(tmp_path: Path) -> None:
    steps_6502(tmp_path, 0x6D)
    steps_6502(tmp_path, 0xEA)
    steps_sm83(tmp_path)
    pieces = pieces_in(tmp_path, engine="plain")
    done: list[None] = []
    rows = run_pieces(pieces, jobs=2, tick=lambda: done.append(None))
    passed = [(row.suite, row.outcome.passed) for row in rows]
    assert passed == [("6502-steps", 24), ("sm83-steps", 3)]
    assert len(done) == len(pieces) == 5
