"""Where the next byte goes, and what labels belong to there."""

from __future__ import annotations

from romproof.toolchains.rgbds.asm.model import Section, Symbol

Scopes = tuple[Symbol | None, Symbol | None]
"""The labels that ``.`` and ``..`` denote."""


class Position:
    """The section that is written to, and the scope of local labels.

    In a LOAD block bytes go to ``output`` while labels belong to ``load``: ``offset`` counts in
    the latter, and ``load_offset`` more is the offset in the former.
    """

    def __init__(self) -> None:
        self.output: Section | None = None
        self.load: Section | None = None
        self.offset = 0
        self.load_offset = 0
        self.global_scope: Symbol | None = None
        self.local_scope: Symbol | None = None

    @property
    def current(self) -> Section | None:
        """The section labels belong to."""
        return self.load or self.output

    @property
    def output_offset(self) -> int:
        """Where the next byte goes in the section that is written to."""
        return self.offset + self.load_offset

    @property
    def scopes(self) -> Scopes:
        """The current scope of labels."""
        return self.global_scope, self.local_scope

    @scopes.setter
    def scopes(self, scopes: Scopes) -> None:
        self.global_scope, self.local_scope = scopes
