"""What the caller of a batch gives, checked and brought into the form the compiled loop reads."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from romproof.engine.inputs import BadEngineInput
from romproof.engine.registers import FLAG_BYTES
from romproof.engine.registers import registers_of as new_registers
from romproof.engine.space import READ_CALL, SIZE, UNINITIALISED, WRITE_CALL, AddressSpace
from romproof.isa.cpu import Cpu
from romproof.text.diagnostic import suggest

Array = npt.NDArray[Any]
ByteRange = tuple[int, int]
"""Address and size in bytes."""
MAX_CYCLES = (1 << 63) - 1


class BadBatch(BadEngineInput):
    """What was given for many runs does not fit together."""


@dataclass(slots=True)
class RunCount:
    """How many runs there are: what the first array says, and all others must."""

    runs: int | None = None
    said_by: str = ""

    def check(self, what: str, runs: int) -> None:
        """Raises BadBatch when ``runs`` is not the number known so far."""
        if self.runs is None:
            self.runs, self.said_by = runs, what
        elif self.runs != runs:
            raise BadBatch(
                f"{what} has rows for {runs} runs, {self.said_by} for {self.runs}: all arrays "
                f"need one row per run"
            )


def memory_of(memory: Any, count: RunCount) -> Array:
    """(runs, 65536) uint8, the caller's own array; or (65536,), a copy, for all runs."""
    if isinstance(memory, AddressSpace):
        memory = _plain_memory(memory)
    if isinstance(memory, (bytes, bytearray, memoryview)):
        memory = np.frombuffer(memory, np.uint8)
    if not isinstance(memory, np.ndarray) or memory.dtype != np.uint8:
        raise BadBatch(f"memory must be bytes or an array of uint8, not {_kind(memory)}")
    if memory.shape == (SIZE,):
        return memory.copy()
    if memory.ndim != 2 or memory.shape[1] != SIZE:
        raise BadBatch(
            f"memory has the shape {memory.shape}; it must be ({SIZE},), the same for all runs, "
            f"or (runs, {SIZE})"
        )
    if not (memory.flags.c_contiguous and memory.flags.writeable):
        raise BadBatch(
            "memory of all runs is changed in place: the array must be contiguous and writeable"
        )
    count.check("memory", len(memory))
    return memory


def _plain_memory(space: AddressSpace) -> bytearray:
    if not space.flat:
        raise BadBatch("many runs at once need flat memory; this address space has banks")
    asked = READ_CALL | WRITE_CALL | UNINITIALISED
    if space.interrupts or any(action & asked for action in set(space.actions)):
        raise BadBatch(
            "many runs at once do not support devices, interrupts or instruments, and this "
            "address space has some; use one engine per state instead"
        )
    return space.store


def registers_of(given: Any, cpu: Cpu, count: RunCount) -> dict[str, Any]:
    """For every register and flag of the microcode, what the runs begin with.

    ``given`` is a mapping by name or a structured array; what is not given is as in a new
    engine. The values are ints, or arrays (runs,) or () of uint16.
    """
    if isinstance(given, np.ndarray):
        if given.dtype.names is None or given.ndim != 1:
            raise BadBatch(
                "registers must be a mapping from names to arrays, or a structured array with "
                "one element for each run"
            )
        given = {name: given[name] for name in given.dtype.names}
    empty = new_registers(cpu)
    values = {f.name: getattr(empty, f.name) for f in fields(empty)}
    if "pc" not in given:
        raise BadBatch("registers: 'pc' is missing: give the address at which the runs begin")
    for name, value in given.items():
        if name not in values:
            hint = suggest(name, values) or f"{cpu.name} has {', '.join(values)}"
            raise BadBatch(f"registers: no register '{name}'; {hint}")
        bits = cpu.registers.get(name, 8)
        what = f"registers['{name}']"
        values[name] = _numbers(value, what, 0, (1 << bits) - 1, np.uint16, count)
    for name, (flags, _) in FLAG_BYTES.items():
        if name in values and name not in cpu.registers:
            byte = values.pop(name)
            values |= {flag: byte >> bit & 1 for flag, bit in flags}
    return values


def limits_of(limit: Any, count: RunCount) -> Array:
    """The cycle budgets: (runs,) or (), uint64."""
    return _numbers(limit, "limit", 1, MAX_CYCLES, np.uint64, count)


def patches_of(patches: Mapping[int | ByteRange, Any], count: RunCount) -> dict[ByteRange, Array]:
    """The bytes each run begins with at some places, (runs, size) uint8 each."""
    rows: dict[ByteRange, Array] = {}
    for key, value in patches.items():
        address, size = key if isinstance(key, tuple) else (key, None)
        what = f"patches[{_name(address)}]"
        if isinstance(value, np.ndarray) and value.ndim == 1 and size in (None, 1):
            value = value.reshape(-1, 1)
        if not isinstance(value, np.ndarray) or value.dtype != np.uint8 or value.ndim != 2:
            raise BadBatch(f"{what} must be an array (runs, size) of uint8, not {_kind(value)}")
        if size is not None and value.shape[1] != size:
            raise BadBatch(f"{what} has rows of {value.shape[1]} bytes, its size is {size}")
        count.check(what, len(value))
        rows[_place(what, address, value.shape[1])] = np.ascontiguousarray(value)
    return rows


def outputs_of(outputs: Collection[ByteRange]) -> list[ByteRange]:
    """The wanted places, checked."""
    return [_place(f"outputs: {_name(address)}", address, size) for address, size in outputs]


def _place(what: str, address: int, size: int) -> ByteRange:
    if not (0 <= address < SIZE and 1 <= size <= SIZE - address):
        raise BadBatch(f"{what}: {size} bytes there are not all within $0000 to $FFFF")
    return address, size


def _numbers(value: Any, what: str, least: int, greatest: int, kind: Any, count: RunCount) -> Array:
    """The value as an array, (runs,) or (), its numbers within bounds."""
    array = np.asarray(value)
    if array.dtype.kind not in "iu":
        raise BadBatch(f"{what} must be an integer or an array of integers, not {_kind(value)}")
    if array.ndim > 1:
        raise BadBatch(f"{what} has the shape {array.shape}; it must have one number per run")
    if array.ndim == 1:
        count.check(what, len(array))
    wrong = (array < least) | (array > greatest)
    if wrong.any():
        where = int(np.argmax(wrong)) if array.ndim else None
        at = "" if where is None else f" in run {where}"
        raise BadBatch(f"{what} is {array.flat[where or 0]}{at}; it must be {least}..{greatest}")
    return array.astype(kind)


def _kind(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array {value.shape} of {value.dtype}"
    return type(value).__name__


def _name(address: Any) -> str:
    return f"${address:04X}" if isinstance(address, int) else repr(address)
