"""Control commands, by topic. Each is a function of what its topic needs of the assembler.

It is called with the token after the command as the current one and leaves
the end of its line current. ``COMMANDS`` joins the tables of all topics.
"""

from collections.abc import Callable

from romproof.text.records import Protocol
from romproof.toolchains.ca65.asm.directives import (
    data,
    linkage,
    messages,
    objects,
    scopes,
    segments,
    settings,
    structs,
    text,
)


class Parts(
    data.Parts,
    linkage.Parts,
    messages.Parts,
    objects.Parts,
    scopes.Parts,
    segments.Parts,
    settings.Parts,
    structs.Parts,
    text.Parts,
    Protocol,
):
    """What commands of all topics need together."""


COMMANDS: dict[str, Callable[[Parts], None]] = {
    **data.COMMANDS,
    **linkage.COMMANDS,
    **messages.COMMANDS,
    **objects.COMMANDS,
    **scopes.COMMANDS,
    **segments.COMMANDS,
    **settings.COMMANDS,
    **structs.COMMANDS,
    **text.COMMANDS,
}
