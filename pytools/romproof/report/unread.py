"""What is said of comments that look like contracts and that nobody reads."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from romproof.contract.reading.parse import read_contracts
from romproof.contract.reading.unread import Unread, UnreadReason, unread
from romproof.program.image import Image
from romproof.report.json_object import JsonObject
from romproof.text.diagnostic import BuildFailed, Diagnostic, Severity, render

_TITLE = "a contract begins with ';; name – description', right above its label"
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
    rows = [row for row in lost.rows if row.why is not UnreadReason.LEFT_OUT]
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
    many = (
        f"{others + 1} comments look like contracts"
        if others
        else "one comment looks like a contract"
    )
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
    if row.why is UnreadReason.LEFT_OUT:
        severity = Severity.NOTE  # nothing is claimed of what is not there
    note = _NOTES.get(row.why)
    notes = ((note, row.place),) if note is not None and row.place is not None else ()
    return Diagnostic(severity, message, row.span, help_, notes)


def lost_json(rom: str, lost: Lost) -> Iterator[JsonObject]:
    """What nobody reads in the program ``rom``, for JSON (docs/json.md)."""
    for row in lost.rows:
        said = finding(row, Severity.WARNING)
        yield _row_json(rom, row.why.value, row.name, row.meant or None, said)
    for found in lost.comments:
        for comment in found:
            yield _row_json(rom, _COMMENT, None, None, comment)


def _row_json(
    rom: str, reason: str, name: str | None, meant: str | None, said: Diagnostic
) -> JsonObject:
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


_NOTES: Mapping[UnreadReason, str] = {
    UnreadReason.SEPARATED: "this line is in the way",
    UnreadReason.BLANK_LINE: "the blank line",
    UnreadReason.HIDDEN: "the text that begins here is taken for the contract",
    UnreadReason.PRIVATE: "the label",
    UnreadReason.LEFT_OUT: "its label",
    UnreadReason.CONSTANT: "the constant",
    UnreadReason.SECOND: "the contract that is used",
    UnreadReason.NOTHING_BELOW: "the label",
    UnreadReason.MACRO: "the label",
}


def _explain(row: Unread) -> tuple[str, str]:
    name = row.name
    match row.why:
        case UnreadReason.SEPARATED:
            return (
                f"this contract is not read: other lines stand between it and '{name}'",
                "put the contract right above the label; only blank lines and commands such as "
                ".export, .segment, .if or SECTION may stand between",
            )
        case UnreadReason.BLANK_LINE:
            return (
                f"this contract of '{name}' is not read: a blank line divides it",
                "remove the blank line, or make it an empty comment: ';'",
            )
        case UnreadReason.HIDDEN:
            return (
                f"this contract of '{name}' is not read: another ';;' line stands below it",
                "only the last group of ';;' lines above a label is read: write ';' in the "
                "other line",
            )
        case UnreadReason.MARK:
            return (
                f"this contract of '{name}' is not read: its title does not begin with ';;'",
                _TITLE,
            )
        case UnreadReason.PRIVATE:
            return (
                f"this contract is not read: '{name}' is not exported",
                "only contracts of exported labels are read: export the label (ca65: .export, "
                "RGBDS: ::); 'as NAME' and 'callees' under 'clobbers:' can still use its list",
            )
        case UnreadReason.CONSTANT:
            return (
                f"this contract is not read: '{name}' is a constant, not a label",
                "put the contract above the label of the code",
            )
        case UnreadReason.NO_LABEL:
            return (
                f"this contract is not read: the program has no label '{name}'",
                "check the spelling of the name, and whether a condition leaves the code out of "
                "this program",
            )
        case UnreadReason.LEFT_OUT:
            return (
                f"this contract is not read: '{name}' is not in the program",
                "a condition leaves its code out",
            )
        case UnreadReason.SECOND:
            return (
                f"this contract is not read: '{name}' has another one",
                "a label has one contract, right above it: merge the two",
            )
        case UnreadReason.NOTHING_BELOW:
            return (
                f"this contract of '{name}' is not read: the file ends below it",
                "put the contract right above the label",
            )
        case UnreadReason.MACRO:
            return (
                f"this contract is not read: '{name}' is not the label below it",
                "put the contract right above the line that defines the label; if a macro "
                "defines it, inside the macro",
            )
        case UnreadReason.NO_COLON:
            return (
                f"this line of the contract is not read: '{row.name}' has no colon",
                f"write '{row.meant}: …'; if the line is prose, begin it with another word",
            )
        case UnreadReason.NOT_INDENTED:
            return (
                "this line of the contract is not read: it continues no field",
                "indent it more deeply than the field above, or separate it with an empty "
                "comment line",
            )
        case UnreadReason.MISSPELT:
            return (
                f"this line is not read: contracts have no field '{row.name}'",
                f"did you mean '{row.meant}:'?",
            )
