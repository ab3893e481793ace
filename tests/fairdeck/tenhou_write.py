"""Made-up games written as logs write them."""

from __future__ import annotations

from functools import cache

from fairdeck.tenhou.game.events import RoundLog, Rules, Settlement, Win
from fairdeck.tenhou.game.melds import Meld, decode
from fairdeck.tenhou.game.succession import Next, points_for

NAMES = ("%41%6E%6E", "%42%6F%62", "%E8%8A%B1%E5%AD%90", "%64")


def listed(numbers: tuple[int, ...]) -> str:
    """Numbers with commas."""
    return ",".join(map(str, numbers))


def settled_text(settled: Settlement) -> str:
    """The attributes ``ba`` and ``sc``."""
    moved = zip(settled.before, settled.change, strict=True)
    scores = [number for pair in moved for number in pair]
    scores += [0] * (8 - len(scores))
    return f'ba="{settled.honba},{settled.sticks}" sc="{listed(tuple(scores))}"'


def agari(win: Win) -> str:
    """The element of a win."""
    codes = tuple(encode(meld, win.seat) for meld in reversed(win.melds))
    pairs = tuple(number for pair in win.yaku for number in pair)
    optional = (
        ("m", codes), ("yaku", pairs), ("yakuman", win.yakuman), ("doraHaiUra", win.ura),
        ("paoWho", () if win.liable is None else (win.liable,)),
    )  # fmt: skip
    told = "".join(f' {key}="{listed(value)}"' for key, value in optional if value)
    return (
        f'<AGARI {settled_text(win.settlement)} hai="{listed(win.hand)}" machi="{win.tile}" '
        f'ten="{win.fu},{win.value},{win.limit}" doraHai="{listed(win.dora)}" '
        f'who="{win.seat}" fromWho="{win.source}"{told} />'
    )


@cache
def encode(meld: Meld, seat: int) -> int:
    """The number that logs write for a meld, by trying all."""
    for code in range(1 << 16):
        try:
            if decode(code, seat) == meld:
                return code
        except ValueError:
            continue
    raise AssertionError(f"no number means {meld}")


def players_text(players: int) -> str:
    """The element UN."""
    names = [NAMES[n] if n < players else "" for n in range(4)]
    told = " ".join(f'n{n}="{name}"' for n, name in enumerate(names))
    return f'<UN {told} dan="1,1,1,1" rate="1500.00,1500.00,1500.00,1500.00" sx="M,F,M,C"/>'


def init_text(start: RoundLog) -> str:
    """The element of a round's start."""
    dice = ",".join(str(face - 1) for face in start.dice)
    hands = [listed(hand) for hand in start.hands] + [""] * (4 - len(start.hands))
    told = " ".join(f'hai{n}="{hand}"' for n, hand in enumerate(hands))
    ten = listed((*start.scores, *([0] * (4 - len(start.scores)))))
    seed = f"{start.number},{start.honba},{start.sticks},{dice},{start.dora}"
    return f'<INIT seed="{seed}" ten="{ten}" oya="{start.dealer}" {told}/>'


def owari_text(left: Next, rules: Rules) -> str:
    """The attribute ``owari``."""
    final = list(left.scores)
    final[final.index(max(final))] += 10 * left.sticks
    points = points_for(tuple(final), rules)[0]
    told = [f"{score},{point:.1f}" for score, point in zip(final, points, strict=True)]
    return ",".join(told + ["0,0.0"] * (4 - len(told)))
