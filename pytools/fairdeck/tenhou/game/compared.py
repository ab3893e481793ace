"""How much of a log was compared."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from fairdeck.tenhou.game.events import (
    Call,
    Discard,
    Dora,
    Draw,
    Event,
    NoWin,
    Riichi,
    RoundLog,
    Win,
)


@dataclass(slots=True)
class Compared:
    """Numbers of what was compared with the seed, the rules and each other, without a fault.

    ``hands``, ``dice``, ``indicators`` (of dora, and beneath) and ``draws`` are those compared
    with the wall of the seed; what comes behind follows from the hands and the turns.
    """

    rounds: int = 0
    hands: int = 0
    dice: int = 0
    indicators: int = 0
    draws: int = 0
    discards: int = 0
    calls: int = 0
    riichi: int = 0
    wins: int = 0
    no_wins: int = 0

    def begin(self, log: RoundLog) -> None:
        """A round's start was compared."""
        self.rounds += 1
        self.hands += len(log.hands)
        self.dice += len(log.dice)
        self.indicators += 1

    def add(self, event: Event) -> None:
        """An event was compared."""
        if isinstance(event, Draw):
            self.draws += 1
        elif isinstance(event, Discard):
            self.discards += 1
        elif isinstance(event, Call):
            self.calls += 1
        elif isinstance(event, Riichi):
            self.riichi += event.step == 1
        elif isinstance(event, Dora):
            self.indicators += 1
        elif isinstance(event, Win):
            self.wins += 1
            self.indicators += len(event.ura)
        elif isinstance(event, NoWin):
            self.no_wins += 1

    def as_object(self) -> dict[str, int]:
        """For JSON."""
        return asdict(self)
