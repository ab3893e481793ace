"""A terminal picture of a command: what it prints, in its colours, as one SVG file.

``python tools/terminal_svg.py FOLDER OUT.svg COMMAND...`` runs each command in FOLDER. The picture
asks nobody for fonts.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

WIDTH = 92
"""Columns; a command is told so."""


def recorded(folder: Path, commands: list[str]) -> Console:
    """What the commands print, as a terminal shows it."""
    console = Console(record=True, width=WIDTH, file=StringIO())
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": str(WIDTH), "FORCE_COLOR": "1"}
    for command in commands:
        console.print(Text(f"$ {command}", style="bold green"))
        done = subprocess.run(
            ["script", "-qec", f"{{ {command}; }} 2>/dev/null", "/dev/null"],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        console.print(Text.from_ansi(done.stdout.rstrip()))
        console.print()
    return console


def picture(console: Console, title: str) -> str:
    """The SVG, with the fonts of whoever looks at it: none is fetched."""
    svg = console.export_svg(title=title, unique_id="romproof")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.S)
    return svg.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas")


def main() -> int:
    """Write the picture."""
    folder, out, *commands = sys.argv[1:]
    Path(out).write_text(picture(recorded(Path(folder), commands), "romproof") + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
