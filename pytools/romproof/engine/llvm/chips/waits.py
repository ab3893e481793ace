"""What is done behind a read of a device that stays as it is for a while."""

from __future__ import annotations

from typing import Any

from romproof.engine.llvm.chips.expressions import ExpressionEmitter
from romproof.engine.llvm.chips.values import KnownValue, Method, number
from romproof.engine.llvm.frame import I8, I64
from romproof.engine.space import AddressSpace

GOES_ROUND = 3
"""Translated code says by a table in which loop a read is, as it need not be looked for there:
cycles and instructions of an iteration, the bits that are looked at, and from here on for each
byte that may be read whether the loop goes round then."""
_BITS, _SHORT = 32, 1 << 16
_PARTS = (0, *((1 << _BITS) // length + 1 for length in range(1, 32)))
"""By the cycles of an iteration: 2^_BITS divided by them, a little more. Its product with fewer
cycles than _SHORT is a quotient in its high bits, as length * _SHORT < 2^_BITS."""


def pass_over(
    code: ExpressionEmitter,
    space: AddressSpace,
    loops: tuple[Any, int],
    chip: Any,
    given: Any,
    value: Any,
    pure: bool,
) -> Any:
    """Pass over the iterations of a loop that waits for another value, as long as nothing can
    come between: they take the same time. See waiting.py. Gives what the last read brings.

    What an instruction reads that is in no such loop is noted, until the device says that it
    may change: others ask again and again, too, with something to do in between.
    """
    b, frame = code.builder, code.frame
    _, address, cycle, dummy = given
    wide = b.zext(address, I64)
    last, now = code.variable("waited for"), code.variable("waited until")
    b.store(value, last)
    b.store(cycle, now)
    may = b.icmp_unsigned("!=", frame.load("may_wait"), I8(0))
    test, loop, after = (b.append_basic_block(n) for n in ("waits", "wait", "waited"))
    b.cbranch(b.and_(may, b.icmp_unsigned("==", dummy, I8(0))), test, after)
    b.position_at_end(test)
    find, early = loops
    length, instructions, mask = _loop(code, space, find, wide, b.load(last))
    noted = b.append_basic_block("noted") if pure else after
    b.cbranch(b.icmp_signed(">", length, I64(0)), loop, noted)
    method = Method(chip, type(chip).steady_until)
    if pure:
        b.position_at_end(noted)
        steady = number(b, code.call(method, [wide, b.load(last), b.load(now), I64(0xFF)]))
        for field, noticed in (
            ("known_until", steady),
            ("known_address", address),
            ("known_pc", frame.load("current_pc")),
            ("known_value", b.trunc(b.load(last), I8)),
        ):
            frame.store(field, noticed)
        b.branch(after)
    b.position_at_end(loop)
    quiet, limit = frame.load("quiet_until"), frame.load("limit")
    end = b.sub(b.select(b.icmp_signed("<", quiet, limit), quiet, limit), I64(early))
    steady = number(b, code.call(method, [wide, b.load(last), b.load(now), mask]))
    if pure:  # the first read that may bring something else, if nothing can come before it
        until = b.select(b.icmp_signed("<", steady, end), steady, end)
        left = b.sub(b.sub(until, I64(1)), b.load(now))
        count = b.add(_divide(code, left, length), I64(1))
        fits = b.icmp_signed("<=", b.add(b.load(now), b.mul(count, length)), end)
        count = b.select(fits, count, b.sub(count, I64(1)))
    else:  # what the device does then is left to an access of its own
        until = b.sub(steady, I64(early))
        until = b.select(b.icmp_signed("<", until, end), until, end)
        count = b.sdiv(b.sub(until, b.load(now)), length)
    again = b.append_basic_block("again")
    b.cbranch(b.icmp_signed(">", count, I64(0)), again, after)
    b.position_at_end(again)
    taken, passed = b.mul(count, length), b.mul(count, instructions)
    frame.store("stolen", b.add(frame.load("stolen"), taken))
    frame.store("passed_over", b.add(frame.load("passed_over"), passed))
    b.store(b.add(b.load(now), taken), now)
    read = Method(chip, type(chip).read)
    b.store(number(b, code.call(read, [wide, b.load(now)])), last)
    b.branch(test if pure else after)
    b.position_at_end(after)
    return b.load(last)


def _divide(code: ExpressionEmitter, left: Any, length: Any) -> Any:
    """How many iterations fit. A division takes longer than all else here: most are products."""
    b = code.builder
    count = code.variable("iterations")
    small = b.icmp_unsigned("<", left, I64(_SHORT))
    small = b.and_(small, b.icmp_unsigned("<", length, I64(len(_PARTS))))
    with b.if_else(small, likely=True) as (then, otherwise):
        with then:
            part = b.load(b.gep(code.functions.table(_PARTS), [I64(0), length]))
            b.store(b.lshr(b.mul(left, part), I64(_BITS)), count)
        with otherwise:
            b.store(b.sdiv(left, length), count)
    return b.load(count)


def _loop(
    code: ExpressionEmitter, space: AddressSpace, find: Any, address: Any, value: Any
) -> tuple[Any, Any, Any]:
    """Cycles, instructions and mask of the loop that goes round; see waiting.py."""
    b, frame = code.builder, code.frame
    places = [code.variable(name) for name in ("loop cycles", "loop instructions", "loop mask")]
    table = frame.load("loop")
    search, given, found = (b.append_basic_block(n) for n in ("search", "given", "found"))
    b.cbranch(b.icmp_unsigned("==", table, I64(0)), search, given)
    b.position_at_end(search)
    here = b.zext(frame.load("current_pc"), I64)
    for place, known in zip(
        places, code.call(KnownValue(find), [KnownValue(space), here, address, value]), strict=True
    ):
        b.store(known, place)
    b.branch(found)
    b.position_at_end(given)
    cells = b.inttoptr(table, I8.as_pointer())
    goes = b.load(b.gep(cells, [b.add(value, I64(GOES_ROUND))]))
    for number_of, place in enumerate(places):
        there = b.zext(b.load(b.gep(cells, [I64(number_of)])), I64)
        if not number_of:
            there = b.mul(there, b.zext(goes, I64))
        b.store(there, place)
    b.branch(found)
    b.position_at_end(found)
    cycles, instructions, mask = (b.load(place) for place in places)
    return cycles, instructions, mask
