"""``fairdeck riichi``: questions about hands, one on the command line or many from a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from fairdeck.cli.text import show
from fairdeck.cli.tiles import letters_option, tile_text, use_letters
from fairdeck.cli.where import MODEL, where_options
from fairdeck.disagreement import Disagreement
from fairdeck.riichi.cases import QUESTIONS, Answer, Case
from fairdeck.riichi.hand import BadHand, parse_kinds
from fairdeck.riichi.machine_cases import MACHINE_QUESTIONS
from fairdeck.riichi.on_machine import Brain
from romproof import read_lines, show_error

_MELD_HELP = "A meld beside the hand, e.g. pon:555p, chi:123s, minkan, ankan, kakan."
_BATCH_HELP = "Answer cases, one JSON object a line, from a file or - ; one answer a line."

batch_option = click.option(
    "--batch",
    type=click.Path(exists=True, dir_okay=False, path_type=Path, allow_dash=True),
    metavar="FILE|-",
    help=_BATCH_HELP,
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
melds_option = click.option("--meld", "melds", multiple=True, metavar="KIND:TILES", help=_MELD_HELP)


@click.group()
def riichi() -> None:
    """Hands of riichi mahjong: shanten, ukeire, discards, calls, wins.

    Tiles are written as 123m055p11z: characters m, circles p, bamboos s, honours z (winds east
    south west north 1-4, white green red dragon 5-7); 0 is a red five.
    """


def _melds(texts: tuple[str, ...]) -> list[dict[str, str]]:
    melds = []
    for text in texts:
        kind, colon, tiles = text.partition(":")
        if not colon:
            raise click.BadParameter(f"'{text}': write a meld as pon:555p", param_hint="--meld")
        melds.append({"type": kind, "tiles": tiles})
    return melds


def _answer(
    question: str,
    case: dict[str, Any] | None,
    batch: Path | None,
    brain: Brain | None,
    as_json: bool,
    text: Callable[[Answer], str],
) -> None:
    """Answer the command line's case, or those of the batch."""
    if batch is not None:
        if case is not None:
            raise click.UsageError("give a hand or --batch, not both")
        click.get_current_context().exit(_answer_all(question, batch, brain))
    if case is None:
        raise click.UsageError("give a hand, or cases with --batch FILE")
    answer = _answer_question(question, case, brain)
    if as_json:
        click.echo(json.dumps(answer, ensure_ascii=False))
        return
    shown = text(answer)
    if brain is not None:
        shown += f"\nthe {brain.cpu} agrees: " + ", ".join(
            f"{routine} in {cycles:,} cycles" for routine, cycles in answer["cycles"].items()
        )
    show(shown)


def _brain(where: str, engine: str) -> Brain | None:
    return None if where == MODEL else Brain(where, engine)


def _answer_question(question: str, case: Case, brain: Brain | None) -> Answer:
    """The model's answer; with a machine its cycles too. Raises BadHand, Disagreement."""
    answer = QUESTIONS[question](case)
    if brain is None:
        return answer
    machine = MACHINE_QUESTIONS[question](case, brain)
    cycles = machine.pop("cycles")
    for key, value in machine.items():
        if answer[key] != value:
            raise Disagreement(f'the {brain.cpu} says "{key}" is {value}, the model {answer[key]}')
    return answer | {"cycles": cycles}


def _case(line: str) -> Case:
    """The case of a line. Raises BadHand."""
    try:
        case = json.loads(line.rstrip())
    except json.JSONDecodeError as fault:
        raise BadHand(str(fault)) from None
    except RecursionError:
        raise BadHand("a case is nested too deeply") from None
    except ValueError:  # Python reads no number of thousands of digits
        raise BadHand("a number has too many digits") from None
    if not isinstance(case, dict):
        raise BadHand("a case has to be a JSON object")
    return case


def _answer_all(question: str, path: Path, brain: Brain | None) -> int:
    """One answer for each line; a bad case gets ``{"error": ...}``, and the exit code is 1.

    Of a machine, mean and most cycles of each routine are shown on stderr.
    """
    failed = 0
    costs: dict[str, list[tuple[int, int]]] = {}
    for number, line in enumerate(read_lines(str(path)), 1):
        if not line.strip():
            continue
        try:
            answer = _answer_question(question, _case(line), brain)
        except (BadHand, Disagreement) as fault:
            failed += 1
            show_error(f"{path}:{number}: {fault}")
            answer = {"error": str(fault)}
        click.echo(json.dumps(answer, ensure_ascii=False))
        for routine, cycles in answer.get("cycles", {}).items():
            costs.setdefault(routine, []).append((cycles, number))
    for routine, each in costs.items():
        mean = sum(cycles for cycles, _ in each) / len(each)
        most, number = max(each)
        click.echo(f"{routine}: {mean:,.0f} cycles, at most {most:,} (line {number})", err=True)
    return 1 if failed else 0


def _tile(name: str, letters: bool) -> str:
    return tile_text(4 * parse_kinds(name)[0] + 1, letters).strip()


def _shanten_words(number: int) -> str:
    return {-1: "complete", 0: "tenpai: one tile is missing"}.get(
        number, f"{number}-shanten: {number} tile{'s' * (number != 1)} from tenpai"
    )


@riichi.command("analyze")
@click.argument("tiles", required=False)
@melds_option
@click.option("--visible", default="", metavar="TILES", help="Further visible tiles.")
@where_options
@batch_option
@letters_option
@json_option
def analyze_command(
    tiles: str | None,
    melds: tuple[str, ...],
    visible: str,
    where: str,
    engine: str,
    batch: Path | None,
    letters: bool | None,
    as_json: bool,
) -> None:
    """Show the shanten of a hand and the tiles that help, or the best discards.

    Discards are shown for a hand with a drawn tile.

    \b
    Examples:
      fairdeck riichi analyze 123m456p23478s11z
      fairdeck riichi analyze 11799m1128p577s66z --json
      fairdeck riichi analyze 59m3p1z --meld pon:111p --meld pon:222z --meld pon:777p
      fairdeck riichi analyze 123m456p23478s11z --on 6502
      fairdeck riichi analyze --batch hands.jsonl

    \b
    JSON: normal, chiitoi, kokushi, shanten (-1 complete; null does not apply); of 3k+1 tiles
    ukeire {tile: copies left}, ukeire_count, share (of the unseen tiles); of 3k+2 tiles
    discards {tile: [shanten, copies]}, best {shanten, ukeire_count, tiles}, riichi_discards.
    With --on 6502 or sm83: cycles {routine: cycles}, on the SM83 M-cycles; with --batch their mean
    and worst follow on stderr.
    """
    case = None
    if tiles is not None:
        case = {"tiles": tiles, "melds": _melds(melds), "visible": visible}

    def text(answer: Answer) -> str:
        plain = use_letters(letters)
        lines = [click.style(_shanten_words(answer["shanten"]), bold=True)]
        parts = [f"melds and a pair {answer['normal']}"]
        if answer["chiitoi"] is not None:
            parts += [f"seven pairs {answer['chiitoi']}", f"orphans {answer['kokushi']}"]
        lines.append("  shanten: " + ", ".join(parts))
        if "ukeire" in answer:
            lines += _ukeire_lines(answer, plain)
        else:
            lines += _discard_lines(answer, plain)
        return "\n".join(lines)

    _answer("analyze", case, batch, _brain(where, engine), as_json, text)


def _ukeire_lines(answer: Answer, letters: bool) -> list[str]:
    tiles = "  ".join(
        f"{_tile(name, letters)} x{count}" for name, count in answer["ukeire"].items()
    )
    share = f"{100 * answer['share']:.1f} % of the unseen tiles"
    return [f"  {answer['ukeire_count']} tiles help ({share}): {tiles or 'none is left'}"]


def _discard_lines(answer: Answer, letters: bool) -> list[str]:
    chosen = answer["best"]
    names = " or ".join(_tile(name, letters) for name in chosen["tiles"])
    lines = [f"  discard {names}: {chosen['ukeire_count']} tiles help then"]
    order = sorted(answer["discards"].items(), key=lambda item: (item[1][0], -item[1][1]))
    lines += [
        f"    {_tile(name, letters)}  shanten {after:>2}, {count:>3} tiles"
        for name, (after, count) in order
    ]
    return lines


@riichi.command("win")
@click.argument("closed", required=False)
@click.argument("tile", required=False)
@melds_option
@click.option("--tsumo", is_flag=True, help="The winning tile was drawn.")
@click.option("--seat", "seat_wind", default="E", show_default=True, help="E S W N.")
@click.option("--round", "round_wind", default="E", show_default=True, help="E S W N.")
@click.option("--closed-tanyao", is_flag=True, help="Tanyao counts for closed hands only.")
@click.option("--flag", "flags", multiple=True, help="riichi, ippatsu, haitei, rinshan, ...")
@where_options
@batch_option
@json_option
def win_command(
    closed: str | None,
    tile: str | None,
    melds: tuple[str, ...],
    tsumo: bool,
    seat_wind: str,
    round_wind: str,
    closed_tanyao: bool,
    flags: tuple[str, ...],
    where: str,
    engine: str,
    batch: Path | None,
    as_json: bool,
) -> None:
    """Check whether TILE wins for the hand CLOSED, and list the yaku (without dora).

    \b
    Examples:
      fairdeck riichi win 234m456p23467s88s 5s --flag riichi
      fairdeck riichi win 1144p 4p --tsumo --meld pon:555z --meld minkan:3333s --meld kakan:5555p
      fairdeck riichi win --batch wins.jsonl

    \b
    JSON: yaku (sorted names), wins, complete, and of a win han and fu.
    """
    case = None
    if closed is not None:
        if tile is None:
            raise click.UsageError("give the winning tile behind the hand")
        case = {
            "closed": closed,
            "win": tile,
            "melds": _melds(melds),
            "tsumo": tsumo,
            "seat_wind": seat_wind,
            "round_wind": round_wind,
            "open_tanyao": not closed_tanyao,
            "flags": list(flags),
        }

    def text(answer: Answer) -> str:
        if answer["wins"]:
            return f"a win: {', '.join(answer['yaku'])} ({answer['han']} han, {answer['fu']} fu)"
        return "complete, but without yaku: no win" if answer["complete"] else "not complete"

    _answer("win", case, batch, _brain(where, engine), as_json, text)


@riichi.command("calls")
@click.argument("hand", required=False)
@click.argument("discard", required=False)
@melds_option
@click.option(
    "--from",
    "discarder",
    type=click.Choice(["left", "across", "right"]),
    default="left",
    show_default=True,
    help="The player who discarded.",
)
@where_options
@batch_option
@json_option
def calls_command(
    hand: str | None,
    discard: str | None,
    melds: tuple[str, ...],
    discarder: str,
    where: str,
    engine: str,
    batch: Path | None,
    as_json: bool,
) -> None:
    """List the calls on DISCARD; without one, the kans of a hand with its drawn tile.

    \b
    Examples:
      fairdeck riichi calls 3445568m234589p 4m --from left
      fairdeck riichi calls 4m2224444677788p

    \b
    JSON: can_pon, can_kan, chii, completes_hand, shanten_before, calls; on one's own turn
    closed_kan and added_kan.
    """
    case: dict[str, Any] | None = None
    if hand is not None:
        case = {"hand": hand, "melds": _melds(melds)}
        if discard is not None:
            case |= {"discard": discard, "discarder": discarder}

    def text(answer: Answer) -> str:
        if "closed_kan" in answer:
            parts = [f"closed kan {tile}" for tile in answer["closed_kan"]]
            parts += [f"added kan {tile}" for tile in answer["added_kan"]]
            return ", ".join(parts) or "no kan"
        lines = [
            f"{one['call']} with {' '.join(one['use'])}: {one['shanten_after']}-shanten after it"
            for one in answer["calls"]
        ]
        if answer["completes_hand"]:
            lines.insert(0, "the tile completes the hand")
        return "\n".join(lines or ["nothing to call"]) + (
            f"\nbefore: {answer['shanten_before']}-shanten"
        )

    _answer("calls", case, batch, _brain(where, engine), as_json, text)
