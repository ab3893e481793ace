"""Calling SM83 code: registers and pairs, flags, M-cycles, contracts, and what goes wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from handmade_sm83 import assemble
from hypothesis import given, settings
from hypothesis import strategies as st
from programs_sm83 import PROGRAM

from romproof.engine.engines import ENGINES, NoSuchEngine
from romproof.engine.protocol import FaultKind
from romproof.harness.checks.stack import CallStack, call_stack
from romproof.harness.errors import CallError, CallFault, ContractViolation, Runaway
from romproof.harness.measured import halts, measure_call, measure_program
from romproof.harness.rom import Rom
from romproof.harness.state.values import BadValue
from romproof.isa.abi import SM83, abi_of
from romproof.program.address_size import AddressSize
from romproof.program.image import Image, OutputFile, Segment, Symbol

IMAGE = assemble(PROGRAM)
USABLE = [name for name, row in ENGINES.items() if row.refusal("sm83") is None]
ROMS = {name: Rom(IMAGE, name) for name in USABLE}
ROM = Rom(IMAGE)


@pytest.fixture(params=USABLE)
def rom(request: pytest.FixtureRequest) -> Rom:
    """The program on each engine."""
    return ROMS[request.param]


def _fails(rom: Rom, name: str, **arguments: object) -> CallError:
    with pytest.raises(CallError) as caught:
        rom.call(name, **arguments)  # type: ignore[arg-type]
    return caught.value


def test_a_call_gives_registers_pairs_flags_and_m_cycles(rom: Rom) -> None:
    r = rom.call("add_five", a=0xFE, hl=0x1234, c=7)
    assert (r.a, r.h, r.l, r.hl, r.c) == (3, 0x12, 0x34, 0x1234, 7)
    assert r.bc == SM83.poison["b"] << 8 | 7
    assert r.af == 0x0300 | r.f
    assert dict(r.flags) == {"z": 0, "n": 0, "h": 1, "c": 1}
    assert (r.cycles, r.instructions, r.stack, r.sp) == (2 + 4, 2, 0, 0xE000)
    assert not r.changed


@pytest.mark.parametrize("given", [{"cf": 1}, {"flags": {"c": 1}}, {"flags": {"cf": 1}}])
def test_c_is_a_register_and_cf_the_carry(rom: Rom, given: dict[str, Any]) -> None:
    machine = rom.machine()
    machine.write(0xD000, b"\x89\xc9", code=True)  # adc a, c; ret
    assert machine.call(0xD000, a=1, c=4, **given).a == 6


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from(["add_five", "outer", "rotate", "words", "bump"]),
    st.integers(0, 255),
    st.integers(0, 0xFFFF),
    st.integers(0, 1),
    st.binary(min_size=4, max_size=4),
)
def test_the_engines_agree_on_everything(
    name: str, a: int, hl: int, carry: int, lfsr: bytes
) -> None:
    seen = set()
    for rom in ROMS.values():
        r = rom.call(name, a=a, hl=hl, flags={"c": carry}, mem={"lfsr": lfsr, "deck": lfsr[:3]})
        seen.add((str(r.registers), r.cycles, r.instructions, r.stack, r.after))
    assert len(seen) == 1


@settings(deadline=None, max_examples=40)
@given(st.binary(min_size=4, max_size=4))
def test_memory_goes_in_and_comes_out(state: bytes) -> None:
    r = ROM.call("rotate", mem={"lfsr": state})
    number = int.from_bytes(state, "little") << 1
    assert r.mem["lfsr"] == (number & 0xFFFFFFFF).to_bytes(4, "little")
    assert r.flags.c == number >> 32


def test_a_condition_that_does_not_hold_is_no_call(rom: Rom) -> None:
    assert (rom.call("outer", a=1).a, rom.call("outer", a=1).cycles) == (6, 6 + 6 + 3 + 2 + 4)
    assert (rom.call("outer", a=0xFE).a, rom.call("outer", a=0xFE).cycles) == (8, 30)
    assert rom.call("outer", a=0xFE, check="deep").stack == 2
    rom.call("trusting", flags={"c": 1}, check="deep")
    error = _fails(rom, "trusting", flags={"c": 0}, check="deep")
    assert isinstance(error, ContractViolation)
    assert {breach.contract.name for breach in error.breaches} == {"liar"}


def test_a_broken_contract_lists_every_promise(rom: Rom) -> None:
    error = _fails(rom, "liar", flags={"c": 0}, a=9)
    assert isinstance(error, ContractViolation)
    sentences = [breach.sentence.split(";")[0] for breach in error.breaches]
    assert sentences == [
        "A must come back as $09 but is $00",
        "B must come back as $3C but is $09",
        "C must come back as $96 but is $60",
        "flag ZF must come back as 0 but is 1",
        "flag NF must come back as 1 but is 0",
        "flag HF must come back as 1 but is 0",
        "flag CF must come back as 0 but is 1",
        "bytes of stack used: 2",
        "memory $C003 (sum) must stay $5A but is $00",
        "the call took 17 M-cycles",
    ]
    assert re.search(r"prog\.asm:\d+:3: error: .*17 M-cycles; the claim is 5", str(error))


def test_a_table_may_be_read_with_the_stack_pointer(rom: Rom) -> None:
    r = rom.call("words", mem={"deck": b"\x34\x12\x00"}, check="deep")
    assert (r.bc, r.stack, r.sp) == (0x1234, 2, 0xE000)
    assert not r.changed


def test_the_stack_lies_where_the_program_has_nothing() -> None:
    full = PROGRAM.replace("sum:: ds 1", "sum:: ds 1\nbig:: ds 8188")
    assert Rom(assemble(full)).call("add_five", a=1).sp == 0xFFFE
    fuller = full.replace("lfsr:: ds 4", "lfsr:: ds 120")
    with pytest.raises(BadValue, match=r"no 16 bytes free in \$C000-\$DFFF and \$FF80-\$FFFD"):
        Rom(assemble(fuller)).call("add_five", a=1)


def test_a_program_that_fills_the_memory_has_a_stack_of_its_own() -> None:
    full = PROGRAM.replace("lfsr:: ds 4", "lfsr:: ds 120")
    for rest, sp in (
        ("ds 8124\nwStack:: ds 64", 0xE000),
        ("ds 8000\nroom: ds 188\nStackEnd::", 0xE000),  # behind the last byte of the memory
        ("ds 8000\nroom: ds 187\nStackTop:: ds 1", 0xDFFF),
    ):
        rom = Rom(assemble(full.replace("sum:: ds 1", f"sum:: ds 1\nbig:: {rest}")))
        assert rom.call("add_five", a=1).sp == sp
        assert rom.call("words", mem={"deck": b"\x34\x12\0"}, uninitialised=True).bc == 0x1234


def test_a_section_called_after_a_stack_is_one() -> None:
    def bss(name: str, start: int, size: int) -> Segment:
        return Segment(name, start, start, size, 1, "bss", "WRAM0", None, 0, ())

    segments = (bss("Work", 0xC000, 0x1EE0), bss("Stack", 0xDF00, 0x100), bss("High", 0xFF80, 126))
    image = replace(IMAGE, blocks=(), symbols=(), segments=segments)
    assert call_stack(abi_of("sm83"), image) == CallStack(0xE000, 0xDF00)


def test_behind_a_label_of_unknown_size_a_stack_is_the_last_choice() -> None:
    """A file of symbols tells where `buffer` begins, and not that it takes the whole bank."""

    def known_by(**labels: int) -> Image:
        high = max([0xC0FF, *labels.values()])
        ends = {"WRAM0": (0xC000, high + 1), "WRAMX[2]": (0xD000, 0xD001)}
        segments = tuple(
            Segment(name, start, start, end - start, 1, "bss", name, None, 0, ())
            for name, (start, end) in ends.items()
        )
        symbols = tuple(
            Symbol(name, value, AddressSize.ABSOLUTE, True, True, None, "prog", None, None)
            for name, value in {"last": high, "buffer": 0xD000, **labels}.items()
        )
        return replace(IMAGE, blocks=(), symbols=symbols, segments=segments)

    of = abi_of("sm83")
    assert call_stack(of, known_by(Stack=0xCE00, StackTop=0xD000)) == CallStack(0xD000, 0xCE00)
    assert call_stack(of, known_by()) == CallStack(0xE000, 0xD001)


@pytest.mark.parametrize(
    ("routine", "kind", "text"),
    [
        ("crash", FaultKind.JAM, r"opcode \$D3 'jam' at \$.... \(broken\) stops the processor"),
        ("to_rom", FaultKind.ROM_WRITE, r"\(to_rom\+2\) writes \$01 to \$0150"),
        ("away", FaultKind.OUTSIDE, r"nothing was loaded at \$4000, after .*\(away\)"),
        ("restart", FaultKind.OUTSIDE, r"nothing was loaded at \$0038, after .*\(restart\)"),
        ("rest", FaultKind.JAM, r"before \$.... \(rest\+\d\) stops the CPU's clock"),
        ("pull", FaultKind.STACK_UNDERFLOW, r"pulls more than was pushed: SP is \$E000"),
        ("twice", FaultKind.OUTSIDE, r"\(twice\+1\), which pulled an address that no call pushed"),
        pytest.param(
            "recurse",
            FaultKind.STACK_OVERFLOW,
            r"overflows at .* \(recurse\): SP is \$C002, and the 8,188 bytes",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_faults_name_the_instruction(rom: Rom, routine: str, kind: FaultKind, text: str) -> None:
    error = _fails(rom, routine)
    assert isinstance(error, CallFault)
    assert error.kind is kind
    assert re.search(text, str(error))
    shown = r"A=\$.. BC=\$.... DE=\$.... HL=\$.... SP=\$.... F=[zZ][nN][hH][cC] PC=\$...."
    assert re.search(shown, str(error))


def test_a_stack_overflow_shows_where_it_happened() -> None:
    text = str(_fails(ROM, "recurse"))
    assert "SP=$C002" in text
    assert re.search(r"CD .. ..       6  \|     call recurse", text)


def test_a_runaway_shows_the_loop() -> None:
    error = _fails(ROM, "deeper", limit=5000)
    assert isinstance(error, Runaway)
    text = str(error)
    assert "'deeper' did not end within 5,000 M-cycles" in text
    assert re.search(r"^ +\d+ \$.... +\d+  dec b +A5 .... 5BD2 6987 DFFC .N", text, re.MULTILINE)
    assert re.search(r"^ +\d+ \$.... +\d+  jr \.loop +A5 .... 5BD2", text, re.MULTILINE)
    assert re.search(r"\(forever\), called at \$.... \(deeper\)  prog.asm:\d+", text)


def test_a_halted_cpu_is_told_of() -> None:
    assert "waits for an interrupt that does not come: flat memory has no interrupts" in str(
        _fails(ROM, "sleep", limit=500)
    )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"x": 1}, "x=: the sm83 has no such register; registers are a b c d e h l ime bc de hl"),
        ({"sp": 1}, "sp= is neither a register nor an option of a call"),
        ({"z": 1}, "z=: the flags of the sm83 are zf nf hf cf; registers are a b"),
        ({"zf": 2}, "zf=2: a flag is 0 or 1"),
        ({"cf": 1, "flags": {"c": 0}}, r"cf= and flags=\{'c': …\} both set a flag"),
        ({"limt": 1}, "did you mean 'limit'?"),
        ({"b": 1, "bc": 2}, "b= and bc= both set register B"),
        ({"hl": 0x10000}, "hl=65536 does not fit into a register of 16 bits"),
        ({"a": 256}, "a=256 does not fit into a register of 8 bits"),
        ({"ime": 2}, "ime=2 does not fit into a register of 1 bit$"),
        ({"flags": {"v": 1}}, "not a flag; flags are z n h c, each 0 or 1"),
        ({"allow_brk": True}, "the sm83 has no BRK"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, object], text: str) -> None:
    with pytest.raises(BadValue, match=text):
        ROM.call("add_five", **arguments)  # type: ignore[arg-type]


def test_what_the_cpu_does_not_have() -> None:
    r = ROM.call("add_five", a=1)
    with pytest.raises(AttributeError, match="the sm83 has no register 'x'; there are a b c d e"):
        _ = r.x
    with pytest.raises(AttributeError, match="no flag 'v'; there are z n h c"):
        _ = r.flags.v
    with pytest.raises(AttributeError, match="a result has no 'cicles'"):
        _ = r.cicles
    with pytest.raises(NoSuchEngine, match="it knows mos6502 only, not sm83"):
        Rom(IMAGE, "py65")


def _small(code: str, data: str, clobbers: str, inputs: str = "none") -> Image:
    head = f";; go – does it.\n; in: {inputs}\n; clobbers: {clobbers}\n"
    return assemble(f"{head}go::\n {code} ;= {data}\n ret ;= C9\n")


@pytest.mark.parametrize(
    ("code", "data", "clobbers", "sentence"),
    [
        ("scf", "37", "NF HF", "flag CF must come back as 0 but is 1"),
        ("ld h, $69", "26 69", "none", "H must come back as $96 but is $69"),
        ("ld e, $D2", "1E D2", "F", "E must come back as $2D but is $D2"),
    ],
)
def test_a_change_to_the_value_it_had_is_noticed(
    code: str, data: str, clobbers: str, sentence: str
) -> None:
    with pytest.raises(ContractViolation, match="inverted") as caught:
        Rom(_small(code, data, clobbers)).call("go")
    assert sentence in caught.value.summary


def test_inputs_are_not_inverted() -> None:
    for inputs, clobbers in (("HL", "none"), ("H", "F"), ("none", "HL"), ("none", "H")):
        assert Rom(_small("ld h, $69", "26 69", clobbers, inputs)).call("go").h == 0x69
    assert Rom(_small("ld h, $69", "26 69", "none")).call("go", hl=0x6900).hl == 0x6900
    assert Rom(_small("scf", "37", "NF HF", "CF")).call("go", flags={"c": 1}).flags.c == 1


def test_a_program_runs_with_its_own_stack_until_it_halts() -> None:
    machine = ROM.machine()
    r = machine.run_from("reset", until="done")
    assert (r.mem["sum"], r.sp) == (b"\x0a", 0xD000)
    assert set(r.changed) == {IMAGE.address("sum")}
    measured = measure_program(ROM, "reset", mem={}, limit=10_000)
    assert measured.profile.routine("bump").calls == 10
    assert not measured.cut
    assert halts(IMAGE) == (IMAGE.address("done"),)


WAITING = """\
SECTION "code", ROM0
main::
    ldh a, [$44]            ;= F0 44
    cp a, 144               ;= FE 90
    jr nz, main             ;= 20 {-main}
    call frame              ;= CD {frame}
done:
    jr done                 ;= 18 {-done}
frame::
    ret                     ;= C9
"""


@pytest.mark.parametrize("engine", USABLE)
def test_a_program_runs_on_a_game_boy(engine: str) -> None:
    image = assemble(WAITING)
    code = image.blocks[0]
    rom = bytes(code.address) + code.data
    file = OutputFile("x.gb", rom + bytes(0x8000 - len(rom)))
    measured = measure_program(
        Rom(replace(image, files=(file,)), engine), "main", mem={}, limit=40_000
    )
    # line 144 is at most a frame of 17,556 M-cycles away
    assert not measured.cut
    assert 114 < measured.profile.cycles < 17_556 + 20
    assert measured.profile.routine("frame").calls == 1


def test_the_profile_of_conditional_calls() -> None:
    measured = measure_call(
        ROM,
        "outer",
        registers={"a": 0xFE},
        flags={},
        mem={},
        runs=2,
        limit=1000,
        tick=lambda: None,
    )
    add_five = measured.profile.routine("add_five")
    assert (add_five.calls, add_five.minimum, add_five.maximum) == (4, 6, 6)
    assert measured.profile.routine("outer").exclusive == 2 * (6 + 6 + 2 + 4)


def test_the_end_of_the_last_call_can_be_told() -> None:
    ROM.call("outer", a=1)
    assert ROM.last_call is not None
    report = ROM.last_call.report()
    assert report.startswith("call of 'outer'\nregisters:\n  A=$06 BC=$3C96 DE=$5BD2 HL=$6987")
    assert "M-cycles=21" in report
