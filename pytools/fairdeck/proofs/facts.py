"""The words of what is stated beside the statements of the prover: of tables, of the ends of
cycles, of parts that make a whole."""

from __future__ import annotations

from romproof import MessageKind


class ProofFact(MessageKind):
    """What is stated."""

    ENDS_REACHED = "each end of its cycles is reached"
    ALL_WORDS = "these parts are all words, each once"
    TABLES = "the tables hold the bytes of 0..255 times {factor}"
    CONSTANTS = "{name} {claim}"
    UNIFORM = "of fair flips the model's draw is exactly uniform, for every n in {least}..{most}"
    HONOURS = (
        "these steps lead to the costs by definition for all {hands} ways to hold seven kinds, of "
        "as many melds as a hand can want beside those that it has"
    )
    WALK = (
        "the rows of all {suits} suits that the automaton knows, followed one by one, lead to the "
        "costs by definition"
    )


class Evidence(MessageKind):
    """How that was seen, or what is otherwise."""

    BOTH = "{one} and {other}"
    NOT_BYTE = "not byte {place} of {number} times it"
    BYTE_IS = "{name}+{place} is ${value:02X}"
    EACH_PROBABILITY = "each of the n numbers has the probability 1/n"
    NOT_FOR = "not for {numbers:comma}"
    NOT_FOR_HAND = "not for (held, melded) of {hand}"
    NOT_FOR_COUNTS = "not for the counts {counts}"
    STRANGE_ROW = "a row is not among those of the proof"
    COSTS = "{count} costs each"
