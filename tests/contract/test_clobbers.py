"""Lists of what is clobbered that contracts take over from other routines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from romproof.contract.clobbers import MOST_NESTED
from romproof.contract.items import name_of
from romproof.contract.model import Contract
from romproof.contract.parse import parse_contracts
from romproof.harness.errors import ContractViolation
from romproof.harness.rom import Rom
from romproof.program.image import Image
from romproof.projects import build
from romproof.projects.manifest import manifest_from
from romproof.prover.piece import piece_of
from romproof.text.diagnostic import BuildFailed

CPUS = pytest.mark.parametrize("cpu", ["6502", "sm83"])
HEADS = {
    "6502": """\
.segment "ZEROPAGE"
.exportzp one, pair, four, ptr
one:  .res 1
pair: .res 2
four: .res 4
ptr:  .res 2
.segment "CODE"
.export _stop
_stop: rts
""",
    "sm83": """\
SECTION "vars", HRAM[$FF90]
one:: ds 1
pair:: ds 2
four:: ds 4
ptr:: ds 2
SECTION "code", ROM0[$150]
""",
}
CALL = {"6502": "jsr", "sm83": "call"}
JUMP = {"6502": "jmp", "sm83": "jp"}
RETURN = {"6502": "rts", "sm83": "ret"}


def _image(cpu: str, folder: Path, text: str) -> Image:
    """The program; in ``text`` a routine begins with its name and a colon, ``CALL``, ``JUMP`` and
    ``RETURN`` are the CPU's. Names that begin with an underscore are private."""
    for word, table in (("CALL", CALL), ("JUMP", JUMP), ("RETURN", RETURN)):
        text = text.replace(word, table[cpu])
    if cpu == "6502":
        text = re.sub(r"^([a-z]\w*):", r".export \1\n\1:", text, flags=re.MULTILINE)
    else:
        text = re.sub(r"^([a-z]\w*):", r"\1::", text, flags=re.MULTILINE)
    name = "prog.s" if cpu == "6502" else "prog.asm"
    (folder / name).write_text(HEADS[cpu] + text, "utf-8")
    table = {"name": "demo", "cpu": cpu, "sources": [name]}
    return build(manifest_from(table, folder, "demo", "test")).image


def _contracts(cpu: str, folder: Path, text: str) -> dict[str, Contract]:
    return dict(parse_contracts(_image(cpu, folder, text)))


def _clobbers(contract: Contract) -> list[str]:
    return [name_of(item) for item in contract.clobbers]


def _fault(cpu: str, folder: Path, text: str) -> str:
    with pytest.raises(BuildFailed) as caught:
        _contracts(cpu, folder, text)
    return str(caught.value)


LEAVES = """\
;; leaf – gives one and destroys four.
; out: A one
; clobbers: four[4]
leaf:
  RETURN

;; other – destroys some.
; out: pair[2]
; clobbers: A one
other:
  RETURN

"""


@CPUS
def test_all_that_another_routine_changes(cpu: str, tmp_path: Path) -> None:
    text = f"""{LEAVES}
;; go – as leaf, its results as well.
; out: A
; clobbers: ptr[2], as leaf
go:
  RETURN
;; both – as two; what comes twice is listed once.
; clobbers: as leaf as other
both:
  RETURN
;; further – as one that is as another.
; out: four[4]
; clobbers: as both
further:
  RETURN
"""
    contracts = _contracts(cpu, tmp_path, text)
    assert _clobbers(contracts["go"]) == ["ptr[2]", "one[1]", "four[4]"]
    assert _clobbers(contracts["both"]) == ["A", "one[1]", "four[4]", "pair[2]"]
    assert _clobbers(contracts["further"]) == ["A", "one[1]", "pair[2]"]


@CPUS
def test_what_is_called_is_found_in_the_code(cpu: str, tmp_path: Path) -> None:
    text = f"""{LEAVES}
;; calls – calls one, and goes on in another.
; clobbers: callees
calls:
  CALL leaf
  JUMP other
;; through – a routine without a contract is code of its caller.
; clobbers: ptr[2] callees
through:
  CALL _private
  RETURN
_private:
  CALL _deeper
  CALL _private
  RETURN
_deeper:
  CALL leaf
  RETURN
;; named – a contract on a private routine counts.
; clobbers: callees
named:
  CALL _own
  RETURN
;; _own – not exported.
; clobbers: ptr[2]
_own:
  CALL other
  RETURN
;; again – calls itself, and falls through.
; clobbers: callees
again:
  CALL again
  CALL other
;; below – comes next.
; clobbers: four[4]
below:
  RETURN
"""
    contracts = _contracts(cpu, tmp_path, text)
    assert _clobbers(contracts["calls"]) == ["A", "one[1]", "four[4]", "pair[2]"]
    assert _clobbers(contracts["through"]) == ["ptr[2]", "A", "one[1]", "four[4]"]
    assert _clobbers(contracts["named"]) == ["ptr[2]"]
    assert _clobbers(contracts["again"]) == ["pair[2]", "A", "one[1]", "four[4]"]


@CPUS
def test_what_is_restored_is_left_out(cpu: str, tmp_path: Path) -> None:
    text = f"""{LEAVES}
;; go – keeps A.
; clobbers: callees, as other except A pair
go:
  CALL leaf
  RETURN
;; by_address – two names of one place are one place.
; out: {"$8F" if cpu == "6502" else "$FF9F"}[1]
; clobbers: as leaf except {"$80" if cpu == "6502" else "$FF90"}[1]
by_address:
  RETURN
"""
    contracts = _contracts(cpu, tmp_path, text)
    assert _clobbers(contracts["go"]) == ["one[1]", "four[4]"]
    assert _clobbers(contracts["by_address"]) == ["A", "four[4]"]


@CPUS
def test_ports_stay_ports(cpu: str, tmp_path: Path) -> None:
    text = """\
;; leaf – writes a port.
; clobbers: volatile one four[4]
leaf:
  RETURN
;; go – so does this.
; clobbers: callees
go:
  CALL leaf
  RETURN
;; not_so – but this keeps it.
; clobbers: as leaf except one
not_so:
  CALL leaf
  RETURN
"""
    contracts = _contracts(cpu, tmp_path, text)
    assert [port.name for port in contracts["go"].volatile] == ["one"]
    assert contracts["not_so"].volatile == ()


def test_names_of_memory_that_is_taken_over_have_its_size(tmp_path: Path) -> None:
    text = """\
;; leaf – destroys some bytes.
; clobbers: $80[2]
leaf:
  RETURN
;; go – says something of them.
; clobbers: as leaf
; ensures: $80 == 5
go:
  RETURN
"""
    assert _contracts("6502", tmp_path, text)["go"].ensures[0].text == "$80 == 5"


FAULTS = [
    # the field, what the caret stands under, a part of the message
    ("as", "as", "the name of a routine follows 'as'"),
    ("as, callees", "as", "the name of a routine follows 'as'"),
    ("as as leaf", "as", "the name of a routine follows 'as'"),
    ("as laef", "laef", "no symbol 'laef' in the image; did you mean 'leaf'?"),
    ("as four", "four", "'four' has no contract that could be taken over"),
    ("as go", "go", "'go' takes over its own list: go → go"),
    ("as leaf except A, as other", "as", "'as' stands behind 'except', which goes on to the end"),
    ("as leaf except A except one", "except", "'except' stands behind 'except'"),
    ("callees callees", "callees", "'callees' stands twice"),
    ("A except X", "except", "nothing that 'except' could leave something out of"),
    ("except A", "except", "nothing that 'except' could leave something out of"),
    ("as leaf except ptr[2]", "ptr[2]", "'ptr[2]' is not in the lists that it is left out of"),
    ("A as leaf except A", "A", "'A' is listed and left out"),
    ("as leaf except four[2]", "four[2]", "only a part of four[4] is left out"),
    ("as leaf, none", "none", "'none' stands for an empty list but is not alone"),
    ("one, one, as leaf", "one", "'one' is listed twice"),
    ("as leaf, nix", "nix", "no symbol 'nix'"),
]


@CPUS
@pytest.mark.parametrize(("field", "caret", "message"), FAULTS)
def test_faults(cpu: str, field: str, caret: str, message: str, tmp_path: Path) -> None:
    text = f"{LEAVES};; go – it.\n; clobbers: {field}\ngo:\n  CALL leaf\n  RETURN\n"
    found = _fault(cpu, tmp_path, text)
    assert message in found
    lines = found.splitlines()
    at = next(n for n, line in enumerate(lines) if message in line)
    marks = lines[at + 2]
    start = marks.index("^") - marks.index("|")
    shown = lines[at + 1][lines[at + 1].index("|") + start :][: marks.count("^")]
    assert shown == caret


@CPUS
def test_the_same_words_mean_nothing_in_other_lists(cpu: str, tmp_path: Path) -> None:
    text = ";; go – it.\n; in: callees\ngo:\n  RETURN\n"
    assert "no symbol 'callees' in the image" in _fault(cpu, tmp_path, text)


@CPUS
def test_lists_that_take_over_each_other(cpu: str, tmp_path: Path) -> None:
    text = """\
;; ping – calls pong.
; clobbers: A callees
ping:
  CALL pong
  RETURN
;; pong – is as ping.
; clobbers: as ping
pong:
  RETURN
"""
    found = _fault(cpu, tmp_path, text)
    assert "'ping' takes over its own list: ping → pong → ping" in found
    assert "write the list of one of them out" in found


@CPUS
def test_a_routine_that_calls_nothing(cpu: str, tmp_path: Path) -> None:
    text = ";; go – it.\n; clobbers: A callees\ngo:\n  RETURN\n"
    assert "'go' calls no routine that has a contract" in _fault(cpu, tmp_path, text)


@CPUS
def test_very_long_chains(cpu: str, tmp_path: Path) -> None:
    def chain(count: int) -> str:
        links = [
            f";; r{n} – it.\n; clobbers: as r{n - 1}\nr{n}:\n  RETURN\n" for n in range(1, count)
        ]
        return ";; r0 – it.\n; clobbers: A\nr0:\n  RETURN\n" + "".join(reversed(links))

    contracts = _contracts(cpu, tmp_path, chain(MOST_NESTED))
    assert _clobbers(contracts[f"r{MOST_NESTED - 1}"]) == ["A"]
    found = _fault(cpu, tmp_path, chain(MOST_NESTED * 5))
    assert f"more than {MOST_NESTED} lists take over one another in a row" in found


UNDETERMINED = [
    ("6502", "jmp (ptr)", "'jmp (a16)' jumps to an address that is computed"),
    ("6502", "brk", "'brk' calls the interrupt handler"),
    ("6502", "jsr $0300", "it goes on at $0300, where the program has no code"),
    ("sm83", "jp hl", "'jp hl' jumps to an address that is computed"),
    ("sm83", "call $C000", "it goes on at $C000, where the program has no code"),
]


@pytest.mark.parametrize(("cpu", "code", "message"), UNDETERMINED)
def test_what_cannot_be_known_is_refused(cpu: str, code: str, message: str, tmp_path: Path) -> None:
    go = ";; go – it.\n; clobbers: callees\ngo:\n  CALL leaf\n  CALL _in\n  RETURN\n"
    text = f"{LEAVES}{go}_in:\n  {code}\n"
    found = _fault(cpu, tmp_path, text)
    assert f"what 'go' calls is not known: {message}" in found
    assert f"\n  note: there at {'prog.s' if cpu == '6502' else 'prog.asm'}:" in found.replace(
        str(tmp_path) + "/", ""
    )
    assert code in found
    assert "help: list what they change, or take over what one routine changes" in found


def test_a_bank_that_may_be_another_is_refused(tmp_path: Path) -> None:
    (tmp_path / "prog.asm").write_text(
        """\
SECTION "zero", ROM0[$150]
;; far – calls into a bank.
; clobbers: callees
far::
  call $4000
  ret
SECTION "first", ROMX[$4000], BANK[1]
;; one – in bank 1.
; clobbers: A
one::
  ret
;; near – calls what is in its own bank.
; clobbers: callees
near::
  call one
  ret
SECTION "second", ROMX[$4000], BANK[2]
;; two – in bank 2.
; clobbers: B
two::
  ret
;; also_near – calls what is in its own bank.
; clobbers: callees
also_near::
  call two
  ret
"""
    )
    table = {"name": "demo", "cpu": "sm83", "sources": ["prog.asm"]}
    image = build(manifest_from(table, tmp_path, "demo", "test")).image
    with pytest.raises(BuildFailed) as caught:
        parse_contracts(image)
    found = str(caught.value)
    assert "what 'far' calls is not known: which bank is in sight at $4000" in found
    assert found.count("error:") == 1
    text = (tmp_path / "prog.asm").read_text().replace("clobbers: callees\nfar", "stack: 9\nfar")
    (tmp_path / "prog.asm").write_text(text)
    contracts = parse_contracts(build(manifest_from(table, tmp_path, "demo", "test")).image)
    assert _clobbers(contracts["near"]) == ["A"]
    assert _clobbers(contracts["also_near"]) == ["B"]


@CPUS
def test_pieces_of_code_take_over_named_lists_only(cpu: str, tmp_path: Path) -> None:
    image = _image(cpu, tmp_path, LEAVES)
    piece = piece_of(image, ";; part – of it.\n; out: A\n; clobbers: as leaf", "leaf")
    assert _clobbers(piece.contract) == ["one[1]", "four[4]"]
    with pytest.raises(BuildFailed, match="'callees' has no meaning for a piece of code"):
        piece_of(image, ";; part – of it.\n; clobbers: callees", "leaf")


CODE = {
    "6502": ("lda #5\n  sta one\n  RETURN", "pha\n  CALL leaf\n  pla\n  RETURN", "N Z", "sta four"),
    "sm83": ("ld a, 5\n  ldh [one], a\n  RETURN", "push af\n  CALL leaf\n  pop af\n  RETURN", "",
             "ldh [four], a"),
}  # fmt: skip


def _checked(cpu: str, folder: Path, clobbers: str, more: str = "") -> Rom:
    leaf, go, flags, _ = CODE[cpu]
    text = (
        f";; leaf – sets one.\n; in: none\n; out: one\n; clobbers: A {flags}\nleaf:\n  {leaf}\n"
        f";; go – so does this, and keeps A.\n; in: A\n; out: none\n; clobbers: {clobbers}\n"
        f"go:\n  {more}\n  {go}\n"
    )
    return Rom(_image(cpu, folder, text))


@CPUS
def test_calls_are_checked_as_if_the_list_were_written_out(cpu: str, tmp_path: Path) -> None:
    flags, store = CODE[cpu][2:]
    _checked(cpu, tmp_path, "callees except A").call("go", a=3)
    _checked(cpu, tmp_path, f"one {flags}").call("go", a=3)
    for clobbers in ("callees except A", f"one {flags}"):
        with pytest.raises(ContractViolation, match=r"four"):
            _checked(cpu, tmp_path, clobbers, store).call("go", a=3)
    with pytest.raises(ContractViolation, match=r"one"):
        _checked(cpu, tmp_path, "callees except A one").call("go", a=3)


@CPUS
def test_proofs_are_as_if_the_list_were_written_out(cpu: str, tmp_path: Path) -> None:
    pytest.importorskip("z3", reason="proofs need z3")
    from romproof.prover.bank import prove_rom
    from romproof.prover.results import Verdict

    flags, store = CODE[cpu][2:]
    written = f"one {flags}".split()
    for clobbers, more, verdict in (
        ("callees except A", "", Verdict.PROVED),
        (f"one {flags}", "", Verdict.PROVED),
        ("callees except A", store, Verdict.REFUTED),
        ("callees except A one", "", Verdict.REFUTED),
    ):
        proofs = {p.routine: p for p in prove_rom(_checked(cpu, tmp_path, clobbers, more))}
        assert proofs["go"].verdict is verdict, clobbers
        assert proofs["leaf"].verdict is Verdict.PROVED
        if "one" not in clobbers.partition("except")[2]:
            assert {name.partition("[")[0] for name in proofs["go"].clobbers} == set(written)
