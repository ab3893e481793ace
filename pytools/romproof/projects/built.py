"""What a build gives."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from romproof.program.image import Image
from romproof.program.known import know
from romproof.projects.manifest import Manifest
from romproof.text.diagnostic import Diagnostic


@dataclass(frozen=True, slots=True)
class Built:
    """A ROM that was built: its image, the files written, and the warnings."""

    manifest: Manifest
    image: Image
    files: tuple[Path, ...]
    diagnostics: tuple[Diagnostic, ...]

    def __post_init__(self) -> None:
        know(self.image)
