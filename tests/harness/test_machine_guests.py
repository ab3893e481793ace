"""What a test adds to a machine: devices, stubs, interrupts, logs of accesses."""

from __future__ import annotations

from pathlib import Path

import pytest
from source_programs import rom_6502, rom_sm83

from romproof.engine.inputs import Unsupported
from romproof.harness.checks.compared import explain_memory
from romproof.harness.errors import CallFault, ContractViolation, Runaway
from romproof.harness.machine import Machine
from romproof.harness.replay.instructions import instructions
from romproof.harness.replay.run import find_last_writes
from romproof.harness.rom import Rom
from romproof.harness.state.tape import Callback
from romproof.harness.state.values import BadValue
from romproof.machine.board import BoardError

ENGINES = ["plain", "llvm", "recompiled", "py65"]
PROGRAM = """
.export keeps, counts, wrong_way
PAD = $4016
.proc wait              ; until bit 0 of the pad is set: how often it was read
@l: inc count
    lda PAD
    lsr a
    bcc @l
    rts
.endproc
.proc write_pad
    stx PAD
    sty PAD
    rts
.endproc
.proc uses
    jsr helper
    sta other
    rts
.endproc
.proc jumps
    inc count
    jmp helper
.endproc
.proc helper
    lda #1
    clc
    rts
.endproc
.proc handler
    pha
    inc count
    pla
    rti
.endproc
;; keeps – leaves C as it was, it says
;  in:       none
;  out:      none
;  clobbers: N Z count
;  stack:    2
;  cycles:   1..
.proc keeps
    jsr helper2
    rts
.endproc
;; counts – an interrupt handler
;  kind:     interrupt
;  in:       count
;  out:      count
;  ensures:  count == (old count + 1) & $FF
;  clobbers: none
;  stack:    1
;  cycles:   18
.proc counts
    pha
    inc count
    pla
    rti
.endproc
;; wrong_way – a handler that loses A
;  kind:     interrupt
;  in:       none
;  out:      none
;  clobbers: none
;  stack:    0
;  cycles:   8
.proc wrong_way
    lda #0
    rti
.endproc
.proc helper2
    inc count
    rts
.endproc
reset:
    cli
main_loop:
    nop
    jmp main_loop
.segment "VEC"
  .word handler, reset, handler
"""
LAYOUT = """
MEMORY {
  ZP:  start = $10,   size = $80,   type = rw;
  RAM: start = $300,  size = $400,  type = rw;
  ROM: start = $8000, size = $7FFA, type = ro, fill = yes, file = %O;
  TOP: start = $FFFA, size = 6, type = ro, fill = yes, file = %O;
}
SEGMENTS {
  ZEROPAGE: load = ZP,  type = zp;
  BSS:      load = RAM, type = bss;
  CODE:     load = ROM, type = ro;
  VEC:      load = TOP, type = ro;
}
"""


class Pad:
    """Pressed from the fifth read on."""

    def __init__(self) -> None:
        self.reads = 0
        self.written: list[tuple[int, int, int]] = []

    def read(self, address: int, cycle: int) -> int:
        self.reads += 1
        return int(self.reads >= 5)

    def write(self, address: int, value: int, cycle: int) -> None:
        self.written.append((address, value, cycle))


@pytest.fixture(scope="module")
def image_rom(tmp_path_factory: pytest.TempPathFactory) -> Rom:
    import source_programs

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source_programs, "LAYOUT", LAYOUT)
        return rom_6502(tmp_path_factory.mktemp("prog"), PROGRAM)


@pytest.fixture(params=ENGINES)
def machine(request: pytest.FixtureRequest, image_rom: Rom) -> Machine:
    return Rom(image_rom.image, request.param).machine()


def test_a_device_answers_reads(machine: Machine) -> None:
    pad = Pad()
    machine.attach("PAD", pad)
    result = machine.call("wait", mem={"count": 0})
    # inc, lda, lsr, bcc taken: 5 + 4 + 2 + 3; the last one is not taken, and rts takes 6
    assert (result.mem["count"], result.cycles) == (b"\5", 4 * 14 + 13 + 6)
    assert pad.reads == 5


def test_a_device_is_told_of_writes_with_cycles(machine: Machine) -> None:
    pad = Pad()
    machine.attach(0x4016, pad)
    before = machine.cycles
    machine.call("write_pad", x=1, y=0)
    assert [row[:2] for row in pad.written] == [(0x4016, 1), (0x4016, 0)]
    if machine.board.engine.name != "py65":  # it tells the cycle in which the instruction began
        assert [cycle - before for *_, cycle in pad.written] == [3, 7]


def test_a_later_device_hides_an_earlier_one(machine: Machine) -> None:
    first, second = Pad(), Pad()
    machine.attach(range(0x4000, 0x4020), first)
    machine.attach(0x4016, second)
    machine.call("write_pad", x=7, y=8)
    assert (first.written, len(second.written)) == ([], 2)


def test_what_is_no_device_is_refused(machine: Machine) -> None:
    with pytest.raises(BadValue, match=r"methods read.* and write"):
        machine.attach(0x4016, object())  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="not addresses"):
        machine.attach(range(0xFFF0, 0x10001), Pad())


def test_a_device_cannot_run_the_machine(machine: Machine) -> None:
    class Rude(Pad):
        def read(self, address: int, cycle: int) -> int:
            machine.call("helper")
            return 1

    machine.attach("PAD", Rude())
    with pytest.raises(BadValue, match="cannot run the machine"):
        machine.call("wait")


def test_a_replay_has_the_same_devices_as_the_run(machine: Machine) -> None:
    """The end of the run comes from a second one, in which the device is not asked again."""
    pad = Pad()
    machine.attach("PAD", pad)
    with pytest.raises(Runaway) as caught:
        machine.call("wait", mem={"count": 0}, limit=4 * 14 + 3)
    assert "count" in str(caught.value)
    assert pad.reads == 4
    trace = caught.value.record.trace
    assert trace.steps[-1].address == machine.image.address("wait")
    assert trace.cycles == 4 * 14 + 5


def test_a_stub_stands_in_for_a_routine(machine: Machine) -> None:
    seen: list[int] = []

    def helper(m: Machine) -> None:
        seen.append(m.registers.pc)
        m.registers.a = 0x42
        m.registers.c = 1
        m.write("count", 9)

    plain = machine.call("uses").cycles
    machine.stub("helper", helper)
    result = machine.call("uses")
    assert (result.mem["other"], result.mem["count"], result.flags.c) == (b"\x42", b"\x09", 1)
    assert seen == [machine.image.address("helper")]
    assert result.cycles == plain - 2 - 2  # lda and clc; the return takes 6 cycles
    machine.unstub("helper")
    assert machine.call("uses").mem["other"] == b"\1"
    with pytest.raises(BadValue, match="has no stub"):
        machine.unstub("helper")


def test_a_stub_is_met_by_jumps_and_by_the_call_itself(machine: Machine) -> None:
    machine.stub("helper", lambda m: setattr(m.registers, "a", 7), cycles=100)
    assert machine.call("jumps").a == 7
    result = machine.call("helper")
    assert (result.a, result.cycles, result.instructions) == (7, 100, 0)


def test_a_stub_may_go_elsewhere(machine: Machine) -> None:
    def away(m: Machine) -> None:
        m.registers.pc = m.image.address("helper2")

    machine.stub("helper", away)
    assert machine.call("uses", mem={"count": 3}).mem["count"] == b"\4"


def test_a_replay_has_the_same_stubs_as_the_run(machine: Machine) -> None:
    calls = []

    def helper(m: Machine) -> None:
        calls.append(m.cycles)
        m.registers.a = 0x42
        m.write("count", 0x55)

    machine.stub("helper", helper)
    machine.write(0xFF00, b"\x02", code=True)  # jams
    machine.stub("helper2", lambda m: setattr(m.registers, "pc", 0xFF00))
    machine.call("uses")
    with pytest.raises(CallFault) as caught:
        machine.call("keeps", check=False)
    assert "$FF00" in str(caught.value)
    assert len(calls) == 1
    assert caught.value.record.trace.registers.a == caught.value.record.scenario.registers.a


def test_registers_that_do_not_exist_are_refused(machine: Machine) -> None:
    with pytest.raises(BadValue, match="no register 'q'"):
        machine.registers.q = 1
    with pytest.raises(BadValue, match="does not fit"):
        machine.registers.a = 256
    with pytest.raises(BadValue, match="0 or 1"):
        machine.registers.c = 2
    with pytest.raises(AttributeError, match="no register 'hl'"):
        _ = machine.registers.hl


def test_a_handler_is_entered_as_by_an_interrupt(machine: Machine) -> None:
    before = machine.call("handler", interrupt=True, mem={"count": 1}, a=0x11, flags={"c": 1})
    assert before.mem["count"] == b"\2"
    # pha, inc zp, pla, rti: without the seven of the entry
    assert before.cycles == 3 + 5 + 4 + 6
    assert (before.a, before.flags.c, before.s) == (0x11, 1, 0xFF)


def test_a_handler_with_a_contract_is_called_as_one(machine: Machine) -> None:
    result = machine.call("counts", mem={"count": 0xFF}, flags={"c": 1, "z": 0}, x=3)
    assert (result.mem["count"], result.cycles, result.flags.c, result.flags.z) == (b"\0", 18, 1, 0)
    assert machine.call("counts", interrupt=True, mem={"count": 1}).mem["count"] == b"\2"
    with pytest.raises(ContractViolation, match="A"):
        machine.call("wrong_way", a=5)
    with pytest.raises(BadValue, match="'kind: interrupt'"):
        machine.call("keeps", interrupt=True)


def test_a_contract_is_checked_beside_stubs(machine: Machine) -> None:
    machine.stub("helper2", lambda m: setattr(m.registers, "c", 0))
    with pytest.raises(ContractViolation, match="C"):
        machine.call("keeps", flags={"c": 1})


def test_accesses_are_written_down_in_order(image_rom: Rom) -> None:
    for engine in ("plain", "llvm", "recompiled"):
        machine = Rom(image_rom.image, engine).machine()
        log = machine.watch("PAD", "count")
        machine.attach("PAD", Pad())
        start = machine.cycles
        machine.call("write_pad", x=1, y=2)
        machine.call("wait", mem={"count": 0})
        assert log.writes == [("PAD", 1), ("PAD", 2), *(("count", i) for i in range(1, 6))]
        assert [value for name, value in log.reads if name == "PAD"] == [0, 0, 0, 0, 1]
        first = next(iter(log))
        assert (first.routine, first.cycle - start, first.is_write) == ("write_pad", 3, True)
        log.clear()
        assert len(log) == 0
    machine = Rom(image_rom.image, "py65").machine()
    machine.watch("PAD")
    with pytest.raises(Unsupported, match="py65"):
        machine.call("helper")


def test_the_label_of_an_instruction_is_watched_at_its_first_byte(tmp_path: Path) -> None:
    """Which is read once for each time it is executed; data in all of its bytes."""
    rom = rom_6502(
        tmp_path,
        """
.export work, entry, pair
pair: .byte 1, 2
work:
entry: lda pair+1
       ldx pair
       rts
""",
    )
    machine = rom.machine()
    log = machine.watch("entry", "pair")
    machine.call("work", check=False)
    machine.call("work", check=False)
    assert [(access.name, access.address - rom.image.address(access.name)) for access in log] == [
        ("entry", 0), ("pair", 1), ("pair", 0), ("entry", 0), ("pair", 1), ("pair", 0),
    ]  # fmt: skip


def test_the_program_runs_from_its_reset(image_rom: Rom) -> None:
    for engine in ("plain", "llvm", "recompiled"):
        machine = Rom(image_rom.image, engine).machine()
        machine.run_until("main_loop", limit=100)
        assert machine.registers.i == 0
        machine.write("count", 0)
        machine.interrupt("nmi")
        result = machine.run_until("handler", limit=100)
        assert result.cycles in range(7, 13)
        machine.run_until("main_loop", limit=100)
        assert machine.read("count") == b"\1"
        machine.interrupt("irq")
        machine.run_until("handler", limit=100)
        machine.run_until("main_loop", limit=100)
        assert machine.read("count") == b"\2"
        with pytest.raises(Runaway):  # it was taken once
            machine.run_until("handler", limit=1000)


def test_a_call_in_between_keeps_the_programs_registers(image_rom: Rom) -> None:
    machine = image_rom.machine()
    machine.run_until("main_loop", limit=100)
    before = machine.registers.s, machine.registers.a, machine.registers.pc
    machine.registers.x = 0x77
    assert machine.call("helper").a == 1
    assert (machine.registers.s, machine.registers.a, machine.registers.pc) == before
    assert machine.registers.x == 0x77


def test_a_state_can_be_saved_and_restored(machine: Machine) -> None:
    machine.write("count", 4)
    saved = machine.save()
    machine.call("helper2")
    cycles = machine.cycles
    assert machine.read("count") == b"\5"
    machine.restore(saved)
    assert machine.read("count") == b"\4"
    assert machine.cycles < cycles
    machine.call("helper2")
    assert machine.read("count") == b"\5"
    machine.reset()
    assert machine.read("count") != b"\5"


def test_flat_memory_has_no_picture_and_no_buttons(machine: Machine) -> None:
    with pytest.raises(BoardError, match="no picture"):
        machine.run_frames(1)
    with pytest.raises(BoardError, match="no button 'a'"):
        machine.buttons.press("a")
    with pytest.raises(BoardError, match="did you mean 'nmi'"):
        machine.interrupt("nmii")
    with pytest.raises(BadValue, match="no banks"):
        machine.call("helper", bank=1)


def test_py65_refuses_interrupts_by_name(image_rom: Rom) -> None:
    machine = Rom(image_rom.image, "py65").machine()
    machine.interrupt("nmi")
    with pytest.raises(Unsupported, match="py65"):
        machine.call("helper")


def test_an_sm83_handler_ends_with_reti(tmp_path: Path) -> None:
    rom = rom_sm83(
        tmp_path,
        "handler:\n push af\n ld a, [count]\n inc a\n ld [count], a\n pop af\n reti\n"
        "masked:\n ret\n",
    )
    for engine in ("plain", "llvm", "recompiled"):
        machine = Rom(rom.image, engine).machine()
        result = machine.call("handler", interrupt=True, mem={"count": 1}, a=0x99)
        assert (result.mem["count"], result.a, result.ime) == (b"\2", 0x99, 1)
        assert result.cycles == 4 + 4 + 1 + 4 + 3 + 4
        assert machine.call("masked", interrupt=True).ime == 0


def test_what_a_stub_has_written_is_told_as_its_own(machine: Machine) -> None:
    """``uses`` calls helper, 6 cycles, and the stub writes; the routine writes other itself."""

    def helper(m: Machine) -> None:
        m.registers.a = 0x42
        m.write("count", 9)
        m.write("n", bytes([1, 2, 3, 4]))

    machine.stub("helper", helper, cycles=50)
    result = machine.call("uses")
    assert result.read("count") == b"\x09"
    record = machine._runner.record
    assert record is not None
    count, n = machine.image.address("count"), machine.image.address("n")
    other = machine.image.address("other")
    writes = find_last_writes(record.scenario, [count, n, n + 3, other, 0x390])
    assert {at: (w.value, w.cycle, w.by) for at, w in writes.items()} == {
        count: (9, 6, Callback("helper")),
        n: (1, 6, Callback("helper")),
        n + 3: (4, 6, Callback("helper")),
        other: (0x42, 56, None),
    }
    assert [frame.entry for frame in writes[count].frames] == [
        machine.image.address("uses"),
        machine.image.address("helper"),
    ]
    assert [frame.entry for frame in writes[other].frames] == [machine.image.address("uses")]
    text = explain_memory(machine._journal.reads, (b"\x09", b"\x08"))
    assert "is $09, expected $08: written in cycle 6 by the stub of helper" in text


def test_a_trace_has_a_line_for_a_stub(machine: Machine) -> None:
    def helper(m: Machine) -> None:
        m.registers.a = 0x42
        m.write("count", 9)

    machine.stub("helper", helper, cycles=50)
    machine.call("uses")
    record = machine._runner.record
    assert record is not None
    steps = record.trace.steps
    jsr, stub, sta, rts = steps
    assert (jsr.is_instruction, stub.is_instruction, stub.stub) == (True, False, "helper")
    assert (stub.cycle, stub.cycles) == (6, 50)
    assert [(a.address, a.value) for a in stub.accesses] == [(machine.image.address("count"), 9)]
    assert (stub.before.a, stub.after.a) == (jsr.after.a, 0x42)  # type: ignore[union-attr,attr-defined]
    # what stands at the return is shown, not what stands where the stub is
    assert (sta.data[0], rts.data[0], sta.cycle) == (0x85, 0x60, 56)
    table = "\n".join(instructions(record.image, record.trace, steps, record.scenario.abi))
    assert "(stub of helper)" in table
    assert "w $0010 count=09" in table


def test_what_a_device_has_written_is_told_as_its_own(machine: Machine) -> None:
    class Dma(Pad):
        def write(self, address: int, value: int, cycle: int) -> None:
            machine.write("count", value)

    machine.attach("PAD", Dma())
    machine.call("write_pad", x=1, y=2)
    record = machine._runner.record
    assert record is not None
    write = find_last_writes(record.scenario, [machine.image.address("count")])[
        machine.image.address("count")
    ]
    assert (write.value, write.by) == (2, Callback(0x4016))
    assert write.site == machine.image.address("write_pad") + 3
