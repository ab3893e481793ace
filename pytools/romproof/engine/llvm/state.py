"""What compiled code and Python share: one structure in memory, the same for all variants."""

from __future__ import annotations

import ctypes
from enum import IntEnum
from functools import cache

from romproof.isa.cpus import cpu_named

ReadCall = ctypes.CFUNCTYPE(ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint64, ctypes.c_uint8)
"""address, cycle, dummy (0 or 1) -> byte"""
WriteCall = ctypes.CFUNCTYPE(
    ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint8, ctypes.c_uint64, ctypes.c_uint8
)
"""address, value, cycle, dummy (0 or 1) -> 0 when the write is a fault"""
SignalCall = ctypes.CFUNCTYPE(None, ctypes.c_uint64)
"""cycle; brings the lines up to date"""
AcknowledgeCall = ctypes.CFUNCTYPE(None, ctypes.c_uint8)
"""the value of the ACKNOWLEDGE step"""
StealCall = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint8)
"""cycle, cycles taken, the number of what takes them; see ``AddressSpace.on_steal``"""
HookCall = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 5)
"""number of a hook of chips, its arguments"""


class ExitCode(IntEnum):
    """Why compiled code came back."""

    FETCH = 0
    LIMIT = 1
    STOPPED = 2
    JAM = 3
    BRK = 4
    ROM_WRITE = 5
    STACK = 6
    RECORDS = 7
    MISSES = 8
    MODIFIED = 9
    BROKEN = 10
    """What was called in Python has failed."""


CODES = tuple(ExitCode)
"""By their numbers, which begin at 0: an enumeration takes longer to look one up."""


class TraceRecord(ctypes.Structure):
    """One executed instruction. ``cycle`` is the number of cycles that passed before it."""

    _fields_ = (
        ("cycle", ctypes.c_uint64),
        ("pc", ctypes.c_uint16),
        ("next_pc", ctypes.c_uint16),
        ("stack", ctypes.c_uint16),
        ("number", ctypes.c_uint16),
    )


_COUNTERS = (
    "cycles",
    "instructions",
    "limit",
    "horizon",
    "quiet_until",
    "irq_from",
    "nmi_at",
    "late_until",
    "misses",
    "most_misses",
    "bound",
    "translated",
    "stolen",
    "python_due",
    "passed_over",
    "read_first",
    "set_registers",
    "early",
    "known_until",
    "open_until",
    "loop",
)
_WORDS = (
    "last_pc",
    "stack_top",
    "lowest_stack",
    "fault_address",
    "fault_number",
    "fault_stack",
    "current_pc",
    "known_pc",
    "known_address",
    "open_first",
    "open_size",
)
_BYTES = (
    "enabled",
    "requested",
    "late",
    "no_brk",
    "fault_value",
    "fetch_mask",
    "modified",
    "broken",
    "alone",
    "tells_steals",
    "read_marked",
    "may_wait",
    "known_value",
)
_POINTERS = (
    "store", "actions", "read_pages", "write_pages",
    "read_call", "write_call", "signal_call", "acknowledge_call", "steal_call", "hook_call",
    "chip_read", "chip_write", "chip_signal", "chip_acknowledge", "parts",
    "counts", "spent", "access", "records", "records_end", "calls", "calls_end",
    "dirty", "explored", "interpreter", "marked",
    "entries", "functions", "where",
)  # fmt: skip


@cache
def state_type(cpu: str) -> type[ctypes.Structure]:
    """The structure for a CPU: its registers by name, and what every engine needs."""
    registers = cpu_named(cpu).registers
    fields: list[tuple[str, type]] = [(name, ctypes.c_uint64) for name in _COUNTERS]
    fields += [(name, ctypes.c_size_t) for name in _POINTERS]
    fields += [
        (f"r_{name}", ctypes.c_uint16 if bits > 8 else ctypes.c_uint8)
        for name, bits in registers.items()
    ]
    fields += [(name, ctypes.c_uint16) for name in _WORDS]
    fields += [(name, ctypes.c_uint8) for name in _BYTES]
    return type("State", (ctypes.Structure,), {"_fields_": fields})
