"""What is proved in minutes is told from what is nearly the same: each has a claim that is not
proved, or is refuted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from near_misses import Slip, not_proved, others_granted

from fairdeck.proofs import mjarcade, riichi_honours, riichi_joins, sha512_message, tenhou
from fairdeck.proofs.every import every
from fairdeck.proofs.statement import bank, program
from fairdeck.riichi.on_machine import RIICHI_ROMS
from fairdeck.wall_roms import WALL_ROMS
from romproof import Attained, ProofOptions, Prover, Verdict
from romproof.prover.conditions.termination import ending
from romproof.prover.cycles.bounds import cycles
from romproof.prover.routines.program_proof import LemmaStore
from romproof.prover.states.program import program_of
from romproof.symbolic.terms.node import using

SLIPS = {
    "tarot/6502/shuffle-balanced-model": Slip("shuffle", "shuffle::widen", "marked"),
    "tarot/sm83/shuffle-balanced-model": Slip("shuffle", "shuffle.widen", "marked"),
    "sha512/6502/sha512_block": Slip("sha512_block", "sha512_mix@mix", "h3"),
    "sha512/sm83/sha512_block": Slip("sha512_block", "sha512_mix.mix", "h3"),
    "sha512/6502/sha512_of_128": Slip("sha512_of_128", "sha512_of_128@padding", "d7"),
    "sha512/sm83/sha512_of_128": Slip("sha512_of_128", "sha512_of_128.padding", "d7"),
    "mt19937/6502/mt_init_by_array": Slip("mt_init_by_array", "mt_init_by_array@number", "x"),
    "mt19937/sm83/mt_init_by_array": Slip("mt_init_by_array", "mt_init_by_array.number", "x"),
    "mjarcade/6502/mj_decode": Slip("mj_decode", "mj_decode@group", "words[40]"),
    "mjarcade/sm83/mj_decode": Slip("mj_decode", "mj_decode.group", "words[40]"),
    "mjarcade/6502/mj_make_key": Slip("mj_make_key", "mj_make_key@player", "key[5]"),
    "mjarcade/sm83/mj_make_key": Slip("mj_make_key", "mj_make_key.player", "key[5]"),
    "mjarcade/6502/mj_deal": Slip("mj_deal", "mj_deal@second_die", "dice[1]", 3),
    "mjarcade/sm83/mj_deal": Slip("mj_deal", "mj_deal.second_die", "dice[1]", 3),
    "tenhou/6502/tenhou_round": Slip("tenhou_round", "tenhou_round@word", "wall[5]"),
    "tenhou/sm83/tenhou_round": Slip("tenhou_round", "tenhou_round.word", "wall[5]"),
    "riichi/6502/target": Slip("target", "target@ended", "suits[3]", 5),
    "riichi/sm83/target": Slip("target_from", "target_from.ended", "suits[3]", 5),
    "riichi/6502/suit_costs-model": Slip("suit_costs", "suit_costs@other", "suits[3]", 5),
    "riichi/sm83/suit_costs-model": Slip("suit_costs", "suit_costs.slow", "suits[3]", 5),
    "riichi/6502/normal_shanten": Slip("normal_shanten", "normal_shanten@three", "shanten", 3),
    "riichi/sm83/normal_shanten": Slip("normal_shanten", "normal_shanten.wanted", "shanten", 3),
    "riichi/6502/shanten": Slip("shanten", "shanten@orphans", "shanten", 3),
    "riichi/sm83/shanten": Slip("shanten", "shanten.orphans", "shanten", 3),
    "riichi/6502/complete": Slip("complete", "", "complete", 1),
    "riichi/sm83/complete": Slip("complete", "", "complete", 1),
    "riichi/6502/ukeire": Slip("ukeire", "ukeire@kind", "sum"),
    "riichi/sm83/ukeire": Slip("ukeire", "ukeire.kind", "sum"),
    "riichi/6502/best_discard": Slip("best_discard", "best_discard@mark", "best[0]", 1),
    "riichi/sm83/best_discard": Slip("best_discard", "best_discard.most", "most"),
    "riichi/6502/call_options": Slip("call_options", "call_options@completes", "bits", 3),
    "riichi/sm83/call_options": Slip("call_options", "call_options.no_chii", "bits", 3),
}
"""A slip in the model of each long statement that has one."""

ELSEWHERE = {
    *("tarot/sm83/shuffle-fast-model", "mjarcade/6502/mj_deal-contract"),
    *("mjarcade/sm83/mj_deal-contract", "riichi/6502/honour_costs-contract"),
    *("riichi/sm83/honour_costs-contract", "riichi/sm83/join", "riichi/sm83/join_wanted"),
    *("tenhou/6502/tenhou_round-contract", "tenhou/sm83/tenhou_round-contract"),
    *("sha512/6502/sha512", "sha512/sm83/sha512"),
}
"""Those whose near misses are not slips in stages: tests of their own."""


def test_every_long_statement_has_a_near_miss() -> None:
    long = {name for name, statement in every().items() if statement.long}
    assert SLIPS.keys() | ELSEWHERE == long
    assert SLIPS.keys().isdisjoint(ELSEWHERE)


@pytest.mark.long
@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_in_the_model_is_not_proved(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("z3", reason="proofs need it")
    slip = SLIPS[name]
    wrong = not_proved(name, slip, monkeypatch)
    assert wrong
    begin = f"from {slip.label or 'the entry'} "
    assert all(each.startswith(begin) for each in wrong), wrong


@pytest.mark.long
@pytest.mark.parametrize("cpu", ["6502", "sm83"])
def test_cycles_of_the_honours_that_are_one_off_are_refuted(cpu: str) -> None:
    pytest.importorskip("z3", reason="proofs need it")
    own = bank(RIICHI_ROMS[cpu], ProofOptions())
    prove = riichi_honours.PROVE_CONTRACT[cpu]
    assert prove(own).verdict is Verdict.PROVED
    explored = own._explored
    assert explored is not None
    low, high = own.contracts["honour_costs"].cycles or (0, 0)
    assert high
    with using(explored.terms):
        case = explored.case
        ends = ending(case)
        for near, taken in (((low + 1, high), low), ((low, high - 1), high)):
            finding, _ = cycles(case, near, False, False, ends)
            assert finding.verdict is Verdict.REFUTED, (near, finding)
            assert finding.detail == f"it can take {taken}"
            assert finding.example is not None
            assert finding.replayed
        wide, _ = cycles(case, (low - 1, high), False, False, ends)
        assert (wide.verdict, wide.attained) == (Verdict.PROVED, Attained.NO)


@pytest.mark.proof
@pytest.mark.parametrize("routine", ["join", "join_wanted"])
def test_sums_of_costs_that_lose_a_bit_are_refuted(
    routine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("z3", reason="proofs need it")
    sums, places = riichi_joins._sums, riichi_joins._places

    def lost(*given: object) -> list[object]:
        return [each & 0x7F for each in sums(*given)]  # type: ignore[arg-type]

    def one_place(own: object) -> list[tuple[int, int, int]]:
        return [next(places(own))]  # type: ignore[arg-type]

    monkeypatch.setattr(riichi_joins, "_places", one_place)
    prove = {"join": riichi_joins.join, "join_wanted": riichi_joins.join_wanted}[routine]

    def verdict() -> Verdict:
        return prove(bank(RIICHI_ROMS["sm83"], ProofOptions()), "sm83").verdict

    assert verdict() is Verdict.PROVED
    monkeypatch.setattr(riichi_joins, "_sums", lost)
    assert verdict() is Verdict.REFUTED


@pytest.mark.long
@pytest.mark.parametrize("cpu", ["6502", "sm83"])
def test_limits_of_a_deal_that_are_one_off_are_not_proved(
    cpu: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("z3", reason="proofs need it")
    others_granted(monkeypatch, mjarcade.DEAL)
    own = bank(WALL_ROMS[cpu], ProofOptions(loose=True))
    assert all(each.verdict is Verdict.PROVED for each in mjarcade.list_questions(own, cpu))
    right = mjarcade.DEALS[cpu]

    def open_(players: int, claim: tuple[int, int]) -> list[str]:
        proof = mjarcade.dealt(own, cpu, {**right, players: claim})
        return [each.detail for each in proof.findings if each.verdict is not Verdict.PROVED]

    assert right[4] == own.contracts[mjarcade.DEAL].cycles
    for players, (low, high) in right.items():
        assert open_(players, (low, high)) == []
        assert open_(players, (low, high - 1)) == [f"an upper bound is {high}; no input is known"]
        assert len(open_(players, (low + 1, high))) == 1


@pytest.mark.long
@pytest.mark.parametrize("cpu", ["6502", "sm83"])
def test_a_message_whose_buffer_is_not_listed_is_not_proved(
    cpu: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("z3", reason="proofs need it")
    others_granted(monkeypatch, sha512_message.WHOLE)
    own = bank(WALL_ROMS[cpu], ProofOptions(loose=True))
    granted = own.with_options(ProofOptions(loose=True, keeping=sha512_message.KEEPING))
    for _ in sha512_message.list_questions(granted, cpu):
        pass
    text, right = sha512_message.text_of(cpu), " message sha512_buffer[128]"
    assert right in text
    near = own.contract(text.replace(right, " message"), sha512_message.WHOLE)
    proof = own.routine(sha512_message.WHOLE, near)
    wrong = {str(each.statement) for each in proof.findings if each.verdict is not Verdict.PROVED}
    assert "reads only its inputs" in wrong


GATHERED = {
    # ld a, LOW(tenhou_output); ldh [tenhou_word], a: the first output has no place
    "hash_output": ("3e %output", "3e %second"),
}
"""A place in each that is left as it was, on the SM83: code, and what stands there in its place."""


@pytest.mark.long
@pytest.mark.parametrize("routine", GATHERED)
def test_a_round_that_reads_what_it_has_not_written_is_not_proved(
    routine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("z3", reason="proofs need it")
    sound = program_of(program(WALL_ROMS["sm83"]))
    output = sound.image.address("tenhou_output") & 0xFF
    places = {"%output": output, "%second": output + 4}

    def code(text: str) -> bytes:
        opcode, name = text.split()
        return bytes.fromhex(opcode) + bytes([places[name]])

    old, new = map(code, GATHERED[routine])
    at = sound.fixed.index(old, sound.image.address(routine))
    fixed = sound.fixed[:at] + new + sound.fixed[at + len(new) :]
    others_granted(monkeypatch, routine)

    options = ProofOptions(loose=True)
    own = Prover.of(LemmaStore(replace(sound, fixed=fixed), options))
    proofs = tenhou.proofs(own, "sm83", options)
    proof = next(each for each in proofs if each.routine == routine)  # and no more than that
    wrong = {str(each.statement) for each in proof.findings if each.verdict is not Verdict.PROVED}
    assert any(each.endswith("reads only its inputs") for each in wrong), wrong
