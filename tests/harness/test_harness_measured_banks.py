"""Profiles of Game Boy programs: what bank code is in, and who waits. M-cycles counted by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from romproof.engine.engines import ENGINES
from romproof.harness.measured import Measured, measure_program
from romproof.harness.rom import Rom
from romproof.measure.code_locations import BANK
from romproof.measure.model import RoutineProfile
from romproof.measure.recorded import line_profiles
from romproof.projects import Manifest, build

USABLE = [name for name, row in ENGINES.items() if row.refusal("sm83") is None]

BANKED = """\
SECTION "timer", ROM0[$0050]
    reti
SECTION "start", ROM0[$0100]
    nop
    jp main
    ds $150 - @, 0
SECTION "main", ROM0[$0150]
main::
    di
    ld sp, $D000
    ld a, 2
    ld [$2000], a
    call two            ; 20 turns
    ld a, 3
    ld [$2000], a
    call three
    call far
    call copied
done:
    jr done
far::                   ; ROM0 calls on behalf of a bank
    ld a, 2
    ld [$2000], a
    jp two
SECTION "data", ROMX[$4000], BANK[1]
table::
    db $11, $12, $13, $14, $15, $16, $17, $18, $19, $1A, $1B, $1C
private:
    jr private
SECTION "two", ROMX[$4000], BANK[2]
two::
    ld b, 20            ; 2
.step:
    dec b               ; 1
    jr nz, .step        ; 3, 2
    nop                 ; $4005
    ret                 ; 4
SECTION "three", ROMX[$4000], BANK[3]
three::
    ld b, 5             ; 2
    nop
    nop
    nop
.step:                  ; $4005, where two has a nop and bank 1 has data
    dec b               ; 1
    jr nz, .step        ; 3, 2
    ret                 ; 4
    ds 2
    jr $400C            ; no end: only in bank 1 that is a jump to itself
SECTION "copy", WRAM0[$C000]
copied:: ds 8
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Measured]:
    def run(source: str, engine: str, limit: int = 1000, **mem: bytes) -> Measured:
        folder = tmp_path_factory.mktemp("banked")
        (folder / "prog.asm").write_text(source, "utf-8")
        header = (("mbc", "MBC5"),)
        manifest = Manifest("prog", (folder / "prog.asm",), cpu="sm83", header=header)
        return measure_program(Rom(build(manifest).image, engine), "main", mem=mem, limit=limit)

    return run


def routines(measured: Measured) -> dict[str, RoutineProfile]:
    return {routine.name: routine for routine in measured.profile.routines}


@pytest.mark.parametrize("engine", USABLE)
def test_code_is_booked_to_the_bank_that_is_in_sight(
    run: Callable[..., Measured], engine: str
) -> None:
    # copied: ld a, [$4005] (4)  ret (4)
    measured = run(BANKED, engine, copied=bytes.fromhex("fa0540c900000000"))
    assert not measured.cut
    found = routines(measured)
    assert set(found) == {"main", "two", "three", "far", "copied"}
    two, three = 2 + 20 * 4 - 1 + 1 + 4, 2 + 3 + 5 * 4 - 1 + 4
    assert (found["two"].calls, found["two"].exclusive, found["two"].bank) == (2, 2 * two, 2)
    assert (found["three"].calls, found["three"].exclusive, found["three"].bank) == (1, three, 3)
    assert (found["far"].inclusive, found["far"].bank) == (2 + 4 + 4 + two, 0)
    assert (found["copied"].address, found["copied"].bank) == (0xC000, None)
    at = {(a.bank, a.address): (a.count, a.cycles) for a in measured.profile.addresses}
    assert at[2, 0x4005] == (2, 2)
    assert at[3, 0x4005] == (5, 5)
    assert not any(bank == 1 for bank, _ in at)
    lines = {line.text.strip(): line for line in line_profiles(measured.profile, measured.places)}
    assert lines["nop                 ; $4005"].count == 2
    assert lines["dec b               ; 1"].count in (40, 5)
    # nobody executed data, and what was written to memory at run time has no line
    assert not any(text.startswith(("db", "ds", "copied")) for text in lines)


@pytest.mark.parametrize("engine", USABLE)
def test_a_jump_to_itself_is_an_end_only_in_its_bank(
    run: Callable[..., Measured], engine: str
) -> None:
    source = BANKED.replace("call three\n", "call $400C\n").replace("jr $400C ", "nop\n ret ")
    assert "private" in source
    measured = run(source, engine, copied=bytes.fromhex("c900000000000000"))
    assert not measured.cut
    assert routines(measured)["far"].calls == 1
    places = measured.places
    assert places.image_at(0x400C + BANK).label_at(0x400C) is not None
    assert places.image_at(0x400C + 3 * BANK).label_at(0x400C) is None


HALTING = """\
SECTION "timer", ROM0[$0050]
    jp handler
SECTION "start", ROM0[$0100]
    nop
    jp main
    ds $150 - @, 0
SECTION "main", ROM0[$0150]
main::
    ld sp, $D000
    ld a, 4
    ldh [$FFFF], a        ; the timer's interrupt
    xor a
    ldh [$FF0F], a
    ld a, $100 - 50
    ldh [$FF05], a
    ld a, %101          ; a step every 4 M-cycles
    ldh [$FF07], a
    {enable}
    call rest
done:
    di
.done:
    jr .done
rest::
    halt
after::
    nop
    ret
handler::
    reti
"""


@pytest.mark.slow_cases("ei-recompiled")
@pytest.mark.parametrize("engine", USABLE)
@pytest.mark.parametrize("enable", ["ei", "di"])
def test_time_in_halt_is_the_machines_and_a_handler_is_a_call_of_its_own(
    run: Callable[..., Measured], engine: str, enable: str
) -> None:
    measured = run(HALTING.replace("{enable}", enable), engine)
    lines = {line.text.strip(): line for line in line_profiles(measured.profile, measured.places)}
    found = routines(measured)
    halt = found["(HALT)"]
    assert (lines["halt"].count, lines["halt"].cycles) == (1, 1)
    assert (lines["nop"].count, lines["nop"].cycles) == (1, 1)
    # 50 steps of 4 M-cycles, less the few until the halt
    assert (halt.kind, halt.calls, halt.inclusive) == ("machine", 1, halt.exclusive)
    assert 180 < halt.exclusive < 200
    assert found["rest"].exclusive == 1
    assert found["after"].exclusive == 1 + 4
    assert found["rest"].inclusive == 1 + halt.exclusive + found["after"].exclusive
    assert ("handler" in found) == (enable == "ei")
    calls = {(edge.caller, edge.callee) for edge in measured.profile.edges}
    assert {("main", "rest"), ("rest", "(HALT)"), ("rest", "after")} <= calls
    if enable == "ei":  # the sequence (5) and the jump at the vector (4), then reti (4)
        (entered,) = (r for r in found.values() if r.kind == "interrupt")
        assert (entered.address, entered.exclusive, entered.inclusive) == (0x50, 9, 13)
        assert (entered.name, "handler") in calls
        assert not any(callee == entered.name for _, callee in calls)
    assert measured.profile.cycles == sum(r.exclusive for r in measured.profile.routines)
    executed = sum(address.count for address in measured.profile.addresses)
    assert measured.profile.instructions == executed < 30
