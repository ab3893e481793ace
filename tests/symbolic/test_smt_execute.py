"""Whole programs as terms, held against ``plain``; and what symbolic execution does not take."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from random import Random

import pytest
from slow import slow_but
from smt_agreement import agree
from smt_machines import SOLVER, Executed, Known, Machine, begin, execute, inputs_for
from smt_programs import START
from smt_programs_6502 import Writer6502
from smt_programs_sm83 import WriterSm83

from romproof.symbolic.execute.events import (
    Event,
    EventKind,
    LemmaDoesNotFit,
    NeedsIndex,
    Unfinished,
)
from romproof.symbolic.execute.executor import Executor
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.deadline import Deadline, OutOfTime
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.terms import term as t

INPUTS = 300
PROGRAMS = range(60)
HARMLESS = {EventKind.ADDRESS, EventKind.BRANCH, EventKind.READS_OBJECT}

STACK = MemoryObject("stack", 0x0100, 0x100)
DATA = MemoryObject("data", 0x0200, 0x100)
MORE = MemoryObject("more", 0x0300, 0x10)


@pytest.mark.slow_cases("16-6502", "40-6502")
@pytest.mark.parametrize("writer", [Writer6502, WriterSm83], ids=["6502", "sm83"])
@pytest.mark.parametrize("seed", slow_but(PROGRAMS[::8], PROGRAMS))
def test_random_programs(writer: type[Writer6502] | type[WriterSm83], seed: int) -> None:
    written = writer(Random(seed))
    code, labels = written.program()
    machine = Machine(
        cpu=writer.cpu,
        fixed={START: code, **writer.fixed},
        objects=writer.objects,
        registers={"pc": START, **writer.registers},
        stops={labels["end"], labels["other"]},
    )
    executed = execute(machine)
    assert {event.kind for event in executed.events} <= HARMLESS
    agree(machine, executed, inputs_for(machine, INPUTS, seed))


# ---------------------------------------------------------------- single programs


def mos6502(
    code: str,
    *objects: MemoryObject,
    registers: Mapping[str, Known] | None = None,
    bounds: Mapping[int, tuple[int, int]] | None = None,
) -> Machine:
    """Code in hexadecimal at START; it stops behind its last byte."""
    known = {"pc": START, "s": 0xFB, "interrupt": 0, **(registers or {})}
    data = bytes.fromhex(code)
    stops = {START + len(data)}
    return Machine("mos6502", {START: data}, objects, known, bounds or {}, stops)


def sm83(
    code: str, *objects: MemoryObject, registers: Mapping[str, Known] | None = None
) -> Machine:
    """The same for the SM83."""
    known = {"pc": START, "sp": 0xC080, "mode": 0, "ime": 0, **(registers or {})}
    data = bytes.fromhex(code)
    return Machine("sm83", {START: data}, objects, known, stops={START + len(data)})


def held(machine: Machine) -> Executed:
    """The machine as terms, after it was held against plain."""
    executed = execute(machine)
    agree(machine, executed, inputs_for(machine, INPUTS))
    return executed


def test_two_ways_that_write_to_different_places_meet() -> None:
    # bcs other; sta data; jmp both; other: stx data+1; both: sta data+2
    executed = held(mos6502("b0 06 8d 00 02 4c 0b 80 8e 01 02 8d 02 02", DATA))
    (state,) = executed.states.values()
    assert state.path == ()
    assert set(state.memory.changed_bytes()) == {0x0200, 0x0201, 0x0202}


def test_two_ways_that_write_to_an_array_meet() -> None:
    # bcs other; sta data,x; jmp both; other: lda data,y; adc #1; sta data,y; both: lda data
    executed = held(mos6502("b0 06 9d 00 02 4c 11 80 b9 00 02 69 01 99 00 02 ea ad 00 02", DATA))
    assert executed.indexed == {DATA}
    (state,) = executed.states.values()
    assert set(state.memory.changed_arrays()) == {DATA}


def test_ways_that_parted_last_meet_first() -> None:
    # cpx #0; beq over; clc; adc data; then bcc over; iny, or pha; tya; adc #0; tay; pla; over:
    binary = {"d": 0}
    branch = held(mos6502("e0 00 f0 07 18 6d 00 02 90 01 c8", DATA, registers=binary))
    adds = "e0 00 f0 0a 18 6d 00 02 48 98 69 00 a8 68"
    plain = held(mos6502(adds, DATA, STACK, registers=binary))
    (one,), (other,) = branch.states.values(), plain.states.values()
    assert one.get("y") is other.get("y")
    assert one.get("a") is other.get("a")


def test_more_ways_than_wait_for_each_other() -> None:
    # ldy #0; loop: iny; asl a; bcs end; cpy #12; bne loop; end:
    executed = held(mos6502("a0 00 c8 0a b0 04 c0 0c d0 f8"))
    (state,) = executed.states.values()
    assert state.path == ()


def test_a_way_that_pushed_more_is_kept_apart() -> None:
    # bcs over; pha; nop; pla; over: nop
    executed = held(mos6502("b0 03 48 ea 68 ea", STACK))
    (state,) = executed.states.values()
    assert state.lowest == 0xFA
    with pytest.raises(Unfinished, match="reaches one address with different stack pointers"):
        execute(mos6502("b0 01 48 ea", STACK))


def test_a_loop_with_a_known_counter_is_followed_turn_by_turn() -> None:
    # ldx #32; loop: inc data; bcc over; dec data; over: dex; bne loop
    executed = held(mos6502("a2 20 ee 00 02 90 03 ce 00 02 ca d0 f5", DATA))
    (state,) = executed.states.values()
    assert state.get("x") is t.const(0, 8)
    assert state.path == ()


def test_the_same_routine_called_from_two_places() -> None:
    # jsr sub; jsr sub; jmp end; sub: bcc over; rts; over: asl a; rts
    executed = held(mos6502("20 09 80 20 09 80 4c 0e 80 90 01 60 0a 60", STACK))
    (state,) = executed.states.values()
    assert state.frames == ()


def test_calls_and_returns_that_may_not_happen() -> None:
    # call nz, sub; call c, sub; jp end; sub: inc b; ret z; ret nc; dec b; ret
    code = "c4 09 80 dc 09 80 c3 0e 80 04 c8 d0 05 c9"
    executed = held(sm83(code, MemoryObject("stack", 0xC000, 0x100)))
    (state,) = executed.states.values()
    assert state.get("sp") is t.const(0xC080, 16)


def test_no_input_leads_where_a_condition_forbids() -> None:
    # cmp #5; bcs end; cmp #9; bcc end; jam; end:
    executed = held(mos6502("c9 05 b0 05 c9 09 90 01 02"))
    assert list(executed.states) == [START + 9]


def test_a_lemma_takes_the_place_of_code() -> None:
    def lemma(executor: Executor, state: State) -> None:
        state.registers["a"] = t.const(7, 8)
        state.cycles += 10
        state.pc = START + 3

    def unfit(executor: Executor, state: State) -> None:
        raise LemmaDoesNotFit

    machine = mos6502("ea ea ea aa")  # nop; nop; nop; tax
    for each, cycles in ((lemma, 14), (unfit, 8)):
        start = begin(machine, frozenset())
        executor = Executor(machine.described, Oracle(SOLVER), lemmas={START + 1: each})
        (state,) = executor.run(start, machine.stops).values()
        assert state.total_cycles() is t.const(cycles, 32)
        assert state.get("x") is (t.const(7, 8) if each is lemma else t.var("a", 8))


# ---------------------------------------------------------------- what is told


def told(executed: Executed, kind: EventKind) -> list[Event]:
    """The events of a kind."""
    return [event for event in executed.events if event.kind is kind]


def example(event: Event) -> int | None:
    """The address that is accessed when the event happens; None when it never does."""
    return Oracle(SOLVER).example(event.path, t.TRUE, event.what)


def test_branches_and_addresses_that_depend_on_inputs_are_told() -> None:
    executed = held(mos6502("90 00 b5 00 bd 00 02", MemoryObject("zp", 0, 0x100), DATA))
    addresses = told(executed, EventKind.ADDRESS)
    assert [event.pc for event in addresses] == [START + 2, START + 4]
    x = t.zext(t.var("x", 8), 16)
    assert [event.what for event in addresses] == [x, t.add(x, t.const(0x0200, 16))]
    executed = held(mos6502("90 01 ea"))
    c = t.var("c", 1)
    assert {event.what for event in told(executed, EventKind.BRANCH)} == {c, t.not_(c)}


def test_what_is_known_is_not_told() -> None:
    executed = held(mos6502("18 90 01 ea a2 05 bd 00 02", DATA))
    assert {event.kind for event in executed.events} == {EventKind.READS_OBJECT}


def test_reads_of_memory_that_is_no_input() -> None:
    executed = execute(mos6502("ad 00 04", DATA))  # lda $0400
    (event,) = told(executed, EventKind.READS)
    assert (event.pc, event.begin, event.path, example(event)) == (START, None, (), 0x0400)
    executed = execute(mos6502("8d 00 04 ad 00 04", DATA))  # it was written before
    assert not told(executed, EventKind.READS)


def test_reads_beyond_an_object() -> None:
    executed = execute(mos6502("bd 80 02", DATA))  # lda $0280,x
    (event,) = told(executed, EventKind.READS)
    address = example(event)
    assert address is not None
    assert 0x0300 <= address <= 0x037F
    executed = execute(mos6502("bd 80 02", DATA, registers={"x": (0, 0x7F)}))
    assert not told(executed, EventKind.READS)


def test_reads_of_objects_that_were_not_written_before() -> None:
    executed = execute(mos6502("8d 00 02 ad 00 02 ad 01 02", DATA))
    (event,) = told(executed, EventKind.READS_OBJECT)
    assert event.what is t.const(0x0201, 16)


def test_writes_beyond_an_object() -> None:
    executed = execute(mos6502("9d 80 02", DATA))  # sta $0280,x
    (event,) = told(executed, EventKind.WRITES)
    address = example(event)
    assert address is not None
    assert 0x0300 <= address <= 0x037F


def test_writes_to_code() -> None:
    executed = execute(mos6502("8d 00 80"))  # sta START
    (event,) = told(executed, EventKind.WRITES_FIXED)
    assert example(event) == START
    # sta $7ff0,x: the object ends where the code begins
    executed = execute(
        mos6502("9d f0 7f", MemoryObject("below", 0x7FF0, 0x10), registers={"x": (0, 0x12)})
    )
    (event,) = told(executed, EventKind.WRITES_FIXED)
    address = example(event)
    assert address is not None
    assert START <= address <= START + 2


def test_a_write_that_may_not_happen_is_told_with_its_condition() -> None:
    # bcc end; sta START
    executed = execute(mos6502("90 03 8d 00 80"))
    (event,) = told(executed, EventKind.WRITES_FIXED)
    assert event.path == (t.var("c", 1),)


def test_an_address_that_may_be_in_too_many_objects() -> None:
    objects = [MemoryObject(f"o{n}", 0x0200 + n * 0x10, 0x10) for n in range(16)]
    executed = execute(mos6502("bd 00 02", *objects))
    (event,) = told(executed, EventKind.TOO_MANY_PLACES)
    assert event.pc == START


def test_one_access_to_several_objects_and_code() -> None:
    # lda $02f8,x; sta data: two objects, and behind them what is fixed
    machine = mos6502("bd f8 02 8d 00 02", DATA, MORE, registers={"x": (0, 0x1F)})
    fixed = {**machine.fixed, 0x0310: bytes(range(0x10))}
    machine = Machine("mos6502", fixed, machine.objects, machine.registers, stops=machine.stops)
    executed = held(machine)
    assert executed.indexed == {DATA, MORE}
    assert not told(executed, EventKind.READS)


# ---------------------------------------------------------------- what is not taken


def test_an_object_that_is_reached_with_an_index_has_to_be_an_array() -> None:
    machine = mos6502("bd 00 02", DATA)
    executor = Executor(machine.described, Oracle(SOLVER))
    with pytest.raises(NeedsIndex) as caught:
        executor.run(begin(machine, frozenset()), machine.stops)
    assert caught.value.which == DATA
    assert execute(machine).indexed == {DATA}


@pytest.mark.parametrize(
    ("machine", "reason"),
    [
        (mos6502("4c 00 90"), "executes an address where the program has no code"),
        (mos6502("02"), "stops the CPU"),
        (sm83("10 00"), "stops the CPU"),
        (sm83("76 00"), "waits for an interrupt"),
        (mos6502("9a"), "has a stack pointer that differs between paths"),
        (sm83("f9"), "has a stack pointer that differs between paths"),
        (mos6502("6c 00 02", DATA), "jumps to an address that may be anywhere"),
        (sm83("e9"), "jumps to an address that may be anywhere"),
        (sm83("00", registers={"mode": (0, 3)}), "executes code that differs between paths"),
    ],
    ids=lambda each: each if isinstance(each, str) else each.cpu,
)
def test_what_cannot_be_executed(machine: Machine, reason: str) -> None:
    with pytest.raises(Unfinished, match=reason) as caught:
        execute(machine)
    assert START <= caught.value.pc <= 0x9000


def test_a_loop_with_too_many_iterations() -> None:
    machine = mos6502("ca d0 fd", registers={"x": (1, 12)})  # loop: dex; bne loop
    execute(machine)
    with pytest.raises(Unfinished, match="a loop that can have more than 10 iterations"):
        execute(machine, patience=10)


def test_what_goes_round_for_ever() -> None:
    with pytest.raises(Unfinished, match="may be an endless loop"):
        execute(mos6502("4c 00 80"))


def test_who_is_told_of_progress_may_end_it() -> None:
    machine = mos6502("e8 4c 00 80")  # inx, for ever
    times = count()
    deadline = Deadline(10, lambda: next(times))
    executor = Executor(machine.described, Oracle(SOLVER), on_progress=lambda _: deadline.check())
    with pytest.raises(OutOfTime):
        executor.run(begin(machine, frozenset()), machine.stops)
    assert executor.instructions == 10 * 256
