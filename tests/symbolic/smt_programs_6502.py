"""Random programs for the 6502."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from smt_programs import Code, Part, Statement, Writer, here, words

from romproof.symbolic.execute.layout import MemoryObject

TABLE = 0x0580
VALUES = MemoryObject("values", 0x0010, 8)
COUNTERS = MemoryObject("counters", 0x0040, 8)
POINTERS = MemoryObject("pointers", 0x0050, 4)
STACK = MemoryObject("stack", 0x0100, 0x100)
ARRAY, OTHER = MemoryObject("array", 0x03E0, 0x40), MemoryObject("other", 0x0700, 0x40)
INDEX = 0x3F

IMMEDIATE = words("lda ldx ldy adc sbc and ora eor cmp cpx cpy anc alr arr axs")
ON_MEMORY = words(
    "lda ldx ldy adc sbc and ora eor cmp cpx cpy bit sta stx sty inc dec asl lsr rol ror "
    "lax sax slo rla sre rra dcp isc"
)
ALONE = [
    *words("tax txa tay tya inx dex iny dey clc sec sed cld clv tsx nop"),
    *("asl a", "lsr a", "rol a", "ror a"),
]
BRANCHES = [("bpl", "bmi"), ("bvc", "bvs"), ("bcc", "bcs"), ("bne", "beq")]
OPPOSITE = dict(BRANCHES) | {other: one for one, other in BRANCHES}


class Writer6502(Writer):
    """See Writer. X and Y are small enough whenever they are an index."""

    cpu = "mos6502"
    objects = (VALUES, COUNTERS, POINTERS, STACK, ARRAY, OTHER)
    fixed: ClassVar[dict[int, bytes]] = {TABLE: Random(3).randbytes(0x100)}
    registers: ClassVar[dict[str, int]] = {"s": 0xFB, "interrupt": 0}

    def simple(self) -> Code:
        """See Writer."""
        kind = self.random.randrange(4)
        if kind == 0:
            number = self.random.choice((0, 1, 0x80, 0x99, 0xFF, 0x55))
            return self.op(f"{self.pick(*IMMEDIATE)} #n8", number)
        if kind == 1:
            return self.op(self.pick(*ALONE))
        name = self.pick(*ON_MEMORY)
        if kind == 2:
            return self.op(f"{name} a8", self.address_in(VALUES))
        return self.op(f"{name} a16", self.address_in(self.random.choice((ARRAY, VALUES))))

    def special(self) -> list[Statement]:
        """See Writer."""
        return [
            self.table, self.array, self.array, self.zero_page, self.pointer, self.saved,
            self.jump_table, self.jump_by_stack,
        ]  # fmt: skip

    def branch(self, label: str, near: bool = True) -> Code:
        """See Writer."""
        name = self.pick(*OPPOSITE)
        if near:
            return self.op(f"{name} e8", label=label)
        over = self.label()
        found = [*self.op(f"{OPPOSITE[name]} e8", label=over), *self.jump(label)]
        return [*found, *here(over)]

    def jump(self, label: str) -> Code:
        """See Writer."""
        return self.op("jmp a16", label=label)

    def call(self, label: str) -> Code:
        """See Writer."""
        return self.op("jsr a16", label=label)

    def back(self) -> Code:
        """See Writer."""
        return self.op("rts")

    def counted(self, counter: int, body: Code, known: bool) -> Code:
        """See Writer."""
        at, again, over = COUNTERS.address + counter, self.label(), self.label()
        if known:
            found = [*self.op("lda #n8", self.random.randint(1, 4)), *self.op("sta a8", at)]
        else:
            found = [*self.op("lda a8", VALUES.address), *self.op("and #n8", 3)]
            found += [*self.op("sta a8", at), *self.op("inc a8", at)]
        found += [*here(again), *body, *self.op("dec a8", at), *self.op("beq e8", label=over)]
        return [*found, *self.jump(again), *here(over)]

    def index(self, register: str, mask: int = INDEX) -> Code:
        """A small index from A."""
        return [*self.op("and #n8", mask), *self.op(f"ta{register}")]

    def table(self, depth: int) -> Code:
        """Read from a table, at any index."""
        name = self.pick("lda a16,x", "adc a16,x", "eor a16,y", "lax a16,y", "cmp a16,y")
        return self.op(name, TABLE)

    def array(self, depth: int) -> Code:
        """Read, write or change a byte of an array that crosses a page."""
        name = self.pick(
            *("lda a16,x", "sta a16,x", "adc a16,x", "inc a16,x", "rol a16,x", "ldy a16,x"),
            *("lda a16,y", "sta a16,y", "sbc a16,y", "slo a16,y", "rra a16,y", "ldx a16,y"),
        )
        return [*self.index(name[-1]), *self.op(name, ARRAY.address)]

    def zero_page(self, depth: int) -> Code:
        """The same in the zero page, whose addresses stay there."""
        name = self.pick("lda a8,x", "sta a8,x", "sty a8,x", "inc a8,x", "isc a8,x", "asl a8,x")
        return [*self.index("x", 7), *self.op(name, VALUES.address)]

    def pointer(self, depth: int) -> Code:
        """Through a pointer, sometimes to one of two arrays."""
        at, over = POINTERS.address, self.label()
        found = self._point(ARRAY)
        if self.random.random() < 0.5:
            found += [*self.branch(over), *self._point(OTHER), *here(over)]
        found += [*self.ops("txa"), *self.index("y"), *self.op("lda a8", VALUES.address + 1)]
        name = self.pick("lda", "sta", "adc", "eor", "rra", "dcp")
        return [*found, *self.op(f"{name} (a8),y", at)]

    def _point(self, which: MemoryObject) -> Code:
        at, (low, high) = POINTERS.address, which.address.to_bytes(2, "little")
        found = [*self.op("lda #n8", low), *self.op("sta a8", at)]
        return [*found, *self.op("lda #n8", high), *self.op("sta a8", at + 1)]

    def saved(self, depth: int) -> Code:
        """Something between a push and a pull."""
        push, pull = self.random.choice([("pha", "pla"), ("php", "plp"), ("pha", "plp")])
        return [*self.op(push), *self.block(depth, most=2), *self.op(pull)]

    def jump_table(self, depth: int) -> Code:
        """A jump to one of four places through a table of addresses."""
        at, table, end = POINTERS.address + 2, self.label(), self.label()
        names = [self.label() for _ in range(4)]
        found = [*self.op("and #n8", 3), *self.ops("asl a", "tax")]
        found += [*self.op("lda a16,x", label=table), *self.op("sta a8", at), *self.ops("inx")]
        found += [*self.op("lda a16,x", label=table), *self.op("sta a8", at + 1)]
        found += [*self.op("jmp (a16)", at), *here(table)]
        found += [Part(label=name, use="word") for name in names]
        for name in names:
            found += [*here(name), *self.simple(), *self.jump(end)]
        return [*found, *here(end)]

    def jump_by_stack(self, depth: int) -> Code:
        """A return to one of two places whose addresses are on the stack: C chooses."""
        one, two, end = self.label(), self.label(), self.label()
        found: Code = []
        for use in ("high", "low"):
            over = self.label()
            found += [*self.op("lda #n8", label=one, use=use), *self.op("bcc e8", label=over)]
            found += [*self.op("lda #n8", label=two, use=use), *here(over), *self.ops("pha")]
        found += self.ops("rts")
        for name in (one, two):  # it goes on one byte behind the address
            found += [*here(name), *self.ops("nop"), *self.simple(), *self.jump(end)]
        return [*found, *here(end)]
