"""Slips in command lines and files: what people, editors and broken disks make of them."""

from __future__ import annotations

import random
from dataclasses import dataclass

from fuzz_seeds import Seed

WORDS = (
    "", "-", "--", "-o", "--json", "--help", "-1", "0", "1", "65536", "9" * 30, "9" * 5000,
    "$" + "F" * 3000, "0x", "$", "%", "1e9", "1.5", "²", "٣", "\udc81", "a\nb", "*", "[", "é" * 300,
    "x" * 5000, "..", "/", "/dev/null", "/dev/zero", "folder", "loop", "missing", "pipe", "=", ":",
    "a=1", "a=1=2", "count=", "count=zz", "count:0", "count:99999999", "main", "$8000", "pc=1",
)  # fmt: skip
BITS = (
    b"", b"\0", b"\xff", b"\x81", b"\r", b"\n", b"\t", b'"', b"'", b"\\", b"{", b"}", b"[", b"]",
    b"(", b")", b",", b":", b"::", b";", b"#", b"$", b"%", b"@", b"&&", b"<<", b">>", b"\xc3",
    b"\xef\xbb\xbf", b"\xed\xa0\x80", b"9" * 40, b"9" * 5000, b"$" + b"F" * 5000, b"-1",
    b"$FFFFFFFF", b"0xFFFFFFFFFFFFFFFF", b"1000000000", b"null", b"true", b"[" * 3000, b"(" * 3000,
    b"-" * 3000, b"{" * 500, b".repeat 1000\n", b".endrepeat\n", b".macro m\n m\n.endmacro\n",
    b".proc", b".endproc\n", b".if 0\n", b".endif\n", b'.incbin "/dev/zero"\n',
    b'.include "loop"\n', b"REPT 1000\n", b"ENDR\n", b'INCBIN "/dev/zero"\n',
    b'INCLUDE "loop"\n', b"DS $7FFFFFFF\n",
    b".res 65535\n", b"MACRO m\nm\nENDM\n", b"ENDC\n", b'PRINTLN "{m}"\n', b"\\1", b"\\@",
    b'EQUS "', b"; cycles: 1..\n", b"; in: A X\n",
)  # fmt: skip
KINDS = ("folder", "loop", "gone", "empty", "zero", "unreadable")
"""What may be in a file's place."""


@dataclass(frozen=True)
class Case:
    """One command line with its files; ``places`` says what is where a file should be."""

    number: int
    program: str
    words: tuple[str, ...]
    files: dict[str, bytes]
    places: dict[str, str]
    outputs: tuple[str, ...]


class Changes:
    """Makes cases of seeds: case n is the same each time."""

    def __init__(self, found: list[Seed], seed: int) -> None:
        self._seeds = found
        self._weights = [one.weight for one in found]
        self._seed = seed

    def case(self, number: int) -> Case:
        """Case ``number``."""
        rng = random.Random(f"{self._seed} {number}")
        chosen = rng.choices(self._seeds, self._weights)[0]
        words, files, places = list(chosen.words), dict(chosen.files), dict[str, str]()
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            kind = rng.randrange(20)
            if kind < 13 and files:
                name = rng.choice(list(files))
                files[name] = self._changed(rng, files[name])
            elif kind == 13 and files:
                places[rng.choice(list(files))] = rng.choice(KINDS)
            else:
                self._slip(rng, words)
        return Case(number, chosen.program, tuple(words), files, places, chosen.outputs)

    def _slip(self, rng: random.Random, words: list[str]) -> None:
        at = rng.randrange(1, len(words) + 1)
        match rng.randrange(6):
            case 0 if at < len(words):
                del words[at]
            case 1 if at < len(words):
                words[at] = rng.choice(WORDS)
            case 2 if at < len(words):
                words.insert(at, words[at])
            case 3:
                rng.shuffle(words)
            case 4 if at < len(words) and words[at]:
                place = rng.randrange(len(words[at]))
                words[at] = words[at][:place] + rng.choice(WORDS) + words[at][place + 1 :]
            case _:
                words.insert(at, rng.choice(WORDS))

    def _changed(self, rng: random.Random, data: bytes) -> bytes:
        start = rng.randrange(len(data) + 1)
        end = min(len(data), start + rng.choice((0, 1, 1, 4, 40, 400)))
        match rng.randrange(9):
            case 0:
                return data[:start]
            case 1:
                return data[:start] + data[end:]
            case 2:
                return data[:end] + data[start:]
            case 3 if start < len(data):
                flipped = data[start] ^ 1 << rng.randrange(8)
                return data[:start] + bytes([flipped]) + data[start + 1 :]
            case 4:
                more = rng.randbytes(rng.choice((1, 2, 8, 100)))
                return data[:start] + more + data[end:]
            case 5:
                other = rng.choice(self._seeds).files
                more = rng.choice(list(other.values())) if other else b""
                return data[:start] + more[: rng.randrange(len(more) + 1)] + data[end:]
            case 6:
                lines = data.split(b"\n")
                one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
                lines[one], lines[two] = lines[two], lines[one]
                return b"\n".join(lines)
            case _:
                return data[:start] + rng.choice(BITS) + data[end:]
