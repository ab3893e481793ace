"""Layouts that are known without an installed cc65: those of ld65's -t none, nes and c64.

They are written anew from what cc65's manual says of its targets (nes.html, c64.html, ld65.html);
names of areas, segments and symbols are those that programs for these targets use.
"""

from __future__ import annotations

from functools import cache

from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.link.config import Config
from romproof.toolchains.ca65.link.config_parser import parse_config

_TABLES = """\
FEATURES {
    CONDES: type = constructor, segment = ONCE,
            label = __CONSTRUCTOR_TABLE__, count = __CONSTRUCTOR_COUNT__;
    CONDES: type = destructor, segment = RODATA,
            label = __DESTRUCTOR_TABLE__, count = __DESTRUCTOR_COUNT__;
    CONDES: type = interruptor, segment = RODATA, import = __CALLIRQ__,
            label = __INTERRUPTOR_TABLE__, count = __INTERRUPTOR_COUNT__;
}
"""

# Code from $1000 (or -S) up to the stack, variables behind it, 31 bytes of zero page from $80 on.
_NONE = (
    """\
FEATURES {
    STARTADDRESS: default = $1000;
}
SYMBOLS {
    __STACKSIZE__:  type = weak, value = $800;
    __STACKSTART__: type = weak, value = $8000;
    __ZPSTART__:    type = weak, value = $80;
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
"""
    + _TABLES
)

# A cartridge of NROM: 16 bytes of header, 32 KiB of program with the vectors at its end, 8 KiB of
# pictures. Variables are in the RAM of the cartridge, the stack of C in the console's from $500 on.
_NES = (
    """\
SYMBOLS {
    __STACKSIZE__: type = weak, value = $300;
}
MEMORY {
    ZP:     start = 2,     size = $1A,           file = "", define = yes;
    HEADER: start = 0,     size = $10,           file = %O, fill = yes;
    ROM0:   start = $8000, size = $7FFA,         file = %O, fill = yes, define = yes;
    ROMV:   start = $FFFA, size = 6,             file = %O, fill = yes;
    ROM2:   start = 0,     size = $2000,         file = %O, fill = yes;
    SRAM:   start = $500,  size = __STACKSIZE__, file = "", define = yes;
    RAM:    start = $6000, size = $2000,         file = "", define = yes;
}
SEGMENTS {
    ZEROPAGE: type = zp,  load = ZP;
    HEADER:   type = ro,  load = HEADER;
    STARTUP:  type = ro,  load = ROM0, define = yes;
    LOWCODE:  type = ro,  load = ROM0, optional = yes;
    ONCE:     type = ro,  load = ROM0, optional = yes;
    CODE:     type = ro,  load = ROM0, define = yes;
    RODATA:   type = ro,  load = ROM0, define = yes;
    DATA:     type = rw,  load = ROM0, run = RAM, define = yes;
    VECTORS:  type = rw,  load = ROMV;
    CHARS:    type = rw,  load = ROM2;
    BSS:      type = bss, load = RAM, define = yes;
}
"""
    + _TABLES
)

# A program that BASIC starts: two bytes of load address, a line with SYS, then code and data up to
# $CFFF. Variables take the place of what is executed once. The line of BASIC and the load address
# come from cc65's library, which the two imports ask for.
_C64 = (
    """\
FEATURES {
    STARTADDRESS: default = $801;
}
SYMBOLS {
    __LOADADDR__:  type = import;
    __EXEHDR__:    type = import;
    __STACKSIZE__: type = weak, value = $800;
    __HIMEM__:     type = weak, value = $D000;
}
MEMORY {
    ZP:       start = 2,               size = $1A, file = "", define = yes;
    LOADADDR: start = %S - 2,          size = 2,   file = %O;
    HEADER:   start = %S,              size = 13,  file = %O, define = yes;
    MAIN:     start = __HEADER_LAST__, size = __HIMEM__ - __HEADER_LAST__, file = %O, define = yes;
    BSS:      start = __ONCE_RUN__, file = "", size = __HIMEM__ - __STACKSIZE__ - __ONCE_RUN__;
}
SEGMENTS {
    ZEROPAGE: type = zp,  load = ZP;
    LOADADDR: type = ro,  load = LOADADDR;
    EXEHDR:   type = ro,  load = HEADER;
    STARTUP:  type = ro,  load = MAIN;
    LOWCODE:  type = ro,  load = MAIN, optional = yes;
    CODE:     type = ro,  load = MAIN;
    RODATA:   type = ro,  load = MAIN;
    DATA:     type = rw,  load = MAIN;
    INIT:     type = rw,  load = MAIN;
    ONCE:     type = ro,  load = MAIN, define = yes;
    BSS:      type = bss, load = BSS,  define = yes;
}
"""
    + _TABLES
)

BUILT_IN = {"none": _NONE, "nes": _NES, "c64": _C64}
"""Targets of ``-t`` whose layout is known without an installed cc65."""


@cache
def built_in_config(target: str) -> Config:
    """The layout of one of the targets in BUILT_IN."""
    return parse_config(Source(f"{target}.cfg", BUILT_IN[target]), Diagnostics())


def default_config() -> Config:
    """The configuration with the effect of ld65's ``-t none``."""
    return built_in_config("none")
