"""A round's wall against the SHA-256 that Mahjong Soul shows at the round's start.

The hashed text is the wall's code, two characters for each tile in the wall's order (``5p``, red
``0p``, honours ``1z``..``7z``), and the salt behind it; the salt has a hash of its own. This form
was established on one public record, of three players, whose two hashes it gives.

Before 2023 an MD5 was shown instead. What exactly was hashed then is described in words only, and
no record with both the text and its MD5 was found: such a hash is refused.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from hmac import compare_digest

from fairdeck.tiles import COPIES, NAMES
from romproof import BadInput

_SHA256, _MD5 = 64, 32
_LACKING = frozenset(f"{n}m" for n in range(2, 9))
"""What three players do not have."""
_MAX_CODE = 2 * 136


class BadRecord(BadInput):
    """What was given is no wall's code or no hash that can be compared; the text says why."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What came out. ``salt_fits`` is None when no hash of the salt was given."""

    players: int
    hash: str
    fits: bool
    salt_fits: bool | None

    @property
    def holds(self) -> bool:
        """Whether everything that was given fits."""
        return self.fits and self.salt_fits is not False


def verify(code: str, salt: str, shown: str, salt_shown: str | None = None) -> Compared:
    """Compare the wall's code and salt with the hashes ``shown`` before. Raises BadRecord."""
    code = "".join(code.split())
    players = players_of(code)
    digest = _sha256(code + salt)
    salt_fits = None if salt_shown is None else compare_digest(_sha256(salt), _digits(salt_shown))
    return Compared(players, digest, compare_digest(digest, _digits(shown)), salt_fits)


def players_of(code: str) -> int:
    """Three or four, by the tiles of a wall's code. Raises BadRecord unless it is a whole set."""
    tiles = re.findall("..", code)
    if len(code) > _MAX_CODE or "".join(tiles) != code:
        raise BadRecord(f"a wall's code has two characters for each tile, not {len(code)} in all")
    for place, tile in enumerate(tiles, 1):
        if not re.fullmatch("[0-9][mps]|[1-7]z", tile):
            raise BadRecord(f"tile {place} of the wall's code, '{tile}', is not a tile")
    copies = Counter(tile.replace("0", "5") for tile in tiles)
    for players, lacking in ((4, frozenset[str]()), (3, _LACKING)):
        if copies == {name: COPIES for name in NAMES if name not in lacking}:
            return players
    raise BadRecord(
        f"the wall's code has {len(tiles)} tiles, which are not four of each kind: the code "
        f"must contain the whole wall, including the dealt tiles"
    )


def _digits(shown: str) -> str:
    text = shown.strip().lower()
    if re.fullmatch(f"[0-9a-f]{{{_MD5}}}", text):
        raise BadRecord(
            "this is an MD5, as shown before 2023: no record shows which text it was made from, "
            "so it cannot be compared"
        )
    if not re.fullmatch(f"[0-9a-f]{{{_SHA256}}}", text):
        raise BadRecord(f"the hash '{text[:20]}' does not have {_SHA256} hexadecimal digits")
    return text


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
