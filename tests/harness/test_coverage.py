"""Coverage of runs: what counts, on which engine, in which bank; each execution is counted once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from foreign_projects import banked_project, gameboy_project

from romproof.engine.engines import ENGINES
from romproof.harness.calls.listening import LISTENERS, listening
from romproof.harness.errors import CallFault, ContractViolation, Runaway
from romproof.harness.listeners.covered import Covered
from romproof.harness.rom import Rom
from romproof.measure.coverage.model import Coverage, as_plain, from_plain, merge
from romproof.measure.coverage.summary import CoverageReport, FileReport, report_of
from romproof.projects import Manifest, build
from romproof.projects.manifest import manifest_from

SOURCE = """\
.macro either low
  cmp #low
  bcs :+
  lda #low
:
.endmacro
.segment "CODE"
.export clamp, never, broken, spin, handler, stubbed, outer
;; clamp - A is at least 3, and X at least 1
; in: A X
; out: A X
; clobbers: N Z C
.proc clamp
  either 3
  either 2
  cpx #0
  bne done
  ldx #1
done:
  rts
.endproc
.proc never
  lda table
  .repeat 2, i
  sta $10 + i
  .endrepeat
  rts
.endproc
table: .byte $A9, $01, $60
;; broken - says too much
; in: A
; out: none
; clobbers: none
.proc broken
  lda #0
  rts
.endproc
.proc spin
  jmp spin
.endproc
.proc handler
  inc $10
  rti
.endproc
.proc stubbed
  nop
  rts
.endproc
.proc outer
  jsr stubbed
  beq next        ; to what follows, taken or not
next:
  rts
.endproc
"""
CONFIG = """\
MEMORY {
  ZP: start = $10, size = $80, type = rw;
  ROM: start = $8000, size = $8000, type = ro, file = %O;
}
SEGMENTS { CODE: load = ROM, type = ro; }
"""
USABLE = {
    cpu: [name for name, row in ENGINES.items() if row.refusal(cpu) is None]
    for cpu in ("mos6502", "sm83")
}


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Rom]:
    """A ROM of a source, on an engine."""
    folder = tmp_path_factory.mktemp("covered")

    def make(engine: str = "auto", source: str = SOURCE) -> Rom:
        (folder / "prog.s").write_text(source, "utf-8")
        (folder / "prog.cfg").write_text(CONFIG, "utf-8")
        manifest = Manifest("prog", (folder / "prog.s",), config=folder / "prog.cfg")
        return Rom(build(manifest, None).image, engine)

    return make


def observed(act: Callable[[], Any]) -> Coverage:
    """What is executed by something."""
    covered = Covered(Path.cwd())
    with listening(covered):
        act()
    assert not LISTENERS
    return covered.coverage()


def only(report: CoverageReport) -> FileReport:
    (file,) = report.files
    return file


def counts(coverage: Coverage) -> dict[int, int]:
    """How often each line was executed."""
    return {line.line: line.count for line in only(report_of(coverage)).lines}


def numbers(source: str, *texts: str) -> list[int]:
    """The lines that begin with some texts."""
    lines = source.split("\n")
    return [n for text in texts for n, line in enumerate(lines, 1) if line.strip() == text]


def calls(rom: Rom) -> None:
    rom.call("clamp", a=5, x=0)
    rom.call("clamp", a=1, x=7)
    rom.call("outer")


def test_lines_are_those_that_another_emulator_executes(make: Callable[..., Rom]) -> None:
    """The truth is py65's CPU, stepped on its own."""
    mpu6502 = pytest.importorskip("py65.devices.mpu6502")
    rom = make()
    seen: Counter[int] = Counter()
    for a, x in ((5, 0), (1, 7), (3, 1)):
        cpu = mpu6502.MPU()
        for block in rom.image.blocks:
            cpu.memory[block.address : block.address + len(block.data)] = list(block.data)
        cpu.pc, cpu.a, cpu.x, cpu.sp = rom.image.address("clamp"), a, x, 0xFD
        cpu.memory[0x1FE], cpu.memory[0x1FF] = 0xFF, 0x0F
        while cpu.pc != 0x1000:
            line = rom.image.line_at(cpu.pc)
            assert line is not None
            seen[line.span.line] += 1
            cpu.step()
    ours = counts(
        observed(lambda: [rom.call("clamp", a=a, x=x) for a, x in ((5, 0), (1, 7), (3, 1))])
    )
    written = {line.span.line for line in rom.image.lines if line.is_code}
    assert {line: ours[line] for line in written} == {line: seen[line] for line in written}


def test_all_engines_give_the_same(make: Callable[..., Rom]) -> None:
    every = {engine: observed(lambda e=engine: calls(make(e))) for engine in USABLE["mos6502"]}
    assert "plain" in every
    for engine, coverage in every.items():
        assert coverage == every["plain"], engine


def test_a_branch_has_two_outcomes_and_data_is_no_line(make: Callable[..., Rom]) -> None:
    rom = make()
    file = only(report_of(observed(lambda: calls(rom))))
    branches = {line.line: line.branches for line in file.lines if line.branches}
    (bcs,), (bne,), (beq,) = (
        branches[n] for n in numbers(SOURCE, "bcs :+", "bne done") + numbers(SOURCE, BEQ)
    )
    assert (bcs.taken, bcs.passed) == (3, 1)
    assert (bne.taken, bne.passed) == (1, 1)
    assert beq.taken + beq.passed == 1, "one execution has one outcome, wherever it leads"
    assert not set(numbers(SOURCE, "table: .byte $A9, $01, $60")) & {n.line for n in file.lines}


BEQ = "beq next        ; to what follows, taken or not"


def test_the_outcome_of_a_branch_to_what_follows(make: Callable[..., Rom]) -> None:
    rom = make()
    line = numbers(SOURCE, BEQ)[0]
    for z, outcome in ((1, (1, 0)), (0, (0, 1))):
        report = report_of(observed(lambda z=z: rom.call("outer", flags={"z": z})))
        (branch,) = next(each.branches for each in only(report).lines if each.line == line)
        assert (branch.taken, branch.passed) == outcome


def test_macros_and_repeats_count_by_line_and_by_expansion(make: Callable[..., Rom]) -> None:
    rom = make()
    file = only(report_of(observed(lambda: rom.call("clamp", a=2, x=1))))
    lines = {line.line: line for line in file.lines}
    lda = lines[numbers(SOURCE, "lda #low")[0]]
    assert (lda.count, lda.spots, lda.executed) == (1, 2, 1), "of two expansions one ran it"
    first, second = (lines[n] for n in numbers(SOURCE, "either 3", "either 2"))
    assert (first.calls, first.executed, first.spots) == (True, 3, 3)
    assert (second.calls, second.executed, second.spots) == (True, 2, 3)
    sta = lines[numbers(SOURCE, "sta $10 + i")[0]]
    assert (sta.count, sta.spots, sta.executed) == (0, 2, 0)
    assert numbers(SOURCE, ".repeat 2, i")[0] not in lines, "a repeat calls nothing"


def test_a_call_counts_once_whatever_is_checked_of_it(make: Callable[..., Rom]) -> None:
    """Registers that are not inputs are inverted and the call is made again; that is ours."""
    rom = make()
    line = numbers(SOURCE, "cpx #0")[0]
    for check in (True, False, "deep"):
        seen = counts(observed(lambda check=check: rom.call("clamp", a=1, x=1, check=check)))
        assert seen[line] == 1, check


def test_what_fails_counts_once_and_its_trace_does_not(make: Callable[..., Rom]) -> None:
    rom = make()

    def fails() -> None:
        with pytest.raises(ContractViolation) as caught:
            rom.call("broken", a=1)
        assert str(caught.value), "the message has a trace, for which the call is made again"
        with pytest.raises(Runaway) as late:
            rom.call("spin", limit=30)
        assert str(late.value)

    seen = counts(observed(fails))
    assert seen[numbers(SOURCE, "lda #0")[0]] == 1
    assert seen[numbers(SOURCE, "jmp spin")[0]] == 10


def test_stubs_devices_and_interrupts(make: Callable[..., Rom]) -> None:
    rom = make()
    machine = rom.machine()
    machine.stub("stubbed", lambda m: None, cycles=100)

    def act() -> None:
        machine.call("outer")
        machine.call("handler", interrupt=True)

    seen = counts(observed(act))
    assert seen[numbers(SOURCE, "nop")[0]] == 0, "Python stood in for it"
    assert seen[numbers(SOURCE, BEQ)[0]] == 1
    assert seen[numbers(SOURCE, "inc $10")[0]] == 1


def test_an_observer_of_the_test_gets_the_same_calls(make: Callable[..., Rom]) -> None:
    class Mine:
        detached = True
        seen = 0

        def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
            self.seen += 1

    rom, mine = make(), Mine()
    coverage = observed(lambda: rom.call("clamp", a=5, x=1, observer=mine))
    written = [spot for file in coverage.files.values() for spot in file.spots.values()]
    assert mine.seen == sum(hits.executed for hits in written)


def test_without_a_listener_no_run_has_an_observer(
    make: Callable[..., Rom], monkeypatch: pytest.MonkeyPatch
) -> None:
    import romproof.harness.checks.checking as checking

    seen: list[object] = []
    usual = checking.run_looking

    def looking(*args: Any, **named: Any) -> Any:
        seen.append(args[3])
        return usual(*args, **named)

    monkeypatch.setattr(checking, "run_looking", looking)
    rom = make()
    rom.call("clamp", a=1, x=1)
    observed(lambda: rom.call("clamp", a=1, x=1))
    rom.call("clamp", a=1, x=1)
    assert [observer is None for observer in seen] == [True, False, True]


def test_many_calls_at_once_are_observed_one_by_one(make: Callable[..., Rom]) -> None:
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("llvmlite")
    rom = make()
    rows = numpy.zeros((5, 1), numpy.uint8)
    coverage = observed(lambda: rom.call_many("never", {0x10: rows}))
    assert counts(coverage)[numbers(SOURCE, "lda table")[0]] == 5


@pytest.mark.slow_cases("recompiled")
@pytest.mark.parametrize("engine", USABLE["sm83"])
def test_code_of_a_bank_is_that_of_the_bank_in_sight(engine: str, tmp_path: Path) -> None:
    text = """\
SECTION "fixed", ROM0[$150]
both:: ld a, 2
 ld [$2000], a
 call $4000
 ld a, 3
 ld [$2000], a
 jp $4000
SECTION "two", ROMX[$4000], BANK[2]
two:: ld b, 2
.loop dec b
 jr nz, .loop
 ret z
 ret
SECTION "three", ROMX[$4000], BANK[3]
three:: nop
 ld a, 3
 ret
"""
    (tmp_path / "b.asm").write_text(text, "utf-8")
    header = {"mbc": "MBC5"}
    table = {"sources": ["b.asm"], "cpu": "sm83", "header": header, "machine": "gameboy"}
    image = build(manifest_from(table, tmp_path, "b", "test"), None).image
    rom = Rom(image, engine, machine="gameboy")
    machine = rom.machine()

    def act() -> None:
        machine.call("both", limit=1000)
        machine.call("three")
        machine.reset()
        machine.call("two")

    file = only(report_of(observed(act)))
    seen = {line.line: line.count for line in file.lines}
    assert [seen[n] for n in (9, 10, 11, 12, 13)] == [2, 4, 4, 2, 0]
    assert [seen[n] for n in (15, 16, 17)] == [2, 2, 2]
    branches = {line.line: line.branches[0] for line in file.lines if line.branches}
    assert (branches[11].taken, branches[11].passed) == (2, 2)
    assert (branches[12].taken, branches[12].passed) == (2, 0), "a return with a condition"
    assert [line for line, name, _ in file.functions] == [2, 9, 15]


@pytest.mark.slow
def test_debug_information_of_a_cartridge_with_banks(tmp_path: Path) -> None:
    project = banked_project(tmp_path)
    table = {"image": str(project.image), "symbols": [str(project.symbols["dbg"])]}
    image = build(manifest_from(table, tmp_path, "banked", "test"), None).image
    machine = Rom(image, machine="nes").machine()

    def act() -> None:
        machine.call("one", bank=1)
        machine.call("fixed")

    file = only(report_of(observed(act)))
    executed = {file.text.split("\n")[line.line - 1].strip() for line in file.lines if line.count}
    assert executed == {"lda #1", "sta value", "rts", "lda #$55"}
    assert {name: count for _, name, count in file.functions}["two"] == 0


def test_labels_count_where_no_line_is_known(tmp_path: Path) -> None:
    project = gameboy_project(tmp_path)
    table = {
        "image": str(project.image),
        "symbols": [str(project.symbols["sym"])],
        "sources": ["src"],
        "machine": "gameboy",
    }
    image = build(manifest_from(table, tmp_path, "gb", "test"), None).image
    rom = Rom(image, machine="gameboy")
    coverage = observed(lambda: rom.call("AddPoints", a=1))
    file = only(report_of(coverage))
    assert file.labels_only
    assert [(name, count) for _, name, count in file.functions] == [("AddPoints", 1)]
    assert coverage.notes == (
        "gb.gb: only labels are known, no lines: 1 of 1 were executed; 5 more may be code or data",
    )


def test_workers_send_it_as_plain_values(make: Callable[..., Rom]) -> None:
    rom = make()
    one = observed(lambda: rom.call("clamp", a=1, x=1))
    other = observed(lambda: rom.call("clamp", a=9, x=0))
    together = observed(lambda: [rom.call("clamp", a=1, x=1), rom.call("clamp", a=9, x=0)])
    assert from_plain(as_plain(one)) == one
    assert merge(one, from_plain(as_plain(other))) == together


def test_what_ran_and_is_no_line_is_told(make: Callable[..., Rom]) -> None:
    rom = make()
    machine = rom.machine()
    machine.write(0x40, b"\xea\x60", code=True)

    def act() -> None:
        machine.call(0x40)
        with pytest.raises(CallFault):
            machine.call("table", checks={"data_execution": "error"})
        machine.call("table", checks={"data_execution": "off"})

    assert observed(act).notes == (
        f"prog.bin: data was executed, which does not count as a line: {data_place(rom)}",
        "prog.bin: instructions at 2 addresses were executed that belong to no source line",
    )


def data_place(rom: Rom) -> str:
    line = rom.image.line_at(rom.image.address("table"))
    assert line is not None
    return f"{line.span.source.name}:{line.span.line}"
