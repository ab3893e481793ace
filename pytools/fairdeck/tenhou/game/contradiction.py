"""What can be wrong with a logged game, and the exception that says so."""

from __future__ import annotations

from enum import Enum

from fairdeck.tenhou.game.sentences import Sentence, Value, say


class Kind(Enum):
    """What disagrees first, or is missing; those down to the empty line are about the seed."""

    HAND = "hand"
    DICE = "dice"
    DORA = "dora"
    DRAW = "draw"
    SEED = "seed"
    SEATS = "seats"
    """The published hash was made with another order of the players."""
    NO_SEED = "no seed"
    NO_RULES = "no rules"

    ELEMENT = "element"
    """An element that logs do not have, or one in a place where it cannot be."""
    TURN = "turn"
    """Somebody acts whose turn it is not, or in a way that cannot come now."""
    DISCARD = "discard"
    """A discarded tile is not held, or must not be discarded."""
    CALL = "call"
    """A called meld, kan or north needs tiles that are not there, or must not be called."""
    RIICHI = "riichi"
    WIN = "win"
    """The tiles, yaku, dora or points of a win."""
    ROUND_END = "round end"
    """A round ends as it cannot end here."""
    SCORE = "score"
    ROUND = "round"
    """Number, dealer, counters or sticks of a round do not follow from the round before."""
    GAME_END = "game end"
    PLAYER = "player"
    """A player leaves or comes back who cannot."""


class Contradiction(Exception):
    """The log contradicts the rules, or itself; ``sentence`` says how, with its values."""

    def __init__(self, kind: Kind, template: str, /, **values: Value) -> None:
        self.sentence: Sentence = say(template, **values)
        super().__init__(str(self.sentence))
        self.kind = kind


def require(holds: bool, kind: Kind, template: str, /, **values: Value) -> None:
    """Raise Contradiction unless ``holds``; the template is the message with fields in braces."""
    if not holds:
        raise Contradiction(kind, template, **values)
