"""Lists of what is clobbered that contracts take over from other routines."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_programs import program_of

from romproof.contract.nouns.items import MemoryRange, name_of
from romproof.contract.nouns.model import Contract
from romproof.contract.reading.clobbers import MAX_NESTED
from romproof.contract.reading.parse import parse_contracts
from romproof.harness.errors import ContractViolation
from romproof.harness.rom import Rom
from romproof.projects import build
from romproof.projects.manifest import manifest_from
from romproof.prover.refinement.fragment import piece_of
from romproof.text.diagnostic import BuildFailed

CPUS = pytest.mark.parametrize("cpu", ["6502", "sm83"])


def _contracts(cpu: str, folder: Path, text: str) -> dict[str, Contract]:
    return dict(parse_contracts(program_of(cpu, folder, text)))


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
    ("as", "as", "'as' needs the name of a routine"),
    ("as, callees", "as", "'as' needs the name of a routine"),
    ("as as leaf", "as", "'as' needs the name of a routine"),
    ("as laef", "laef", "no symbol 'laef' in the image; did you mean 'leaf'?"),
    ("as four", "four", "'four' has no contract whose list could be used"),
    ("as go", "go", "'go' uses its own list: go → go"),
    ("as leaf except A, as other", "as", "'as' follows 'except', which ends the list"),
    ("as leaf except A except one", "except", "'except' follows 'except'"),
    ("callees callees", "callees", "'callees' is written twice"),
    ("A except X", "except", "'except' has no list before it"),
    ("except A", "except", "'except' has no list before it"),
    ("as leaf except ptr[2]", "ptr[2]", "'ptr[2]' is excluded but not in the lists"),
    ("A as leaf except A", "A", "'A' is both listed and excluded"),
    ("as leaf except four[2]", "four[2]", "only a part of four[4] is excluded"),
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
    assert "'ping' uses its own list: ping → pong → ping" in found
    assert "write the list of one of them out" in found


@CPUS
def test_a_routine_that_calls_nothing(cpu: str, tmp_path: Path) -> None:
    text = ";; go – it.\n; clobbers: A callees\ngo:\n  RETURN\n"
    assert "'go' calls no routine that has a contract" in _fault(cpu, tmp_path, text)


@pytest.mark.slow_cases("sm83")
@CPUS
def test_very_long_chains(cpu: str, tmp_path: Path) -> None:
    def chain(count: int) -> str:
        links = [
            f";; r{n} – it.\n; clobbers: as r{n - 1}\nr{n}:\n  RETURN\n" for n in range(1, count)
        ]
        return ";; r0 – it.\n; clobbers: A\nr0:\n  RETURN\n" + "".join(reversed(links))

    contracts = _contracts(cpu, tmp_path, chain(MAX_NESTED))
    assert _clobbers(contracts[f"r{MAX_NESTED - 1}"]) == ["A"]
    found = _fault(cpu, tmp_path, chain(MAX_NESTED * 5))
    assert f"more than {MAX_NESTED} lists use one another in a row" in found


UNDETERMINED = [
    ("6502", "jmp (ptr)", "'jmp (a16)' jumps to a computed address"),
    ("6502", "brk", "'brk' calls the interrupt handler"),
    ("6502", "jsr $0300", "it continues at $0300, where the program has no code"),
    ("sm83", "jp hl", "'jp hl' jumps to a computed address"),
    ("sm83", "call $C000", "it continues at $C000, where the program has no code"),
]


@pytest.mark.parametrize(("cpu", "code", "message"), UNDETERMINED)
def test_what_cannot_be_known_is_refused(cpu: str, code: str, message: str, tmp_path: Path) -> None:
    go = ";; go – it.\n; clobbers: callees\ngo:\n  CALL leaf\n  CALL _in\n  RETURN\n"
    text = f"{LEAVES}{go}_in:\n  {code}\n"
    found = _fault(cpu, tmp_path, text)
    assert f"the callees of 'go' are not known: {message}" in found
    assert f"\n  note: there at {'prog.s' if cpu == '6502' else 'prog.asm'}:" in found.replace(
        str(tmp_path) + "/", ""
    )
    assert code in found
    assert "help: list the places they change, or use the list of one routine" in found


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
    assert "the callees of 'far' are not known: the bank at $4000" in found
    assert found.count("error:") == 1
    text = (tmp_path / "prog.asm").read_text().replace("clobbers: callees\nfar", "stack: 9\nfar")
    (tmp_path / "prog.asm").write_text(text)
    contracts = parse_contracts(build(manifest_from(table, tmp_path, "demo", "test")).image)
    assert _clobbers(contracts["near"]) == ["A"]
    assert _clobbers(contracts["also_near"]) == ["B"]


@CPUS
def test_pieces_of_code_take_over_named_lists_only(cpu: str, tmp_path: Path) -> None:
    image = program_of(cpu, tmp_path, LEAVES)
    piece = piece_of(image, ";; part – of it.\n; out: A\n; clobbers: as leaf", "leaf")
    assert _clobbers(piece.contract) == ["one[1]", "four[4]"]
    with pytest.raises(BuildFailed, match="'callees' has no meaning for a fragment of code"):
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
    return Rom(program_of(cpu, folder, text))


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


@pytest.mark.slow_cases("sm83")
@CPUS
def test_proofs_are_as_if_the_list_were_written_out(cpu: str, tmp_path: Path) -> None:
    pytest.importorskip("z3", reason="proofs need z3")
    from romproof.prover.results import Verdict
    from romproof.prover.routines.program_proof import prove_rom

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


def test_addresses_that_are_pushed_are_not_seen(tmp_path: Path) -> None:
    # docs/proved.md says so; the list is too short then, and no call keeps to it
    text = f"""{LEAVES.replace("leaf:", "leaf:" + chr(10) + "  inc four")}
;; go – calls other, and "returns" to leaf.
; in: none
; out: A X Y N V Z C
; clobbers: callees
go:
  CALL other
  lda #>(leaf - 1)
  pha
  lda #<(leaf - 1)
  pha
  RETURN
"""
    image = program_of("6502", tmp_path, text)
    assert _clobbers(parse_contracts(image)["go"]) == ["pair[2]", "one[1]"]
    with pytest.raises(ContractViolation, match="four"):
        Rom(image).call("go")


_COUNT = 7
_KINDS = st.sampled_from(["call", "jump", "maybe"])
_EDGES = st.lists(st.tuples(_KINDS, st.integers(0, _COUNT - 1)), max_size=3)
_GRAPH = st.lists(st.tuples(st.booleans(), _EDGES), min_size=_COUNT, max_size=_COUNT)


@CPUS
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graph=_GRAPH)
def test_any_program(
    cpu: str, graph: list[tuple[bool, list[tuple[str, int]]]], tmp_path: Path
) -> None:
    """What a routine comes to, against a search of the graph that the code was made from."""
    variables = ["one", "pair[2]", "four[1]", "ptr[2]", *(f"${0xC0 + at:X}[1]" for at in range(3))]
    branch = {"6502": "beq", "sm83": "jr z,"}[cpu]
    lines: list[str] = []
    for at, (has_contract, edges) in enumerate(graph):
        if has_contract:
            lines += [f";; r{at} – one of them.", f"; clobbers: {variables[at]}"]
        lines.append(f"r{at}:")
        for kind, target in edges:
            words = {"call": "CALL", "jump": "JUMP", "maybe": branch}
            lines.append(f"  {words[kind]} r{target}")
            if kind == "jump":
                break
        else:
            lines.append("  RETURN")
    lines += [";; top – calls the first.", "; clobbers: A callees", "top:", "  CALL r0", "  RETURN"]

    def comes_to(at: int, seen: set[int]) -> set[int]:
        if graph[at][0]:
            return {at}
        if at in seen:
            return set()
        seen.add(at)
        found: set[int] = set()
        for kind, target in graph[at][1]:
            found |= comes_to(target, seen)
            if kind == "jump":
                break
        return found

    wanted = comes_to(0, set())
    text = "\n".join(lines) + "\n"
    if not wanted:
        assert "calls no routine that has a contract" in _fault(cpu, tmp_path, text)
        return
    contract = _contracts(cpu, tmp_path, text)["top"]
    places = {(i.address, i.size) for i in contract.clobbers if isinstance(i, MemoryRange)}
    alone = (
        f";; top – it.\n; clobbers: {' '.join(variables[at] for at in wanted)}\ntop:\n  RETURN\n"
    )
    other = _contracts(cpu, tmp_path, alone)["top"]
    assert places == {(i.address, i.size) for i in other.clobbers if isinstance(i, MemoryRange)}
