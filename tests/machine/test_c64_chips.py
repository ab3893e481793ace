"""The C64's chips: timers, interrupts, the raster line, the keyboard, the SID."""

from __future__ import annotations

from itertools import pairwise

import pytest
from c64_programs import ORIGIN, prg, run, to_the_end
from every_case import every_case

from romproof.engine.space import NEVER
from romproof.machine.c64.keyboard import KEYS
from romproof.machine.c64.machine import C64
from romproof.machine.c64.timer import Timer

FOREVER = "forever: jmp forever"


@pytest.fixture(params=("plain", "llvm"))
def engine(request: pytest.FixtureRequest) -> str:
    if request.param != "plain":
        pytest.importorskip("llvmlite")
    return str(request.param)


def started(source: str, engine: str = "plain", region: str = "pal") -> C64:
    machine = C64(prg(source), engine=engine, region=region)
    machine.start()
    return machine


# ------------------------------------------------------------------------------- timers

LORENZ = (  # CRB before, CRB after, the counter in the three cycles after that write
    (0, 1, (10, 10, 9)), (0, 16, (10, 40, 40)), (0, 17, (10, 40, 40)),
    (1, 17, (9, 40, 40)), (1, 16, (9, 40, 40)), (1, 0, (9, 8, 8)),
)  # fmt: skip
"""The table of Wolfgang Lorenz's test cia1tb123: measured on a C64."""


@every_case("before, after, expected", LORENZ)
def test_a_control_register_works_some_cycles_late(
    before: int, after: int, expected: tuple[int, ...]
) -> None:
    timer = Timer()
    timer.set_latch(10 if not before else 20, high=False)
    timer.set_latch(0, high=True)
    timer.control(before)
    while timer.counter != 10:
        timer.advance(timer.at + 1)
    timer.set_latch(40, high=False)
    timer.control(after)
    found = []
    for _ in expected:
        timer.advance(timer.at + 1)
        found.append(timer.counter)
    assert tuple(found) == expected


@every_case("latch", [0, 1, 2, 3, 255, 1000])
def test_the_period_is_the_latch_and_one_more(latch: int) -> None:
    timer = Timer()
    timer.set_latch(latch & 0xFF, high=False)
    timer.set_latch(latch >> 8, high=True)
    timer.control(1)
    times = []
    while len(times) < 5:
        at = timer.advance(timer.at + 3 * latch + 10)
        assert at is not None
        times.append(at)
        timer = _later(timer, at)
    assert [b - a for a, b in pairwise(times)] == [latch + 1] * 4


def _later(timer: Timer, at: int) -> Timer:
    """A timer that was started as ``timer``, at the cycle in which it ran out."""
    other = Timer()
    other.set_latch(timer.latch & 0xFF, high=False)
    other.set_latch(timer.latch >> 8, high=True)
    other.control(1)
    other.advance(at)
    return other


@every_case(
    "latch, one_shot, step",
    [(n, o, s) for n in (0, 1, 2, 7, 60) for o in (0, 8) for s in (1, 2, 3, 50)],
)
def test_in_large_steps_a_timer_does_what_it_does_in_small_ones(
    latch: int, one_shot: int, step: int
) -> None:
    one, many = Timer(), Timer()
    for timer in (one, many):
        timer.set_latch(latch, high=False)
        timer.set_latch(0, high=True)
        timer.control(1 | one_shot)
    first = [one.advance(at) for at in range(1, 301)]
    for at in range(step, 301, step):
        soonest = many.next_event()
        found = many.advance(at)
        expected = next((x for x in first[at - step : at] if x is not None), None)
        assert found == expected
        assert found is None or soonest <= found
    if 300 % step == 0:
        assert (one.counter, one.running, one.toggle) == (many.counter, many.running, many.toggle)


def test_a_one_shot_stops() -> None:
    timer = Timer()
    timer.set_latch(5, high=False)
    timer.set_latch(0, high=True)
    timer.control(9)
    assert timer.advance(1000) == 7
    assert (timer.counter, timer.running, timer.next_event()) == (5, False, NEVER)


CASCADE = """
        sei
        lda #$7F
        sta $DC0D
        lda #99
        sta $DC04
        lda #0
        sta $DC05
        sta $DC07
        lda #9
        sta $DC06
        lda #$51        ; B counts how often A runs out
        sta $DC0F
        lda #$11
        sta $DC0E
        ldx #0
wait:   lda $DC0D
        and #2
        bne out
        inx
        bne wait
out:    stx $C000
        lda $DC0F
        sta $C001
        lda $DC06
        sta $C002
        rts
"""


def test_timer_b_counts_how_often_timer_a_runs_out(engine: str) -> None:
    machine = run(CASCADE, engine)
    # ten times a hundred cycles, in a loop of 13 cycles
    assert abs(machine.peek(0xC000) * 13 - 1000) < 30
    assert machine.peek(0xC001) == 0x41
    assert machine.peek(0xC002) == 9


def test_a_cascade_interrupts(engine: str) -> None:
    source = CASCADE.replace("ldx #0", "lda #$82\n sta $DC0D\n cli\n ldx #0\n jmp *")
    source = "lda #<irq\n sta $0314\n lda #>irq\n sta $0315\n" + source
    source += "irq: inc $C010\n lda $DC0D\n sta $C011\n jmp $EA81"
    machine = started(source, engine)
    machine.poke(0xC010, 0)
    machine.run((), 10_500)
    assert machine.peek(0xC010) == 10
    assert machine.peek(0xC011) == 0x83


def test_the_event_pin_never_moves(engine: str) -> None:
    source = """
        lda #5
        sta $DC06
        lda #0
        sta $DC07
        lda #$31
        sta $DC0F
        nop
        nop
        lda $DC06
        sta $C000
        rts
    """
    assert run(source, engine).peek(0xC000) == 5


# --------------------------------------------------------------------------- interrupts


def test_reading_icr_clears_it_and_lets_the_line_go(engine: str) -> None:
    source = """
        sei
        lda #$7F
        sta $DC0D
        lda $DC0D
        lda #20
        sta $DC04
        lda #0
        sta $DC05
        lda #$19        ; once
        sta $DC0E
        ldx #20
wait:   dex
        bne wait
        lda $DC0D       ; it ran out; nobody asked for an interrupt
        sta $C000
        lda $DC0D
        sta $C001
        lda #$19
        sta $DC0E
        ldx #20
wait2:  dex
        bne wait2
        lda #$81        ; now somebody does
        sta $DC0D
        nop
        lda $DC0D
        sta $C002
        lda $DC0D
        sta $C003
        cli
        nop
        rts
    """
    machine = run(source, engine)
    assert bytes(machine.peek(0xC000 + i) for i in range(4)).hex() == "01008100"


def test_bit_7_of_a_write_to_icr_says_set_or_clear(engine: str) -> None:
    machine = started("sei\n lda #$7F\n sta $DC0D\n" + FOREVER, engine)
    machine.run((), 30_000)
    machine.interrupt("irq")
    assert machine.peek(0xDC0D) == 0x01
    machine = started("sei\n lda #$7F\n sta $DC0D\n lda #$81\n sta $DC0D\n" + FOREVER, engine)
    machine.run((), 100)
    machine.interrupt("irq")
    machine.run((), 10)
    assert machine.peek(0xDC0D) == 0x81


@pytest.mark.slow
def test_the_kernal_interrupts_sixty_times_a_second(engine: str) -> None:
    """The clock at $A0 to $A2, read by RDTIM."""
    machine = started("lda #0\n tax\n tay\n jsr $FFDB\n" + FOREVER, engine)
    machine.run((), 985_248)
    assert machine.peek(0xA2) in (59, 60)
    ntsc = started("lda #0\n tax\n tay\n jsr $FFDB\n" + FOREVER, engine, "ntsc")
    ntsc.run((), 1_022_727)
    assert ntsc.peek(0xA2) in (59, 60)


HANDLER = """
        sei
        lda #<irq
        sta $0314
        lda #>irq
        sta $0315
        lda #<nmi
        sta $0318
        lda #>nmi
        sta $0319
        lda #<brk_
        sta $0316
        lda #>brk_
        sta $0317
        lda #$7F
        sta $DC0D
        lda $DC0D
        cli
        lda #$11
        ldx #$22
        ldy #$33
        {main}
irq:    tsx
        lda $0103,x     ; A below X and Y, which were pushed after it
        sta $C001
        lda $0102,x
        sta $C002
        lda $0101,x
        sta $C003
        inc $C000
        lda $DC0D
        asl $D019
        jmp $EA81
nmi:    inc $C010
        rti
brk_:   inc $C020
        jmp $EA81
"""


def handlers(main: str, engine: str) -> C64:
    machine = started(HANDLER.format(main=main), engine)
    for address in (0xC000, 0xC010, 0xC020):
        machine.poke(address, 0)
    return machine


def test_irq_goes_through_its_vector_with_registers_on_the_stack(engine: str) -> None:
    machine = handlers("cli\n lda #$81\n sta $DC0D\n lda #$11\n" + FOREVER, engine)
    machine.run((), 200)
    assert machine.peek(0xC000) == 0
    machine.interrupt("irq")
    machine.run((), 200)
    assert bytes(machine.peek(0xC000 + i) for i in range(4)).hex() == "01112233"
    r = machine.registers
    assert (r.a, r.x, r.y, r.s) == (0x11, 0x22, 0x33, 0xF9)


def test_nmi_goes_through_its_vector_once_for_each_edge(engine: str) -> None:
    machine = handlers(FOREVER, engine)
    machine.run((), 200)
    for count in (1, 2):
        machine.press("restore")
        machine.run((), 200)
        assert machine.peek(0xC010) == count
    machine.interrupt("nmi")
    machine.run((), 200)
    assert machine.peek(0xC010) == 3


def test_brk_goes_through_its_own_vector(engine: str) -> None:
    machine = handlers("brk\n .byte 0\n rts", engine)
    to_the_end(machine)
    assert (machine.peek(0xC000), machine.peek(0xC020)) == (0, 1)


def test_cia_2_asks_for_nmi_until_it_is_read(engine: str) -> None:
    main = """
        lda #100
        sta $DD04
        lda #0
        sta $DD05
        lda #$81
        sta $DD0D
        lda #$11
        sta $DD0E
        ldx #0
    loop:
        dex
        bne loop
        lda $C010
        sta $C030       ; still the first: the line never rose
        lda $DD0D
        sta $C031
        ldx #30
    loop2:
        dex
        bne loop2
        lda $C010
        sta $C032
        rts
    """
    machine = handlers(main, engine)
    to_the_end(machine)
    assert bytes(machine.peek(0xC030 + i) for i in range(3)).hex() == "018102"


def test_with_the_kernal_off_the_vector_in_ram_counts(engine: str) -> None:
    source = """
        sei
        lda #<irq
        sta $FFFE
        lda #>irq
        sta $FFFF
        lda #$35
        sta $01
        cli
        ldx #0
    loop:
        lda $C000
        beq loop
        sei
        lda #$37
        sta $01
        rts
    irq:
        inc $C000
        bit $DC0D
        rti
    """
    machine = C64(prg(source), engine=engine)
    machine.poke(0xC000, 0)
    machine.start()
    to_the_end(machine)
    assert machine.peek(0xC000) == 1


def test_an_interrupt_at_a_call_comes_before_it_and_it_is_performed_once(engine: str) -> None:
    """Whenever the interrupt comes: each character once, and the same text."""
    source = "ldx #60\nloop: txa\n jsr CHROUT\n dex\n bne loop\n rts"
    machine = C64(prg(source), engine=engine)
    machine.start()
    machine.kernal.write(0xDC04, 0x57)  # as often as possible
    machine.kernal.write(0xDC05, 0x02)
    machine.kernal.write(0xDC0E, 0x11)
    machine.space.advance(machine.cycles)
    to_the_end(machine)
    assert machine.screen == bytes(range(60, 0, -1))
    assert int.from_bytes(bytes(machine.peek(0xA0 + i) for i in range(3)), "big") > 40


# ------------------------------------------------------------------------------- raster


@every_case("region, lines, cycles", [("pal", 312, 63), ("ntsc", 263, 65), ("ntsc-old", 262, 64)])
def test_raster_lines_follow_each_other(region: str, lines: int, cycles: int) -> None:
    machine = started("sei\n" + FOREVER, region=region)
    seen = []
    for line in (0, 1, 100, 255, 256, lines - 1, lines):
        machine.run((), line * cycles + cycles // 2 - machine.cycles)
        seen.append(machine.peek(0xD012) | machine.peek(0xD011) << 1 & 0x100)
    assert seen == [0, 1, 100, 255, 256, lines - 1, 0]


def test_the_last_line_lasts_one_cycle_longer() -> None:
    """Line 0 begins a cycle late (Bauer, 3.12)."""
    machine = C64(prg("rts"), engine="plain")
    vic = machine.memory.chips[0xD0]
    frame = 312 * 63
    lines = [
        vic.peek(0xD012, frame + i) + (vic.peek(0xD011, frame + i) >> 7) * 256 for i in (-1, 0, 1)
    ]
    assert lines == [311, 311, 0]


RASTER = """
        lda #$7F
        sta $DC0D
        lda $DC0D
        lda #${line:02X}
        sta $D012
        lda #${control:02X}
        sta $D011
        lda #$81
        sta $D01A
        asl $D019
"""


@every_case("line, control, found", [(100, 0x1B, True), (56, 0x9B, False), (0x37, 0x9B, True)])
def test_a_raster_interrupt_comes_in_its_line(line: int, control: int, found: bool) -> None:
    """311 is a line of PAL, 312 is none."""
    at = line + (control >> 7) * 256
    machine = handlers(RASTER.format(line=line, control=control) + FOREVER, "plain")
    machine.run((), 2 * 312 * 63)
    assert bool(machine.peek(0xC000)) == found
    if found:
        machine.run({machine.peek(0x0314) | machine.peek(0x0315) << 8}, 2 * 312 * 63)
        column = machine.cycles % (312 * 63) - at * 63
        assert 7 + 29 <= column <= 7 + 29 + 8


def test_raster_interrupts_come_once_a_frame_and_wait_for_their_acknowledgement(
    engine: str,
) -> None:
    machine = handlers(RASTER.format(line=200, control=0x1B) + FOREVER, engine)
    machine.run((), 10 * 312 * 63)
    assert machine.peek(0xC000) == 10
    waiting = started("sei\n" + RASTER.format(line=200, control=0x1B) + FOREVER, engine)
    waiting.run((), 3 * 312 * 63)
    assert waiting.peek(0xD019) == 0xF1


def test_the_current_line_written_for_comparison_is_reached() -> None:
    source = """
        sei
        lda #1
        sta $D019
wait:   lda $D012
        cmp #77
        bne wait
        sta $D012
        lda #$1B
        sta $D011
        lda $D019
        sta $C000
        rts
    """
    assert run(source).peek(0xC000) == 0x71


def test_bits_of_the_vic_that_do_not_exist_read_1() -> None:
    source = "lda #0\n ldx #$2E\nloop: sta $D000,x\n dex\n bpl loop\n rts"
    machine = run(source)
    found = {r: machine.peek(0xD000 + r) for r in (0x16, 0x18, 0x1A, 0x20, 0x2E, 0x2F, 0x3F)}
    assert found == {
        0x16: 0xC0,
        0x18: 1,
        0x1A: 0xF0,
        0x20: 0xF0,
        0x2E: 0xF0,
        0x2F: 0xFF,
        0x3F: 0xFF,
    }
    assert machine.peek(0xD060) == machine.peek(0xD020)


# ------------------------------------------------------------- keyboard, joysticks, SID


READ_MATRIX = """
        sei
        ldx #7
        lda #$7F
loop:   sta $DC00
        pha
        lda $DC01
        sta $C000,x
        pla
        sec
        ror
        dex
        bpl loop
        rts
"""


@every_case("key", KEYS)
def test_a_key_is_at_its_place_of_the_matrix(key: str) -> None:
    machine = C64(prg(READ_MATRIX), engine="plain")
    machine.press(key)
    machine.start()
    to_the_end(machine)
    column, row = KEYS[key]
    expected = [0xFF] * 8
    expected[column] = 0xFF & ~(1 << row)
    assert [machine.peek(0xC000 + i) for i in range(8)] == expected


def test_places_of_the_matrix() -> None:
    """The Programmer's Reference Guide's table."""
    known = {
        "stop": (7, 7),
        "space": (7, 4),
        "return": (0, 1),
        "a": (1, 2),
        "delete": (0, 0),
        "left-shift": (1, 7),
    }
    assert {key: KEYS[key] for key in known} == known
    assert len(set(KEYS.values())) == 64


def test_joysticks_pull_pins_of_both_ports_down() -> None:
    machine = C64(prg("rts"), engine="plain")
    for button, bit in (("up", 1), ("down", 2), ("left", 4), ("right", 8), ("fire", 16)):
        machine.press(button)
        assert machine.peek(0xDC00) == 0x7F & ~bit
        machine.press(button, player=1)
        assert machine.peek(0xDC01) == 0xFF & ~bit
        machine.release(button)
        machine.release(button, player=1)
        assert (machine.peek(0xDC00), machine.peek(0xDC01)) == (0x7F, 0xFF)


def test_the_sid_keeps_what_is_written_and_does_not_say_it() -> None:
    machine = run("lda #$0F\n sta $D418\n sta $D43F\n lda #3\n sta $D420\n rts")
    assert machine.sid[0x18] == 0x0F
    assert machine.sid[0] == 3
    assert [machine.peek(0xD400 + r) for r in (0, 0x18, 0x19, 0x1A, 0x1C)] == [0, 0, 0xFF, 0xFF, 0]


def test_the_third_oscillator_makes_noise_that_depends_on_the_cycle() -> None:
    source = "ldx #0\nloop: lda $D41B\n sta $C000,x\n inx\n bne loop\n rts"
    machines = [run(source), run(source)]
    noise = [bytes(m.peek(0xC000 + i) for i in range(256)) for m in machines]
    assert noise[0] == noise[1]
    assert len(set(noise[0])) > 100


def test_the_expansion_port_is_empty() -> None:
    machine = run("lda #1\n sta $DE00\n lda $DF00\n sta $C000\n rts")
    assert machine.peek(0xC000) == 0xFF
    assert ORIGIN < 0xDE00
