"""Control commands, by topic. Each is a function of the assembler.

It is called with the token after the command as the current one and leaves
the end of its line current. ``COMMANDS`` joins the tables of all topics.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from romproof.toolchains.ca65.asm.directives import (
    data,
    linkage,
    messages,
    scopes,
    segments,
    settings,
    structs,
    text,
)

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.assembler import Assembler

COMMANDS: dict[str, "Callable[[Assembler], None]"] = {
    **data.COMMANDS,
    **linkage.COMMANDS,
    **messages.COMMANDS,
    **scopes.COMMANDS,
    **segments.COMMANDS,
    **settings.COMMANDS,
    **structs.COMMANDS,
    **text.COMMANDS,
}
