"""Calls and runs on a whole Game Boy: banks, interrupts, frames, buttons, devices, HALT."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import romproof
from romproof.harness.errors import ContractViolation, Runaway
from romproof.harness.machine_state import MachineState
from romproof.harness.measured import measure_call
from romproof.harness.rom import Rom
from romproof.harness.state.values import BadValue, place
from romproof.machine.board import BoardError
from romproof.machine.gameboy.registers import REGISTERS
from romproof.machine.statefile import pack, unpack
from romproof.machine.statevalues import BadState
from romproof.program.image import UnknownSymbol

ENGINES = ["plain", "llvm", "recompiled"]
SOURCE = """
DEF rP1 EQU $FF00
DEF rIF EQU $FF0F
DEF rLCDC EQU $FF40
DEF rLY EQU $FF44
DEF rBGP EQU $FF47
DEF rIE EQU $FFFF
SECTION "work", WRAM0
frames:: ds 1
keys:: ds 1
buffer:: ds 16
SECTION "save", SRAM[$A000]
saved:: ds 4
SECTION "vblank", ROM0[$40]
    jp vblank_handler
SECTION "entry", ROM0[$100]
    nop
    jp start
    ds $150 - @, 0
SECTION "home", ROM0
start::
    xor a
    ld [frames], a
    ldh [rIF], a
    ld a, 1
    ldh [rIE], a
    ei
main_loop::
    halt
    nop
    jr main_loop

vblank_handler::
    push af
    ld a, [frames]
    inc a
    ld [frames], a
    pop af
    reti

; Waits for the next picture: A = frames afterwards.
wait_frame::
    halt
    nop
    ld a, [frames]
    ret

;; screen_order – screen off, colours, screen on
; in:       none
; out:      none
; clobbers: A F
; stack:    0
; cycles:   ..40
screen_order::
    xor a
    ldh [rLCDC], a
    ld a, $E4
    ldh [rBGP], a
    ld a, $91
    ldh [rLCDC], a
    ret

read_keys::
    ld a, $10
    ldh [rP1], a
    ldh a, [rP1]
    cpl
    and $0F
    ld [keys], a
    ret

far_call::
    ld a, 2
    ld [$2000], a
    call in_two
    ret

enable_save::
    ld a, $0A
    ld [$0000], a
    ld a, $5C
    ld [saved], a
    ret

;; show_two – shows bank 2 and counts it
; in:       none
; out:      frames[1]
; ensures:  frames == 2
; clobbers: A F
; stack:    2
; cycles:   ..40
show_two::
    call set_two
    ld [frames], a
    ret

;; set_two – bank 2; it counts nothing
; in:       none
; out:      A
; clobbers: none
; stack:    0
; cycles:   ..10
set_two::
    ld a, 2
    ld [$2000], a
    ret

SECTION "one", ROMX, BANK[1]
in_one::
    ld a, 1
    ret
table_one:: db 1, 11, 111
SECTION "two", ROMX, BANK[2]
in_two::
    ld a, 2
    ret
table_two:: db 2, 22, 222
;; broken_two – says that it gives 3
; in:       none
; out:      A
; ensures:  A == 3
; clobbers: none
; stack:    0
; cycles:   ..10
broken_two::
    ld a, 2
    ret
"""
TABLE = """
[tool.romproof]
cpu = "sm83"
sources = ["game.asm"]
machine = "gameboy"
header = { title = "GAME", mbc = "MBC1+RAM+BATTERY", ram_size = 2 }
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> romproof.Image:
    folder = tmp_path_factory.mktemp("game")
    (folder / "game.asm").write_text(SOURCE)
    (folder / "pyproject.toml").write_text(TABLE)
    built = romproof.build(folder)
    assert built.manifest.machine == "gameboy"
    return built.image


@pytest.fixture(params=ENGINES)
def rom(request: pytest.FixtureRequest, image: romproof.Image) -> Rom:
    return Rom(image, request.param, machine="gameboy")


@pytest.mark.slow_cases("recompiled")
def test_the_bank_of_a_routine_is_in_sight_when_it_is_called(rom: Rom) -> None:
    assert rom.call("in_one").a == 1
    assert rom.call("in_two").a == 2
    machine = rom.machine()
    assert (machine.call("in_two").a, machine.board.banks()[1]) == (2, 2)
    assert (machine.read("table_one", 3), machine.read("table_two", 3)) == (
        b"\x01\x0b\x6f",
        b"\x02\x16\xde",
    )
    assert machine.board.banks()[1] == 2
    machine.call("in_one", bank=1)
    assert machine.board.banks()[1] == 1
    assert machine.call("far_call").a == 2


def test_banks_that_do_not_exist_are_refused(rom: Rom) -> None:
    with pytest.raises(BoardError, match="no bank 9 of ROMX; it has 4"):
        rom.call("in_one", bank=9)
    with pytest.raises(BoardError, match="cannot select bank 0"):
        rom.call("in_one", bank=0)
    with pytest.raises(BadValue, match="no banks at"):
        rom.call("keys", bank=1)


def test_contracts_are_those_of_the_bank_in_sight(rom: Rom) -> None:
    with pytest.raises(ContractViolation, match="A == 3"):
        rom.call("broken_two")
    assert rom.call("in_one").a == 1  # at the same address, with no contract


def test_a_contract_of_what_switches_banks_is_about_the_memory(rom: Rom) -> None:
    """Where another bank is in sight nothing was written, and RAM seen twice counts once."""
    result = rom.call("show_two", check="deep")
    assert list(result.changed) == [result.image.address("frames")]


def test_a_failure_names_code_by_the_bank_that_was_in_sight(rom: Rom) -> None:
    with pytest.raises(Runaway) as caught:
        rom.call("far_call", limit=13)
    text = str(caught.value)
    assert "last instruction: $4000 (in_two)" in text
    assert "\n  in_two, " in text
    assert "\n  $4000 (in_two), called at" in text
    assert "in_one" not in text


@pytest.mark.slow_cases("recompiled")
def test_a_profile_of_calls_books_code_to_the_bank_that_is_in_sight(rom: Rom) -> None:
    def measured(routine: str) -> dict[str, tuple[int | None, int, int]]:
        done = measure_call(
            rom, routine, registers={}, flags={}, mem={}, runs=2, limit=1_000, tick=lambda: None
        )
        profile = done.profile
        assert profile.cycles == sum(r.exclusive for r in profile.routines)
        return {r.name: (r.bank, r.calls, r.exclusive) for r in profile.routines}

    assert measured("in_one") == {"in_one": (1, 2, 2 * 6)}
    # ld a, 2 (2)  ret (4), or what it has, in the bank of that number
    (in_two,) = measured("in_two").items()
    assert in_two[0] == "in_two"
    assert in_two[1][:2] == (2, 2)
    far = measured("far_call")
    assert far["in_two"] == in_two[1]
    assert far["far_call"][0] == 0
    assert "in_one" not in far


def test_a_cpu_that_waits_is_one_line_of_a_trace(rom: Rom) -> None:
    machine = rom.machine()
    machine.run_until("main_loop", limit=20_000)
    with pytest.raises(Runaway) as caught:
        machine.run_until("far_call", limit=2_000)
    assert str(caught.value).count("(waits)") == 1


def test_accesses_to_registers_come_in_order(rom: Rom) -> None:
    machine = rom.machine()
    log = machine.watch("rLCDC", "rBGP")
    machine.call("screen_order")
    assert log.writes == [("rLCDC", 0), ("rBGP", 0xE4), ("rLCDC", 0x91)]
    assert {access.routine for access in log} == {"screen_order"}
    assert machine.read(0xFF47) == b"\xe4"


def test_frames_call_the_handler(rom: Rom) -> None:
    machine = rom.machine()
    machine.run_until("main_loop", limit=20_000)
    assert machine.read("frames") == b"\0"
    start = machine.cycles
    machine.run_frames(3)
    assert machine.read("frames") == b"\3"
    assert machine.cycles - start == pytest.approx(3 * 17_556, abs=10)
    state = machine.save()
    machine.run_frames(2)
    machine.restore(state)
    assert machine.read("frames") == b"\3"
    machine.run_frames(2)
    assert machine.read("frames") == b"\5"


def test_a_call_between_frames_waits_in_halt(rom: Rom) -> None:
    machine = rom.machine()
    machine.run_until("main_loop", limit=20_000)
    result = machine.call("wait_frame")
    assert result.a == 1
    assert 0 < result.cycles < 17_600
    machine.run_frames(1)
    assert machine.read("frames") == b"\2"


@pytest.mark.slow_cases("plain")
def test_halt_without_interrupts_does_not_end(rom: Rom) -> None:
    with pytest.raises(Runaway, match="waits for an interrupt"):
        rom.call("wait_frame", limit=50_000)


def test_a_handler_is_called_and_returns(rom: Rom) -> None:
    result = rom.call("vblank_handler", interrupt=True, mem={"frames": 7}, a=0x12)
    assert (result.mem["frames"], result.a, result.ime) == (b"\x08", 0x12, 1)
    assert result.cycles == 4 + 4 + 1 + 4 + 3 + 4


def test_an_interrupt_is_served_when_it_is_enabled(rom: Rom) -> None:
    machine = rom.machine()
    machine.run_until("main_loop", limit=20_000)
    machine.interrupt("timer")  # IE has only vblank
    with pytest.raises(Runaway):
        machine.run_until("vblank_handler", limit=200)
    machine.interrupt("vblank")
    machine.run_until("vblank_handler", limit=200)
    with pytest.raises(BoardError, match="did you mean 'vblank'"):
        machine.interrupt("vblanc")


def test_buttons_reach_the_program(rom: Rom) -> None:
    machine = rom.machine()
    machine.buttons.press("a", "start")
    assert machine.call("read_keys").mem["keys"] == b"\x09"
    machine.buttons.release()
    with machine.buttons.hold("b"):
        assert machine.call("read_keys").mem["keys"] == b"\x02"
    assert machine.call("read_keys").mem["keys"] == b"\0"
    with pytest.raises(BoardError, match="no button 'turbo'"):
        machine.buttons.press("turbo")


def test_the_cartridges_ram_is_there_when_it_is_enabled(rom: Rom) -> None:
    machine = rom.machine()
    machine.call("enable_save")
    assert machine.read("saved", 1) == b"\x5c"
    assert machine.read(0xA000) == b"\x5c"


def test_work_ram_is_watched_where_it_repeats(rom: Rom) -> None:
    machine = rom.machine()
    log = machine.watch("frames")
    machine.write(0xC800, bytes.fromhex("3E 09 EA") + (0xE000).to_bytes(2, "little") + b"\xc9")
    machine.call(0xC800)
    assert machine.read("frames") == b"\x09"
    assert log.writes == [("frames", 9)]


def test_the_program_of_one_machine_does_not_run_on_another(image: romproof.Image) -> None:
    with pytest.raises(BoardError, match="no machine 'gamboy'; did you mean 'gameboy'"):
        Rom(image, machine="gamboy")


def test_a_machine_of_a_table_is_checked(tmp_path: Path) -> None:
    (tmp_path / "game.asm").write_text(SOURCE)
    for wrong, message in (
        ("snes", "no machine 'snes'"),
        ("nes", "has another CPU than sm83"),
    ):
        (tmp_path / "pyproject.toml").write_text(TABLE.replace('"gameboy"', f'"{wrong}"'))
        with pytest.raises(romproof.RomproofError, match=message):
            romproof.build(tmp_path)


DEFINED = re.compile(r"^ *DEF +(r[A-Z0-9_]+) +EQU +\$(FF[0-9A-F]{2})\b", re.MULTILINE)
"""A register as sources of this repository define it."""
SOURCES = Path(__file__).parents[2]


def test_registers_have_the_names_that_sources_give_them() -> None:
    texts = [
        path.read_text("utf-8")
        for folder in ("rom", "asm", "examples", "tests")
        for path in sorted((SOURCES / folder).rglob("*"))
        if path.suffix in (".asm", ".inc", ".py") and ".venv" not in path.parts
    ]
    defined = {pair for text in texts for pair in DEFINED.findall(text)}
    assert len(defined) >= 7
    assert {(name, f"{REGISTERS.get(name, 0):X}") for name, _ in defined} == defined


def test_a_machine_knows_the_names_of_registers(rom: Rom) -> None:
    machine = rom.machine()
    machine.write("rWY", 0x55)
    assert machine.read(0xFF4A, 1) == machine.read("rWY") == b"\x55"
    assert machine.read("_OAMRAM") == machine.read(0xFE00, 0xA0)
    log = machine.watch("rBGP", "rLCDC", reads=False)
    machine.call("screen_order")
    assert log.writes == [("rLCDC", 0), ("rBGP", 0xE4), ("rLCDC", 0x91)]
    with pytest.raises(UnknownSymbol):
        machine.read("rNOBODY")


def test_a_symbol_of_the_program_comes_before_a_register(tmp_path: Path) -> None:
    (tmp_path / "game.asm").write_text(
        'SECTION "w", WRAM0[$C123]\nrLY:: ds 1\nSECTION "c", ROM0[$150]\ngo:: ret\n'
    )
    (tmp_path / "pyproject.toml").write_text(TABLE)
    image = romproof.build(tmp_path).image
    assert place(image, "rLY")[0] == 0xC123
    assert place(image, "rLYC") == (0xFF45, 1)


def test_a_state_as_bytes_goes_on_in_another_process(rom: Rom) -> None:
    machine, other = rom.machine(), rom.machine()
    machine.run_until("main_loop", limit=20_000)
    machine.run_frames(3)
    saved = machine.save()
    data = saved.to_bytes()
    other.restore(data)
    assert (other.read("frames"), other.cycles) == (b"\3", machine.cycles)
    assert MachineState.from_bytes(data).to_bytes() == data == other.save().to_bytes()
    for one in (machine, other):
        one.run_frames(2)
    assert machine.save().to_bytes() == other.save().to_bytes() != data
    machine.restore(saved)
    other.restore(MachineState.from_bytes(data))
    assert machine.save().to_bytes() == other.save().to_bytes() == data


def test_a_state_is_of_one_program_and_one_machine(rom: Rom) -> None:
    machine = rom.machine()
    machine.run_until("main_loop", limit=20_000)
    before = machine.save().to_bytes()
    file = rom.image.files[0]
    changed = replace(rom.image, files=(replace(file, data=file.data[:-1] + b"\x55"),))
    other = Rom(changed, rom.engine, machine="gameboy").machine()
    flat = Rom(rom.image, rom.engine, banks=("ROMX[1]",)).machine()
    for saved, says in (
        (other.save(), "of another program"),
        (other.save().to_bytes(), "of another program"),
        (flat.save().to_bytes(), "of the machine 'flat', and the program runs on 'gameboy'"),
        (before[:-1], "damaged"),
        (b"", "no state"),
    ):
        with pytest.raises(BadState, match=says):
            machine.restore(saved)
        assert machine.save().to_bytes() == before


def test_a_state_whose_numbers_do_not_go_together_changes_nothing(rom: Rom) -> None:
    machine = rom.machine()
    machine.run_until("main_loop", limit=20_000)
    before = machine.save().to_bytes()
    content = unpack(before)
    devices = content["board"]["tuple"][4]["devices"]
    (conflict,) = [row["chip"] for row in devices if "_bus" in row.get("chip", {})]
    conflict["_bus"] = 1 << 40
    with pytest.raises(BadState, match="its numbers do not go together"):
        machine.restore(pack(content))
    assert machine.save().to_bytes() == before
