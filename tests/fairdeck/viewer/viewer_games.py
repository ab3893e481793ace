"""What the viewer's tests show: games, forgeries of them, and seeds, all our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parents[2] / "vectors"


def load(name: str) -> Any:
    return json.loads((VECTORS / f"{name}.json").read_text("utf-8"))


LOGS: dict[str, str] = {
    log["name"]: log["xml"]
    for name in ("tenhou_logs", "tenhou_games")
    for log in load(name)["logs"]
}
TENHOU = load("tenhou_synthetic")["shuffle"][0]
SEED: str = TENHOU["seed"]
ARCADE = load("mj_arcade")["four_player"][0]
ARCADE_TEXT = "\n".join(ARCADE["seeds"]) + f"\n{ARCADE['ue']}\n"
HOSTILE = "</script><img src=x onerror=alert(1)>"
"""A name that would be markup in a page that took it for such."""


def named(xml: str, name: str) -> str:
    """A log whose first player has another name."""
    from urllib.parse import quote

    start = xml.index('n0="') + 4
    return xml[:start] + quote(name) + xml[xml.index('"', start) :]
