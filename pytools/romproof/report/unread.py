"""What is said of comments that look like contracts and that nobody reads."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from romproof.contract.reading.parse import read_contracts
from romproof.contract.reading.unread import Unread, Why, unread
from romproof.program.image import Image
from romproof.text.diagnostic import BuildFailed, Diagnostic, Severity, render

_TITLE = "a contract begins with ';; name – what the routine does', right above its label"
_COMMENT = "comment"
"""The reason, in JSON, of what is taken for a comment of other people."""
_STRICT = "--strict makes an error of each, with its place"


class ContractWarning(UserWarning):
    """A comment that looks like a contract and that nobody reads."""


@dataclass(frozen=True, slots=True)
class Lost:
    """What nobody reads in a program: ``rows`` by their places, ``comments`` the findings of
    each block that is taken for other people's comment. ``any_meant``: the program has
    contracts."""

    rows: tuple[Unread, ...]
    comments: tuple[tuple[Diagnostic, ...], ...]
    any_meant: bool


def find_lost(image: Image) -> Lost:
    """What looks like a contract in a program and is not read."""
    read = read_contracts(image)
    return Lost(unread(image), tuple(read.comments.values()), read.any_meant)


def findings_of(lost: Lost, name: str, strict: bool) -> tuple[Diagnostic, ...]:
    """What to tell of the program ``name``: with contracts each finding, without any one warning.
    ``strict``: all of them are errors."""
    if strict or lost.any_meant:
        severity = Severity.ERROR if strict else Severity.WARNING
        every = [each for found in lost.comments for each in found]
        return (*(finding(each, severity) for each in lost.rows), *dict.fromkeys(every))
    rows = [row for row in lost.rows if row.why is not Why.LEFT_OUT]
    places = sorted(
        (
            (each.span.source.name, each.span.line, each)
            for each in (
                *(finding(row, Severity.WARNING) for row in rows),
                *(found[0] for found in lost.comments),
            )
            if each.span is not None
        ),
        key=lambda place: place[:2],
    )
    if not places:
        return ()
    first = places[0][2]
    others = len(places) - 1
    many = f"{others + 1} comments look like contracts" if others else "a comment looks like one"
    which = "; the first" if others else ""
    message = f"{name}: no contract is read, though {many}{which}: {first.message}"
    advice = f"{first.help or _TITLE}; {_STRICT}"
    return (Diagnostic(Severity.WARNING, message, first.span, advice),)


def refuse(findings: Sequence[Diagnostic]) -> None:
    """Raise BuildFailed if one of some findings is an error."""
    if any(each.severity is Severity.ERROR for each in findings):
        raise BuildFailed(findings)


def warn_of_lost(findings: Sequence[Diagnostic]) -> None:
    """Some findings as warnings of Python, which pytest shows at its end."""
    for each in findings:
        if each.severity is Severity.WARNING:
            text = render(each).removeprefix("warning: ")
            warnings.warn(text, ContractWarning, stacklevel=3)


def finding(row: Unread, severity: Severity) -> Diagnostic:
    """What is said of one: where it stands, why it is not read, and what to do."""
    message, help_ = _explain(row)
    if row.why is Why.LEFT_OUT:
        severity = Severity.NOTE  # nothing is claimed of what is not there
    note = _NOTES.get(row.why)
    notes = ((note, row.place),) if note is not None and row.place is not None else ()
    return Diagnostic(severity, message, row.span, help_, notes)


def lost_json(rom: str, lost: Lost) -> Iterator[Mapping[str, object]]:
    """What nobody reads in the program ``rom``, for JSON (docs/json.md)."""
    for row in lost.rows:
        said = finding(row, Severity.WARNING)
        yield _row_json(rom, row.why.value, row.name, row.meant or None, said)
    for found in lost.comments:
        for comment in found:
            yield _row_json(rom, _COMMENT, None, None, comment)


def _row_json(
    rom: str, reason: str, name: str | None, meant: str | None, said: Diagnostic
) -> Mapping[str, object]:
    span = said.span
    return {
        "rom": rom,
        "reason": reason,
        "name": name,
        "meant": meant,
        "message": said.message,
        "help": said.help,
        "file": span.source.name if span else None,
        "line": span.line if span else None,
        "column": span.col if span else None,
        "length": span.length if span else None,
    }


_NOTES: Mapping[Why, str] = {
    Why.SEPARATED: "this stands between",
    Why.BLANK_LINE: "the blank line",
    Why.HIDDEN: "what begins here is taken for it",
    Why.PRIVATE: "the label",
    Why.LEFT_OUT: "its label",
    Why.CONSTANT: "the constant",
    Why.SECOND: "the one that counts",
    Why.NOTHING_BELOW: "the label",
    Why.MACRO: "the label",
}


def _explain(row: Unread) -> tuple[str, str]:
    name = row.name
    match row.why:
        case Why.SEPARATED:
            return (
                f"nobody reads this contract: something stands between it and '{name}'",
                "blank lines and commands such as .export, .segment, .if or SECTION may; "
                "put it right above the label",
            )
        case Why.BLANK_LINE:
            return (
                f"nobody reads this contract of '{name}': a blank line parts it",
                "join its lines; an empty comment line, ';', may stand between",
            )
        case Why.HIDDEN:
            return (
                f"nobody reads this contract of '{name}': another ';;' line stands below it",
                "the last group of lines with ';;' above a label counts: write ';' there",
            )
        case Why.MARK:
            return (
                f"nobody reads this contract of '{name}': its title has not two semicolons",
                _TITLE,
            )
        case Why.PRIVATE:
            return (
                f"nobody reads this contract: '{name}' is not exported",
                "contracts are of exported labels: export it (ca65: .export, RGBDS: ::); "
                "of other labels only 'as NAME' and 'callees' under 'clobbers:' take over a list",
            )
        case Why.CONSTANT:
            return (
                f"nobody reads this contract: '{name}' is a constant, and no label",
                "put it above the label of the code",
            )
        case Why.NO_LABEL:
            return (
                f"nobody reads this contract: the program has no label '{name}'",
                "is the name misspelt, or the code left out of this program by a condition?",
            )
        case Why.LEFT_OUT:
            return (
                f"nobody reads this contract: '{name}' is not in the program",
                "a condition leaves its code out",
            )
        case Why.SECOND:
            return (
                f"nobody reads this contract: '{name}' has another one",
                "a label has one contract, right above it: join the two",
            )
        case Why.NOTHING_BELOW:
            return (
                f"nobody reads this contract of '{name}': the file ends below it",
                "put it right above the label",
            )
        case Why.MACRO:
            return (
                f"nobody reads this contract: '{name}' is not the label below it",
                "a contract stands right above the line that defines the label; a macro that does "
                "so has it in its body",
            )
        case Why.NO_COLON:
            return (
                f"nobody reads this line of a contract: '{row.name}' has no colon",
                f"write '{row.meant}: …'; if it is prose, begin it with another word",
            )
        case Why.NOT_INDENTED:
            return (
                "nobody reads this line of a contract: it continues no field",
                "indent it more deeply than the field above, or part it by an empty comment line",
            )
        case Why.MISSPELT:
            return (
                f"nobody reads this line: a contract has no field '{row.name}'",
                f"did you mean '{row.meant}:'?",
            )
