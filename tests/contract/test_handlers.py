"""Contracts of interrupt handlers: read, checked in calls and where interrupts happen, timed."""

from __future__ import annotations

from pathlib import Path

import pytest
from every_case import every_case
from small_programs import program_of

from romproof.contract.nouns.model import INTERRUPT, ROUTINE
from romproof.contract.reading.parse import parse_contracts
from romproof.harness.errors import CallFault, ContractViolation
from romproof.harness.rom import Rom
from romproof.text.diagnostic import BuildFailed
from romproof.timing.program import TimedProgram

CONTRACT = """\
;; it – counts
; kind: interrupt
; in: one
; out: one
; clobbers: none
; ensures: one == (old one + 1) % 256
; stack: {stack}
; cycles: {cycles}
it:
"""
GOOD = {
    "6502": "pha\n lda one\n clc\n adc #1\n sta one\n pla\n rti",
    "sm83": "push af\n ldh a, [one]\n inc a\n ldh [one], a\n pop af\n reti",
}
# pha 3, lda 3, clc 2, adc 2, sta 3, pla 4, rti 6; push 4, ldh 3, inc 1, ldh 3, pop 3, reti 4
STACK, CYCLES = {"6502": 1, "sm83": 2}, {"6502": 23, "sm83": 18}


def rom_of(cpu: str, folder: Path, code: str, stack: int | None = None, cycles: str = "") -> Rom:
    head = CONTRACT.format(
        stack=STACK[cpu] if stack is None else stack, cycles=cycles or CYCLES[cpu]
    )
    return Rom(program_of(cpu, folder, head + code + "\n"))


def broken(rom: Rom, **given: object) -> str:
    with pytest.raises(ContractViolation) as caught:
        rom.call("it", **given)  # type: ignore[arg-type]
    return str(caught.value)


def test_a_contract_is_for_a_routine_unless_it_says_otherwise(tmp_path: Path) -> None:
    text = ";; one_ – nothing\n; in: none\none_: RETURN\n"
    for kind in ("", "; kind: routine\n", "; kind:   Interrupt  (of the timer)\n"):
        image = program_of("6502", tmp_path, text.replace("; in", f"{kind}; in"))
        wanted = INTERRUPT if "Inter" in kind else ROUTINE
        assert parse_contracts(image)["one_"].kind == wanted


@every_case(
    "field, says",
    [
        ("kind: interupt", "did you mean 'interrupt'"),
        ("kind: nmi", "it is one of: routine, interrupt"),
        ("kind:", "'' is not a kind of code"),
        ("kind: interrupt\n; kind: interrupt", "has the field 'kind' twice"),
        ("type: interrupt", "did you mean 'kind'?"),
        ("handler: yes", "did you mean 'kind'?"),
    ],
)
def test_kinds_there_are_not(field: str, says: str, tmp_path: Path) -> None:
    image = program_of("6502", tmp_path, f";; x_ – nothing\n; in: none\n; {field}\nx_: RETURN\n")
    with pytest.raises(BuildFailed) as caught:
        parse_contracts(image)
    assert says in str(caught.value)


@pytest.mark.parametrize("cpu", GOOD)
def test_a_call_enters_a_handler_as_an_interrupt_does(cpu: str, tmp_path: Path) -> None:
    rom = rom_of(cpu, tmp_path, GOOD[cpu])
    letters = "nvzc" if cpu == "6502" else "znhc"
    for value in (0, 1):
        result = rom.call("it", mem={"one": 7}, flags=dict.fromkeys(letters, value))
        assert result.mem["one"] == b"\x08"
        assert result.cycles == CYCLES[cpu]
        assert all(getattr(result.flags, letter) == value for letter in letters)
    assert rom.call("it", mem={"one": 255}, interrupt=True).mem["one"] == b"\0"


def test_interrupts_are_as_they_were(tmp_path: Path) -> None:
    rom = rom_of("6502", tmp_path, GOOD["6502"])
    for masked in (0, 1):
        assert rom.call("it", flags={"i": masked}).flags.i == masked
    rom = rom_of("sm83", tmp_path, GOOD["sm83"])
    assert rom.call("it").registers.ime == 1
    assert "IME must come back as 1" in broken(
        rom_of("sm83", tmp_path, GOOD["sm83"].replace("reti", "ret"))
    )


def test_what_is_not_kept_is_told(tmp_path: Path) -> None:
    rom = rom_of("6502", tmp_path, "inc one\n lda #7\n rti", 0, "13")
    assert "A must come back as" in broken(rom)
    # the flags that were pushed, by way of the stack pointer
    save, load = "pha\n txa\n pha\n", "pla\n tax\n pla\n"
    code = f"inc one\n {save} tsx\n lda $0103,x\n eor #1\n sta $0103,x\n {load} rti"
    assert "flag C must come back as" in broken(rom_of("6502", tmp_path, code, 2, "44"))
    rom = rom_of("sm83", tmp_path, "push hl\n ld hl, one\n inc [hl]\n pop hl\n reti", 2, "17")
    assert "flag NF must come back as" in broken(rom)


def test_cycles_and_stack_are_those_of_the_handler(tmp_path: Path) -> None:
    for cpu, code in GOOD.items():
        text = broken(rom_of(cpu, tmp_path, code, 0, str(CYCLES[cpu] + 7)))
        assert f"the call took {CYCLES[cpu]}" in text
        assert f"bytes of stack used: {STACK[cpu]}; the claim is 0" in text


def test_a_handler_that_returns_like_a_routine_leaves_the_program(tmp_path: Path) -> None:
    with pytest.raises(CallFault, match="leaves the program"):
        rom_of("6502", tmp_path, GOOD["6502"].replace("rti", "rts")).call("it")
    with pytest.raises(CallFault, match="leaves the program"):
        rom_of("6502", tmp_path, "pha\n inc one\n rti").call("it")


@pytest.mark.parametrize("cpu", GOOD)
def test_bounds_are_from_the_handler_to_its_return(cpu: str, tmp_path: Path) -> None:
    rom = rom_of(cpu, tmp_path, GOOD[cpu])
    bounds = TimedProgram(rom.image, rom.contracts).bounds("it")
    assert (bounds.best, bounds.worst) == (CYCLES[cpu], CYCLES[cpu])


@every_case(
    "code, why",
    [
        ("inc one\n rts", "a handler must return by 'rti', not by 'rts'"),
        ("pha\n inc one\n rti", "it does not return to its caller"),
        ("tsx\n inc $0101,x\n rti", "it changes its return address"),
        ("tsx\n inc $0103,x\n rti", "it changes its return address"),
    ],
)
def test_a_handler_without_bounds(code: str, why: str, tmp_path: Path) -> None:
    rom = rom_of("6502", tmp_path, code)
    bounds = TimedProgram(rom.image, rom.contracts).bounds("it")
    assert bounds.worst is None
    assert why in bounds.reason


def test_loops_of_a_handler_are_watched(tmp_path: Path) -> None:
    code = "pha\n txa\n pha\n ldx #4\n@l: dex\n bne @l\n inc one\n pla\n tax\n pla\n rti\n"
    head = CONTRACT.format(stack=2, cycles="1..99").replace("; stack", "; loops: @l {}\n; stack")
    rom = Rom(program_of("6502", tmp_path, head.format(4) + code))
    assert rom.call("it", mem={"one": 1}).mem["one"] == b"\2"
    assert "loops" in broken(Rom(program_of("6502", tmp_path, head.format(3) + code)))


@pytest.mark.slow_cases("llvm")
@pytest.mark.parametrize("engine", ["plain", "llvm"])
def test_a_handler_is_checked_when_its_interrupt_comes(engine: str, tmp_path: Path) -> None:
    """With check="deep": the registers of what was interrupted."""
    if engine != "plain":
        pytest.importorskip("llvmlite")
    for code, wrong in ((GOOD["6502"], ""), ("inc one\n ldx #0\n rti", "X must come back as")):
        head = CONTRACT.format(stack=1, cycles="1..99")
        text = (
            f'{head}{code}\n.segment "CODE"\nbusy: cli\n ldx #200\n@l: dex\n bne @l\n sei\n rts\n'
        )
        image = program_of("6502", tmp_path, text)
        machine = Rom(image, engine).machine()
        at = image.address("it")
        machine.write(0xFFFE, at & 0xFF)
        machine.write(0xFFFF, at >> 8)
        machine.write("one", 3)
        machine.interrupt("irq")
        if wrong:
            with pytest.raises(ContractViolation, match=wrong):
                machine.call("busy", check="deep", flags={"i": 1}, limit=5_000)
        else:
            machine.call("busy", check="deep", flags={"i": 1}, limit=5_000)
            assert machine.read("one") == b"\4"


def test_a_handler_that_is_not_made_for_decimal_mode(tmp_path: Path) -> None:
    """D is as in what is interrupted: nobody has cleared it."""
    head = CONTRACT.format(stack=1, cycles="1..99")
    text = f'{head}{GOOD["6502"]}\n.segment "CODE"\nbusy: sed\n cli\n nop\n nop\n sei\n cld\n rts\n'
    image = program_of("6502", tmp_path, text)
    machine = Rom(image, "plain").machine()
    machine.write(0xFFFE, image.address("it").to_bytes(2, "little"))
    machine.write("one", 3)
    machine.interrupt("irq")
    with pytest.raises(ContractViolation, match=r"the interrupted code violates requires: D is 0"):
        machine.call("busy", check="deep", flags={"i": 1}, limit=5_000)
