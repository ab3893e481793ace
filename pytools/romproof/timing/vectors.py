"""Which code each interrupt of a CPU enters, as the vectors of a program say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from romproof.isa.abi import Abi
from romproof.isa.flow import Flow
from romproof.isa.sm83 import HANDLERS
from romproof.machine.memory import MemoryMap
from romproof.program.image import Image
from romproof.timing.following import At

SM83_INTERRUPTS = ("VBlank", "STAT", "timer", "serial", "joypad")
"""The SM83's interrupts, in the order of their bits in IE (Pan Docs, "Interrupt Sources")."""
NMI, RESET, IRQ = 0xFFFA, 0xFFFC, 0xFFFE
"""Where the 6502 has the addresses of its handlers and of the first instruction."""


@dataclass(frozen=True, slots=True)
class Interrupt:
    """An interrupt of a CPU.

    It comes only while the masking flag (the 6502's I, the SM83's IME) allows it, if it
    ``is_maskable``, and only if ``enable_bit`` of the SM83's IE is 1 (None: there is no such bit).
    """

    name: str
    is_maskable: bool = True
    enable_bit: int | None = None


def vectors_of(image: Image, memory: MemoryMap, abi: Abi, at: At) -> Mapping[Interrupt, int]:
    """Where each interrupt leads to: jumps that a vector consists of are followed. Nothing is known
    of the 6502 where its vectors can be written."""
    if abi.interrupt_vector is None:
        if not image.files:
            return {}
        return {
            Interrupt(name, enable_bit=bit): follow_jumps(address, at)
            for bit, (name, address) in enumerate(zip(SM83_INTERRUPTS, HANDLERS, strict=True))
        }
    if not memory.protected[NMI]:
        return {}
    return {
        Interrupt("NMI", is_maskable=False): word_at(memory.initial, NMI),
        Interrupt("IRQ"): word_at(memory.initial, IRQ),
    }


def word_at(data: bytes, address: int) -> int:
    """The address that stands at an address, its low byte first."""
    return data[address] | data[address + 1] << 8


def follow_jumps(address: int, at: At) -> int:
    """Where a vector's code leads that is nothing but a jump, maybe behind a ``nop``."""
    place = address
    for _ in range(3):
        instruction = at(place)
        if instruction is None:
            return address
        if instruction.opcode.flow is Flow.JUMP and not instruction.opcode.conditional:
            return address if instruction.target is None else instruction.target
        if instruction.opcode.mnemonic != "nop":
            return address
        place += 1
    return address
