"""What is in sight of the ROMs: a filler, the jump table, and code that enters interrupts.

No ROM is part of romproof. At the documented addresses of calls stands a jump, through the vector
in RAM where the original has one; it leads to an address at which ``kernal.py`` acts and an
``rts`` returns. Everything else is the filler, an opcode that stops the CPU. Addresses: the
disassemblies of github.com/mist64/c64ref, which the Programmer's Reference Guide's jump table and
memory map agree with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

FILLER = 0x02
"""What reads give: an undocumented opcode that stops the processor, which all engines refuse."""
_START, _SIZE = 0xE000, 0x2000
RTS = 0x60
VECTORS = 0x0314


@dataclass(frozen=True, slots=True)
class Call:
    """An entry of the jump table. ``target`` is where the original's routine begins; ``vector``
    the address in RAM through which the jump goes, None when it goes there directly."""

    name: str
    entry: int
    target: int
    vector: int | None = None


CALLS = (
    Call("CINT", 0xFF81, 0xFF5B),
    Call("IOINIT", 0xFF84, 0xFDA3),
    Call("RAMTAS", 0xFF87, 0xFD50),
    Call("RESTOR", 0xFF8A, 0xFD15),
    Call("VECTOR", 0xFF8D, 0xFD1A),
    Call("SETMSG", 0xFF90, 0xFE18),
    Call("SECOND", 0xFF93, 0xEDB9),
    Call("TKSA", 0xFF96, 0xEDC7),
    Call("MEMTOP", 0xFF99, 0xFE25),
    Call("MEMBOT", 0xFF9C, 0xFE34),
    Call("SCNKEY", 0xFF9F, 0xEA87),
    Call("SETTMO", 0xFFA2, 0xFE21),
    Call("ACPTR", 0xFFA5, 0xEE13),
    Call("CIOUT", 0xFFA8, 0xEDDD),
    Call("UNTLK", 0xFFAB, 0xEDEF),
    Call("UNLSN", 0xFFAE, 0xEDFE),
    Call("LISTEN", 0xFFB1, 0xED0C),
    Call("TALK", 0xFFB4, 0xED09),
    Call("READST", 0xFFB7, 0xFE07),
    Call("SETLFS", 0xFFBA, 0xFE00),
    Call("SETNAM", 0xFFBD, 0xFDF9),
    Call("OPEN", 0xFFC0, 0xF34A, 0x031A),
    Call("CLOSE", 0xFFC3, 0xF291, 0x031C),
    Call("CHKIN", 0xFFC6, 0xF20E, 0x031E),
    Call("CHKOUT", 0xFFC9, 0xF250, 0x0320),
    Call("CLRCHN", 0xFFCC, 0xF333, 0x0322),
    Call("CHRIN", 0xFFCF, 0xF157, 0x0324),
    Call("CHROUT", 0xFFD2, 0xF1CA, 0x0326),
    Call("LOAD", 0xFFD5, 0xF4A5, 0x0330),
    Call("SAVE", 0xFFD8, 0xF5ED, 0x0332),
    Call("SETTIM", 0xFFDB, 0xF6E4),
    Call("RDTIM", 0xFFDE, 0xF6DD),
    Call("STOP", 0xFFE1, 0xF6ED, 0x0328),
    Call("GETIN", 0xFFE4, 0xF13E, 0x032A),
    Call("CLALL", 0xFFE7, 0xF32F, 0x032C),
    Call("UDTIM", 0xFFEA, 0xF69B),
    Call("SCREEN", 0xFFED, 0xE505),
    Call("PLOT", 0xFFF0, 0xE50A),
    Call("IOBASE", 0xFFF3, 0xE500),
)
IRQ_ENTRY, NMI_ENTRY, RESET_ENTRY = 0xFF48, 0xFE43, 0xFCE2
IRQ_HANDLER, IRQ_END, RETURN = 0xEA31, 0xEA7E, 0xEA81
NMI_HANDLER, NMI_RETURN = 0xFE47, 0xFEBC
WARM_START = 0xFE66
"""Where BRK leads, and the vector at $032E."""
LOAD_ENTRY, SAVE_ENTRY = 0xF49E, 0xF5DD
"""Where the jump table leads for these two; the vectors are followed from there."""

OTHER_VECTORS: Mapping[int, int] = MappingProxyType(
    {0x0314: IRQ_HANDLER, 0x0316: WARM_START, 0x0318: NMI_HANDLER, 0x032E: WARM_START}
)

_PULL_AND_RETURN = "68 A8 68 AA 68 40"
"""pla, tay, pla, tax, pla, rti"""
_CODE: Mapping[int, str] = MappingProxyType(
    {
        # pha, txa, pha, tya, pha; tsx; lda $0104,x; and #$10: was it brk?
        IRQ_ENTRY: "48 8A 48 98 48 BA BD 04 01 29 10 F0 03 6C 16 03 6C 14 03",
        # rts of the work at IRQ_HANDLER is a jump to IRQ_END: lda $DC0D acknowledges
        IRQ_HANDLER: "4C 7E EA",
        IRQ_END: f"AD 0D DC {_PULL_AND_RETURN}",
        # sei; jmp ($0318)
        NMI_ENTRY: "78 6C 18 03",
        # pha, txa, pha, tya, pha; ldy $DD0D acknowledges; jmp NMI_RETURN
        NMI_HANDLER: "48 8A 48 98 48 AC 0D DD 4C BC FE",
        NMI_RETURN: _PULL_AND_RETURN,
        # jmp ($0330) and jmp ($0332), when kernal.py has put the addresses into zero page
        LOAD_ENTRY: "6C 30 03",
        SAVE_ENTRY: "6C 32 03",
    }
)
"""Code that programs rely on: what is on the stack and in zero page when a vector is followed."""
_ENTRIES = {"LOAD": LOAD_ENTRY, "SAVE": SAVE_ENTRY}
SERIAL = frozenset({"SECOND", "TKSA", "ACPTR", "CIOUT", "UNTLK", "UNLSN", "LISTEN", "TALK"})
"""Calls that are refused: there is no serial bus."""
_JMP, _JMP_INDIRECT = 0x4C, 0x6C


@cache
def kernal() -> bytes:
    """What is in sight at $E000 to $FFFF."""
    rom = bytearray([FILLER]) * _SIZE

    def put(address: int, data: bytes) -> None:
        rom[address - _START : address - _START + len(data)] = data

    for call in CALLS:
        direct = call.vector is None or call.name in _ENTRIES
        opcode = _JMP if direct else _JMP_INDIRECT
        place = _ENTRIES.get(call.name, call.target if call.vector is None else call.vector)
        put(call.entry, bytes([opcode]) + place.to_bytes(2, "little"))
        if call.name not in SERIAL:
            put(call.target, bytes([RTS]))
    for address, code in _CODE.items():
        put(address, bytes.fromhex(code))
    for vector, entry in ((0xFFFA, NMI_ENTRY), (0xFFFC, RESET_ENTRY), (0xFFFE, IRQ_ENTRY)):
        put(vector, entry.to_bytes(2, "little"))
    return bytes(rom)


def vectors() -> bytes:
    """$0314 to $0333 as the KERNAL sets them; $0312 and $0313 are not among them."""
    targets = dict(OTHER_VECTORS)
    targets |= {call.vector: call.target for call in CALLS if call.vector is not None}
    return b"".join(targets[v].to_bytes(2, "little") for v in range(VECTORS, 0x0334, 2))


def name_of(address: int) -> str | None:
    """What the KERNAL calls a routine at an address, if it is one of the documented ones."""
    names = {call.target: call.name for call in CALLS} | {call.entry: call.name for call in CALLS}
    names |= {WARM_START: "BRK, which would return to BASIC", RESET_ENTRY: "RESET"}
    return names.get(address)
