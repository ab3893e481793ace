"""How fast an engine is: a small program without end, run for a while."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from romproof.engine.engines import make_engine
from romproof.engine.protocol import Engine

START = 0x0200
_DATA = 0x1000

_MOS6502 = bytes.fromhex(
    "a2 00"  # 0200 start:  ldx #0
    "bd 00 10"  # 0202 next:   lda $1000,x
    "7d 00 11"  # 0205         adc $1100,x
    "9d 00 12"  # 0208         sta $1200,x
    "20 14 02"  # 020b         jsr turn
    "e8"  # 020e         inx
    "d0 f1"  # 020f         bne next
    "4c 00 02"  # 0211         jmp start
    "0a"  # 0214 turn:   asl a
    "26 10"  # 0215         rol $10
    "90 02"  # 0217         bcc done
    "49 1d"  # 0219         eor #$1d
    "60"  # 021b done:   rts
)
_SM83 = bytes.fromhex(
    "21 00 10"  # 0200 start:  ld hl, $1000
    "2a"  # 0203 next:   ld a, [hl+]
    "88"  # 0204         adc a, b
    "ea 00 12"  # 0205         ld [$1200], a
    "cd 10 02"  # 0208         call turn
    "0d"  # 020b         dec c
    "20 f5"  # 020c         jr nz, next
    "18 f0"  # 020e         jr start
    "cb 27"  # 0210 turn:   sla a
    "cb 12"  # 0212         rl d
    "d0"  # 0214         ret nc
    "ee 1d"  # 0215         xor a, $1d
    "c9"  # 0217         ret
)

PROGRAMS: Mapping[str, bytes] = MappingProxyType(
    {
        **dict.fromkeys(("mos6502", "perfect6502", "ricoh2a03"), _MOS6502),
        **dict.fromkeys(("synertek65c02", "rockwell65c02", "wdc65c02"), _MOS6502),
        "sm83": _SM83,
    }
)
"""For each CPU, the code at START: loads, stores, arithmetic, calls and branches."""

_FIRST_CYCLES = 100_000
_GROWTH = 4


@dataclass(frozen=True, slots=True)
class Speed:
    """Emulated cycles (SM83: M-cycles) and instructions in one second of our time."""

    cycles: float
    instructions: float


def prepare_engine(name: str, cpu: str) -> Engine:
    """An engine with the program of ``cpu`` and some data for it. Raises as make_engine does."""
    engine = make_engine(name, cpu)
    program = PROGRAMS[cpu]
    engine.memory[START : START + len(program)] = program
    engine.memory[_DATA : _DATA + 0x200] = bytes(73 * i & 0xFF for i in range(0x200))
    engine.registers.pc = START
    return engine


def measure_speed(name: str, cpu: str, seconds: float = 0.3) -> Speed:
    """How fast the engine ``name`` runs the program of ``cpu``; takes about 1.5 * ``seconds``,
    and before that as long as the engine needs to get going.

    Raises what make_engine raises.
    """
    engine = prepare_engine(name, cpu)
    engine.run((), _FIRST_CYCLES)  # what is compiled at first use is not counted
    cycles = _FIRST_CYCLES
    while True:
        before = (engine.cycles, engine.instructions)
        begin = time.perf_counter()
        engine.run((), cycles)
        taken = time.perf_counter() - begin
        if taken >= seconds:
            break
        cycles *= _GROWTH
    return Speed((engine.cycles - before[0]) / taken, (engine.instructions - before[1]) / taken)
