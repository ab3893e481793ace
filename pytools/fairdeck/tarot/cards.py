"""Names for the 78 numbers of the deck.

The published text numbers its cards 0 to 77 and names none, so this mapping is
ours: the major arcana 0..21 in the Rider-Waite-Smith order (The Fool is 0,
Strength 8, Justice 11), then wands 22..35, cups 36..49, swords 50..63 and
pentacles 64..77, each from the ace up to the king.
"""

from __future__ import annotations

MAJOR_ARCANA = (
    "The Fool",
    "The Magician",
    "The High Priestess",
    "The Empress",
    "The Emperor",
    "The Hierophant",
    "The Lovers",
    "The Chariot",
    "Strength",
    "The Hermit",
    "Wheel of Fortune",
    "Justice",
    "The Hanged Man",
    "Death",
    "Temperance",
    "The Devil",
    "The Tower",
    "The Star",
    "The Moon",
    "The Sun",
    "Judgement",
    "The World",
)
SUITS = ("Wands", "Cups", "Swords", "Pentacles")
RANKS = (
    "Ace",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Page",
    "Knight",
    "Queen",
    "King",
)

NAMES = MAJOR_ARCANA + tuple(f"{rank} of {suit}" for suit in SUITS for rank in RANKS)
"""The name of card number i is ``NAMES[i]``."""


def suit_of(card: int) -> str:
    """The suit of a card 0..77, or "major arcana"."""
    if card < len(MAJOR_ARCANA):
        return "major arcana"
    return SUITS[(card - len(MAJOR_ARCANA)) // len(RANKS)]
