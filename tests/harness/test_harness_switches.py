"""Interrupt enable and other switches, and names that mean two things."""

from __future__ import annotations

from pathlib import Path

import pytest
from source_programs import breaches, rom_6502, rom_sm83

from romproof.harness.errors import ContractViolation, RequirementBroken
from romproof.harness.state.values import BadValue
from romproof.isa.abi import SM83
from romproof.isa.sm83 import EI_DELAY

ENGINES_SM83 = ("plain", "llvm", "recompiled")
ENGINES_6502 = ("plain", "llvm", "recompiled", "py65")


def sm83(body: str, fields: str = "; in: A\n; out: none\n; clobbers: none") -> str:
    return f";; go – does it.\n{fields}\ngo::\n{body}\n"


@pytest.mark.parametrize("engine", ENGINES_SM83)
@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ("di\n ret", "must come back as 1 but is 0"),
        ("ei\n ret", "must come back as 0 but is 1"),
        ("ei\n nop\n ret", "must come back as 0 but is 1"),
        ("reti", "must come back as 0 but is 1"),
        ("di\n reti", "must come back as 0 but is 1"),
        ("ei\n di\n ret", "must come back as 1 but is 0"),
        ("nop\n ret", ""),
    ],
)
def test_interrupt_enable_comes_back(tmp_path: Path, engine: str, body: str, wrong: str) -> None:
    rom = rom_sm83(tmp_path, sm83(f" {body}"), engine)
    if not wrong:
        assert rom.call("go", ime=1).ime == 1
        assert rom.call("go", ime=0).ime == 0
        return
    # whatever it was, one of the two runs of a call shows it
    assert any(f"IME {wrong}" in told for told in breaches(rom))
    listed = "; in: A\n; out: none\n; clobbers: IME"
    assert rom_sm83(tmp_path, sm83(f" {body}", listed), engine).call("go").cycles > 0


@pytest.mark.parametrize("engine", ENGINES_SM83)
def test_conditions_speak_of_interrupt_enable(tmp_path: Path, engine: str) -> None:
    fields = """\
; in: IME A
; requires: IME == 1 or A == 0
; out: IME
; ensures: IME == 0, old IME == 1 or A == 0
; clobbers: none"""
    rom = rom_sm83(tmp_path, sm83(" di\n ret", fields), engine)
    result = rom.call("go", ime=1)
    assert (result.ime, result.registers.ime) == (0, 0)
    with pytest.raises(RequirementBroken, match=r"but IME is 0, A is \$05"):
        rom.call("go", ime=0, a=5)
    rom = rom_sm83(tmp_path, sm83(" ei\n ret", fields), engine)
    assert breaches(rom, ime=1) == ["IME == 0 | after the return IME == 0, but IME is 1"]


@pytest.mark.parametrize("engine", ENGINES_SM83)
def test_what_ei_enables_counts_from_there(tmp_path: Path, engine: str) -> None:
    fields = """\
; in: B
; requires: B > 0
; out: IME
; ensures: IME
; clobbers: B ZF NF HF
; invariant: .l: IME == {value}
; decreases: .l: B"""
    body = " di\n ei\n.l: dec b\n jr nz, .l\n ret"
    text = sm83(body, fields.replace("; ensures: IME\n", "; ensures: IME == 1\n"))
    assert rom_sm83(tmp_path, text.format(value=1), engine).call("go", b=3).ime == 1
    (found,) = breaches(rom_sm83(tmp_path, text.format(value=0), engine), b=3)
    assert found.endswith("at '.l', visit 1: IME == 0, but IME is 1")


def test_a_delayed_switch_is_on_for_contracts() -> None:
    class Registers:
        ime, mode, a = 0, EI_DELAY, 0

    assert SM83.get(Registers, "ime") == 1
    Registers.mode = 0
    assert SM83.get(Registers, "ime") == 0
    Registers.ime = 1
    assert SM83.get(Registers, "ime") == 1


def test_interrupt_enable_is_one_bit(tmp_path: Path) -> None:
    rom = rom_sm83(tmp_path, sm83(" ret"))
    assert rom.call("go", ime=-1).ime == 1
    with pytest.raises(BadValue, match=r"ime=2 does not fit into a register of 1 bit$"):
        rom.call("go", ime=2)
    with pytest.raises(BadValue, match="ime=: the mos6502 has no such register"):
        rom_6502(tmp_path, ".export go\ngo: rts\n").call("go", ime=1)


def cpu_6502(body: str, fields: str = "; in: A\n; out: none\n; clobbers: none") -> str:
    return f".export go\n;; go – does it.\n{fields}\n.proc go\n{body}\n.endproc\n"


@pytest.mark.parametrize("engine", ENGINES_6502)
@pytest.mark.parametrize(
    ("word", "wrong"),
    [
        ("cli", "flag I must come back as 1 but is 0"),
        ("sei", "flag I must come back as 0 but is 1"),
        ("sed", "flag D must come back as 0 but is 1"),
        ("clv", "flag V must come back as 1 but is 0"),
    ],
)
def test_flags_of_the_6502_come_back(tmp_path: Path, engine: str, word: str, wrong: str) -> None:
    rom = rom_6502(tmp_path, cpu_6502(f" {word}\n rts"), engine)
    assert any(wrong in told for told in breaches(rom))


def test_cld_is_noticed_where_d_is_an_input(tmp_path: Path) -> None:
    text = cpu_6502(" cld\n rts", "; in: A D\n; out: none\n; clobbers: none")
    told = breaches(rom_6502(tmp_path, text), flags={"d": 1})
    assert "flag D must come back as 1 but is 0" in told[0]


def test_a_name_like_that_of_a_flag_is_memory(tmp_path: Path) -> None:
    # n is an array, N the flag; in Python n= is neither, and flags= has flags only
    fields = """\
; in: n[4]
; out: none
; ensures: n[0] == old n[0]
; clobbers: A N Z n[4]"""
    rom = rom_6502(tmp_path, cpu_6502(" lda n\n sta n + 1\n rts", fields))
    result = rom.call("go", mem={"n": [1, 2, 3, 4]}, flags={"n": 1})
    assert result.mem["n"] == bytes([1, 1, 3, 4])
    fields = fields.replace("clobbers: A N Z n[4]", "clobbers: A N Z")
    with pytest.raises(ContractViolation, match=r"memory \$0301"):
        rom_6502(tmp_path, cpu_6502(" lda n\n sta n + 1\n rts", fields)).call(
            "go", mem={"n": [1, 2, 3, 4]}
        )
    fields = fields.replace("A N Z", "A Z n[4]")
    assert any(
        "flag N must come back" in told
        for told in breaches(
            rom_6502(tmp_path, cpu_6502(" lda n\n sta n + 1\n rts", fields)),
            mem={"n": [1, 2, 3, 4]},
        )
    )


@pytest.mark.parametrize("written", ["arr", "alias"])
def test_memory_is_compared_by_address(tmp_path: Path, written: str) -> None:
    fields = """\
; in: A arr[4] alias[4]
; out: {listed}[4]
; ensures: {other}[1] == A, all j in -1..1: arr[j + 1] == old {other}[j + 1] or j == 0
; clobbers: none"""
    for listed in ("arr", "alias"):
        for other in ("arr", "alias"):
            text = cpu_6502(f" sta {written} + 1\n rts", fields.format(listed=listed, other=other))
            result = rom_6502(tmp_path, text).call("go", a=9, mem={"arr": bytes(4)})
            assert result.read("alias", 4) == bytes([0, 9, 0, 0])
    text = cpu_6502(f" sta {written}\n rts", fields.format(listed="arr", other="alias"))
    assert any("after the return" in told for told in breaches(rom_6502(tmp_path, text), a=9))
