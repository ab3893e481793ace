"""Random programs for the SM83."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from smt_programs import Code, Part, Statement, Writer, here, words

from romproof.symbolic.execute.layout import MemoryObject

TABLE = 0x0580
STACK = MemoryObject("stack", 0xC000, 0x100)
VALUES = MemoryObject("values", 0xC120, 8)
COUNTERS = MemoryObject("counters", 0xC140, 8)
ARRAY, OTHER = MemoryObject("array", 0xC1E0, 0x40), MemoryObject("other", 0xC300, 0x40)
TOP = MemoryObject("top", 0xFF80, 8)
INDEX = 0x3F

REGISTERS = "abcdehl"
ALONE = words("rlca rrca rla rra daa cpl scf ccf nop")
ARITHMETIC = words("add adc sub sbc and xor or cp")
CHANGES = words("inc dec sla srl sra rl rr rlc rrc swap")
CONDITIONS = words("nz z nc c")


class WriterSm83(Writer):
    """See Writer."""

    cpu = "sm83"
    objects = (STACK, VALUES, COUNTERS, ARRAY, OTHER, TOP)
    fixed: ClassVar[dict[int, bytes]] = {TABLE: Random(3).randbytes(0x100)}
    registers: ClassVar[dict[str, int]] = {"sp": 0xC0F0, "mode": 0, "ime": 0}

    def simple(self) -> Code:
        """See Writer."""
        one, other = self.pick(*REGISTERS), self.pick(*REGISTERS)
        number = self.random.choice((0, 1, 0x0F, 0x80, 0x99, 0xFF))
        pair = self.pick("bc", "de", "hl")
        bit = self.random.randrange(8)
        match self.random.randrange(10):
            case 0:
                return self.op(f"ld {one}, {other}")
            case 1:
                return self.op(f"ld {one}, n8", number)
            case 2:
                return self.op(f"{self.pick(*ARITHMETIC)} a, {other}")
            case 3:
                return self.op(f"{self.pick(*ARITHMETIC)} a, n8", number)
            case 4:
                return self.op(f"{self.pick(*CHANGES)} {one}")
            case 5:
                return self.op(f"{self.pick('bit', 'res', 'set')} {bit}, {one}")
            case 6:
                return self.op(self.pick(*ALONE))
            case 7:
                return self.op(self.pick(f"inc {pair}", f"dec {pair}", f"add hl, {pair}"))
            case 8:
                name = self.pick("ldh [a8], a", "ldh a, [a8]")
                return self.op(name, self.address_in(TOP) & 0xFF)
        name = self.pick("ld [a16], a", "ld a, [a16]")
        return self.op(name, self.address_in(self.random.choice((VALUES, ARRAY))))

    def special(self) -> list[Statement]:
        """See Writer."""
        return [
            self.table, self.array, self.array, self.pointer, self.saved, self.jump_table,
            self.stack_pointer,
        ]  # fmt: skip

    def branch(self, label: str, near: bool = True) -> Code:
        """See Writer."""
        name = f"jr {self.pick(*CONDITIONS)}, e8" if near else f"jp {self.pick(*CONDITIONS)}, a16"
        return self.op(name, label=label)

    def jump(self, label: str) -> Code:
        """See Writer."""
        return self.op("jp a16", label=label)

    def call(self, label: str) -> Code:
        """See Writer."""
        condition = self.pick("", "", *(f"{name}, " for name in CONDITIONS))
        return self.op(f"call {condition}a16", label=label)

    def back(self) -> Code:
        """See Writer; now and then a return that may not happen comes before."""
        perhaps = self.random.random() < 0.3
        return [*(self.op(f"ret {self.pick(*CONDITIONS)}") if perhaps else []), *self.op("ret")]

    def counted(self, counter: int, body: Code, known: bool) -> Code:
        """See Writer."""
        at, again = COUNTERS.address + counter, self.label()
        if known:
            found = self.op("ld a, n8", self.random.randint(1, 4))
        else:
            found = [*self.op("ld a, [a16]", VALUES.address), *self.op("and a, n8", 3)]
            found += self.op("inc a")
        found += [*self.op("ld [a16], a", at), *here(again), *body, *self.op("ld hl, n16", at)]
        return [*found, *self.op("dec [hl]"), *self.op("jp nz, a16", label=again)]

    def index(self, address: int, mask: int = INDEX) -> Code:
        """HL: the address with a small index, from A, added."""
        found = [*self.op("and a, n8", mask), *self.ops("ld c, a"), *self.op("ld b, n8", 0)]
        return [*found, *self.op("ld hl, n16", address), *self.op("add hl, bc")]

    def table(self, depth: int) -> Code:
        """Read from a table, at any index."""
        return [*self.index(TABLE, 0xFF), *self.ops(self.pick("ld a, [hl]", "adc a, [hl]"))]

    def array(self, depth: int) -> Code:
        """Read, write or change a byte of an array that crosses a page."""
        name = self.pick(
            *("ld a, [hl]", "ld [hl], d", "ld [hl], a", "inc [hl]", "rl [hl]", "set 3, [hl]"),
            *("add a, [hl]", "ld a, [hl+]", "ld [hl-], a", "swap [hl]", "res 7, [hl]"),
        )
        return [*self.index(ARRAY.address), *self.ops(name)]

    def pointer(self, depth: int) -> Code:
        """Through DE, sometimes to one of two arrays."""
        over = self.label()
        found = self.op("ld de, n16", ARRAY.address)
        if self.random.random() < 0.5:
            found += [*self.branch(over), *self.op("ld de, n16", OTHER.address), *here(over)]
        found += [*self.op("and a, n8", 0x1F), *self.ops("add a, e", "ld e, a")]
        return [*found, *self.ops(self.pick("ld a, [de]", "ld [de], a"))]

    def saved(self, depth: int) -> Code:
        """Something between a push and a pop."""
        pairs = ("af", "bc", "de", "hl")
        push, pop = f"push {self.pick(*pairs)}", f"pop {self.pick(*pairs)}"
        return [*self.op(push), *self.block(depth, most=2), *self.op(pop)]

    def stack_pointer(self, depth: int) -> Code:
        """What is on the stack, read through HL."""
        found = [*self.op("push de"), *self.op("ld hl, sp + e8", self.random.randrange(2))]
        return [*found, *self.ops("ld a, [hl]", "inc [hl]", "pop bc")]

    def jump_table(self, depth: int) -> Code:
        """A jump to one of four places through a table of addresses."""
        table, end = self.label(), self.label()
        names = [self.label() for _ in range(4)]
        found = [*self.op("and a, n8", 3), *self.ops("add a, a", "ld c, a")]
        found += [*self.op("ld b, n8", 0), *self.op("ld hl, n16", label=table)]
        found += [*self.ops("add hl, bc", "ld a, [hl+]", "ld h, [hl]", "ld l, a", "jp hl")]
        found += [*here(table), *(Part(label=name, use="word") for name in names)]
        for name in names:
            found += [*here(name), *self.simple(), *self.jump(end)]
        return [*found, *here(end)]
