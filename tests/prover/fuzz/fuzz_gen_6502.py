"""Random routines for the 6502."""

from __future__ import annotations

from fuzz_draft import Generator
from fuzz_nouns import M6502, Mem
from fuzz_terms import Bin, Cell, Num, Reg, Term

_ON_A = ("adc", "sbc", "and", "ora", "eor", "cmp", "lda")
_CHANGE = ("inc", "dec", "asl", "lsr", "rol", "ror")
_BRANCHES = ("bcc", "bcs", "beq", "bne", "bmi", "bpl", "bvc", "bvs")
_ARRAYS = (("arr", 7), ("buf", 3), ("tail", 3), ("mid", 3), ("front", 3))


class Generator6502(Generator):
    """See Generator."""

    machine = M6502

    def back(self) -> str:
        """See Generator."""
        return "rts"

    def simple(self, keep: frozenset[str]) -> None:
        """See Generator."""
        free = [r for r in "AXY" if r not in keep]
        kind = self.chance.randrange(7)
        if kind == 0 and "A" in free:
            self.emit(f"{self.pick(*_ON_A)} #{self.byte()}")
        elif kind in (1, 2) and "A" in free:
            name = self.variable(frozenset())
            self.emit(f"{self.pick(*_ON_A)} {name}")
        elif kind == 3:
            names = ["sta", *(["stx"] if "X" in free else []), *(["sty"] if "Y" in free else [])]
            self.emit(f"{self.chance.choice(names)} {self.variable(keep)}")
        elif kind == 4:
            self.emit(f"{self.pick(*_CHANGE)} {self.variable(keep)}")
        elif kind == 5:
            moves = {"tax": "X", "tay": "Y", "txa": "A", "tya": "A", "inx": "X", "iny": "Y",
                     "dex": "X", "dey": "Y", "asl a": "A", "lsr a": "A", "rol a": "A"}  # fmt: skip
            able = [name for name, target in moves.items() if target in free]
            self.emit(self.chance.choice([*able, "clc", "sec", "clv"]))
        else:
            array, last = self.chance.choice(_ARRAYS)
            self.touch(Mem("buf" if array == "buf" else "arr", 4 if array == "buf" else 8))
            name = self.pick("sta", *(_ON_A if "A" in free else ()), *_CHANGE[:2])
            self.emit(f"{name} {array}+{self.chance.randint(0, last)}")

    def choice(self, keep: frozenset[str], depth: int) -> None:
        """See Generator."""
        over = self.label()
        if self.chance.random() < 0.6:
            free = [r for r in "AXY" if r not in keep]
            register = self.chance.choice(free) if free else "A"
            compare = {"A": "cmp", "X": "cpx", "Y": "cpy"}[register]
            operand = f"#{self.byte()}"
            if self.chance.random() < 0.3:
                operand = self.variable(frozenset())
            self.emit(f"{compare} {operand}")
        self.emit(f"{self.pick(*_BRANCHES)} {over}")
        self.block(keep, depth, most=2)
        if self.chance.random() < 0.35:
            end = self.label()
            self.emit(f"jmp {end}", f"{over}:")
            self.block(keep, depth, most=2)
            over = end
        self.emit(f"{over}:")

    def indexed(self, keep: frozenset[str]) -> None:
        """See Generator."""
        free = [r for r in "XY" if r not in keep]
        if not free:
            return self.simple(keep)
        register = self.chance.choice(free)
        array, last = self.chance.choice((*_ARRAYS, ("tab", 7)))
        if array != "tab":
            self.touch(Mem("buf" if array == "buf" else "arr", 4 if array == "buf" else 8))
        low = self.chance.choice((0, 0, 1)) if last == 7 else 0
        way = self.chance.randrange(3)
        if way == 0 and not keep and not self.draft.code:
            high = self.chance.choice((last, last, last - 1))
            self.draft.ranges.append((Reg(register), low, high))
        elif way == 1:
            self.emit(f"ld{register.lower()} #{self.chance.randint(low, last)}")
        elif "A" in keep:
            return self.simple(keep)
        else:
            source = self.variable(frozenset())
            self.emit(f"lda {source}", f"and #{last}", f"ta{register.lower()}")
        reads = ("lda", "adc", "eor", "cmp")
        names = list(reads if "A" not in keep else ())
        if array != "tab":
            names += ["sta", "sta"]
            names += ["inc", "asl"] if register == "X" else []
        if not names:
            return None
        self.emit(f"{self.chance.choice(names)} {array},{register.lower()}")
        return None

    def stacked(self, keep: frozenset[str], depth: int) -> None:
        """See Generator."""
        way = self.chance.randrange(8)
        if way == 6 and not keep and not self.in_loop and "Y" not in keep:
            self.emit("pla", "tay", "pla", "pha", "tya", "pha")  # perhaps the return address
        elif way == 7 and not keep:
            self.emit("tsx", self.pick("stx t", "txa", "cpx #$C0", "nop"))
            self.touch(Mem("t", 1))
        elif way == 0:
            self.emit("php")
            self.block(keep, depth, most=2)
            self.emit("plp")
        elif way == 1 and not {"A", "X"} & keep:
            self.emit("pha")
            self.simple(keep)
            self.emit("tsx", f"lda {self.pick('$0101', '$0101')},x", "pla")
        elif way == 2 and not {"A", "X"} & keep:
            self.emit("txa", "pha")
            self.block(keep, depth, most=2)
            self.emit("pla", "tax")
        elif way == 3 and "X" not in keep:
            self.emit("tsx", "txs")
        elif way == 4 and not {"A", "X"} & keep:
            self.emit("pha", "pha", "tsx", "inx", "inx", "txs")
        elif "A" not in keep:
            self.emit("pha")
            self.block(keep, depth, most=2)
            self.emit("pla")

    def flagged(self, keep: frozenset[str], depth: int) -> None:
        """See Generator."""
        way = self.chance.randrange(7)
        if way == 0 and not self.in_loop:
            self.emit("sed")
            self.block(keep, depth, most=2)
            self.emit("cld")
        elif way == 6 and not keep:
            self.emit("sed")
            if self.callees:
                self.call(keep)
            if self.chance.random() < 0.7:
                self.emit("cld")
        elif way == 1:
            self.emit("php", "sed", f"adc #{self.byte()}" if "A" not in keep else "clc", "plp")
        elif way == 2:
            self.emit(self.pick("sei", "cli"))
        elif way == 3:
            self.emit("php", "sei")
            self.block(keep, depth, most=1)
            self.emit("plp")
        else:
            self.emit("bit " + self.variable(frozenset()))

    def short_loop(self, keep: frozenset[str], depth: int) -> None:
        """See Generator."""
        free = [r for r in "XY" if r not in keep]
        if not free:
            return self.simple(keep)
        counter = self.chance.choice(free)
        again, turns = self.label(), self.chance.randint(2, 4)
        if self.chance.random() < 0.3 and not self.draft.code and not self.draft.ranges:
            self.draft.ranges.append((Reg(counter), 1, turns))
        else:
            self.emit(f"ld{counter.lower()} #{turns}")
        self.emit(f"{again}:")
        self.block(keep | {counter}, min(depth, 1), most=2)
        self.emit(f"de{counter.lower()}", f"bne {again}")
        return None

    def long_loop(self, keep: frozenset[str]) -> None:
        """See Generator."""
        again = self.label()
        kind = self.chance.choice(("sum", "sum", "sum at entry", "fill", "free", "free", "memory"))
        register = self.chance.choice("XY")
        name = register.lower()
        counter: Term = Reg(register)
        turns = self.chance.choice((2, 3, 7, 8, 12, 20, 40))
        up = self.chance.random() < 0.3
        knowledge: list[Term] = []
        if kind == "memory":
            place = self.variable(frozenset())
            counter = Cell(place)
            self.emit(f"lda #{turns}", f"sta {place}")
            body, close, up = [], [f"dec {place}", f"bne {again}"], False
            keep, first = frozenset({place}), turns
        elif kind == "fill":
            self.touch(Mem("arr", 8))
            turns, up = 8, False
            self.emit(f"ldx #{turns - 1}")
            counter, register = Reg("X"), "X"
            body, close = [f"{self.pick('sta', 'inc', 'sta')} arr,x"], ["dex", f"bpl {again}"]
            keep, first = frozenset({"X"}), turns - 1
        else:
            self.emit(f"ld{name} #{0 if up else turns}")
            body, keep, first = [], frozenset({register}), turns
            close = [f"de{name}", f"bne {again}"]
            if up:
                close = [f"in{name}", f"cp{name} #{turns}", f"bne {again}"]
        low, high = (0, turns - 1) if up or kind == "fill" else (1, first)
        inside, measure = self.loop_terms(counter, low, high, not up)
        done = counter if up else Bin("-", Num(first), counter)
        terms = [inside]
        body = self.summing(kind, terms, knowledge, turns, done) or body
        self.turning(again, body, close, keep, terms, measure)
        self.draft.knowledge = knowledge

    def masked(self, register: str, number: int) -> None:
        """See Generator."""
        self.emit(f"t{register}a" if register != "a" else "nop", f"and #{number}")
        self.emit(f"ta{register}" if register != "a" else "nop")

    def loaded(self, register: str, number: int) -> str:
        """See Generator."""
        return f"ld{register} #{number}"

    def added(self, number: int) -> list[str]:
        """See Generator."""
        return ["clc", f"adc #{number}"]

    def calling(self, name: str) -> str:
        """See Generator."""
        return f"jsr {name}"
