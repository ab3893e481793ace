"""Predicates: conditions with a name, written out wherever a contract uses them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from headers import Numbers, contract_of, image_of
from hypothesis import given, settings
from hypothesis import strategies as st

from romproof.contract.names.evaluate import evaluate
from romproof.contract.nouns.expr import All, Variable, walk
from romproof.contract.nouns.model import Contract
from romproof.contract.reading.parse import parse_contracts
from romproof.contract.text.cursor import MAX_NESTED
from romproof.program.image import Image
from romproof.text.diagnostic import MAX_ERRORS, BuildFailed
from romproof.text.span import Source

CPUS = pytest.mark.parametrize("cpu", ["6502", "sm83"])


def _image(definitions: str, fields: str, cpu: str = "6502") -> Image:
    """The program of ``headers``, with an included file that has the definitions."""
    image = image_of(fields, cpu)
    return replace(image, sources=(*image.sources, Source("p.inc", definitions)))


def _contract(definitions: str, fields: str, cpu: str = "6502") -> Contract:
    return parse_contracts(_image(definitions, fields, cpu))["go"]


def _fault(definitions: str, fields: str = "; ensures: C", cpu: str = "6502") -> str:
    with pytest.raises(BuildFailed) as caught:
        parse_contracts(_image(definitions, fields, cpu))
    return str(caught.value)


def _texts(contract: Contract) -> list[str]:
    return [c.text for c in (*contract.requires, *contract.ensures)]


# ---------------------------------------------------------------- what they mean


@CPUS
def test_a_predicate_is_all_of_its_conditions(cpu: str) -> None:
    named = _contract(
        ";; predicate sound: byte <= 4, all j in 0..3: table[j] <= 4 (of each)\n",
        "; in: A byte table\n; requires: A < 3, sound",
        cpu,
    )
    plain = contract_of(
        "; in: A byte table\n; requires: A < 3, byte <= 4, all j in 0..3: table[j] <= 4", cpu
    )
    assert [c.expression for c in named.requires] == [c.expression for c in plain.requires]
    assert _texts(named) == [
        "A < 3",
        "byte <= 4 (sound)",
        "all j in 0..3: table[j] <= 4 (sound)",
    ]
    # a fault is shown where the contract uses it
    assert [(c.span.line, c.span.col) for c in named.requires] == [(3, 13), (3, 20), (3, 20)]


@pytest.mark.parametrize(
    ("use", "meant"),
    [
        ("not low", "not (A < 5 and X < 5)"),
        ("C -> low", "C -> (A < 5 and X < 5)"),
        ("old low", "old (A < 5 and X < 5)"),
        ("low or below(Y, 3 + 4)", "(A < 5 and X < 5) or Y < (3 + 4)"),
        ("below(A | 1, X & 3)", "(A | 1) < (X & 3)"),
        ("below(old A, A)", "old A < A"),
        ("old below(word, long)", "old (word < long)"),
        ("below(table[X], $10[3])", "table[X] < $10[3]"),
        ("below(sum j in 0..3: table[j], 7)", "(sum j in 0..3: table[j]) < 7"),
        ("each(table, A)", "all j in 0..77: table[j] <= A"),
        ("each($300, A)", "all j in 0..77: $300[j] <= A"),
        ("all j in 0..3: each(table, j)", "all j in 0..3: all k in 0..77: table[k] <= j"),
        (
            "all k in 0..3: each(table, table[k])",
            "all k in 0..3: all j in 0..77: table[j] <= table[k]",
        ),
        ("at(table)", "word == &table + 1 and table[1] > 2"),
        ("at($300)", "word == $300 + 1 and $300[1] > 2"),
        ("truth(C, A < X)", "C and not (A < X)"),
        ("nested(A)", "A + A < 9 and A + A < X + X"),
        ("all j in 0..2: twice(j)", "all j in 0..2: j + j < 5"),
    ],
)
def test_what_a_use_stands_for(use: str, meant: str) -> None:
    definitions = """\
;; predicate low: A < 5, X < 5
;; predicate below(x, n): x < n
;; predicate each(t, n): all j in 0..77: t[j] <= n
;; predicate at(t): word == &t + 1, t[1] > 2
;; predicate truth(one, other): one and not other
;; predicate nested(x): below(x + x, 9), inner(x + x)
;; predicate inner(y): below(y, X + X)
;; predicate twice(n): below(n + n, 5)
"""
    named = _contract(definitions, f"; ensures: {use}")
    plain = contract_of(f"; ensures: {meant}")
    for seed in range(40):
        view = _numbers(seed)
        wanted = all(evaluate(c.expression, view) for c in plain.ensures)
        assert all(evaluate(c.expression, view) for c in named.ensures) == wanted, seed


def _numbers(seed: int) -> Numbers:
    """Some state, and another one at the entry; small numbers, so that all may come out."""
    values = {name: (seed * (7 + at) >> at % 3) % 9 for at, name in enumerate("AXY")}
    values |= {flag: seed >> at & 1 for at, flag in enumerate("NVZC")}
    memory = {at: (seed * at * 5 >> 2) % (2 + seed % 6) for at in range(0x400)}
    memory |= {0x12: 1, 0x13: 3} if seed % 3 else {}
    older = Numbers(
        {name: (value * 3 + 1) % 9 for name, value in values.items()},
        {at: (value + 1) % 7 for at, value in memory.items()},
    )
    return Numbers(values, memory, older)


def test_variables_of_a_predicate_are_its_own() -> None:
    # j of the use and j of the predicate are two: else table[j] <= table[j] would be true
    contract = _contract(
        ";; predicate least(n): all j in 0..3: n <= table[j]\n",
        "; ensures: all j in 0..3: least(table[j])",
    )
    (condition,) = contract.ensures
    names = {e.variable for e in walk(condition.expression) if isinstance(e, All)}
    assert names == {"j", "j'"}
    assert {e.name for e in walk(condition.expression) if isinstance(e, Variable)} == names
    memory = {0x300 + at: at for at in range(4)}
    assert not evaluate(condition.expression, Numbers({}, memory))
    assert evaluate(condition.expression, Numbers({}, dict.fromkeys(memory, 3)))


def test_what_stands_around_a_use_is_told() -> None:
    contract = _contract(
        ";; predicate low(x): x < 5,\n;;   x != 3\n",
        "; ensures: C -> low(A), low(X + 1), all j in 0..3: low(table[j]) or C",
    )
    assert _texts(contract) == [
        "C -> low(A) (low(A): A < 5, A != 3)",
        "(X + 1) < 5 (low(X + 1))",
        "(X + 1) != 3 (low(X + 1))",
        "all j in 0..3: low(table[j]) or C (low(table[j]): table[j] < 5, table[j] != 3)",
    ]


def test_long_texts_are_cut_in_messages_only() -> None:
    parts = ", ".join(f"table[{at}] < 9" for at in range(70))
    contract = _contract(f";; predicate long_one: {parts}\n", "; ensures: C -> long_one, long_one")
    assert len(contract.ensures) == 71
    assert contract.ensures[0].text.endswith(" …)")
    assert len(contract.ensures[0].text) < 400


def test_predicates_stand_in_all_fields_with_conditions() -> None:
    contract = _contract(
        ";; predicate low(x): x < 5\n",
        "; in: A\n; requires: low(A)\n; ensures: low(X), old low(A)\n"
        "; invariant: @step: low(Y), C -> low(A)",
    )
    assert [c.text for c in contract.invariants[0].conditions] == [
        "Y < 5 (low(Y))",
        "C -> low(A) (low(A): A < 5)",
    ]
    assert contract.ensures[1].text == "old low(A) (low(A): A < 5)"


# ---------------------------------------------------------------- where they are known


def test_names_are_those_of_the_routine_that_uses_it() -> None:
    definition = ";; predicate counted: local < 5\n"
    with_scope = _contract(definition, "; ensures: counted")
    plain = contract_of("; ensures: local < 5")
    assert with_scope.ensures[0].expression == plain.ensures[0].expression  # go::local


def test_a_file_that_is_included_twice_defines_once() -> None:
    image = image_of("; ensures: low(A)")
    same = ";; predicate low(x): x < 5\n"
    other = same.replace("x < 5", "x  <\n;;    5")  # only blanks differ
    sources = (*image.sources, Source("p.inc", same), Source("p.inc", same), Source("q.inc", other))
    assert _texts(parse_contracts(replace(image, sources=sources))["go"]) == ["A < 5 (low(A))"]


def test_two_meanings_of_a_name_are_refused() -> None:
    image = image_of("; ensures: low")
    sources = (
        *image.sources,
        Source("p.inc", ";; predicate low: A < 5\n"),
        Source("q.inc", "\n;; predicate low: A < 6\n"),
    )
    with pytest.raises(BuildFailed) as caught:
        parse_contracts(replace(image, sources=sources))
    assert "q.inc:2:14: error: the predicate 'low' is defined twice" in str(caught.value)
    assert "note: first at p.inc:1:14" in str(caught.value)


def test_comments_of_programs_without_contracts_are_not_read() -> None:
    image = _image(";; predicate broken(: X <\n;; predicate a: a\n", "; just words")
    assert parse_contracts(image) == {}


@pytest.mark.parametrize(
    "lines",
    [
        ";; predicate low: A < 5\n;; go – does it.\n; ensures: low\n",
        ";; predicate low:\n;;   A <\n;    5\n;; go – does it.\n; ensures: low\n",
        ";; go – does it.\n;; predicate low: A < 5\n; ensures: low\n",
        ";; go – does it.\n; ensures: low\n;; predicate low: A < 5\n",
        ";; go – does it.\n; ensures: low\n;; predicate low: A <\n;;   5\n\n",
        ";; go – does it,\n;; whatever it is.\n; ensures:\n;   low\n; clobbers: A\n"
        ";; predicate low: A < 5\n",
        "; words\n;; predicate low: A < 5\n; words\n\n;; go – does it.\n; ensures: low\n",
    ],
)
def test_a_definition_may_stand_beside_a_contract(lines: str) -> None:
    image = image_of("; cycles: 5")
    source = Source("prog.s", lines)
    go = image.symbol("go")
    assert go.span is not None
    place = replace(go.span, source=source, line=len(source.lines))
    symbols = tuple(replace(s, span=place) if s.name == "go" else s for s in image.symbols)
    contract = parse_contracts(replace(image, symbols=symbols, sources=(source,)))["go"]
    assert _texts(contract) == ["A < 5 (low)"]
    assert contract.summary.startswith("does it")


# ---------------------------------------------------------------- what is wrong with them

FAULTS = [
    # the definitions (| parts lines), the use; the place of the fault, what the caret stands
    # under, a part of the message, a place that is named as well
    ("a: A <", "C", "1:20", " ", "expected a number, a name or a parenthesis, not the end", ""),
    ("a: A = 5", "C", "1:19", "=", "write == for", ""),
    ("a:", "C", "1:16", " ", "a condition is missing", ""),
    ("a: A < 5,", "C", "1:23", " ", "a condition is missing", ""),
    ("a(x: x < 5", "C", "1:14", "a", "this line does not define a predicate 'a'", ""),
    ("a A < 5", "C", "1:14", "a", "write ;; predicate NAME: CONDITION", ""),
    ("a(): C", "C", "1:16", ")", "'' is not a valid parameter name", ""),
    ("a(x, x): C", "C", "1:19", "x", "'x' is used for two parameters", ""),
    ("a(A): C", "C", "1:16", "A", "'A' is a register or flag", ""),
    ("a(x, 5): C", "C", "1:19", "5", "'5' is not a valid parameter name", ""),
    ("a(all): C", "C", "1:16", "all", "'all' is a word of conditions", ""),
    ("A: C", "C", "1:14", "A", "'A' is a register or flag", ""),
    ("table: C", "C", "1:14", "table", "'table' is a symbol in the program", ""),
    ("and: C", "C", "1:14", "and", "'and' is a word of conditions", ""),
    ("a(x): all x in 0..3: C", "C", "1:24", "x", "'x' already has another meaning", ""),
    ("a: a", "C", "1:14", "a", "'a' refers to itself: a → a", ""),
    ("a: C|b: c and C|c: d|d: not b", "a", "2:14", "b", "b → c → d → b", ""),
    ("a(x): b(x)|b(x): a(x + 1)", "C", "1:14", "a", "a → b → a", ""),
    ("a: b(X)|b(x, y): C", "C", "1:17", "b", "b(x, y) is given 1 of 2 arguments", ""),
    ("a: C|b: aa(X)", "C", "2:17", "aa", "no predicate 'aa'; did you mean 'a'?", ""),
    # what is wrong where it is used
    ("a: X < tabel", "a", "1:21", "tabel", "did you mean 'table'?", "prog.s:2:12"),
    ("a: bare == 1", "a", "1:17", "bare", "the size of 'bare' is not known", "prog.s:2:12"),
    ("a(x): x[2] < 3", "a(A + 1)", "1:20", "x", "'(A + 1)' has no bytes", "prog.s:2:12"),
    ("a(x): &x < 3", "a(5)", "1:21", "x", "'5' has no address", "prog.s:2:12"),
    ("a(x): x", "a(A)", "1:20", "x", "neither true nor false", "prog.s:2:12"),
    ("a(x): C, 1 >> x == 1", "a(word)", "1:28", "x", "this shifts by 0..65535", "prog.s:2:12"),
    ("a(x): old x == 1", "a(old A)", "1:24", "x", "cannot contain another 'old'", "prog.s:2:12"),
    ("a: A == old A", "old a", "1:22", "old", "cannot contain another 'old'", "prog.s:2:16"),
    ("a: table[99] == 1", "a", "1:23", "99", "byte 99 is not within", "prog.s:2:12"),
    ("a: b|b: X < nix", "a", "2:21", "nix", "no symbol 'nix'", "p.inc:1:17"),
    ("a: all j in 0..999: table[j] < 5", "all k in 0..999: a", "1:26", "0..999", "is empty or "
    "too large",
     "prog.s:2:29"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "use", "place", "caret", "message", "note"), FAULTS)
def test_faults(lines: str, use: str, place: str, caret: str, message: str, note: str) -> None:
    written = [f";; predicate {line}" for line in lines.split("|")]
    found = _fault("\n".join(written), f"; ensures: {use}")
    assert message in found, found
    shown = found.splitlines()
    headings = [at for at, line in enumerate(shown) if line.startswith(f"p.inc:{place}: error")]
    assert headings, found
    number, column = map(int, place.split(":"))
    under = shown[headings[0] + 2] if len(shown) > headings[0] + 2 else ""
    marks = under.count("^")
    assert f"{written[number - 1]} "[column - 1 : column - 1 + marks] == caret, found
    assert note in found
    assert found.count("error:") == 1, found


USES = [
    ("soudn_hand", "soudn_hand", "a predicate: did you mean 'sound_hand'?"),
    ("belwo(A, 5)", "belwo", "no predicate 'belwo'; did you mean 'below'?"),
    ("below", "below", "the predicate below(x, n) is given 0 of 2 arguments"),
    ("below (A, 5)", "below", "write no blank before the parenthesis"),
    ("below(A)", "below", "below(x, n) is given 1 of 2 arguments"),
    ("below(A, 5, 6)", "below", "below(x, n) is given 3 of 2 arguments"),
    ("below(A, 5", " ", "expected ')', not the end"),
    ("below(, 5)", ",", "expected a number, a name or a parenthesis, not ','"),
    ("below(A, tabel)", "tabel", "did you mean 'table'?"),
    ("sound_hand()", ")", "expected a number, a name or a parenthesis, not ')'"),
    ("sound_hand < 5", "", ""),
    ("sound_hand[1] == 1", "sound_hand", "no symbol 'sound_hand'"),
]


@pytest.mark.parametrize(("use", "caret", "message"), USES)
def test_faults_of_uses(use: str, caret: str, message: str) -> None:
    definitions = ";; predicate sound_hand: A < 5\n;; predicate below(x, n): x < n\n"
    fields = f"; ensures: {use}, X < 5"
    if not message:  # a truth is a number as well, 0 or 1
        assert len(_contract(definitions, fields).ensures) == 2
        return
    found = _fault(definitions, fields)
    assert message in found
    if "X" not in caret:
        column = int(re.findall(r"prog\.s:2:(\d+): error", found)[0])
        at = fields.index(use) + len(use) + 1 if caret == " " else fields.index(caret, 11) + 1
        assert column in (at, fields.index(",", 11) + 1, len(fields) + 1), found


def test_old_has_no_meaning_in_requires() -> None:
    found = _fault(";; predicate a: A == old A\n", "; in: A\n; requires: a")
    assert "p.inc:1:22: error: 'old' has no meaning here" in found
    assert "note: 'a' is used at prog.s:3:13" in found


def test_requires_may_speak_of_inputs_only() -> None:
    found = _fault(";; predicate a: X < 5\n", "; in: A\n; requires: a")
    assert "p.inc:1:17: error: 'X' is not listed under 'in:'" in found


def test_what_can_never_be_is_told_with_the_predicate() -> None:
    found = _fault(";; predicate low: A < 5\n", "; in: A\n; requires: A > 9, low")
    assert "prog.s:3:20: error: no input satisfies 'requires:'" in found


def test_faults_of_a_predicate_are_told_once() -> None:
    found = _fault(";; predicate a: X < nix\n", "; ensures: a, C -> a, not a")
    assert found.count("error:") == 1


# ---------------------------------------------------------------- limits

_DEEP = 60
GROWING = {
    # the first predicate, each further one from that before, a use
    "two at once": ("p0: X < 3", "p{n}: p{m} and p{m}", "p18"),
    "two at once, by a comma": ("p0: X < 3", "p{n}: p{m}, p{m}", "p18"),
    "two at once, to the last": ("p0: X < 3", "p{n}: p{m} and p{m}", "p59"),
    "an argument twice": ("p0(x): x < 3", "p{n}(x): p{m}(x + x)", "p17(A)"),
    "a long condition": ("p0: X < 3", "p{n}: " + "not " * 240 + "p{m}", "p18"),
    "a long chain of conditions": ("p0: X < 3", "p{n}: p{m}" + " and X < 9" * 60, "p18"),
    "parentheses": ("p0: X < 3", "p{n}: " + "(" * 10 + "p{m}" + ")" * 10, "p5"),
    "one by another": ("p0: X < 3", "p{n}: p{m}", "p59"),
    "parentheses in one": ("p0: " + "(" * 3000, "p{n}: C", "p0"),
    "a sum of conditions in one": ("p0: " + "C and " * 3000 + "C", "p{n}: C", "p0"),
    "a list in one": ("p0: " + "C, " * 6000 + "C", "p{n}: C", "p0"),
}


@pytest.mark.slow_cases(
    "two at once", "two at once, by a comma", "a long condition", "a long chain of conditions"
)
@pytest.mark.parametrize(("first", "others", "use"), GROWING.values(), ids=GROWING)
def test_what_grows_without_end_is_refused(first: str, others: str, use: str) -> None:
    lines = [first, *(others.format(n=n, m=n - 1) for n in range(1, _DEEP))]
    found = _fault("\n".join(f";; predicate {line}" for line in lines), f"; ensures: {use}")
    assert found.count("error:") == 1
    assert re.search(r"too long|nested too deeply|more than 5,000 tokens and operators", found)
    assert len(found.splitlines()) < 30


def test_just_below_the_limits() -> None:
    chain = "\n".join(f";; predicate p{n}: p{n - 1}" for n in range(1, MAX_NESTED))
    contract = _contract(f";; predicate p0: X < 3\n{chain}\n", f"; ensures: p{MAX_NESTED - 1}")
    assert _texts(contract) == [f"X < 3 (p{MAX_NESTED - 1})"]
    double = "\n".join(f";; predicate q{n}: q{n - 1}, q{n - 1}" for n in range(1, 9))
    assert len(_contract(f";; predicate q0: X < 3\n{double}\n", "; ensures: q8").ensures) == 256


def test_thousands_of_predicates() -> None:
    lines = "\n".join(f";; predicate p{n}: X < {n % 250 + 1}" for n in range(1000))
    assert _texts(_contract(lines, "; ensures: p999")) == ["X < 250 (p999)"]
    circle = "\n".join(f";; predicate p{n}: p{(n + 1) % 1000}" for n in range(1000))
    assert "p0 → p1 → p2" in _fault(circle)
    broken = "\n".join(f";; predicate p{n}: X <" for n in range(1000))
    assert _fault(broken).count("error:") == MAX_ERRORS


# ---------------------------------------------------------------- at random

_PIECES = st.sampled_from(
    ["a", "b(", "c(A", "c(", ")", ",", "old", "A", "X", "C", "table", "table[", "]", "x", "and",
     "all j in 0..3:", "sum k in 0..2:", "j", "or", "not", "->", "<", "==", "5", "(", "%", "<<",
     "&table", "$", "~", ":"]
)  # fmt: skip
_LINES = st.lists(_PIECES, max_size=8).map(" ".join)


@pytest.mark.slow
@settings(max_examples=150)
@given(_LINES, _LINES, _LINES, _LINES, _LINES)
def test_anything_is_read_or_refused(one: str, two: str, three: str, head: str, use: str) -> None:
    text = f";; predicate a: {one}\n;; predicate b(x): {two}\n;; predicate c(x, k): {three}\n"
    image = _image(f"{text};; predicate {head}\n", f"; in: A X C\n; requires: {use}\n; ensures: a")
    try:
        contract = parse_contracts(image)["go"]
    except BuildFailed as fault:
        diagnostics = fault.diagnostics
        contract = None
    else:
        diagnostics = ()
    assert contract is None or contract.ensures
    assert all(each.span is not None for each in diagnostics)


_OPERANDS = ["A", "X", "table[1]", "5", "byte", "x", "y"]
_CONDITIONS = st.recursive(
    st.tuples(
        st.sampled_from(_OPERANDS), st.sampled_from(["<", "==", ">="]), st.sampled_from(_OPERANDS)
    ).map(" ".join),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or", "->"]), inner).map(
            lambda parts: f"({' '.join(parts)})"
        ),
        inner.map(lambda text: f"not {text}"),
    ),
    max_leaves=5,
)
_GIVEN = st.sampled_from(["A", "(X + 1)", "byte", "table[2]", "7", "(A & 3)"])


@settings(max_examples=100)
@given(_CONDITIONS, _GIVEN, _GIVEN, st.integers(0, 99))
def test_it_is_as_if_the_text_stood_there(body: str, x: str, y: str, seed: int) -> None:
    text = re.sub(r"\b[xy]\b", lambda name: {"x": x, "y": y}[name[0]], body)
    named = _contract(f";; predicate p(x, y): {body}\n", f"; ensures: not p({x}, {y})")
    plain = contract_of(f"; ensures: not ({text})")
    view = _numbers(seed)
    (one,), (other,) = named.ensures, plain.ensures
    assert one.expression == other.expression
    assert evaluate(one.expression, view) == evaluate(other.expression, view)
