"""A whole game, followed from its first element to its last."""

from __future__ import annotations

from dataclasses import dataclass, field

from fairdeck.tenhou.game.contradiction import Contradiction, Kind, require
from fairdeck.tenhou.game.events import (
    Back,
    Call,
    Discard,
    Dora,
    Draw,
    Event,
    GameLog,
    Left,
    NoWin,
    Riichi,
    RoundLog,
    Rules,
    Win,
)
from fairdeck.tenhou.game.read import HEADER
from fairdeck.tenhou.game.round_end import NINE_ORPHANS, Round
from fairdeck.tenhou.game.sentences import Sentence, list_values, say
from fairdeck.tenhou.game.succession import Next, check_end, check_first, check_next, outcome
from fairdeck.tenhou.game.turns import Phase


@dataclass
class Tracker:
    """The state of a game; its methods take what comes next, or raise Contradiction.

    ``left_out`` are sentences about what the log leaves out, which is no contradiction.
    """

    game: GameLog
    rules: Rules
    played: Round | None = None
    away: set[int] = field(default_factory=set)
    left_out: list[Sentence] = field(default_factory=list)
    ended: bool = False
    _rounds: int = 0

    def opening(self) -> None:
        """The elements before the first round."""
        header = self.game.header
        known = [name for name in HEADER if name in header]
        require(
            list(header) == known,
            Kind.ELEMENT,
            "the log begins with {header}; it has to be {known}",
            header=list_values(header),
            known=list_values(known),
        )
        self.left_out += [
            say("there is no {name}", name=name) for name in HEADER if name not in header
        ]
        if "UN" in header and not self.game.names:
            self.left_out.append(say("the log does not name its players"))
        for event in self.game.opening:
            self._other(event)

    def begin(self, log: RoundLog) -> None:
        """A round begins."""
        if self.played is None:
            check_first(log, self.rules, self.game.first_dealer)
        else:
            require(not self.ended, Kind.GAME_END, "a round follows the end of the game")
            left = self._close(self.played)
            check_next(log, self.played, left)
            if left.stays is not None and log.honba != left.honba:
                self._leave_out_result()
        self.played = Round(log, self.rules)
        self._rounds += 1

    def take(self, event: Event) -> None:
        """An event of the round."""
        played = self.played
        assert played is not None
        played.away = frozenset(self.away)
        self._check_away(event, played)
        if isinstance(event, Draw):
            played.draw(event)
        elif isinstance(event, Discard):
            played.discard(event)
        elif isinstance(event, Call):
            played.call(event)
        elif isinstance(event, Riichi):
            played.riichi(event)
            self._note_untold(event)
        elif isinstance(event, Dora):
            played.dora(event)
        elif isinstance(event, Win | NoWin):
            self._result(event, played)
        else:
            self._other(event)

    def close(self) -> None:
        """The log is over."""
        if self.played is None:
            return
        left = self._close(self.played)
        if not self.ended:
            number = self._rounds - 1
            self.left_out.append(
                say(
                    "the log ends after round {round}, with which the game is over by the rules, "
                    "without the final scores",
                    round=number,
                )
                if left.ends
                else say("the log ends after round {round}, without the final scores", round=number)
            )

    def _check_away(self, event: Event, played: Round) -> None:
        """Who is away discards what is drawn, and does nothing else but end a call."""
        if not self.away:
            return
        if isinstance(event, Win):
            require(
                event.seat not in self.away,
                Kind.PLAYER,
                "seat {seat} is away and wins",
                seat=event.seat,
            )
        if isinstance(event, NoWin):
            require(
                event.why != NINE_ORPHANS or played.turn not in self.away,
                Kind.PLAYER,
                "seat {seat} is away and breaks the round off",
                seat=played.turn,
            )
        if not isinstance(event, Discard | Call | Riichi):
            return
        if event.seat in self.away and not (isinstance(event, Riichi) and event.step == 2):
            drawn = played.seats[event.seat].drawn if played.phase is Phase.ACT else None
            require(
                isinstance(event, Discard) and drawn in (None, event.tile),
                Kind.PLAYER,
                "seat {seat} is away and does something else than discard the drawn tile",
                seat=event.seat,
            )

    def _result(self, event: Win | NoWin, played: Round) -> None:
        require(not self.ended, Kind.GAME_END, "a result follows the end of the game")
        if isinstance(event, Win):
            played.win(event)
        else:
            played.end(event)
            self._note_untold(event)
        if event.settlement is not None and event.settlement.final is not None:
            check_end(event.settlement, played, outcome(played), self.rules)
            self.ended = True

    def _note_untold(self, event: Riichi | NoWin) -> None:
        """What every log tells, and this one does not; the rules say what it has to be."""
        number = self._rounds - 1
        told = not isinstance(event, Riichi) or event.step != 2 or event.scores is not None
        if not told and not self.rules.early:  # in 2009 no log told them
            self.left_out.append(
                say("round {round} does not show the scores after a riichi", round=number)
            )
        if isinstance(event, NoWin) and event.settlement is None:
            self.left_out.append(
                say("round {round} does not show the points that its end moves", round=number)
            )

    def _close(self, played: Round) -> Next:
        if played.phase is not Phase.OVER:
            self._leave_out_result()
        elif played.early and played.left:
            self.left_out.append(
                say(
                    "round {round} ends after {draws} of {all} draws with no result",
                    round=self._rounds - 1,
                    draws=played.draws,
                    all=played.table.draws,
                )
            )
        elif played.early:
            self.left_out.append(
                say(
                    "round {round} ends with the wall drawn, and does not show who is ready",
                    round=self._rounds - 1,
                )
            )
        return outcome(played)

    def _leave_out_result(self) -> None:
        self.left_out.append(say("round {round} has no result", round=self._rounds - 1))

    def _other(self, event: Event) -> None:
        if isinstance(event, Left):
            require(
                event.seat not in self.away,
                Kind.PLAYER,
                "seat {seat} leaves a second time",
                seat=event.seat,
            )
            self.away.add(event.seat)
        elif isinstance(event, Back):
            require(
                event.seat in self.away,
                Kind.PLAYER,
                "seat {seat} comes back and had not left",
                seat=event.seat,
            )
            require(
                not self.game.names or event.name == self.game.names[event.seat],
                Kind.PLAYER,
                "seat {seat} comes back under another name",
                seat=event.seat,
            )
            self.away.discard(event.seat)
        else:
            name = getattr(event, "name", "")
            raise Contradiction(Kind.ELEMENT, "<{name}> has no place here in a log", name=name[:40])
