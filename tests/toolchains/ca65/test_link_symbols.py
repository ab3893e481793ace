"""Symbols, expressions, assertions and tables at link time."""

from __future__ import annotations

import pytest
from link_programs import (
    ROM,
    export,
    failure,
    file,
    linked,
    module,
    place,
    section,
    span,
    wanted,
)

from romproof.program.address_size import AddressSize
from romproof.toolchains.ca65.obj.expr import (
    Binary,
    BinaryOp,
    Expr,
    Imported,
    Literal,
    Unary,
    UnaryOp,
)
from romproof.toolchains.ca65.obj.link_symbols import Label
from romproof.toolchains.ca65.obj.object import Action, Assertion, Fixup


def word(value: Expr) -> bytes:
    """The two bytes that ``value`` gives, beside an import of -7 and one of $12345678."""
    other = module(name="other.s", exports=[export("minus", Unary(UnaryOp.NEGATE, Literal(7)))])
    image = linked(ROM, module(section("CODE", bytes(2), [(0, 2, value)])), other)
    return file(image)


def low(value: Expr) -> Expr:
    return Unary(UnaryOp.WORD0, value)


def test_symbols_cross_objects() -> None:
    user = module(section("CODE", bytes(4), [(0, 2, Imported("there")), (2, 1, Imported("n"))]))
    owner = module(
        section("CODE", b"x"),
        name="two.s",
        exports=[export("there", place()), export("n", 65)],
    )
    image = linked(ROM, user, owner)
    assert file(image) == b"\x04\x80A\0x"
    assert (image.address("there"), image.address("n")) == (0x8004, 65)
    assert image.symbol("there").is_label
    assert not image.symbol("n").is_label
    assert image.symbol("there").module == "two.s"


def test_undefined_symbols_are_reported_once_with_all_their_uses() -> None:
    fixups = [
        Fixup(0, 2, Imported("strat"), False, span(4)),
        Fixup(2, 2, Imported("strat"), False, span(5)),
    ]
    obj = module(
        section("CODE", bytes(4), fixups),
        imports=[wanted("strat"), wanted("secret")],
        exports=[export("start", place())],
        labels=[Label("secret", Literal(1), AddressSize.ABSOLUTE, False, False, None, span())],
    )
    text = failure(ROM, obj)
    assert text.count("unresolved external 'strat'") == 1
    assert "main.s:4:1: error" in text
    assert "also used at main.s:5:1" in text
    assert "did you mean 'start'?" in text
    assert "main.s has it, but does not export it: add .export secret" in text


def test_duplicate_exports() -> None:
    text = failure(
        ROM,
        module(exports=[export("a", 1, line=2)]),
        module(name="two.s", exports=[export("a", 2, line=9)]),
    )
    assert "main.s:9:1: error: duplicate external identifier 'a'" in text
    assert "first defined at main.s:2:1" in text


def test_names_of_the_linker_are_taken() -> None:
    text = failure(ROM, module(section("CODE", b"x"), exports=[export("__CODE_RUN__", 1)]))
    assert "duplicate external identifier '__CODE_RUN__'" in text


def test_circular_definitions() -> None:
    exports = [export("a", Imported("b")), export("b", Imported("a"))]
    code = section("CODE", bytes(2), [(0, 2, Imported("a"))])
    assert "main.s:7:1: error: circular reference: a -> b -> a" in failure(
        ROM, module(code, exports=exports)
    )
    warnings: list[str] = []
    linked(ROM, module(exports=exports), warnings=warnings)
    assert warnings[0] == "'a' has no value: circular reference: a -> b -> a"


def test_weak_symbols_give_way() -> None:
    config = "SYMBOLS { w: type = weak, value = 7; }" + ROM
    user = module(section("CODE", bytes(1), [(0, 1, Imported("w"))]))
    assert file(linked(config, user)) == b"\7"
    assert file(linked(config, user, module(exports=[export("w", 9)]))) == b"\x09"


def test_defines_and_exports_of_the_configuration() -> None:
    config = (
        "SYMBOLS { here: type = export, value = there + 1; size: type = export, value = 16; }"
        "MEMORY { R: start = base, size = size; }"
        "SEGMENTS { CODE: load = R, type = ro, offset = size / 4; }"
    )
    user = module(section("CODE", bytes(2), [(0, 2, Imported("here"))]))
    owner = module(exports=[export("there", 0x1234)])
    image = linked(config, user, owner, defines={"base": 0x4000})
    assert file(image) == bytes(4) + b"\x35\x12"
    assert image.segments[0].run == 0x4004


def test_places_of_segments_need_symbols_that_are_known_at_once() -> None:
    config = (
        "MEMORY { R: start = 0, size = 9; }"
        "SEGMENTS { CODE: load = R, type = ro, align = later; }"
        "SYMBOLS { later: type = export, value = 4; }"
    )
    assert "a constant is needed here: 'later' is not defined" in failure(
        config, module(section("CODE", b"x"))
    )


def test_address_size_mismatch() -> None:
    warnings: list[str] = []
    linked(
        ROM,
        module(imports=[wanted("z")]),
        module(exports=[export("z", 3, AddressSize.ZEROPAGE)]),
        warnings=warnings,
    )
    assert warnings == ["address size mismatch for 'z': absolute here, zeropage at main.s:2:1"]


@pytest.mark.parametrize(
    ("value", "size", "signed", "message"),
    [
        (256, 1, False, "Range error: the value $100 does not fit into 1 byte"),
        (-1, 1, False, "Range error: the value -1 does not fit into 1 byte"),
        (0x10000, 2, False, "Range error: the value $10000 does not fit into 2 bytes"),
        (128, 1, True, "Range error: the branch target is 128 bytes away, not -128 to 127"),
        (-129, 1, True, "Range error: the branch target is -129 bytes away"),
    ],
)
def test_range_errors(value: int, size: int, signed: bool, message: str) -> None:
    fixup = Fixup(0, size, Literal(value), signed, span(6))
    text = failure(ROM, module(section("CODE", bytes(size), [fixup])))
    assert f"main.s:6:1: error: {message}" in text


def test_range_errors_where_nothing_is_written() -> None:
    warnings: list[str] = []
    image = linked(
        ROM.replace("%O", '""'),
        module(section("CODE", b"\0", [(0, 1, place())])),
        warnings=warnings,
    )
    assert image.files == ()
    assert warnings == [
        "Range error: the value $8000 does not fit into 1 byte"
        " (in a segment that is written to no file)"
    ]


@pytest.mark.parametrize(("value", "signed"), [(255, False), (0, False), (-128, True), (127, True)])
def test_values_that_just_fit(value: int, signed: bool) -> None:
    fixup = Fixup(0, 1, Literal(value), signed, span())
    image = linked(ROM, module(section("CODE", bytes(1), [fixup])))
    assert file(image) == bytes([value & 0xFF])


def test_arithmetic_is_that_of_the_host_of_ld65() -> None:
    minus = Imported("minus")
    assert word(low(Binary(BinaryOp.SHR, minus, Literal(1)))) == b"\xfc\xff"
    assert word(low(Binary(BinaryOp.DIV, minus, Literal(2)))) == b"\xfd\xff"
    assert word(low(Binary(BinaryOp.MOD, minus, Literal(5)))) == b"\xfe\xff"
    # a number in an expression comes as 32 bits with a sign through the object file
    assert word(Binary(BinaryOp.EQ, Literal(0xFFFFFFFF), Literal(-1))) == b"\1\0"
    # shift counts are taken modulo 64
    assert word(Binary(BinaryOp.SHL, Literal(3), Literal(65))) == b"\6\0"


def test_a_constant_export_has_no_sign() -> None:
    user = module(section("CODE", bytes(4), [(0, 4, Imported("n"))]), exports=[export("n", -1)])
    assert file(linked(ROM, user)) == b"\xff\xff\xff\xff"


def test_long_sums() -> None:
    value: Expr = Imported("one")
    for _ in range(4000):
        value = Binary(BinaryOp.ADD, value, Literal(1))
    obj = module(section("CODE", bytes(2), [(0, 2, value)]), exports=[export("one", 1)])
    assert file(linked(ROM, obj)) == (4001).to_bytes(2, "little")


def test_expressions_without_bottom() -> None:
    value: Expr = Imported("one")
    for _ in range(30000):
        value = Unary(UnaryOp.NEGATE, value)
    obj = module(section("CODE", bytes(2), [(0, 2, value)]), exports=[export("one", 1)])
    assert "an expression is nested too deeply" in failure(ROM, obj)


def test_division_by_zero() -> None:
    value = Binary(BinaryOp.DIV, Literal(1), Imported("zero"))
    obj = module(section("CODE", bytes(2), [(0, 2, value)]), exports=[export("zero", 0)])
    assert "main.s:7:1: error: Division by zero" in failure(ROM, obj)


def test_and_or_decide_before_they_look_at_everything() -> None:
    broken = Binary(BinaryOp.DIV, Literal(1), Literal(0))
    assert word(Binary(BinaryOp.BOOL_AND, Literal(0), broken)) == b"\0\0"
    assert word(Binary(BinaryOp.BOOL_OR, Literal(3), broken)) == b"\1\0"


BANKED = (
    "MEMORY { A: start = 0, size = 9, bank = 2 + 3; B: start = 0, size = 9; }"
    "SEGMENTS { CODE: load = A, type = ro; DATA: load = B, type = rw; }"
)


def test_bank() -> None:
    value = Unary(UnaryOp.BANK, Binary(BinaryOp.ADD, Imported("there"), Literal(1)))
    obj = module(section("CODE", bytes(1), [(0, 1, value)]), exports=[export("there", place())])
    assert file(linked(BANKED, obj, warnings=[])) == b"\5"


@pytest.mark.parametrize(
    ("operand", "message"),
    [
        (Literal(1), ".bank needs an expression with exactly one address"),
        (Binary(BinaryOp.ADD, place(), place()), "with exactly one address"),
        (Binary(BinaryOp.MUL, place(), Literal(1)), ".bank needs an address"),
        (place(1), "memory area 'B' has no bank attribute"),
        (place(2), "segment 'LOST' has no memory area to take .bank from"),
    ],
)
def test_bank_of_what_has_none(operand: Expr, message: str) -> None:
    value = Unary(UnaryOp.BANK, operand)
    code = section("CODE", bytes(1), [(0, 1, value)])
    assert message in failure(BANKED, module(code, section("DATA"), section("LOST")))


def assertion(value: Expr, action: Action) -> Assertion:
    return Assertion(value, action, "too far", span(8))


def test_assertions() -> None:
    holds = Binary(BinaryOp.EQ, place(), Literal(0x8000))
    fails = Binary(BinaryOp.NE, place(), Literal(0x8000))
    code = section("CODE", b"x")
    linked(ROM, module(code, assertions=[assertion(holds, Action.ERROR)]))
    warnings: list[str] = []
    linked(ROM, module(code, assertions=[assertion(fails, Action.WARNING)]), warnings=warnings)
    assert warnings == ["assertion failed: too far"]
    text = failure(ROM, module(code, assertions=[assertion(fails, Action.ERROR)]))
    assert "main.s:8:1: error: assertion failed: too far" in text


def test_assertions_on_segments_without_address_cannot_be_decided() -> None:
    warnings: list[str] = []
    obj = module(section("LOST"), assertions=[assertion(place(), Action.ERROR)])
    linked(ROM, obj, warnings=warnings)
    assert warnings == ["cannot decide this assertion: segment 'LOST' has no address"]


def table(more: str = "") -> str:
    """A layout with a table of constructors."""
    return ROM + (
        "FEATURES { CONDES: type = constructor, label = table, count = n,"
        f" segment = RODATA{more}; }}"
    )


def constructors(order: str = "") -> bytes:
    uses = module(section("RODATA", bytes(1), [(0, 1, Imported("n"))]), imports=[wanted("table")])
    makes = module(
        section("CODE", bytes(8)),
        name="two.s",
        exports=[
            export("late", place(0, 1), condes=((0, 9),)),
            export("b", place(0, 2), condes=((0, 7),)),
            export("a", place(0, 3), condes=((0, 7), (1, 1))),
            export("other", place(0, 4), condes=((1, 1),)),
        ],
    )
    return file(linked(table(order), uses, makes, warnings=[]))[8:]


def test_constructor_tables_are_sorted_by_priority_and_name() -> None:
    assert constructors() == bytes.fromhex("03 03 80 02 80 01 80")
    assert constructors(", order = decreasing") == bytes.fromhex("03 01 80 02 80 03 80")


def test_a_table_nobody_imports_is_not_made() -> None:
    obj = module(section("CODE", b"x"), exports=[export("a", place(), condes=((0, 1),))])
    assert file(linked(table(), obj, warnings=[])) == b"x"


def test_a_table_can_force_an_import() -> None:
    obj = module(section("CODE", b"x"), exports=[export("a", place(), condes=((0, 1),))])
    text = failure(table(", import = runner"), obj)
    assert "unresolved external 'runner'" in text


def test_imports_of_the_configuration() -> None:
    config = "SYMBOLS { main: type = import; }" + ROM
    assert "layout.cfg:1:11: error: unresolved external 'main'" in failure(config, module())


def test_files_must_be_written_by_an_area() -> None:
    text = failure(ROM + 'FILES { "outt": format = bin; }', module())
    assert "file 'outt' not found in MEMORY" in text
    linked(ROM + 'FILES { "out": format = bin; }', module())


def test_there_must_be_something_to_link() -> None:
    assert "there are no objects to link" in failure(ROM)


def test_an_undefined_symbol_in_memory_is_reported_once() -> None:
    config = "MEMORY { A: start = __B_STRAT__, size = 1; B: start = 0, size = 1, define = yes; }"
    text = failure(config, module())
    assert text.count("error") == 1
    assert "the start of memory area 'A' is not constant: '__B_STRAT__' is not defined" in text


def test_areas_are_placed_in_their_order() -> None:
    config = "MEMORY { A: start = __B_LAST__, size = 1; B: start = 0, size = 1, define = yes; }"
    assert "areas are placed in their order" in failure(config, module())
