"""The SM83's microcode: recorded cases, and facts about its arithmetic and its bus cycles."""

from __future__ import annotations

import pytest
from every_case import every_case
from interpret import IDLE, Cycle, Interpreter
from sm83_cases import (
    EDGES,
    bus_of,
    instructions,
    load_cases,
    machine_with,
    registers_of,
)

from romproof.isa.algebra import const, input_of, register
from romproof.isa.microcode import CpuStop, specialise
from romproof.isa.model import Opcode
from romproof.isa.sm83 import REGISTERS, RUNNING, sm83

CPU = sm83()
CASES = load_cases()
AT = 0x0200
"""Where the tests' code is."""


def machine(
    code: tuple[int, ...], memory: dict[int, int] | None = None, **registers: int
) -> Interpreter:
    """The CPU in front of ``code``, with registers set by name and 0 otherwise."""
    values = dict.fromkeys(REGISTERS, 0) | {"pc": AT} | registers
    return Interpreter(CPU, values, dict(enumerate(code, AT)) | (memory or {}))


def executed(
    code: tuple[int, ...], memory: dict[int, int] | None = None, **registers: int
) -> Interpreter:
    """The CPU after the first instruction of ``code``."""
    cpu = machine(code, memory, **registers)
    cpu.step()
    return cpu


def flags(cpu: Interpreter) -> tuple[int, ...]:
    """Z, N, H and C."""
    return tuple(cpu.registers[name] for name in ("zf", "nf", "hf", "cf"))


# ---------------------------------------------------------------- recorded cases


def test_every_instruction_has_its_cases() -> None:
    numbers = [opcode.index for opcode in instructions(CPU)]
    assert list(CASES) == numbers
    assert len(numbers) == 244 + 256


@pytest.mark.slow
@every_case("opcode", instructions(CPU), ids=lambda o: o.syntax)
def test_state_and_bus_are_as_recorded(opcode: Opcode) -> None:
    for case in CASES[opcode.index]:
        cpu = machine_with(CPU, case.before, case.memory)
        cpu.step()
        assert bus_of(cpu) == case.bus
        assert registers_of(cpu) == case.after


def test_the_cases_go_both_ways_at_every_condition() -> None:
    conditional = [opcode for opcode in instructions(CPU) if opcode.cycles.taken]
    assert len(conditional) == 4 * 4  # jr, jp, call and ret with nz, z, nc and c
    for opcode in conditional:
        lengths = {len(case.bus) for case in CASES[opcode.index]}
        assert lengths == {opcode.cycles.minimum, opcode.cycles.maximum}


@pytest.mark.parametrize("number", [0x80, 0x88, 0x90, 0x98, 0xB8])
def test_the_cases_of_sums_have_every_flag_set_and_cleared(number: int) -> None:
    found = [case.flags_after for case in CASES[number]]
    for bit in (7, 5, 4):
        assert {flag >> bit & 1 for flag in found} == {0, 1}


# ---------------------------------------------------------------- arithmetic


@pytest.mark.parametrize("opcode", [0x80, 0x88], ids=["add", "adc"])
def test_sums_and_carries(opcode: int) -> None:
    for a in EDGES:
        for b in EDGES:
            for carry in (0, 1):
                c = carry if opcode == 0x88 else 0
                cpu = executed((opcode,), a=a, b=b, cf=carry)
                assert cpu.registers["a"] == (a + b + c) % 256
                zero, half = (a + b + c) % 256 == 0, a % 16 + b % 16 + c > 15
                assert flags(cpu) == (zero, 0, half, a + b + c > 255)


@pytest.mark.parametrize("opcode", [0x90, 0x98, 0xB8], ids=["sub", "sbc", "cp"])
def test_differences_and_borrows(opcode: int) -> None:
    for a in EDGES:
        for b in EDGES:
            for carry in (0, 1):
                c = carry if opcode == 0x98 else 0
                cpu = executed((opcode,), a=a, b=b, cf=carry)
                assert cpu.registers["a"] == (a if opcode == 0xB8 else (a - b - c) % 256)
                zero, half = (a - b - c) % 256 == 0, a % 16 < b % 16 + c
                assert flags(cpu) == (zero, 1, half, a < b + c)


@pytest.mark.parametrize(("opcode", "sign"), [(0x80, 1), (0x90, -1)], ids=["add", "sub"])
def test_daa_makes_sums_and_differences_decimal(opcode: int, sign: int) -> None:
    def decimal(number: int) -> int:
        return number // 10 << 4 | number % 10

    for x in range(0, 100, 7):
        for y in range(0, 100, 9):
            cpu = machine((opcode, 0x27), a=decimal(x), b=decimal(y))
            cpu.step()
            cpu.step()
            total = x + sign * y
            assert cpu.registers["a"] == decimal(total % 100), (x, y)
            assert flags(cpu) == (total % 100 == 0, sign < 0, 0, not 0 <= total < 100)


@pytest.mark.parametrize(
    ("hl", "bc", "total", "h", "c"),
    [
        (0x0FFF, 0x0001, 0x1000, 1, 0),
        (0x00FF, 0x0001, 0x0100, 0, 0),
        (0xF000, 0x1000, 0x0000, 0, 1),
        (0xFFFF, 0x0001, 0x0000, 1, 1),
    ],
)
def test_add_hl_leaves_z_alone(hl: int, bc: int, total: int, h: int, c: int) -> None:
    for zf in (0, 1):
        cpu = executed((0x09,), h=hl >> 8, l=hl & 0xFF, b=bc >> 8, c=bc & 0xFF, nf=1, zf=zf)
        assert cpu.registers["h"] << 8 | cpu.registers["l"] == total
        assert flags(cpu) == (zf, 0, h, c)


@pytest.mark.parametrize(
    ("sp", "distance", "total", "h", "c"),
    [
        (0x00FF, 0x01, 0x0100, 1, 1),
        (0x000F, 0x01, 0x0010, 1, 0),
        (0x0000, 0xFF, 0xFFFF, 0, 0),
        (0x0001, 0xFF, 0x0000, 1, 1),
        (0xFFFF, 0x01, 0x0000, 1, 1),
    ],
)
def test_sp_plus_distance(sp: int, distance: int, total: int, h: int, c: int) -> None:
    """The distance is signed; the flags come from its byte as it is, and Z is never set."""
    added = executed((0xE8, distance), sp=sp, zf=1, nf=1)
    assert added.registers["sp"] == total
    loaded = executed((0xF8, distance), sp=sp, zf=1, nf=1)
    assert loaded.registers["sp"] == sp
    assert loaded.registers["h"] << 8 | loaded.registers["l"] == total
    assert flags(added) == flags(loaded) == (0, 0, h, c)


@pytest.mark.parametrize(
    ("second", "value", "carry", "result", "out"),
    [
        (0x00, 0x81, 0, 0x03, 1),  # rlc b
        (0x08, 0x81, 0, 0xC0, 1),  # rrc b
        (0x10, 0x81, 0, 0x02, 1),  # rl b
        (0x10, 0x01, 1, 0x03, 0),
        (0x18, 0x81, 0, 0x40, 1),  # rr b
        (0x18, 0x80, 1, 0xC0, 0),
        (0x20, 0x81, 1, 0x02, 1),  # sla b
        (0x28, 0x81, 0, 0xC0, 1),  # sra b
        (0x30, 0xA5, 1, 0x5A, 0),  # swap b
        (0x38, 0x81, 1, 0x40, 1),  # srl b
    ],
)
def test_shifts(second: int, value: int, carry: int, result: int, out: int) -> None:
    cpu = executed((0xCB, second), b=value, cf=carry, nf=1, hf=1)
    assert cpu.registers["b"] == result
    assert flags(cpu) == (0, 0, 0, out)
    assert flags(executed((0xCB, second), b=0, cf=0)) == (1, 0, 0, 0)


@pytest.mark.parametrize("opcode", [0x07, 0x0F, 0x17, 0x1F], ids=["rlca", "rrca", "rla", "rra"])
def test_rotations_of_a_clear_z(opcode: int) -> None:
    assert flags(executed((opcode,), a=0, zf=1)) == (0, 0, 0, 0)
    short, long = executed((opcode,), a=0xB1, cf=1), executed((0xCB, opcode), a=0xB1, cf=1)
    assert short.registers["a"] == long.registers["a"]
    assert short.registers["cf"] == long.registers["cf"]


@pytest.mark.parametrize("bit", range(8))
def test_single_bits(bit: int) -> None:
    for value in (0x00, 0xFF, 1 << bit, 0xFF ^ 1 << bit):
        tested = executed((0xCB, 0x40 | bit << 3), b=value, cf=1, nf=1)
        assert flags(tested) == (not value >> bit & 1, 0, 1, 1)
        assert executed((0xCB, 0x80 | bit << 3), b=value).registers["b"] == value & ~(1 << bit)
        assert executed((0xCB, 0xC0 | bit << 3), b=value).registers["b"] == value | 1 << bit


def test_the_low_bits_of_f_do_not_exist() -> None:
    popped = executed((0xF1,), {0xC000: 0xFF, 0xC001: 0x12}, sp=0xC000)
    assert popped.registers["a"] == 0x12
    assert flags(popped) == (1, 1, 1, 1)
    pushed = executed((0xF5,), sp=0xC002, a=0x12, zf=1, nf=1, hf=1, cf=1)
    assert pushed.memory[0xC000] == 0xF0


# ---------------------------------------------------------------- bus cycles


def r(address: int, value: int) -> Cycle:
    """A cycle that reads."""
    return ("r", address, value)


def w(address: int, value: int) -> Cycle:
    """A cycle that writes."""
    return ("w", address, value)


STACK = {0xC000: 0x34, 0xC001: 0x12}


@pytest.mark.parametrize(
    ("code", "registers", "bus"),
    [
        ((0x00,), {}, []),  # nop
        ((0x08, 0x80, 0xC0), {"sp": 0xABCD}, [w(0xC080, 0xCD), w(0xC081, 0xAB)]),  # ld [a16], sp
        ((0x08, 0xFF, 0xFF), {"sp": 0xABCD}, [w(0xFFFF, 0xCD), w(0x0000, 0xAB)]),
        ((0x03,), {}, [IDLE]),  # inc bc
        ((0x09,), {}, [IDLE]),  # add hl, bc
        ((0xE8, 0x01), {}, [IDLE, IDLE]),  # add sp, e8
        ((0xF8, 0x01), {}, [IDLE]),  # ld hl, sp + e8
        ((0xF9,), {}, [IDLE]),  # ld sp, hl
        ((0x34,), {"h": 0xC0}, [r(0xC000, 0x34), w(0xC000, 0x35)]),  # inc [hl]
        ((0x36, 0x99), {"h": 0xC0}, [w(0xC000, 0x99)]),  # ld [hl], n8
        ((0x22,), {"h": 0xC0, "l": 0xFF, "a": 7}, [w(0xC0FF, 7)]),  # ld [hl+], a
        ((0x3A,), {"h": 0xC0, "l": 0x00}, [r(0xC000, 0x34)]),  # ld a, [hl-]
        ((0xE0, 0x80), {"a": 7}, [w(0xFF80, 7)]),  # ldh [a8], a
        ((0xE2,), {"a": 7, "c": 0x81}, [w(0xFF81, 7)]),  # ldh [c], a
        ((0xCB, 0x46), {"h": 0xC0}, [r(0xC000, 0x34)]),  # bit 0, [hl]
        ((0xCB, 0xC6), {"h": 0xC0}, [r(0xC000, 0x34), w(0xC000, 0x35)]),  # set 0, [hl]
        ((0xC5,), {"sp": 0xC002, "b": 1, "c": 2}, [IDLE, w(0xC001, 1), w(0xC000, 2)]),  # push bc
        ((0xC1,), {"sp": 0xC000}, [r(0xC000, 0x34), r(0xC001, 0x12)]),  # pop bc
        ((0x18, 0x10), {}, [IDLE]),  # jr e8
        ((0x20, 0x10), {"zf": 1}, []),  # jr nz, e8
        ((0x28, 0x10), {"zf": 1}, [IDLE]),  # jr z, e8
        ((0xC3, 0x34, 0x12), {}, [IDLE]),  # jp a16
        ((0xD2, 0x34, 0x12), {"cf": 1}, []),  # jp nc, a16
        ((0xE9,), {}, []),  # jp hl
        ((0xCD, 0x34, 0x12), {"sp": 0xC002}, [IDLE, w(0xC001, 0x02), w(0xC000, 0x03)]),  # call
        ((0xDC, 0x34, 0x12), {"cf": 0}, []),  # call c, a16
        ((0xFF,), {"sp": 0xC002}, [IDLE, w(0xC001, 0x02), w(0xC000, 0x01)]),  # rst $38
        ((0xC9,), {"sp": 0xC000}, [r(0xC000, 0x34), r(0xC001, 0x12), IDLE]),  # ret
        ((0xC0,), {"zf": 1}, [IDLE]),  # ret nz
        ((0xC8,), {"sp": 0xC000, "zf": 1}, [IDLE, r(0xC000, 0x34), r(0xC001, 0x12), IDLE]),  # ret z
    ],
)
def test_the_bus_after_the_code_was_read(
    code: tuple[int, ...], registers: dict[str, int], bus: list[Cycle]
) -> None:
    cpu = executed(code, STACK, **registers)
    fetched = [r(address, byte) for address, byte in enumerate(code, AT)]
    assert cpu.bus == fetched + bus


@pytest.mark.parametrize(
    ("code", "registers", "pc"),
    [
        ((0x18, 0x7F), {}, AT + 2 + 0x7F),
        ((0x18, 0x80), {}, AT + 2 - 0x80),
        ((0x38, 0x80), {"cf": 0}, AT + 2),
        ((0xCA, 0x34, 0x12), {"zf": 1}, 0x1234),
        ((0xC4, 0x34, 0x12), {"zf": 0}, 0x1234),
        ((0xC4, 0x34, 0x12), {"zf": 1}, AT + 3),
        ((0xE9,), {"h": 0x45, "l": 0x67}, 0x4567),
        ((0xEF,), {}, 0x28),
        ((0xD8,), {"cf": 1, "sp": 0xC000}, 0x1234),
    ],
)
def test_where_jumps_lead(code: tuple[int, ...], registers: dict[str, int], pc: int) -> None:
    assert executed(code, STACK, **registers).registers["pc"] == pc


# ---------------------------------------------------------------- beyond instructions


def test_undefined_opcodes_lock_the_cpu() -> None:
    locked = [byte for byte in range(256) if CPU.microcode[byte].stop is CpuStop.JAM]
    assert bytes(locked).hex(" ") == "d3 db dd e3 e4 eb ec ed f4 fc fd"


def test_stop_is_one_byte_long() -> None:
    cpu = executed((0x10, 0x00))
    assert cpu.stop is CpuStop.STOP
    assert cpu.registers["pc"] == AT + 1


def test_ordinarily_only_the_opcode_is_fetched() -> None:
    """What engines make of the prologue when nothing is out of the ordinary."""
    usual = {register("mode", 2): const(RUNNING, 2), input_of(0, 8): const(0, 8)}
    prologue = specialise(CPU.prologue, usual)
    assert prologue.cycles == (1, 1)
    opcode = CPU.prologue.steps.index(next(s for s in CPU.prologue.steps if s.kind.is_read))
    assert prologue.next is input_of(opcode, 8).widen(10)
    assert prologue.result("pc") is register("pc", 16) + 1
    assert prologue.result("mode") is const(RUNNING, 2)
