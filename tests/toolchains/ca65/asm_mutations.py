"""Sources with slips in them: the cases with characters, words and lines changed."""

from __future__ import annotations

import random
from pathlib import Path

from romproof.toolchains.ca65.asm.tokens import KEYWORDS

MARKS = (
    *("(", ")", "[", "]", "{", "}", ",", "#", "<", ">", "^", ":", "::", "=", ":=", "+", "-", "*"),
    *("/", "&", "|", "~", "!", "<<", ">>", "<>", "&&", "||", ".", "..", "@", "@l", ":+", ":-"),
    *("$", "$FF", "%", "%101", "1234", "0FFh", "'a'", '"', "'", '"text"', "\\", ";", "z:", "a:"),
    *("A", "X", "Y", "foo", "bar", "lda", "sta", "jmp", "bne", "asl", "nop", "\t", "\0", "\xff"),
)
WORDS = (*sorted(KEYWORDS), *MARKS, "\n", "\n", "\n")
"""What a line may be made of, and much that no line is made of."""

MAX_SOURCE = 6000
"""Characters; longer cases are tables, where slips teach little and cost time."""


def read_sources(folder: Path) -> list[tuple[Path, list[str]]]:
    """The cases to change: path and lines, each byte one character."""
    sources = [(path, path.read_text("latin-1")) for path in sorted(folder.glob("*.s"))]
    return [(path, text.split("\n")) for path, text in sources if len(text) <= MAX_SOURCE]


def mutation(seed: int, sources: list[tuple[Path, list[str]]]) -> tuple[Path, str]:
    """A source that is wrong somewhere, and the name it goes by; the same for a seed.

    Most are a case with one to eight slips; some are words or bytes at random.
    """
    rng = random.Random(seed)
    path, lines = rng.choice(sources)
    kind = rng.randrange(10)
    if kind == 0:
        return path, " ".join(rng.choice(WORDS) for _ in range(rng.randrange(200)))
    if kind == 1:
        raw = bytes(rng.randrange(256) for _ in range(rng.randrange(400)))
        return path, raw.decode("utf-8", "surrogateescape")
    lines = list(lines)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        _slip(rng, lines, sources)
    return path, rng.choice(("\n", "\n", "\n", "\r\n")).join(lines)


def _slip(rng: random.Random, lines: list[str], sources: list[tuple[Path, list[str]]]) -> None:
    """Change one thing in ``lines``."""
    if not lines:
        lines.append("nop")
    at = rng.randrange(len(lines))
    line = lines[at]
    column = rng.randrange(len(line) + 1)
    words = line.split(" ")
    word = rng.randrange(len(words))
    match rng.randrange(12):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, rng.choice(lines))
        case 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = line[:column] + line[column + 1 :]
        case 4:
            lines[at] = line[:column] + line[max(0, column - 1) :]
        case 5:
            lines[at] = line[:column] + chr(rng.randrange(256)) + line[column:]
        case 6:
            rng.shuffle(words)
            lines[at] = " ".join(words)
        case 7:
            words.insert(word, rng.choice(WORDS))
            lines[at] = " ".join(words)
        case 8:
            words[word] = rng.choice(WORDS)
            lines[at] = " ".join(words)
        case 9:
            del words[word]
            lines[at] = " ".join(words)
        case 10:
            lines.insert(at, rng.choice(rng.choice(sources)[1]))
        case _:
            del lines[at:]
