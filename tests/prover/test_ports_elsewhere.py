"""Ports in what is asked besides contracts: models, pieces, cases, versions, inferred contracts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ports_in_calls
import pytest
from claims import PROVED, UNKNOWN, Said, few_runs, proofs_of, rom_of, source, told
from infer_programs import field, inferred, rom_6502
from port_programs import CALL, RARE, ZERO, Begun, rare, run
from same_programs import compared
from same_programs import rom_of as rom_of_text

import romproof
from romproof.isa.abi import abi_of
from romproof.prover.infer.infer import Grade
from romproof.prover.models.mapping import mapping_of
from romproof.prover.prover import Prover
from romproof.prover.refinement.equivalence import prove_equivalent
from romproof.prover.refinement.fragment import piece_of, prove_piece
from romproof.prover.results import Verdict
from romproof.prover.routines.program_proof import LemmaStore
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.states.model_places import BadMapping
from romproof.prover.states.program import ProofProgram, program_of

pytest.importorskip("z3", reason="proofs need it")


@pytest.fixture(autouse=True)
def _few() -> Iterator[None]:
    with few_runs():
        yield


def never(*_: Any) -> Any:
    """A model: 0."""
    return 0


def test_a_model_of_a_routine_that_calls_for_a_port() -> None:
    said = Said("in: n; out: A; clobbers: N Z C", rare("n"))
    wrong = Said(
        "in: volatile n[1]; out: A; clobbers: N Z C",
        CALL,
        others={"callee": ("in: n; out: A; ensures: A == 0; clobbers: N Z C", rare("n"))},
    )
    for each, right in ((said, PROVED), (wrong, Verdict.REFUTED)):
        rom = rom_of("6502", source("6502", each))
        mapping = mapping_of(rom.contracts["it"], abi_of("6502"), never, takes={}, gives=("a",))
        proof = prove_equivalent(rom, "it", mapping, never).proof
        assert proof.verdict is right, told(proof)
    begun = Begun({"n": RARE})
    assert run("6502", rom, begun).registers["a"] == 1


def test_a_model_that_takes_what_a_port_brings_is_not_what_code_reads_from_it() -> None:
    rom = rom_of(
        "6502", source("6502", Said("in: volatile n[1]; out: A; clobbers: N Z", "lda n/rts"))
    )
    mapping = mapping_of(rom.contracts["it"], abi_of("6502"), lambda n: n, takes={"n": "n"})
    assert prove_equivalent(rom, "it", mapping, lambda n: n).proof.verdict is not PROVED


PIECE = """
    ;; turn – it reads the port twice.
    ; in:       {port}
    ; out:      A
    ; clobbers: N Z C
    """


@pytest.mark.parametrize("port", ["n", "volatile n[1]"])
def test_a_piece_has_the_ports_of_its_routine(port: str) -> None:
    said = Said(
        "in: volatile n[1]; out: A; clobbers: X N Z C",
        "ldx #0/@b: " + rare("n").replace("rts", "jmp @e") + "/@e: rts",
    )
    program = program_of(rom_of("6502", source("6502", said)))
    piece = piece_of(program.image, PIECE.format(port=port), "it@b", "it@e")
    proof = prove_piece(LemmaStore(program, ProofOptions()), piece, never, {}, ("a",))
    assert proof.verdict is Verdict.REFUTED, told(proof)


def test_lemmas_that_were_proved_with_memory_are_of_no_use_for_a_contract_with_a_port() -> None:
    """One bank, contracts that stand elsewhere: what is a port is not said in any source."""
    said = Said(
        "in: n; out: A; ensures: A == 0; clobbers: N Z C",
        CALL,
        others={"callee": ("in: n; out: A; ensures: A == 0; clobbers: N Z C", rare("n"))},
    )
    prover = Prover(rom_of("6502", source("6502", said)), ProofOptions())
    assert prover.routine("callee").verdict is PROVED
    assert prover.routine("it").lemmas == ("callee",)
    text = (
        ";; it – with a port.\n; in: volatile n[1]\n; out: A\n; ensures: A == 0\n; clobbers: N Z C"
    )
    again = prover.routine("it", prover.contract(text, "it"))
    assert again.verdict is Verdict.REFUTED, told(again)
    assert again.lemmas == ()
    text = text.replace("it –", "callee –").replace("ensures: A == 0", "ensures: A in 0..1")
    assert prover.routine("callee", prover.contract(text, "callee")).verdict is PROVED
    for _ in range(2):
        last = prover.routine("it")
        assert last.verdict is Verdict.REFUTED, told(last)


def test_cases_of_which_one_reads_a_port_are_no_lemma_for_all() -> None:
    said = Said(
        "in: A volatile n[1]; requires: A <= 1; out: A; ensures: A == 0; clobbers: N Z C",
        "jmp cases",
        others={
            "cases": (
                "in: A n; requires: A <= 1; out: A; ensures: A == 0; clobbers: N Z C",
                "cmp #1/beq @one/lda #0/rts/@one: " + rare("n"),
            )
        },
    )
    prover = Prover(rom_of("6502", source("6502", said)), ProofOptions())
    proof = prover.cases(prover.contracts["cases"], "A", range(2))
    assert proof.verdict is PROVED, told(proof)
    caller = prover.routine("it")
    assert caller.verdict is Verdict.REFUTED, told(caller)


def test_a_port_that_one_case_comes_to_is_one_for_callers() -> None:
    said = Said(
        "in: n; out: A; ensures: A == 0; clobbers: N Z C",
        "lda #0/jsr cases/lda n/eor n/rts",
        others={
            "cases": (
                "in: A n; requires: A <= 1; out: A; clobbers: N Z C",
                "cmp #1/beq @one/lda #0/rts/@one: jmp callee",
            ),
            "callee": ("in: volatile n[1]; out: A; clobbers: N Z", "lda n/rts"),
        },
    )
    prover = Prover(rom_of("6502", source("6502", said)), ProofOptions())
    prover.routine("callee")
    assert prover.cases(prover.contracts["cases"], "A", range(2)).verdict is PROVED
    proof = prover.routine("it")
    assert proof.verdict is Verdict.REFUTED, told(proof)
    assert run("6502", prover.rom, Begun({"n": (1, 2)})).registers["a"] == 3


def test_the_reason_names_the_callee_that_takes_a_port_for_memory() -> None:
    said = Said(
        "in: X volatile n[1]; requires: X >= 1; out: A; clobbers: X N Z C",
        CALL,
        others={
            "callee": (
                "in: X n; requires: X >= 1; out: A; clobbers: X N Z C; invariant: @l: X >= 1; "
                "decreases: @l: X",
                "lda #0/@l: eor n/cmp #$A5/beq @e/dex/bne @l/@e: rts",
            )
        },
    )
    rom = rom_of("6502", source("6502", said))
    proofs = {each.routine: each for each in romproof.prove(rom)}
    assert proofs["callee"].verdict is PROVED, told(proofs["callee"])
    assert proofs["it"].verdict is UNKNOWN, told(proofs["it"])
    assert "callee is proved with $0080 (n) as memory, but here it is a port" in told(proofs["it"])


VERSIONS = """\
.export one, other
PORT = $90
.export PORT
;; one – nothing is left.
; in: {one}
; out: A
; clobbers: N Z C
.proc one
  lda PORT
  eor PORT
  rts
.endproc
;; other – nothing.
; in: {other}
; out: A
; clobbers: N Z C
.proc other
  lda #0
  rts
.endproc
"""


@pytest.mark.parametrize(
    ("one", "other", "right"),
    [
        ("PORT[1]", "PORT[1]", PROVED),
        ("volatile PORT[1]", "PORT[1]", UNKNOWN),
        ("PORT[1]", "volatile PORT[1]", UNKNOWN),
    ],
)
def test_a_port_of_one_version_is_one_for_the_other(
    tmp_path: Path, one: str, other: str, right: Verdict
) -> None:
    rom = rom_of_text(tmp_path, VERSIONS.format(one=one, other=other))
    for pair in (("one", "other"), ("other", "one")):
        assert compared(rom, *pair).verdict is right
    assert run("6502", rom, Begun({"PORT": (1, 2)}), "one").registers["a"] == 3


def test_a_port_that_a_version_has_from_a_callee_is_one_for_the_other(tmp_path: Path) -> None:
    text = VERSIONS.format(one="PORT[1]", other="PORT[1]").replace(
        "  lda #0\n  rts", "  jsr seen\n  lda #0\n  rts"
    )
    text += (
        ".export seen\n;; seen – tells of a port.\n; in: none\n; out: volatile PORT[1]\n"
        "; clobbers: A N Z\n.proc seen\n  lda #1\n  sta PORT\n  rts\n.endproc\n"
    )
    text = text.replace(
        "; out: A\n; clobbers: N Z C\n.proc other",
        "; out: A\n; clobbers: N Z C PORT[1]\n.proc other",
    )
    rom = rom_of_text(tmp_path, text)
    for pair in (("one", "other"), ("other", "one")):
        assert compared(rom, *pair).verdict is not PROVED


INFERRED = """\
.segment "ZEROPAGE"
.exportzp port, other
port:  .res 1
other: .res 1
.segment "CODE"
.export pull, twice
;; pull – what the port brings.
; in: volatile port[1]
; out: A
; clobbers: N Z
.proc pull
  lda port
  rts
.endproc
.proc twice
  jsr pull
  eor port
  rts
.endproc
"""


def test_an_inferred_contract_has_the_ports_of_callees_among_its_inputs(tmp_path: Path) -> None:
    row = inferred(rom_6502(tmp_path, INFERRED), "twice")["twice"]
    assert row.grade is Grade.TIGHT, row.reason
    assert field(row, "in") == ["port[1]"]
    # the same text as a contract: two reads bring two values
    block = row.block.replace("\n; out:", "\n; ensures: A == 0\n; out:")
    rom = rom_of_text(tmp_path, INFERRED.replace(".proc twice", f"{block}\n.proc twice"))
    proofs = {each.routine: each for each in romproof.prove(rom)}
    assert proofs["twice"].verdict is Verdict.REFUTED, told(proofs["twice"])
    assert run("6502", rom, Begun({"port": (1, 2)}), "twice").registers["a"] == 3


def test_a_port_is_no_counter_and_no_constant_for_bounds() -> None:
    code = "lda #8/sta n/@l: dec n/bne @l/rts"
    memory, port = "in: none; out: n; clobbers: A N Z", "in: volatile n[1]; out: n; clobbers: A N Z"
    rom = rom_of("6502", source("6502", Said(memory, code)))
    assert romproof.bounds(rom, "it")[0].bounds.worst == 2 + 3 + 8 * 8 - 1 + 6
    rom = rom_of("6502", source("6502", Said(port, code)))
    assert romproof.bounds(rom, "it")[0].bounds.worst is None
    ended = run("6502", rom, Begun({"n": (*(2,) * 50, 1)}))
    assert ended.cycles > 2 + 3 + 8 * 8 - 1 + 6
    # what one contract calls a port is one in a routine without a contract, too
    said = Said(port, "jsr callee/rts", others={"callee": (None, code)})
    rom = rom_of("6502", source("6502", said))
    assert romproof.bounds(rom, "callee")[0].bounds.worst is None


def test_a_port_that_only_execution_finds_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is known of the code's graph: the proof begins again when it is come to."""
    monkeypatch.setattr(ProofProgram, "ports_of", lambda *_: frozenset[int]())
    said = Said(
        "in: n; out: A; ensures: A == 0; clobbers: X N Z C",
        "jsr callee/lda n/eor n/rts",
        others={"callee": ("in: volatile n[1]; out: X; clobbers: N Z", "ldx n/rts")},
    )
    for is_proved in (True, False):  # by its proof, and by its contract alone
        prover = Prover(rom_of("6502", source("6502", said)), ProofOptions())
        if is_proved:
            assert prover.routine("callee").verdict is PROVED
        proof = prover.routine("it")
        assert proof.verdict is Verdict.REFUTED, told(proof)
        assert proof.lemmas == (("callee",) if is_proved else ())
    cases = Said(
        "in: A n; requires: A <= 1; out: A; clobbers: N Z C",
        "jmp cases",
        others={
            "cases": (
                "in: A n; requires: A <= 1; out: A; clobbers: N Z C",
                "cmp #1/beq @one/lda #0/rts/@one: jmp callee",
            ),
            "callee": ("in: volatile n[1]; out: A; clobbers: N Z", "lda n/rts"),
        },
    )
    prover = Prover(rom_of("6502", source("6502", cases)), ProofOptions())
    prover.routine("callee")
    with pytest.raises(BadMapping, match="the ports of 'cases' differ between cases"):
        prover.cases(prover.contracts["cases"], "A", range(2))


@pytest.mark.parametrize(
    ("cpu", "address", "right"),
    [
        ("2a03", "$2002", Verdict.REFUTED),
        ("2a03", "$3FFA", Verdict.REFUTED),
        ("2a03", "$4016", Verdict.REFUTED),
        ("2a03", "$5205", Verdict.REFUTED),
        ("2a03", "$5C05", PROVED),
        ("2a03", "$0700", PROVED),
        ("6502", "$D012", PROVED),
    ],
)
def test_ports_of_machines_are_ports_in_callees(cpu: str, address: str, right: Verdict) -> None:
    said = Said(
        f"in: {address}[1]; {ZERO}",
        CALL,
        others={"callee": (f"in: {address}[1]; {ZERO}", rare(address))},
    )
    proofs = {each.routine: each for each in romproof.prove(rom_of(cpu, source(cpu, said)))}
    for proof in proofs.values():
        assert proof.verdict is right, told(proof)


def test_what_is_required_of_blocks_is_told_of_ports_of_callees() -> None:
    said = ports_in_calls.TRUE["6502"]["a block apart from a callee's port"].said
    proof = proofs_of("6502", said)["callee"]
    assert proof.verdict is PROVED, told(proof)
    assert "block[1] lies apart from ports" in proof.assumed
