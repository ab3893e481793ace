"""What the fuzzer makes: programs of some routines with contracts, on either CPU."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from fuzz_terms import Term, text


@dataclass(frozen=True)
class Mem:
    """``size`` bytes of memory from the variable ``name`` on."""

    name: str
    size: int

    def __str__(self) -> str:
        return f"{self.name}[{self.size}]"


Item = str | Mem
"""A register or flag as contracts name it, or memory."""


@dataclass(frozen=True)
class Machine:
    """A CPU as the fuzzer knows it. ``registers`` and ``flags`` as contracts name them."""

    cpu: str
    registers: tuple[str, ...]
    flags: Mapping[str, int]
    flag_byte: str
    stack: str
    mark: str


M6502 = Machine(
    "6502",
    ("A", "X", "Y"),
    {"N": 0x80, "V": 0x40, "D": 0x08, "I": 0x04, "Z": 0x02, "C": 0x01},
    "p",
    "s",
    "@",
)
SM83 = Machine(
    "sm83",
    ("A", "B", "C", "D", "E", "H", "L"),
    {"ZF": 0x80, "NF": 0x40, "HF": 0x20, "CF": 0x10},
    "f",
    "sp",
    ".",
)

VARIABLES: Mapping[str, int] = {"n": 1, "m": 1, "t": 1, "u": 1, "buf": 4, "arr": 8}
"""Those that do not overlap, with their bytes."""
ALIASES: Mapping[str, tuple[str, int, int]] = {
    "front": ("arr", 0, 4),
    "mid": ("arr", 2, 4),
    "tail": ("arr", 4, 4),
}
"""Further names: of which variable, from which byte on, how many bytes."""
SIZES = {**VARIABLES, **{name: size for name, (_, _, size) in ALIASES.items()}}
TABLE = (3, 1, 4, 1, 5, 9, 2, 6)
"""What the read-only table ``tab`` holds."""


@dataclass(frozen=True)
class Contract:
    """What is claimed of a routine."""

    inputs: tuple[Item, ...] = ()
    requires: tuple[Term, ...] = ()
    outputs: tuple[Item, ...] = ()
    clobbers: tuple[Item, ...] = ()
    ensures: tuple[Term, ...] = ()
    stack: int | None = None
    cycles: tuple[int, int] | None = None
    constant: bool = False
    invariants: tuple[tuple[str, tuple[Term, ...]], ...] = ()
    decreases: tuple[tuple[str, Term], ...] = ()
    secrets: tuple[Item, ...] = ()

    def may_change(self) -> set[Item]:
        """What is listed as output or clobbered."""
        return {*self.outputs, *self.clobbers}

    def fields(self) -> list[str]:
        """The lines of the header block."""

        def items(given: tuple[Item, ...]) -> str:
            return " ".join(map(str, given)) or "none"

        def conditions(given: tuple[Term, ...]) -> str:
            return ", ".join(map(text, given))

        found = [f"in: {items(self.inputs)}"]
        found += [f"requires: {conditions(self.requires)}"] if self.requires else []
        found += [f"out: {items(self.outputs)}", f"clobbers: {items(self.clobbers)}"]
        found += [f"ensures: {conditions(self.ensures)}"] if self.ensures else []
        found += [f"stack: {self.stack}"] if self.stack is not None else []
        if self.cycles is not None:
            low, high = self.cycles
            constant = " constant" if self.constant else ""
            found.append(f"cycles: {low}" + (f"..{high}" if high != low else constant))
        found += [f"invariant: {at}: {conditions(each)}" for at, each in self.invariants]
        found += [f"decreases: {at}: {text(each)}" for at, each in self.decreases]
        found += [f"secret: {items(self.secrets)}"] if self.secrets else []
        return found


@dataclass(frozen=True)
class Routine:
    """Code with a contract: ``code`` has a line each, labels end with ``:``."""

    name: str
    code: tuple[str, ...]
    contract: Contract | None = None


@dataclass(frozen=True)
class Program:
    """Routines, callees first. ``page`` is the low byte of where the arrays are."""

    machine: Machine
    routines: tuple[Routine, ...]
    page: int = 0x80

    def routine(self, name: str) -> Routine:
        """One of them."""
        return next(each for each in self.routines if each.name == name)

    def replaced(self, routine: Routine) -> Program:
        """The program with another routine of that name."""
        found = tuple(routine if each.name == routine.name else each for each in self.routines)
        return replace(self, routines=found)

    def with_contract(self, name: str, contract: Contract | None) -> Program:
        """The program with another contract of a routine."""
        return self.replaced(replace(self.routine(name), contract=contract))

    def source(self) -> str:
        """The text to assemble."""
        head = _head_6502(self) if self.machine is M6502 else _head_sm83(self)
        return head + "\n".join(_routine(self.machine, each) for each in self.routines)


def _routine(machine: Machine, routine: Routine) -> str:
    lines: list[str] = []
    if routine.contract is not None:
        lines.append(f";; {routine.name} – made by chance.")
        lines += [f"; {field}" for field in routine.contract.fields()]
    is_6502 = machine is M6502
    lines.append(f".proc {routine.name}" if is_6502 else f"{routine.name}::")
    lines += [line if line.endswith(":") else f"  {line}" for line in routine.code]
    lines += [".endproc"] if is_6502 else []
    return "\n".join(lines) + "\n"


def _head_6502(program: Program) -> str:
    names = ", ".join(routine.name for routine in program.routines)
    zero = [f"{name}: .res {size}" for name, size in VARIABLES.items() if name != "arr"]
    return "\n".join(
        [
            '.segment "ZEROPAGE"',
            *zero,
            ".exportzp n, m, t, u, buf",
            '.segment "BSS"',
            ".align 256",
            f".res {program.page}",
            "front:",
            "arr: .res 2",
            "mid: .res 2",
            "tail: .res 4",
            ".export front, arr, mid, tail",
            '.segment "RODATA"',
            f"tab: .byte {', '.join(map(str, TABLE))}",
            '.segment "CODE"',
            f".export {names}",
            "",
        ]
    )


def _head_sm83(program: Program) -> str:
    zero = [f"{name}:: ds {size}" for name, size in VARIABLES.items() if name != "arr"]
    return "\n".join(
        [
            'SECTION "Variables", HRAM[$FF90]',
            *zero,
            f'SECTION "Work", WRAM0[$C0{program.page:02X}]',
            "front::",
            "arr:: ds 2",
            "mid:: ds 2",
            "tail:: ds 4",
            'SECTION "Main", ROM0[$0150]',
            f"tab:: db {', '.join(map(str, TABLE))}",
            "",
        ]
    )
