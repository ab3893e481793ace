"""What valid command lines there are, with the files they need: what the fuzzer begins with."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
MAX = 6000
"""Bytes of a case that is changed: longer ones are tables, which teach little and take long."""

ROM = """\
        .segment "ZEROPAGE"
count:  .res 2
        .exportzp count
        .segment "CODE"
        .export main, step, fill
.proc main
        jsr fill
halt:   jmp halt
.endproc

;; step - count.
; in:       zp count[2]
; out:      A count[2]
; clobbers: N Z C
; stack:    0
.proc step
        inc count
        bne done
        inc count+1
done:   lda count
        rts
.endproc

;; fill - count to ten.
; in:       zp count[2]
; out:      A X count[2]
; clobbers: N Z C
; stack:    2
; max iterations loop: 10
.proc fill
        ldx #10
loop:   jsr step
        dex
        bne loop
        rts
.endproc
"""
GAMEBOY = """\
SECTION "start", ROM0[$100]
    jp main
    ds $150 - @, 0
SECTION "code", ROM0
main::
    ld hl, $C000
    ld b, 4
.loop
    ld a, b
    ld [hl+], a
    dec b
    jr nz, .loop
    ret
"""
CONFIG = """\
MEMORY {
    ZP:  start = $0002, size = $00FE, type = rw;
    ROM: start = $8000, size = $1000, fill = yes, fillval = $FF, file = %O;
}
SEGMENTS {
    ZEROPAGE: load = ZP,  type = zp, optional = yes;
    CODE:     load = ROM, type = ro, align = 16;
    DATA:     load = ROM, type = ro, optional = yes;
}
SYMBOLS { __STACK__: type = export, value = $0100; }
"""
SCRIPT = 'ROM0\n    ORG $150\n    "code"\n    ALIGN 4\nWRAM0\n    ORG $C000\n'
SYMBOLS = "; names\n00:0150 main\n00:0155 main.loop\n01:4000 other\n"
VICE = "al 008000 .main\nal 008006 .step\nal 000002 .count\n"
PROJECT = '[tool.romproof]\nfolders = ["rom"]\n'
MANIFEST = '[rom]\nsources = ["demo.s"]\nentry = "main"\nclock = "c64-pal"\n'
MANIFEST_GB = '[rom]\ndialect = "rgbds"\nsources = ["gb.asm"]\n[rom.header]\ntitle = "DEMO"\n'


@dataclass(frozen=True)
class Seed:
    """A command line of ``program`` that works, the files it needs, and how often it is taken.

    ``outputs`` are files that are there before, and must be so after a failure.
    """

    program: str
    words: tuple[str, ...]
    files: dict[str, bytes]
    weight: int = 1
    outputs: tuple[str, ...] = ()


def seeds() -> list[Seed]:
    """All of them, the same each time."""
    made = _built()
    first = [*_assemblers(), *_linkers(made), *_project(), *_fairdeck(), *_others(made)]
    first.append(_frames(made))
    return [*first, *_of_cc65(made), *_pictures()]


def _built() -> dict[str, bytes]:
    """Objects and images of the sources above."""
    from romproof.cli import run

    here = Path.cwd()
    silent = io.StringIO()
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.redirect_stdout(silent),
        contextlib.redirect_stderr(silent),
    ):
        os.chdir(folder)
        try:
            endless = GAMEBOY.replace("    ret\n", "    jr main\n")
            sources = {"a.s": ROM, "b.asm": GAMEBOY, "c.asm": endless, "a.cfg": CONFIG}
            for name, text in sources.items():
                Path(name).write_text(text, "utf-8")
            lines = (
                ("ca65", "-g", "a.s"),
                ("ld65", "-C", "a.cfg", "-o", "a.bin", "a.o"),
                ("ar65", "r", "a.lib", "a.o"),
                ("rgbasm", "-o", "b.o", "b.asm"),
                ("rgblink", "-o", "b.gb", "b.o"),
                ("rgbasm", "-o", "c.o", "c.asm"),
                ("rgblink", "-o", "c.gb", "c.o"),
                ("rgbfix", "-v", "-p", "255", "c.gb"),
                ("run", "c.gb", "--engine", "plain", "--frames", "1", "--state", "c.state"),
            )
            for line in lines:
                assert run(line) == 0, line
            names = ("a.o", "a.bin", "a.lib", "b.o", "b.gb", "c.gb", "c.state")
            return {name: Path(name).read_bytes() for name in names}
        finally:
            os.chdir(here)


def _cases(folder: str, ending: str) -> list[tuple[str, bytes]]:
    found = [(path.name, path.read_bytes()) for path in sorted((TESTS / folder).glob(ending))]
    return [(name, data) for name, data in found if len(data) <= MAX]


def _assemblers() -> list[Seed]:
    found = []
    for name, data in _cases("cases/ca65", "*.s"):
        words = ("ca65", "-g", "-l", "out.lst", "-o", "out.o", name)
        found.append(Seed("romproof", words, {name: data}, 2, ("out.o", "out.lst")))
    for name, data in _cases("cases/rgbds", "*.asm"):
        words = ("rgbasm", "-o", "out.o", name)
        found.append(Seed("romproof", words, {name: data}, 2, ("out.o",)))
    batch = "ca65 -g a.s -o a.o\nromproof ld65 -C a.cfg -o 'out x.bin' a.o  # linked\n"
    files = {"list": batch.encode(), "a.s": ROM.encode(), "a.cfg": CONFIG.encode()}
    found.append(Seed("romproof", ("batch", "list", "--json"), files, 20, ("out x.bin",)))
    for name, text in (("a.s", ROM), ("b.asm", GAMEBOY)):
        words = ("asm", name, "-o", "out.bin", "--map", "--listing", "--json")
        found.append(Seed("romproof", words, {name: text.encode()}, 40, ("out.bin",)))
    return found


def _linkers(made: dict[str, bytes]) -> list[Seed]:
    found = []
    for name, data in [("a.cfg", CONFIG.encode()), *_cases("cases/ca65", "*.cfg")]:
        words = ("ld65", "-C", name, "-o", "out.bin", "-m", "out.map", "a.o")
        found.append(Seed("romproof", words, {name: data, "a.o": made["a.o"]}, 6, ("out.bin",)))
    files = {"b.o": made["b.o"], "b.link": SCRIPT.encode()}
    words = ("rgblink", "-l", "b.link", "-n", "out.sym", "-m", "out.map", "-o", "out.gb", "b.o")
    found.append(Seed("romproof", words, files, 80, ("out.gb", "out.sym", "out.map")))
    words = ("rgbfix", "-v", "-p", "255", "-t", "TITLE", "-o", "out.gb", "b.gb")
    found.append(Seed("romproof", words, {"b.gb": made["b.gb"]}, 30, ("out.gb",)))
    found.append(Seed("romproof", ("rgbfix", "-v", "b.gb"), {"b.gb": made["b.gb"]}, 10, ("b.gb",)))
    return found


def _frames(made: dict[str, bytes]) -> Seed:
    """A program that runs from a state."""
    files = {name: made[name] for name in ("c.gb", "c.state")}
    words = ("run", "c.gb", "--frames", "1", "--from", "c.state", "--engine", "plain")
    trace = ("--trace=t.log", "--trace-only", "$0100-$0155")
    return Seed("romproof", (*words, *trace), files, 10, ("t.log",))


def _project() -> list[Seed]:
    files = {
        "pyproject.toml": PROJECT.encode(),
        "rom/demo/demo.s": ROM.encode(),
        "rom/demo/manifest.toml": MANIFEST.encode(),
        "rom/gb/gb.asm": GAMEBOY.encode(),
        "rom/gb/manifest.toml": MANIFEST_GB.encode(),
    }
    lines = (
        (("build", "--json"), 30),
        (("run", "demo", "--call", "step", "--mem", "count=0102", "--read", "count:2"), 30),
        (("run", "demo", "--call", "fill", "--reg", "x=0", "--limit", "5000", "--json"), 20),
        (("report", "demo", "--call", "fill", "--repeat", "3"), 20),
        (("report", "demo", "--limit", "20000", "--json"), 10),
        (("report", "gb", "--call", "main", "--limit", "20000"), 10),
        (("bounds", "demo", "--json"), 20),
        (("prove", "demo", "step", "--timeout", "5"), 2),
        (("infer", "demo:step", "--timeout", "5"), 2),
        (("same", "demo:step", "demo:step", "--timeout", "5"), 2),
        (("compare", "demo", "demo", "--calls", "20"), 20),
        (("compare", "demo", "demo", "--call", "step", "--calls", "$40", "--json"), 20),
    )
    return [Seed("romproof", words, files, weight) for words, weight in lines]


_FOLDER = {
    "Makefile": b"O = $(patsubst %.s,%.o,$(wildcard *.s))\nifdef X\nelse\na.bin: $(O)\n"
    b"\tld65 -t none -o $@ $^\nendif\n%.o: %.s\n\tca65 -D N=1 $< -o $@\n",
    "a.s": b'.export f\n.include "n.inc"\n.proc f\n  lda #N+M\n  rts\n.endproc\n',
    "n.inc": b"M = 2\n",
    "pyproject.toml": b"[tool.x]\na = 1\n",
}
"""What `romproof init` finds."""


def _others(made: dict[str, bytes]) -> list[Seed]:
    vector = [{
        "name": "a9 01", "initial": {"pc": 512, "s": 255, "a": 0, "x": 0, "y": 0, "p": 32,
        "ram": [[512, 169], [513, 1]]}, "final": {"pc": 514, "s": 255, "a": 1, "x": 0, "y": 0,
        "p": 32, "ram": [[512, 169], [513, 1]]}, "cycles": [[512, 169, "read"], [513, 1, "read"]],
    }]  # fmt: skip
    suite = {"t/6502/v1/a9.json": json.dumps(vector).encode()}
    words = ("disasm", "a.bin", "--start", "$8000", "--labels", "a.lbl")
    gameboy = ("disasm", "b.gb", "--cpu", "sm83", "--labels", "b.sym")
    return [
        Seed("romproof", ("conformance", "t", "--jobs", "1"), suite, 20),
        Seed("romproof", words, {"a.bin": made["a.bin"], "a.lbl": VICE.encode()}, 30),
        Seed("romproof", gameboy, {"b.gb": made["b.gb"], "b.sym": SYMBOLS.encode()}, 10),
        Seed("romproof", ("engines",), {}, 2),
        Seed("romproof", ("init", "--dry-run", "--json"), _FOLDER, 20),
        Seed("romproof", ("completion", "bash"), {}, 2),
    ]


def _of_cc65(made: dict[str, bytes]) -> list[Seed]:
    library = {"a.lib": made["a.lib"], "a.o": made["a.o"]}
    build = {"a.s": ROM.encode(), "a.cfg": CONFIG.encode()}
    return [
        Seed("romproof", ("ar65", "r", "out.lib", "a.o"), library, 10, ("out.lib",)),
        Seed("romproof", ("ar65", "r", "a.lib", "a.o"), library, 10, ("a.lib",)),
        Seed("romproof", ("ar65", "tv", "a.lib"), library, 10),
        Seed("romproof", ("ar65", "x", "a.lib", "a.o"), library, 10, ("a.o",)),
        Seed("romproof", ("od65", "--dump-all", "a.o"), library, 20),
        Seed("romproof", ("cl65", "-C", "a.cfg", "-o", "out.bin", "a.s"), build, 20, ("out.bin",)),
    ]


def _pictures() -> list[Seed]:
    """rgbgfx forth and back: a picture of two tiles in four colours, and what is made of it."""
    from romproof.toolchains.rgbds.gfx.png_write import png_of_colors

    colors = (0xFFFFFFFF, 0xAAAAAAFF, 0x555555FF, 0x000000FF)
    rows = ([colors[(x + y * (x > 7)) % 4] for x in range(16)] for y in range(8))
    picture = {"a.png": bytes(png_of_colors(rows, 16, 8))}
    tiles = {
        "a.2bpp": bytes(range(32)), "a.pal": bytes.fromhex("ff7f b556 4a29 0000"),
        "a.map": bytes([0, 1, 1, 0]),
    }  # fmt: skip
    made = ("out.2bpp", "out.pal", "out.map")
    there = ("rgbgfx", "-u", "-o", "out.2bpp", "-p", "out.pal", "-t", "out.map", "a.png")
    back = ("rgbgfx", "-r", "2", "-o", "a.2bpp", "-p", "a.pal", "-t", "a.map", "out.png")
    return [
        Seed("romproof", there, picture, 30, made),
        Seed(
            "romproof",
            ("rgbgfx", "-c", "#fff,#aaa,#555,#000", "-o", "out.2bpp", "a.png"),
            picture,
            5,
        ),
        Seed("romproof", back, tiles, 30, ("out.png",)),
    ]


def _fairdeck() -> list[Seed]:
    logs = json.loads((TESTS / "vectors" / "tenhou_logs.json").read_text("utf-8"))["logs"]
    log = logs[0]["xml"].encode()
    arcade = json.loads((TESTS / "vectors" / "mj_arcade.json").read_text("utf-8"))
    events = json.dumps(arcade["uncertain_element"][0]["events"]).encode()
    hands = b'{"tiles": "123m456p23478s11z"}\n{"tiles": "11799m1128p577s66z"}\n'
    shown = ("mahjongsoul", "verify", "1m2p", "--salt", "x", "--hash", "0" * 64)
    fixed = ("mjarcade", "wall", "--uncertain", "1", "1Ye", "Kvq", "Zx8", "0aB")
    return [
        Seed("fairdeck", ("tenhou", "verify", "g.mjlog"), {"g.mjlog": log}, 10),
        Seed("fairdeck", ("tenhou", "wall", "g.mjlog"), {"g.mjlog": log}, 10),
        Seed("fairdeck", ("completion", "zsh"), {}, 1),
        Seed("fairdeck", ("mjarcade", "uncertain", "e.json"), {"e.json": events}, 30),
        Seed("fairdeck", fixed, {}, 20),
        Seed("fairdeck", shown, {}, 20),
        Seed("fairdeck", ("riichi", "analyze", "123m456p23478s11z", "--json"), {}, 20),
        Seed("fairdeck", ("riichi", "win", "234m456p23467s88s", "5s", "--flag", "riichi"), {}, 20),
        Seed("fairdeck", ("riichi", "calls", "3445568m234589p", "4m", "--from", "left"), {}, 20),
        Seed("fairdeck", ("riichi", "analyze", "--batch", "h.jsonl"), {"h.jsonl": hands}, 20),
        Seed("fairdeck", ("tarot", "shuffle", "--seed", "12345678"), {}, 20),
    ]
