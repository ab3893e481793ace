"""Conditions that cannot be read: what is said of them, and where."""

from __future__ import annotations

import contextlib
import re

import pytest
from headers import contract_of, fault_of, image_of
from hypothesis import given, settings
from hypothesis import strategies as st

from romproof.contract.reading.parse import parse_contracts
from romproof.contract.text.cursor import MAX_NESTED, MAX_TOKENS
from romproof.text.diagnostic import BuildFailed

FAULTS = [
    # the condition, what the caret stands under, a part of the message
    ("A = 5", "=", "write == for 'is equal to'"),
    ("A <> 5", "<>", "write !="),
    ("A && X", "&&", "write 'and'"),
    ("C || Z", "||", "write 'or'"),
    ("!C", "!", "write 'not'"),
    ("A / 2 == 1", "/", "there is no division"),
    ("~A == 1", "~", "there is no complement"),
    ("A == 'x'", "'", "no meaning in a condition"),
    ("A == 12x", "12x", "'12x' is not a number"),
    ("A == $", "$", "no meaning"),
    ("A == $0G", "$0G", "is not a number"),
    ("A < 5 X", "X", "expected an operator or a comma, not 'X'"),
    ("A < 5)", ")", "expected an operator or a comma, not ')'"),
    ("byte(3) == 1", "(", "write an element as name[3]"),
    ("(A < 5", " ", "expected ')', not the end"),
    ("table[3 < 5", "<", "expected ']', not '<'"),
    ("A <", " ", "expected a number, a name or a parenthesis, not the end"),
    ("< 5", "<", "expected a number, a name or a parenthesis, not '<'"),
    ("A < * 5", "*", "expected a number, a name or a parenthesis, not '*'"),
    ("A in 5", " ", "expected '..', not the end"),
    ("A not in 0..5", "not", "expected an operator or a comma, not 'not'"),
    ("A", "A", "a number, neither true nor false"),
    ("A + C", "A + C", "a number, neither true nor false"),
    ("C and A", "A", "a number, neither true nor false"),
    ("A or C", "A", "a number, neither true nor false"),
    ("not A", "A", "a number, neither true nor false"),
    ("C -> A", "A", "a number, neither true nor false"),
    ("A -> C", "A", "a number, neither true nor false"),
    ("all j in 0..3: j", "j", "a number, neither true nor false"),
    ("old A", "old A", "a number, neither true nor false"),
    ("tabel[3] == 1", "tabel", "no symbol 'tabel' in the image; did you mean 'table'?"),
    ("byt == 1", "byt", "did you mean 'byte'?"),
    ("&byt == 1", "byt", "did you mean 'byte'?"),
    ("::local == 1", "::local", "no symbol 'local'"),
    ("table == 1", "table", "'table' has 78 bytes: too many for one number"),
    ("bare == 1", "bare", "the size of 'bare' is not known"),
    ("far == 1", "far", "not an address of 16 bits"),
    ("$12345[0] == 1", "$12345", "not an address of 16 bits"),
    ("table[78] == 1", "78", "byte 78 is not within the 78 bytes of 'table'"),
    ("table[SIZE] == 1", "SIZE", "byte 78 is not within"),
    ("table[0 - 1] == 1", "0 - 1", "byte -1 is not within"),
    ("table[X + 78] == 1", "X + 78", "byte 78..333 is not within"),
    ("A[1] == 1", "A", "'A' is a register or flag and has no bytes"),
    ("&A == 1", "A", "'A' is a register or flag and has no address"),
    ("SIZE[1] == 1", "SIZE", "'SIZE' is a constant and has no bytes"),
    ("S < 5", "S", "conditions cannot mention the stack pointer S"),
    ("A << word == 1", "word", "this shifts by 0..65535; counts must be 0..255"),
    ("A >> 0 - 1 == 1", "0 - 1", "this shifts by -1..-1"),
    ("A % (X - 1) == 1", "(X - 1)", "this divisor may be negative"),
    ("old 5 == 1", "5", "expected a name or '(', not '5'"),
    ("old (old A) == 1", "old", "'old' cannot contain another 'old'"),
    ("all A in 0..3: C", "A", "'A' already has another meaning"),
    ("all j in 0..3: all j in 0..3: C", "j", "'j' already has another meaning"),
    ("all j::k in 0..3: C", "j::k", "is not a name for a variable"),
    ("all j in 0..X: C", "X", "this is not a constant"),
    ("sum j in 0..3: j", "sum j in 0..3: j", "a number, neither true nor false"),
    ("sum j in 0..3 == 1", "==", "expected ':', not '=='"),
    ("sum == 1", "sum", "no symbol 'sum'"),
    ("all j in 3..0: C", "3..0", "the range from 3 to 0 is empty"),
    ("all j in 0..65536: C", "0..65536", "is empty or too large"),
    ("all j in 0..999: all k in 0..999: C", "0..999", "is empty or too large"),
    ("all j in 0..3 C", "C", "expected ':', not 'C'"),
    ("all 5 in 0..3: C", "5", "expected a name, not '5'"),
    ("j < 5", "j", "no symbol 'j'"),
    ("(all j in 0..3: C) and j < 5", "j", "no symbol 'j'"),
    ("A < 5,, X < 5", ",", "a condition is missing here"),
    (", A < 5", ",", "a condition is missing here"),
]


@pytest.mark.parametrize(("text", "caret", "message"), FAULTS)
def test_malformed_conditions(text: str, caret: str, message: str) -> None:
    line = f"; ensures: {text}"
    found = fault_of(line)
    assert message in found, found
    lines = found.splitlines()
    places = [
        (m[1], marks[marks.index("^") :])
        for heading, _, marks in zip(lines, lines[1:], lines[2:], strict=False)
        if (m := re.match(r"prog\.s:2:(\d+): error: ", heading))
    ]
    assert places, found
    column, marks = int(places[0][0]), places[0][1]
    assert f"{line} "[column - 1 : column - 1 + len(marks)] == caret, found


def test_all_faults_of_a_field_are_told() -> None:
    found = fault_of("; ensures: A = 5, X < tabel[1] + byt, Y < 5, (C, V and,\n;   A < Q, not D")
    assert len(re.findall("error:", found)) == 6
    assert "prog.s:3:9: error: no symbol 'Q'" in found


def test_the_faults_of_all_fields_are_told() -> None:
    found = fault_of(
        "; in: A\n; requires: A <\n; ensures: X <\n; invariant: @step: Y <\n; loops: @step X\n"
        "; secret: X\n; out: nowhere\n; cycles: 3..4 constant"
    )
    assert sorted(re.findall(r"prog\.s:(\d+):\d+: error", found)) == list("3456789")


def test_a_condition_keeps_its_text_and_place() -> None:
    contract = contract_of(
        "; ensures:   A  <=\n;     old A   (see below),\n;     (C or Z) and not D (x)"
    )
    first, second = contract.ensures
    assert (first.text, str(first.span)) == ("A <= old A", "prog.s:2:14")
    assert (second.text, str(second.span)) == ("(C or Z) and not D", "prog.s:4:7")
    assert second.span.length == len(second.text)


def test_requirements_are_about_inputs_and_have_nothing_older() -> None:
    found = fault_of("; in: A table\n; requires: A < 5, X < 5, old A < 5, table[Y] < 5, byte < 5")
    assert "prog.s:3:20: error: 'X' is not listed under 'in:'" in found
    assert "prog.s:3:27: error: 'old' has no meaning here" in found
    assert "prog.s:3:44: error: 'Y' is not listed" in found
    assert found.count("error:") == 3
    found = fault_of("; in: BC\n; requires: BC < 5, HL < 5, CF", "sm83")
    assert "'H, L' is not listed under 'in:'" in found
    assert "'CF' is not listed" in found
    # without "in:" nothing is said of what is not an input
    assert len(contract_of("; requires: A < 5, X < 5").requires) == 2


@pytest.mark.parametrize("name", ["AF", "F", "SP"])
def test_groups_that_are_no_numbers(name: str) -> None:
    found = fault_of(f"; ensures: {name} == 1", "sm83")
    assert f"'{name}' is not a number" in found or "stack pointer SP" in found


def test_a_size_in_the_contract_counts_before_that_of_the_symbol() -> None:
    contract_of("; in: bare[2] table[2]\n; out: bare[1]\n; requires: bare < 5, table < 5")
    assert "byte 2 is not within the 2 bytes" in fault_of("; in: bare[2]\n; ensures: bare[2] < 5")
    contract_of("; in: SIZE[2]\n; ensures: SIZE[1] == 1")
    contract_of("; in: $C000[2]\n; ensures: $C000[1] == 1")


def test_conditions_have_an_end() -> None:
    deep = "(" * MAX_NESTED + "C" + ")" * MAX_NESTED
    assert contract_of(f"; ensures: {deep}").ensures
    assert "nested too deeply" in fault_of(f"; ensures: ({deep})")
    assert "nested too deeply" in fault_of(f"; ensures: {'table[' * 99}")
    for endless in (
        "not " * 999 + "C",
        "-" * 999 + "A < 5",
        "C" + " and C" * 999,
        "C" + " -> C" * 999,
    ):
        assert "this condition is too long" in fault_of(f"; ensures: {endless}")
    many = ", ".join(["C"] * MAX_TOKENS)
    assert len(contract_of(f"; ensures: {many}").ensures) == MAX_TOKENS


LETTERS = "& | ^ << >> + - * % == <= < ? ' = && @ # ( ) [ ] .. , :"
OTHERS = "-> and or not in all old j A X C byte table bare SIZE 5 $FF %101"
WORDS = st.sampled_from([*LETTERS.split(), *OTHERS.split()])


@pytest.mark.slow
@settings(deadline=None, max_examples=400)
@given(st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=15))
def test_whatever_is_written_there_is_a_contract_or_a_fault(text: str) -> None:
    with contextlib.suppress(BuildFailed):
        parse_contracts(image_of(f"; out: A\n; ensures: {text}"))
