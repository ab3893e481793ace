"""Programs with a fault put into a proved routine, and what the routine's proof says then."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from fairdeck.proofs import arith, mt19937, riichi, sha512, tarot, tarot_bank
from fairdeck.proofs.statement import Statement, program
from romproof.contract.nouns.model import Contract
from romproof.harness.rom import Rom
from romproof.isa.codec import Instruction, decode, encode, encodings
from romproof.isa.model import FORMS, Opcode
from romproof.program.image import Image
from romproof.prover.prover import Prover
from romproof.prover.results import Proof
from romproof.prover.routines.program_proof import LemmaStore
from romproof.prover.routines.routine import Explored, ProofOptions
from romproof.prover.states.program import program_of
from romproof.timing.program import TimedProgram as Bounded

TOPICS: Mapping[str, ModuleType] = {
    "tarot": tarot,
    "arith": arith,
    "mt19937": mt19937,
    "sha512": sha512,
    "riichi": riichi,
}
"""The modules with the statements that are tried, by their topics."""

KEPT = "*"
"""Stands for any operand; in what an instruction becomes, for the one that was there."""

FAR = 400
"""How many instructions after ``within`` a mutant's place is looked for."""


class Kind(Enum):
    """What is wrong."""

    BRANCH = "a branch the other way round"
    FLAG = "a flag that is not set or cleared"
    CONSTANT = "a number, or a place, one off"
    REGISTER = "another register"
    OPERANDS = "operands exchanged"
    RESTORE = "something is not put back"
    SHIFT = "a shift the other way"
    CARRY = "the carry used or not, sums for differences"
    ROTATE = "a rotation for a shift, or the other way round"
    MISSING = "an instruction left out"
    TWICE = "an instruction twice, instead of the next"
    WRONG = "another operation"


class By(Enum):
    """What refutes a mutant. Nothing is claimed of a model of stages where the contract that it
    rests on is not proved."""

    CONTRACT = "its contract"
    EQUALITY = "its model"
    BOTH = "contract and model"
    NOBODY = "it is equivalent"


@dataclass(frozen=True)
class Mutant:
    """One fault: the instructions ``at``, parted by ``|``, become others of the same length.

    ``proof`` is the name of the statement that is tried, ``within`` the label from which on the
    place is looked for, ``nth`` (from 0) which of those like it is meant. An equivalent mutant,
    refuted ``by`` nobody, has a ``reason``.
    """

    proof: str
    within: str
    kind: Kind
    at: str
    becomes: str
    by: By
    nth: int = 0
    reason: str = ""

    @property
    def cpu(self) -> str:
        """The CPU as command lines call it."""
        return self.proof.split("/")[1]

    def __str__(self) -> str:
        which = f" ({self.nth})" if self.nth else ""
        return f"{self.proof}: {self.at}{which} -> {self.becomes}"


def rows(proof: str, within: str, *rest: tuple[Kind, str, str, By, int]) -> tuple[Mutant, ...]:
    """Mutants of one routine that are refuted."""
    return tuple(
        Mutant(proof, within, kind, at, becomes, by, nth) for kind, at, becomes, by, nth in rest
    )


def equivalent(
    proof: str, within: str, *rest: tuple[Kind, str, str, int, str]
) -> tuple[Mutant, ...]:
    """Mutants of one routine that do the same as it."""
    return tuple(
        Mutant(proof, within, kind, at, becomes, By.NOBODY, nth, reason)
        for kind, at, becomes, nth, reason in rest
    )


# ---------------------------------------------------------------- instructions


def _written(cpu: str, text: str) -> Iterator[tuple[Opcode, str]]:
    """The instructions that a text can stand for, each with the text of its operand."""
    mnemonic, _, operand = text.strip().partition(" ")
    operand = operand.replace(" ", "")
    wide, operand = "a:" in operand, operand.replace("a:", "")
    for mode, opcode in encodings(cpu)[mnemonic].items():
        wanted = mode.replace(" ", "")
        if not opcode.placeholder and wanted == operand:
            yield opcode, ""
            return
    for mode, opcode in encodings(cpu)[mnemonic].items():
        if opcode.placeholder and not (wide and opcode.placeholder == "a8"):
            before, after = mode.replace(" ", "").split(opcode.placeholder)
            found = re.fullmatch(
                re.escape(before) + r"(?P<value>[^\[\](),#]+)" + re.escape(after), operand
            )
            if found:
                yield opcode, found["value"]


def _value(image: Image, text: str) -> int:
    """A number, a symbol, or a symbol and a distance; ``<`` and ``>`` take a byte of it."""
    if text[0] in "<>":
        return _value(image, text[1:]) >> (8 if text[0] == ">" else 0) & 0xFF
    name, sign, distance = re.fullmatch(r"([^+-]+)(?:([+-])(\d+))?", text).groups("0")  # type: ignore[union-attr]
    if name[0] == "$":
        base = int(name[1:], 16)
    else:
        base = int(name) if name.isdecimal() else image.address(name)
    return base + (-int(distance) if sign == "-" else int(distance))


def _operand(image: Image, opcode: Opcode, text: str, address: int) -> int | None:
    """The raw operand; None when it does not fit."""
    value = _value(image, text)
    if opcode.placeholder == "e8":
        value = value - (address + opcode.size)
        return value & 0xFF if -128 <= value < 128 else None
    if opcode.placeholder == "a8":
        value -= FORMS[opcode.cpu].page
    bits = 8 * (opcode.size - len(opcode.prefix) - 1)
    return value if 0 <= value < 1 << bits else None


def _is(image: Image, found: Instruction, text: str) -> bool:
    for opcode, operand in _written(image.cpu, text):
        if opcode is found.opcode:
            if operand in ("", KEPT):
                return True
            return _operand(image, opcode, operand, found.address) == found.operand
    return False


def _bytes(image: Image, text: str, address: int, before: Instruction) -> bytes:
    """The first encoding that fits."""
    for opcode, operand in _written(image.cpu, text):
        if operand in ("", KEPT):
            return encode(opcode, before.operand if operand else 0)
        number = _operand(image, opcode, operand, address)
        if number is not None:
            return encode(opcode, number)
    raise ValueError(f"no instruction: {text}")


def _place(mutant: Mutant, rom: Rom) -> list[Instruction]:
    """The instructions that a mutant is without."""
    image, memory = rom.image, rom.memory_map.initial
    wanted, left = mutant.at.split("|"), mutant.nth
    address, row = image.address(mutant.within), list[Instruction]()
    for _ in range(FAR):
        found = decode(memory[address : address + 4], address, image.cpu)
        assert found is not None
        address += found.opcode.size
        row = [*row, found][-len(wanted) :]
        if len(row) == len(wanted) and all(map(_is, [image] * len(row), row, wanted)):
            if not left:
                return row
            left -= 1
    raise ValueError(f"there is no such place: {mutant}")


def patch(mutant: Mutant, rom: Rom) -> tuple[int, bytes]:
    """An address and what stands there instead. Raises ValueError for a malformed mutant."""
    row = _place(mutant, rom)
    start = address = row[0].address
    data = b""
    texts = mutant.becomes.split("|")
    for number, text in enumerate(texts):
        data += _bytes(rom.image, text, address, row[min(number, len(row) - 1)])
        address = start + len(data)
    length = sum(each.opcode.size for each in row)
    if len(data) != length or data == rom.memory_map.initial[start : start + length]:
        raise ValueError(f"not another {length} bytes: {mutant}")
    return start, data


def with_bytes(data: bytes, start: int, new: bytes) -> bytes:
    """``data`` with other bytes from ``start`` on."""
    return data[:start] + new + data[start + len(new) :]


def with_fault(mutant: Mutant, rom: Rom) -> Rom:
    """The program with the fault in it, to be run."""
    start, new = patch(mutant, rom)
    blocks = tuple(
        replace(block, data=with_bytes(block.data, start - block.address, new))
        if block.address <= start < block.address + len(block.data)
        else block
        for block in rom.image.blocks
    )
    return Rom(replace(rom.image, blocks=blocks), rom.engine)


# ---------------------------------------------------------------- proofs


@cache
def _code(rom: Rom, routine: str) -> frozenset[int]:
    """The addresses of all instructions that a routine comes to."""
    bounded = Bounded(rom.loaded, rom.contracts)
    return frozenset(bounded.routine(rom.image.address(routine)).code)


@cache
def _whole(folder: str, defines: tuple[tuple[str, int], ...]) -> LemmaStore:
    """What is proved of a program without a fault."""
    return LemmaStore(program_of(program(folder, defines)))


@dataclass
class MutantBank(LemmaStore):
    """A bank of a program with a fault at ``address``.

    Routines that do not come there are not proved once more: ``whole`` has their proofs.
    """

    whole: LemmaStore = field(kw_only=True)
    address: int = field(kw_only=True)

    def prove(
        self,
        contract: Contract,
        address: int | None = None,
        ends: Sequence[int] = (),
        exact: bool = True,
        **more: Any,
    ) -> tuple[Proof, Explored | None]:
        """See Bank."""
        name, whole = contract.name, self.whole
        own = contract is whole.program.rom.contracts.get(name) and exact and not ends
        if not own or self.address in _code(whole.program.rom, name):
            return super().prove(contract, address, ends, exact, **more)
        if name not in whole.proofs:
            whole.prove(contract)
        entry = self.program.image.address(name)
        self._lemmas[entry] = whole._lemmas[entry]
        return whole.proofs[name], None


@dataclass(frozen=True)
class Tried:
    """What the prover says of a mutant of the program ``original``."""

    proof: Proof
    original: Rom


@cache
def statements() -> Mapping[str, Statement]:
    """All that are tried, by name."""
    return {each.name: each for module in TOPICS.values() for each in module.statements()}


def tried(mutant: Mutant, options: ProofOptions) -> Tried:
    """Prove the statement of a mutant, of the program with the fault in it."""
    programs: list[Rom] = []

    def bank(
        folder: str, options: ProofOptions, defines: tuple[tuple[str, int], ...] = ()
    ) -> Prover:
        whole = _whole(folder, defines)
        programs.append(whole.program.rom)
        start, new = patch(mutant, whole.program.rom)
        fixed = with_bytes(whole.program.fixed, start, new)
        # what is executed has the fault as well
        faulty = replace(whole.program, rom=with_fault(mutant, whole.program.rom), fixed=fixed)
        return Prover.of(MutantBank(faulty, options, whole=whole, address=start))

    with pytest.MonkeyPatch.context() as patched:
        for module in (tarot_bank, *TOPICS.values()):
            if module is not tarot:  # has its programs from tarot_bank
                patched.setattr(module, "bank", bank)
        proof = statements()[mutant.proof].prove(options)
    return Tried(proof, programs[0])
