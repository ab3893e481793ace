"""A process that assembles the ROM ``tarot``, calls its shuffle once, checked, and ends:
``python first_call.py ENGINE``."""

from __future__ import annotations

import sys

from fairdeck.tarot.on_machine import on_machine
from fairdeck.tarot.runs import Request
from fairdeck.tarot.targets import MOS6502

if __name__ == "__main__":
    on_machine(MOS6502, Request(0x12345678), engine=sys.argv[1])
