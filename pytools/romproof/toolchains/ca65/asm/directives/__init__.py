"""Control commands, by topic. Each is a function of the assembly, of one source.

It is called with the token after the command as the current one and leaves
the end of its line current. Each topic has a table ``COMMANDS``, and is imported
when the first of its commands is met: most sources need few of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from romproof.toolchains.ca65.asm.assembly import Assembly

TOPICS = {
    "data": (
        ".addr .align .asciiz .bankbytes .byte .charmap .dbyt .dword .faraddr .hibytes .incbin "
        ".literal .lobytes .res .word"
    ),
    "linkage": (
        ".condes .constructor .destructor .export .exportzp .forceimport .global .globalzp "
        ".import .importzp .interruptor .referto"
    ),
    "messages": ".assert .error .fatal .out .warning",
    "objects": ".dbg .debuginfo .fileopt",
    "scopes": ".endproc .endscope .proc .scope",
    "segments": ".bss .code .data .null .org .popseg .pushseg .reloc .rodata .segment .zeropage",
    "settings": (
        ".a16 .a8 .autoimport .case .feature .i16 .i8 .linecont .list .listbytes .localchar "
        ".p02 .p4510 .p816 .pagelength .pc02 .popcharmap .popcpu "
        ".psc02 .pushcharmap .pushcpu .setcpu .smart"
    ),
    "structs": ".enum .struct .tag .union",
    "text": ".delmacro .exitmacro .include .macpack .macro .repeat",
}
"""The commands of each module."""

_TOPIC_OF = {word: topic for topic, words in TOPICS.items() for word in words.split()}


@cache
def command_of(word: str) -> Callable[[Assembly], None] | None:
    """What carries out the command ``word``; None if it is none."""
    topic = _TOPIC_OF.get(word)
    if topic is None:
        return None
    home = __import__(f"{__name__}.{topic}", fromlist=("COMMANDS",))
    commands: dict[str, Callable[[Assembly], None]] = home.COMMANDS
    return commands[word]
