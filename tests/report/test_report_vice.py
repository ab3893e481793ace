from __future__ import annotations

from romproof.report.labelfile import parse_vice_labels
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source


def test_labels_of_vice_and_of_ld65() -> None:
    found = Diagnostics()
    text = "al C:c000 .main\nal 00C010 .sub@loop\nadd_label 20 .zp\nbreak c000\n\nal C000 .twin\n"
    labels = parse_vice_labels(Source("x.lbl", text), found)
    assert labels == {0xC000: "main", 0xC010: "sub@loop", 0x20: "zp"}
    assert not found.items


def test_values_that_are_no_addresses_are_left_out() -> None:
    assert parse_vice_labels(Source("x.lbl", "al 123456 .big\n"), Diagnostics()) == {}


def test_what_cannot_be_read_is_an_error_with_its_line() -> None:
    found = Diagnostics()
    parse_vice_labels(Source("x.lbl", "al C:c000 .main\nal xyz\n"), found)
    assert [str(d.span) for d in found.items] == ["x.lbl:2:1"]
