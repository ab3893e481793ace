"""Terms as formulas of a solver: the rules, the same for all of them."""

from __future__ import annotations

from collections.abc import Iterable

from romproof.symbolic.solve.formulas import Formula, Formulas
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import SUM, VAR, Term
from romproof.symbolic.terms.walk import in_order

MAX_SUMS = 400
"""Sums that are compared with each other."""


class Lowering:
    """Formulas for terms. Values of one bit are truths there, not bits.

    ``variables`` has the VAR and ARRAY terms that came up, and what they are called in formulas:
    v0, v1 and so on as they come. A solver may take longer for another name, and names tell of
    much that does not matter.
    """

    def __init__(self, formulas: Formulas) -> None:
        self.formulas = formulas
        self.variables: dict[Term, str] = {}
        self._named: dict[tuple[str, int], tuple[str, Formula]] = {}
        self._bits: dict[Term, Formula] = {}
        self._truth: dict[Term, Formula] = {}
        self._wider: dict[Term, Term] = {}
        self._remainders: dict[tuple[Term, Term], Formula] = {}

    def prepare(self, roots: Iterable[Term]) -> None:
        """Look for sums that are the low bits of wider ones, so that each is added up once.

        To be called before anything is lowered, if at all: it takes some time.
        """
        sums = [term for term in in_order(roots) if term.op is SUM]
        if len(sums) > MAX_SUMS:
            return
        widths = sorted({term.width for term in sums})
        known = set(sums)
        for term in sorted(sums, key=lambda term: -term.width):
            if term in self._wider:
                continue
            for width in widths:
                if width >= term.width:
                    break
                narrow = t.extract(term, 0, width)
                if narrow in known:
                    self._wider.setdefault(narrow, term)

    @property
    def bounds(self) -> list[Formula]:
        """What is known of all variables that came up: truths."""
        make = self.formulas
        formulas: list[Formula] = []
        for term in self.variables:
            if term.op is not VAR or term.width == 1:
                continue
            bits = self._as_bits(term)
            if term.low:
                formulas.append(make.opposite(make.less(bits, make.number(term.low, term.width))))
            if term.high < (1 << term.width) - 1:
                formulas.append(make.opposite(make.less(make.number(term.high, term.width), bits)))
        return formulas

    def term(self, root: Term) -> Formula:
        """Bits, or an array."""
        self._lower(root)
        return self._as_bits(root)

    def truth(self, root: Term) -> Formula:
        """A truth for a term of one bit."""
        self._lower(root)
        return self._truth[root]

    def _variable(self, term: Term) -> Formula:
        # one name may stand for several terms, with other bounds each: they are one value
        key = (term.name, term.width)
        if key not in self._named:
            name = f"v{len(self._named)}"
            self._named[key] = name, self.formulas.variable(name, term.width)
        self.variables[term], formula = self._named[key]
        return formula

    def _lower(self, root: Term) -> None:
        stack = [root]
        opened: set[Term] = set()
        while stack:
            term = stack[-1]
            if term in self._truth or term in self._bits:
                stack.pop()
                continue
            wider = self._wider.get(term)
            needed = term.args if wider is None else (wider,)
            waiting = [a for a in needed if a not in self._truth and a not in self._bits]
            if waiting:
                opened.add(term)
                if opened.isdisjoint(waiting):
                    stack += waiting
                    continue
                # a wider sum has its own low bits among its high ones: they are added apart
                for each in opened:
                    self._wider.pop(each, None)
                stack, opened = [root], set()
                continue
            stack.pop()
            if wider is not None:
                self._bits[term] = self.formulas.cut(self._bits[wider], 0, term.width)
            elif term.width == 1:
                self._truth[term] = self._lower_truth(term)
            else:
                self._bits[term] = self._lower_bits(term)

    def _as_bits(self, term: Term, width: int = 0) -> Formula:
        """A term that was lowered, with zeros in front up to the width."""
        make = self.formulas
        width = max(width, term.width)
        if term.width == 1:
            if width == 1 and term in self._bits:
                return self._bits[term]
            bits = make.choice(self._truth[term], make.number(1, width), make.number(0, width))
            if width == 1:
                self._bits[term] = bits
            return bits
        bits = self._bits[term]
        return bits if width == term.width else make.zero_extend(bits, width - term.width)

    def _is_set(self, bits: Formula) -> Formula:
        """The truth of a single bit."""
        return self.formulas.same(bits, self.formulas.number(1, 1))

    # ------------------------------------------------------------ one bit

    def _lower_truth(self, term: Term) -> Formula:
        args, make = term.args, self.formulas
        match term.op:
            case "const":
                return make.truth(bool(term.number))
            case "var":
                return self._variable(term)
            case "xor":
                truth = self._truth[args[0]]
                for arg in args[1:]:
                    truth = make.unlike(truth, self._truth[arg])
                return make.opposite(truth) if term.number else truth
            case "and":
                return make.every([self._truth[arg] for arg in args])
            case "ite":
                return make.choice(*(self._truth[arg] for arg in args))
            case "eq":
                return make.same(self._as_bits(args[0]), self._as_bits(args[1]))
            case "ult":
                return make.less(self._as_bits(args[0]), self._as_bits(args[1]))
            case "rem":
                return self._is_set(self._remainder(args[0], args[1], 1))
            case "extract":
                return self._is_set(make.cut(self._as_bits(args[0]), term.number, 1))
        raise AssertionError(f"{term.op} of one bit")

    # ------------------------------------------------------------ more bits

    def _lower_bits(self, term: Term) -> Formula:
        args, width, make = term.args, term.width, self.formulas
        match term.op:
            case "const":
                return make.number(term.number, width)
            case "var" | "array":
                return self._variable(term)
            case "xor":
                bits = self._as_bits(args[0])
                for arg in args[1:]:
                    bits = make.differing(bits, self._as_bits(arg))
                if term.number == (1 << width) - 1:
                    return make.invert(bits)
                if not term.number:
                    return bits
                return make.differing(bits, make.number(term.number, width))
            case "and":
                bits = self._as_bits(args[0])
                for arg in args[1:]:
                    bits = make.both(bits, self._as_bits(arg))
                return bits
            case "ite":
                then, otherwise = self._as_bits(args[1]), self._as_bits(args[2])
                return make.choice(self._truth[args[0]], then, otherwise)
            case "rem":
                return self._remainder(args[0], args[1], width)
            case "concat":
                return make.concat([self._as_bits(arg) for arg in args])
            case "extract":
                return make.cut(self._as_bits(args[0]), term.number, width)
            case "sum":
                return self._sum(term)
            case "mul":
                return make.times(self._as_bits(args[0], width), self._as_bits(args[1], width))
            case "lookup":
                return self._lookup(term.table, args[0])
            case "store":
                return make.store(*(self._as_bits(arg) for arg in args))
            case "load":
                return make.load(*(self._as_bits(arg) for arg in args))
        raise AssertionError(term.op)

    def _sum(self, term: Term) -> Formula:
        """Fields that do not overlap are added as one word: fewer adders."""
        make, width, half = self.formulas, term.width, 1 << term.width >> 1
        more: list[_Word] = []
        less: list[_Word] = []
        rest: Formula = None
        for factor, arg in zip(term.factors, term.args, strict=True):
            words, size = (more, factor) if factor <= half else (less, 2 * half - factor)
            if size & (size - 1):
                product = make.times(self._as_bits(arg, width), make.number(factor, width))
                rest = product if rest is None else make.plus(rest, product)
                continue
            _place(words, arg, size.bit_length() - 1, width)
        total = rest
        for word in more:
            value = self._word(word, width)
            total = value if total is None else make.plus(total, value)
        if term.number or total is None:
            number = make.number(term.number, width)
            total = number if total is None else make.plus(total, number)
        for word in less:
            total = make.minus(total, self._word(word, width))
        return total

    def _word(self, word: _Word, width: int) -> Formula:
        make = self.formulas
        pieces: list[Formula] = []
        at = 0
        for place in sorted(word):
            arg = word[place]
            if place > at:
                pieces.append(make.number(0, place - at))
            bits = self._as_bits(arg)
            if place + arg.width > width:
                bits = make.cut(bits, 0, width - place)
            pieces.append(bits)
            at = min(width, place + arg.width)
        if at < width:
            pieces.append(make.number(0, width - at))
        return make.concat(pieces[::-1])

    def _remainder(self, number: Term, divisor: Term, width: int) -> Formula:
        """Bit by bit from the top; what two remainders have in common is worked out once."""
        make, size = self.formulas, divisor.width + 1
        subtrahend = self._as_bits(divisor, size)
        bits = self._as_bits(number)
        at = 0  # the bits from here on are the first part
        while at < number.width:
            first = t.extract(number, at, number.width - at)
            if (first, divisor) in self._remainders or first.high < 2 * divisor.low:
                break
            at += 1
        if at == number.width:
            value = make.number(0, size)
        elif (first, divisor) in self._remainders:
            value = self._remainders[first, divisor]
        else:
            top = number.width - at
            value = self._reduce(self._fit(make.cut(bits, at, top), top, size), subtrahend)
            self._remainders[first, divisor] = value
        for place in reversed(range(at)):
            doubled = make.concat([make.cut(value, 0, size - 1), make.cut(bits, place, 1)])
            value = self._reduce(doubled, subtrahend)
            self._remainders[t.extract(number, place, number.width - place), divisor] = value
        value = self._fit(value, size, width)
        if not divisor.low:
            by_zero = make.same(subtrahend, make.number(0, size))
            value = make.choice(by_zero, self._fit(bits, number.width, width), value)
        return value

    def _reduce(self, value: Formula, subtrahend: Formula) -> Formula:
        make = self.formulas
        return make.choice(make.less(value, subtrahend), value, make.minus(value, subtrahend))

    def _fit(self, bits: Formula, size: int, width: int) -> Formula:
        """Bits of this width: the lowest ones, or zeros in front."""
        if width > size:
            return self.formulas.zero_extend(bits, width - size)
        return self.formulas.cut(bits, 0, width)

    def _lookup(self, table: bytes, index: Term) -> Formula:
        """A tree of choices by the bits of the index, the highest first; 0 behind the table."""
        bits, choice = self._as_bits(index), self.formulas.choice
        chosen = [self._is_set(self.formulas.cut(bits, n, 1)) for n in range(index.width)]
        leaves = {value: self.formulas.number(value, 8) for value in sorted({0, *table})}
        done: dict[tuple[int, bytes], Formula] = {}

        def made(values: bytes, count: int) -> Formula:
            values = values.rstrip(b"\0")
            if len(set(values)) <= 1 and len(values) in (0, 1 << count):
                return leaves[max(values, default=0)]
            formula = done.get((count, values))
            if formula is None:
                half = 1 << count - 1
                low, high = made(values[:half], count - 1), made(values[half:], count - 1)
                formula = low if low is high else choice(chosen[count - 1], high, low)
                done[count, values] = formula
            return formula

        return made(table, index.width)


_Word = dict[int, Term]
"""Terms by their lowest bit."""


def _place(words: list[_Word], arg: Term, at: int, width: int) -> None:
    """Put a term into the first word where its bits are free."""
    end = min(width, at + arg.width)
    for word in words:
        if all(end <= place or place + other.width <= at for place, other in word.items()):
            word[at] = arg
            return
    words.append({at: arg})
