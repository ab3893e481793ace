"""The layout used when the user names no configuration."""

from __future__ import annotations

from functools import cache

from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.link.config import Config
from romproof.toolchains.ca65.link.config_parser import parse_config

# The memory of ld65's target "none": code from $1000 (or -S) up to the stack,
# variables behind it, 31 bytes of zero page from $80 on.
_TEXT = """\
SYMBOLS {
    __ZPSTART__:    type = weak, value = $80;
    __STACKSIZE__:  type = weak, value = $800;
    __STACKSTART__: type = weak, value = $8000;
}
FEATURES {
    STARTADDRESS: default = $1000;
}
MEMORY {
    ZP:   start = __ZPSTART__, size = $1F, file = "", define = yes;
    MAIN: start = %S, size = __STACKSTART__ - __STACKSIZE__ - %S, file = %O;
}
SEGMENTS {
    ZEROPAGE: load = ZP,   type = zp;
    STARTUP:  load = MAIN, type = ro,  optional = yes;
    LOWCODE:  load = MAIN, type = ro,  optional = yes;
    ONCE:     load = MAIN, type = ro,  optional = yes;
    CODE:     load = MAIN, type = rw;
    RODATA:   load = MAIN, type = rw;
    DATA:     load = MAIN, type = rw;
    BSS:      load = MAIN, type = bss, define = yes;
}
FEATURES {
    CONDES: type = constructor, segment = ONCE,
            label = __CONSTRUCTOR_TABLE__, count = __CONSTRUCTOR_COUNT__;
    CONDES: type = destructor, segment = RODATA,
            label = __DESTRUCTOR_TABLE__, count = __DESTRUCTOR_COUNT__;
    CONDES: type = interruptor, segment = RODATA, import = __CALLIRQ__,
            label = __INTERRUPTOR_TABLE__, count = __INTERRUPTOR_COUNT__;
}
"""


BUILT_IN = {"none": _TEXT}
"""Targets of ``-t`` whose layout is known without an installed cc65."""


@cache
def built_in_config(target: str) -> Config:
    """The layout of one of the targets in BUILT_IN."""
    return parse_config(Source(f"{target}.cfg", BUILT_IN[target]), Diagnostics())


def default_config() -> Config:
    """The configuration with the effect of ld65's ``-t none``."""
    return built_in_config("none")
