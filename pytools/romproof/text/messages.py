"""Messages: what there is to say to people, as a kind and its data.

A ``MessageKind`` is one sentence with named blanks, as in the catalogues of compilers and of
gettext; a ``Message`` fills them in. Code makes, compares and passes on messages; ``str`` writes
one, and only what shows it to people does so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from string import Formatter
from typing import Any


class MessageKind(Enum):
    """One kind of message. Its value is the sentence, a format string with named blanks. A blank
    for several things says how they are joined: ``{names:and}``, ``{names:or}``,
    ``{names:comma}``, ``{names:semicolon}``; that of a count of bytes is ``{most:bytes}``, of
    a time ``{limit:seconds}``. Other numbers have separators."""

    def __call__(self, **data: Any) -> Message:
        """The message with some data: text, numbers, messages, None for nothing, or a tuple."""
        return Message(self, tuple(data.items()))

    @property
    def blanks(self) -> tuple[str, ...]:
        """The names of what has to be given."""
        fields = (name for _, name, _, _ in Formatter().parse(self.value) if name)
        return tuple(dict.fromkeys(fields))


@dataclass(frozen=True, slots=True)
class Message:
    """A ``kind``, and the ``data`` that it is about, by the names of the blanks."""

    kind: MessageKind
    data: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return _WRITER.format(self.kind.value, **dict(self.data))


_JOINED = {"and": " and ", "or": " or ", "comma": ", ", "semicolon": "; "}


class _Writer(Formatter):
    """Formats data: a message within a message, and several things as a list."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if value is None:
            return ""
        if isinstance(value, tuple):
            return _JOINED[format_spec].join(map(str, value))
        if format_spec == "bytes":
            return f"{value:,} byte{'s' * (value != 1)}"
        if format_spec == "seconds":  # what is left of 5 s for a part of the work is 4.99999
            return f"{round(value, 1) or value:g} second{'s' * (round(value, 1) != 1)}"
        if type(value) is int and not format_spec:
            return f"{value:,}"
        return format(str(value) if isinstance(value, Message) else value, format_spec)


_WRITER = _Writer()


def join_messages(messages: Iterable[Message]) -> Message | None:
    """Several messages as one, each once; None for none."""
    every = tuple(dict.fromkeys(messages))
    if len(every) > 1:
        return SeveralMessages.LISTED(messages=every)
    return every[0] if every else None


class SeveralMessages(MessageKind):
    """Messages that are made of others."""

    LISTED = "{messages:semicolon}"


# ---------------------------------------------------------------- JSON


def plain_message(message: Message) -> dict[str, object]:
    """A message as JSON has it: the name of its kind, and its data."""
    name = f"{type(message.kind).__name__}.{message.kind.name}"
    return {"kind": name, **{blank: _plain(value) for blank, value in message.data}}


def _plain(value: Any) -> object:
    if isinstance(value, Message):
        return plain_message(value)
    return list(map(_plain, value)) if isinstance(value, tuple) else value


def read_message(fields: Mapping[str, Any]) -> Message:
    """The message of which ``plain_message`` made this. Raises KeyError."""
    family, _, name = fields["kind"].partition(".")
    families = {each.__name__: each for each in MessageKind.__subclasses__()}
    data = tuple((blank, _datum(value)) for blank, value in fields.items() if blank != "kind")
    return Message(families[family][name], data)


def _datum(value: Any) -> Any:
    if isinstance(value, dict):
        return read_message(value)
    return tuple(map(_datum, value)) if isinstance(value, list) else value
