"""What plain lines are given of the assembler."""

from __future__ import annotations

from typing import Protocol

from romproof.toolchains.ca65.asm.conditions import Conditions
from romproof.toolchains.ca65.asm.expressions import Expressions
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.macros import Macros
from romproof.toolchains.ca65.asm.segments import Segments, UnnamedLabels
from romproof.toolchains.ca65.asm.settings import Settings
from romproof.toolchains.ca65.asm.study import Evaluator
from romproof.toolchains.ca65.asm.symbols import Symbols


class Parts(Protocol):
    """All that a plain line may fill or ask."""

    feed: Feed
    settings: Settings
    conditions: Conditions
    macros: Macros
    segments: Segments
    unnamed: UnnamedLabels
    evaluator: Evaluator
    expressions: Expressions
    symbols: Symbols
