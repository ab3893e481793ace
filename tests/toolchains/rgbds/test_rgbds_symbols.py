"""Symbols: scopes, definitions that collide, and names that are nearly right."""

from __future__ import annotations

import pytest
from rgbds_sources import assembled, faults, printed, run

from romproof.text.diagnostic import BuildFailed
from romproof.toolchains.rgbds.obj.model import SymbolKind

CODE = 'SECTION "x", ROM0[$100]\n'


def test_local_labels_belong_to_the_label_before() -> None:
    made = assembled(CODE + "one:\n.in: db 1\ntwo: db 2\n.in db 3\n\tdw .in, one.in\n")
    assert [symbol.name for symbol in made.symbols] == ["one", "one.in", "two", "two.in"]
    assert made.sections[0].data.hex() == "01020302010001"


def test_anonymous_labels() -> None:
    # in a section without an address: there distances are known, addresses are not
    source = 'SECTION "x", ROM0\n: nop\n: jr :-\n\tjr :--\n\tjr :+\n\tnop\n: ret\n'
    assert assembled(source).sections[0].data.hex() == "0018fe18fb180000c9"


def test_a_reference_becomes_what_is_defined_later() -> None:
    made = assembled(CODE + "\tdw later, other\nlater:\nDEF other EQU 7\n")
    assert [(s.name, s.kind, s.section, s.value) for s in made.symbols] == [
        ("later", SymbolKind.LOCAL, 0, 4),
        ("other", SymbolKind.LOCAL, None, 7),
    ]


def test_exports_and_imports() -> None:
    made = assembled(CODE + "one::\ntwo:\n\tEXPORT two, k\nDEF k EQU 1\n\tdw far\n")
    kinds = {symbol.name: symbol.kind for symbol in made.symbols}
    assert kinds == {
        "far": SymbolKind.IMPORT,
        "one": SymbolKind.EXPORT,
        "two": SymbolKind.EXPORT,
        "k": SymbolKind.EXPORT,
    }


def test_counter() -> None:
    assert printed("RSSET 3\nDEF x RB 2\nDEF y RW\nDEF w RL 2\nprintln x, y, w, _RS\n") == [
        "$3$5$7$F"
    ]


def test_purged_names_are_free() -> None:
    assert printed('DEF x EQU 1\nPURGE x\nprintln DEF(x)\nDEF x EQUS "x"\nprintln #x\n') == [
        "$0",
        "x",
    ]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("DEF x EQU 1\nDEF x EQU 2\n", "`x` already defined"),
        ("DEF x EQU 1\nDEF x = 2\n", "`x` already defined as constant"),
        ('DEF x EQU 1\nREDEF x EQUS ""\n', "`x` already defined as non-`EQUS`"),
        (f"{CODE}x:\nx:\n", "`x` already defined"),
        (f"{CODE}x:\nDEF x = 1\n", "`x` already defined as label"),
        (f'{CODE}\tdw x\nDEF x EQUS ""\n', "`x` already referenced"),
        ("DEF __RGBDS_MAJOR__ EQU 2\n", "`__RGBDS_MAJOR__` already defined as built-in"),
        ("DEF _NARG EQU 2\n", "`_NARG` is reserved for a built-in symbol"),
        ("PURGE _RS\n", "Built-in symbol `_RS` cannot be purged"),
        (f"{CODE}\tdw x\nPURGE x\n", "Symbol `x` is referenced and thus cannot be purged"),
        (f"{CODE}.in\n", "Unqualified local label `.in` in main scope"),
        ("x:\n", "Cannot define label `x` outside of a `SECTION`"),
        (
            f"{CODE}\tjr :--\n",
            "Reference to anonymous label 2 before, when only 0 have been created so far",
        ),
    ],
)
def test_errors(source: str, message: str) -> None:
    assert faults(source)[0] == message


def test_the_first_definition_is_shown() -> None:
    with pytest.raises(BuildFailed) as failure:
        run("DEF x EQU 1\n\nDEF x EQU 2\n")
    (found,) = failure.value.diagnostics
    assert [str(place) for _, place in found.notes] == ["test.asm:1:1"]


def test_near_misses_are_named() -> None:
    with pytest.raises(BuildFailed) as failure:
        run("MACRO double\nENDM\n\tdoubel 1\n")
    (found,) = failure.value.diagnostics
    assert (found.message, found.help) == (
        "Undefined macro `doubel`",
        "did you mean 'double'?",
    )
