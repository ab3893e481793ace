"""Calls and runs on a whole NES: contracts, order of accesses, the handler, a frame, buttons."""

from __future__ import annotations

import pytest

import romproof
from romproof.harness.errors import ContractViolation
from romproof.harness.listeners.profiling import places_on
from romproof.harness.measured import measure_frames
from romproof.harness.rom import Rom
from romproof.measure.profile import Profiler

ENGINES = ["plain", "llvm", "recompiled"]
SOURCE = """
PPUCTRL = $2000
PPUADDR = $2006
PPUDATA = $2007
JOY1    = $4016
.segment "HEADER"
  .byte "NES", $1A, 2, 1, 0, 0
.segment "ZEROPAGE"
frames:  .res 1
keys:    .res 1
.segment "BSS"
buffer:  .res 16
.segment "CODE"
.export count, fill, spoils
;; count – the bits that are set in A
; in:       A
; out:      X keys
; ensures:  X <= 8, keys == X
; clobbers: A N V Z C
; stack:    0
; cycles:   1..
.proc count
  ldx #0
@next:
  cmp #0
  beq @done
  asl a
  bcc @next
  inx
  jmp @next
@done:
  stx keys
  rts
.endproc
;; fill – zeros in the buffer
; in:       none
; out:      buffer[16]
; ensures:  all i in 0..15: buffer[i] == 0
; clobbers: A X N Z
; stack:    0
; cycles:   1..
.proc fill
  lda #0
  ldx #15
@next:
  sta buffer,x
  dex
  bpl @next
  rts
.endproc
;; spoils – says that it writes nothing
; in:       none
; out:      none
; clobbers: none
.proc spoils
  inc $0810 + (frames - $10)    ; where RAM is seen again
  rts
.endproc
.proc read_pad
  lda #1
  sta JOY1
  lsr a
  sta JOY1
  ldx #8
@bit:
  lda JOY1
  lsr a
  rol keys
  dex
  bne @bit
  rts
.endproc
PPUSTATUS = $2002
.proc wait_ready
  bit PPUSTATUS
  bpl wait_ready
  rts
.endproc
.proc colour
  lda #$3F
  sta PPUADDR
  lda #$00
  sta PPUADDR
  lda #$21
  sta PPUDATA
  rts
.endproc
nmi:
  inc frames
irq:
  rti
reset:
  ldx #$FF
  txs
  inx
  stx frames
@w1:
  bit $2002
  bpl @w1
@w2:
  bit $2002
  bpl @w2
  lda #$80
  sta PPUCTRL
main_loop:
  jmp main_loop
.segment "VECTORS"
  .word nmi, reset, irq
.segment "CHARS"
  .res 8192
"""
LAYOUT = """
MEMORY {
  HEADER: start = 0, size = 16, fill = yes, file = %O;
  ZP:  start = $10,   size = $80,   type = rw;
  RAM: start = $300,  size = $400,  type = rw;
  ROM: start = $8000, size = $8000, type = ro, fill = yes, file = %O;
  CHR: start = 0, size = $2000, type = ro, file = %O;
}
SEGMENTS {
  HEADER:   load = HEADER, type = ro;
  ZEROPAGE: load = ZP,  type = zp;
  BSS:      load = RAM, type = bss;
  CODE:     load = ROM, type = ro;
  VECTORS:  load = ROM, type = ro, start = $FFFA;
  CHARS:    load = CHR, type = ro;
}
"""
TABLE = """
[tool.romproof]
sources = ["game.s"]
config = "game.cfg"
output = "game.nes"
machine = "nes"
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> romproof.Image:
    folder = tmp_path_factory.mktemp("game")
    (folder / "game.s").write_text(SOURCE)
    (folder / "game.cfg").write_text(LAYOUT)
    (folder / "pyproject.toml").write_text(TABLE)
    return romproof.build(folder).image


@pytest.fixture(params=ENGINES)
def rom(request: pytest.FixtureRequest, image: romproof.Image) -> Rom:
    return Rom(image, request.param, machine="nes")


@pytest.mark.slow_cases("recompiled")
def test_contracts_are_about_ram_and_not_about_where_it_is_seen_again(rom: Rom) -> None:
    result = rom.call("count", a=0b1011, check="deep")
    assert (result.x, result.mem["keys"]) == (3, b"\3")
    assert list(result.changed) == [result.image.address("keys")]
    assert rom.call("fill").mem["buffer"] == bytes(16)
    with pytest.raises(ContractViolation, match=r"memory \$0010 \(frames\) must stay"):
        rom.call("spoils")


@pytest.mark.slow_cases("recompiled")
def test_registers_of_the_ppu_are_written_in_order(rom: Rom) -> None:
    machine = rom.machine()
    log = machine.watch("PPUADDR", "PPUDATA")
    machine.call("colour")
    assert log.writes == [("PPUADDR", 0x3F), ("PPUADDR", 0), ("PPUDATA", 0x21)]
    assert {access.routine for access in log} == {"colour"}


@pytest.mark.slow_cases("recompiled")
def test_the_handler_is_called_in_each_frame(rom: Rom) -> None:
    machine = rom.machine()
    machine.run_until("main_loop", limit=200_000)
    before = machine.read("frames")[0]
    machine.run_frames(3)
    assert machine.read("frames")[0] == before + 3
    assert rom.call("nmi", interrupt=True, mem={"frames": 6}).mem["frames"] == b"\7"


def test_a_controller_is_read(rom: Rom) -> None:
    machine = rom.machine()
    with machine.buttons.hold("a", "right"):
        assert machine.call("read_pad").mem["keys"] == b"\x81"
    assert machine.call("read_pad").mem["keys"] == b"\0"


@pytest.mark.slow_cases("recompiled")
def test_a_device_in_place_of_one_that_loops_wait_for(rom: Rom) -> None:
    """Engines pass over turns of such loops, for devices of which they know when they change."""

    class Ready:
        reads = 0

        def read(self, address: int, cycle: int) -> int:
            self.reads += 1
            return 0x80 if self.reads > 3 else 0

        def write(self, address: int, value: int, cycle: int) -> None:
            raise AssertionError("nothing writes to it")

    machine, device = rom.machine(), Ready()
    machine.attach("PPUSTATUS", device)
    result = machine.call("wait_ready")
    assert (device.reads, result.cycles) == (4, 3 * 7 + 4 + 2 + 6)


@pytest.mark.slow
def test_a_profile_of_frames(rom: Rom) -> None:
    """A frame has 29,780.5 cycles; the handler: sequence 7, inc zp 5, rti 6."""
    measured = measure_frames(rom, 4, skip=2, mem={}, tick=lambda: None)
    profile = measured.profile
    assert abs(profile.cycles - 4 * 29_780.5) < 10
    assert sum(r.exclusive for r in profile.routines) == profile.cycles
    nmi = profile.routine("nmi")
    assert (nmi.kind, nmi.calls, nmi.minimum, nmi.maximum) == ("interrupt", 4, 18, 18)
    assert not profile.callers("nmi")
    # it is known who runs, though that was called before
    roots = [path for path in profile.paths if path.parent < 0]
    assert {profile.routines[path.routine].name for path in roots} == {"reset", "nmi"}
    assert profile.routine("reset").inclusive == profile.cycles - nmi.inclusive


def test_a_stub_costs_what_it_says(rom: Rom) -> None:
    machine = rom.machine()
    machine.stub("wait_ready", lambda stubbed: None, cycles=50)
    profiler = Profiler(places_on(machine.board, rom.image, rom.loaded))
    profiler.watch(machine.board)
    began = machine.cycles
    machine.call("wait_ready", observer=profiler)
    machine.call("fill", observer=profiler)
    profile = profiler.profile()
    assert machine.cycles - began == profile.cycles == 50 + profile.routine("fill").inclusive
    assert (profile.routine("wait_ready").calls, profile.routine("wait_ready").exclusive) == (1, 50)
    assert profile.edges == ()
