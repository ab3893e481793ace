"""Which labels of a program are its routines, where nobody names one.

The code is followed from what is known to be code: labels before an instruction, as lines or
sources say; routines with contracts; vectors, and the line of BASIC with which a program of the C64
begins. Of the labels that are found there a routine is what somebody exports on purpose, what has a
contract or is named, what is called, jumped to from elsewhere or entered by an interrupt, and what
nothing leads to. Other labels that code only goes on at, such as those of loops, are none.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from romproof.isa.abi import Abi, abi_of
from romproof.isa.codec import Instruction, decode, encodings
from romproof.isa.flow import Flow
from romproof.machine.c64.program import sys_target
from romproof.machine.memory import MemoryMap
from romproof.program.image import Image, Symbol
from romproof.program.listing import find_outermost
from romproof.timing.following import At, FollowedStep, find_called, follow_code
from romproof.timing.vectors import RESET, follow_jumps, vectors_of, word_at

_STATEMENT = re.compile(r"\s*(?:[.@]?\w[\w.#$@]*::?)?\s*(?P<word>[.\w]*)")
_LOOK_AHEAD = 40
"""Lines below a label in which its first statement is looked for."""


@dataclass(frozen=True)
class FoundRoutines:
    """The routines of a program, ``labels`` by address, and the code that was followed, ``steps``.

    ``handlers`` are the addresses that interrupts lead to, ``first`` those of the program's first
    instructions.
    """

    labels: Mapping[int, Symbol] = field(repr=False)
    steps: Mapping[int, FollowedStep] = field(repr=False)
    handlers: frozenset[int]
    first: frozenset[int]


def routines_of(
    image: Image,
    memory: MemoryMap,
    contracts: Iterable[str] = (),
    named: Collection[Symbol] = (),
    private: bool = False,
) -> FoundRoutines:
    """The routines of what is loaded of a program, ``image``, into ``memory``.

    ``contracts`` are the names of those with contracts, ``named`` labels that somebody asks for;
    with ``private`` what is called is one even if it is not exported.
    """
    abi = abi_of(image.cpu)
    data = memory.initial

    def at(address: int) -> Instruction | None:
        if not memory.executable[address]:
            return None
        return decode(data[address : address + 3], address, abi.cpu)

    handlers, first, started = _begins(image, memory, abi, at)
    public = {s.value: s for s in _public(image, abi.cpu) if at(s.value) is not None}
    certain = set(_certain(image, public.values()))
    exported = {s.name: s for s in image.symbols if s.is_label and s.exported}
    claimed = [exported[name] for name in contracts if name in exported]
    for symbol in (*claimed, *named):
        if 0 <= symbol.value <= 0xFFFF and at(symbol.value) is not None:
            public[symbol.value] = symbol
            certain.add(symbol.value)
    code = {a for a, symbol in public.items() if is_code(image, symbol, abi.cpu)}
    certain &= code | {s.value for s in (*claimed, *named)}
    steps = follow_code([*sorted(code), *handlers, *first, *started, *sorted(certain)], at)
    entered = _find_entered(public, steps, code) | handlers | first | started | certain
    labels = {a: public[a] for a in sorted(entered) if a in public and a in steps}
    if private:
        labels |= _private(image, labels, steps)
    return FoundRoutines(labels, steps, frozenset(handlers), frozenset(first))


def _find_entered(
    public: Collection[int], steps: Mapping[int, FollowedStep], code: Collection[int]
) -> set[int]:
    """The addresses that are called, or jumped to from behind another label, and those in ``code``
    that nothing leads to from behind another one."""
    within = _owners(public)
    entered = {step.call for step in steps.values() if step.call is not None}
    led_to: set[int] = set()
    for step in steps.values():
        own = within(step.address)
        others = [target for target in step.nexts if within(target) != own]
        led_to.update(others)
        if step.instruction.opcode.flow is Flow.JUMP:
            entered.update(others)
    return entered | {a for a in code if a not in led_to}


def _private(
    image: Image, labels: Mapping[int, Symbol], steps: Mapping[int, FollowedStep]
) -> dict[int, Symbol]:
    """The labels that are called from the code of others, as far as they have names."""
    found = {a: image.label_at(a) for a in sorted(find_called(labels, steps)) if a in steps}
    return {a: s for a, s in found.items() if s is not None and s.value == a and a not in labels}


def is_code(image: Image, symbol: Symbol, cpu: str) -> bool:
    """Whether a label stands before an instruction, as far as lines or sources say so."""
    return _says_code(image, symbol, cpu) is True


def _says_code(image: Image, symbol: Symbol, cpu: str) -> bool | None:
    """What lines or sources say of a label: whether an instruction is there. None: nothing."""
    line = image.line_at(symbol.value)
    if line is not None:
        return line.is_code and line.address == symbol.value
    if symbol.span is None:
        return None
    span = find_outermost(symbol.span)
    return _first_word(span.source.lines[span.line - 1 : span.line + _LOOK_AHEAD]) in encodings(cpu)


def _first_word(lines: Iterable[str]) -> str:
    for line in lines:
        match = _STATEMENT.match(line.partition(";")[0])
        if match is not None and match["word"]:
            word = match["word"].lower()
            if word not in (".proc", "static_assert", ".assert", "assert"):
                return word if not line.lstrip().lower().startswith(".proc") else ""
    return ""


def _public(image: Image, cpu: str) -> Iterable[Symbol]:
    """The labels that others may call: the exported ones; of a program that exports no code its
    procedures, and all labels that are neither local nor in one of these."""
    labels = [s for s in image.symbols if s.is_label and 0 <= s.value <= 0xFFFF]
    exported = [s for s in labels if s.exported]
    if any(_says_code(image, s, cpu) is not False for s in exported):
        return exported
    scopes = tuple(f"{routine.name}::" for routine in image.routines)
    own = [s for s in labels if not {"@", "."} & set(s.name) and not s.name.startswith(scopes)]
    return [*exported, *own]


def _certain(image: Image, public: Iterable[Symbol]) -> Iterator[int]:
    """The public labels of which a source says that they are routines."""
    procedures = {routine.address for routine in image.routines}
    for symbol in public:
        if (symbol.exported and not symbol.presumed) or symbol.value in procedures:
            yield symbol.value


def _owners(labels: Iterable[int]) -> Callable[[int], int]:
    """What tells which label an address is behind, by the number of that label."""
    starts = sorted(labels)

    def owner(address: int) -> int:
        return bisect_right(starts, address)

    return owner


def _begins(
    image: Image, memory: MemoryMap, abi: Abi, at: At
) -> tuple[set[int], set[int], set[int]]:
    """Where interrupts lead to, where the program begins, and what BASIC calls."""
    data = memory.initial
    handlers = set(vectors_of(image, memory, abi, at).values())
    first: set[int] = set()
    started: set[int] = set()
    if abi.interrupt_vector is None:
        if image.files:
            first.add(follow_jumps(0x0100, at))
    else:
        if memory.protected[RESET]:
            first.add(word_at(data, RESET))
        target = sys_target(image.blocks)
        started.update(() if target is None else (target,))

    def known(addresses: set[int]) -> set[int]:
        return {a for a in addresses if at(a) is not None}

    return known(handlers), known(first), known(started)
