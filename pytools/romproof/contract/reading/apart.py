"""Where the blocks behind pointers may lie: what their contract requires without saying it.

A block that is changed lies apart from all else that the contract names: from memory that it
lists, from other blocks, from code and read-only data. One that is only read may share bytes with
what is only read as well. No block lies on ports or on the stack that is in use: the return
address, what ``stack:`` says below it, and ROOM bytes more. None goes beyond $FFFF. A block of no
bytes lies apart from everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from weakref import WeakKeyDictionary

from romproof.contract.names.limits import constant, limits
from romproof.contract.nouns.expr import (
    Binary,
    Comparison,
    Condition,
    Expression,
    Logic,
    Number,
    RegisterValue,
)
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.pointer import Pointer
from romproof.contract.nouns.ports import volatile_addresses
from romproof.isa.abi import Abi
from romproof.program.image import Image

ROOM = 32
"""Bytes of stack below what a contract says that are taken to be in use, too."""
SIZE = 0x10000

_known: WeakKeyDictionary[Image, tuple[range, ...]] = WeakKeyDictionary()


def separations(contract: Contract, abi: Abi, image: Image) -> Iterator[Condition]:
    """What a contract requires of the places of its blocks."""
    seen: list[Pointer] = []
    for pointer in contract.pointers:
        yield from _of_one(pointer, contract, abi, image)
        for other in seen:
            if pointer.is_written or other.is_written:
                here = (
                    Binary("+", other.base, other.count),
                    Binary("+", pointer.base, pointer.count),
                )
                apart = _either(
                    Comparison("<=", here[1], other.base), Comparison("<=", here[0], pointer.base)
                )
                apart = _unless_empty(pointer, _unless_empty(other, apart))
                yield _condition(pointer, f"apart from {other.name}", apart)
        seen.append(pointer)


def _of_one(pointer: Pointer, contract: Contract, abi: Abi, image: Image) -> Iterator[Condition]:
    end = Binary("+", pointer.base, pointer.count)
    yield _condition(pointer, "within 64 KiB", Comparison("<=", end, Number(SIZE)))
    listed = (*contract.written(), *(contract.inputs if pointer.is_written else ()))
    named = {m.address: m for m in listed if isinstance(m, MemoryRange)}
    cells = {a for m in listed if isinstance(m, MemoryRange) for a in m.addresses()}
    ports = volatile_addresses(contract, abi)
    for places in ranges_of(cells - ports):
        name = named[places.start].name if places.start in named else f"${places.start:04X}"
        names = [m.name for m in named.values() if m.address in places] or [name]
        yield _condition(pointer, f"apart from {', '.join(names)}", _separate(pointer, [places]))
    if ports:
        yield off_ports(pointer, ranges_of(ports))
    constants = constants_of(image) if pointer.is_written else ()
    if constants:
        wide = _without_gaps(constants, limits(pointer.count)[0])
        yield _condition(pointer, "apart from code and read-only data", _separate(pointer, wide))
    yield _condition(pointer, "apart from the stack", _off_stack(pointer, contract, abi))


def off_ports(pointer: Pointer, ports: Iterable[range]) -> Condition:
    """That no byte of a block is a port."""
    return _condition(pointer, "apart from ports", _separate(pointer, ports))


def _off_stack(pointer: Pointer, contract: Contract, abi: Abi) -> Expression:
    below, above = stack_in_use(contract, abi)
    stack = RegisterValue(abi.stack_pointer)
    low = Binary("-", Binary("+", stack, Number(abi.stack_base)), Number(below))
    high = Binary("+", stack, Number(abi.stack_base + above))
    end = Binary("+", pointer.base, pointer.count)
    apart = _either(Comparison("<=", end, low), Comparison(">=", pointer.base, high))
    return _unless_empty(pointer, apart)


def stack_in_use(contract: Contract, abi: Abi) -> tuple[int, int]:
    """How many bytes below and above the address of the pushed return address are in use."""
    return (contract.stack or 0) + ROOM, contract.entry(abi).return_size


def constants_of(image: Image) -> tuple[range, ...]:
    """Where a program has code and data that stay as they are, in order."""
    known = _known.get(image)
    if known is None:
        known = _known[image] = tuple(ranges_of(set[int]().union(*_constants(image))))
    return known


def _constants(image: Image) -> Iterator[range]:
    yield from (range(a.start, a.start + a.size) for a in image.areas if not a.writable)
    for block in image.blocks:
        if not block.writable or not image.segments:
            yield range(block.address, block.address + len(block.data))
    for segment in image.segments:
        if segment.kind == "ro" or segment.name == "RODATA":
            yield range(segment.run, segment.run + segment.size)
    yield from (
        range(line.address, line.address + line.size) for line in image.lines if line.is_code
    )


def ranges_of(addresses: Iterable[int]) -> list[range]:
    """Addresses without gaps, in order."""
    runs: list[range] = []
    for address in sorted(a for a in addresses if a < SIZE):
        if runs and runs[-1].stop == address:
            runs[-1] = range(runs[-1].start, address + 1)
        else:
            runs.append(range(address, address + 1))
    return runs


def _without_gaps(runs: Iterable[range], least: int) -> list[range]:
    """The same for a block of at least so many bytes: it does not fit into small gaps."""
    joined: list[range] = []
    for run in runs:
        if joined and run.start - joined[-1].stop < least:
            joined[-1] = range(joined[-1].start, run.stop)
        else:
            joined.append(run)
    return joined


def _separate(pointer: Pointer, runs: Iterable[range]) -> Expression:
    end = Binary("+", pointer.base, pointer.count)
    each = [
        _either(
            Comparison("<=", end, Number(run.start)),
            Comparison(">=", pointer.base, Number(run.stop)),
        )
        for run in runs
    ]
    return _unless_empty(pointer, reduce(lambda one, other: Logic("and", one, other), each))


def _either(one: Expression, other: Expression) -> Expression:
    return Logic("or", one, other)


def _unless_empty(pointer: Pointer, apart: Expression) -> Expression:
    if limits(pointer.count)[0] > 0:
        return apart
    return _either(Comparison("==", pointer.count, Number(0)), apart)


def _condition(pointer: Pointer, where: str, expression: Expression) -> Condition:
    size = constant(pointer.count)
    text = f"{pointer.name}{'' if size is None else f'[{size}]'} lies {where}"
    return Condition(expression, text, pointer.span)
