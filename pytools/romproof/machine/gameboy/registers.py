"""The Game Boy's registers and memories by the names that programs use for them.

Source: hardware.inc of gbdev (version 5, in the public domain), with the names that earlier
versions have for the same addresses; Pan Docs, "Memory Map" and "Hardware Registers".
"""

from __future__ import annotations

from collections.abc import Mapping

_HIGH: Mapping[str, int] = {
    "rJOYP": 0x00, "rP1": 0x00, "rSB": 0x01, "rSC": 0x02, "rDIV": 0x04, "rTIMA": 0x05, "rTMA": 0x06,
    "rTAC": 0x07, "rIF": 0x0F, "rAUD1SWEEP": 0x10, "rNR10": 0x10, "rAUD1LEN": 0x11, "rNR11": 0x11,
    "rAUD1ENV": 0x12, "rNR12": 0x12, "rAUD1LOW": 0x13, "rNR13": 0x13, "rAUD1HIGH": 0x14,
    "rNR14": 0x14, "rAUD2LEN": 0x16, "rNR21": 0x16, "rAUD2ENV": 0x17, "rNR22": 0x17,
    "rAUD2LOW": 0x18, "rNR23": 0x18, "rAUD2HIGH": 0x19, "rNR24": 0x19, "rAUD3ENA": 0x1A,
    "rNR30": 0x1A, "rAUD3LEN": 0x1B, "rNR31": 0x1B, "rAUD3LEVEL": 0x1C, "rNR32": 0x1C,
    "rAUD3LOW": 0x1D, "rNR33": 0x1D, "rAUD3HIGH": 0x1E, "rNR34": 0x1E, "rAUD4LEN": 0x20,
    "rNR41": 0x20, "rAUD4ENV": 0x21, "rNR42": 0x21, "rAUD4POLY": 0x22, "rNR43": 0x22,
    "rAUD4GO": 0x23, "rNR44": 0x23, "rAUDVOL": 0x24, "rNR50": 0x24, "rAUDTERM": 0x25, "rNR51": 0x25,
    "rAUDENA": 0x26, "rNR52": 0x26, "rLCDC": 0x40, "rSTAT": 0x41, "rSCY": 0x42, "rSCX": 0x43,
    "rLY": 0x44, "rLYC": 0x45, "rDMA": 0x46, "rBGP": 0x47, "rOBP0": 0x48, "rOBP1": 0x49,
    "rWY": 0x4A, "rWX": 0x4B, "rSYS": 0x4C, "rSPD": 0x4D, "rKEY1": 0x4D, "rVBK": 0x4F,
    "rBANK": 0x50, "rVDMA_SRC_HIGH": 0x51, "rHDMA1": 0x51, "rVDMA_SRC_LOW": 0x52, "rHDMA2": 0x52,
    "rVDMA_DEST_HIGH": 0x53, "rHDMA3": 0x53, "rVDMA_DEST_LOW": 0x54, "rHDMA4": 0x54,
    "rVDMA_LEN": 0x55, "rHDMA5": 0x55, "rRP": 0x56, "rBGPI": 0x68, "rBCPS": 0x68, "rBGPD": 0x69,
    "rBCPD": 0x69, "rOBPI": 0x6A, "rOCPS": 0x6A, "rOBPD": 0x6B, "rOCPD": 0x6B, "rOPRI": 0x6C,
    "rWBK": 0x70, "rSVBK": 0x70, "rSMBK": 0x70, "rPCM12": 0x76, "rPCM34": 0x77, "rIE": 0xFF,
}  # fmt: skip

REGISTERS: Mapping[str, int] = {name: 0xFF00 + low for name, low in _HIGH.items()}
"""Addresses of single bytes."""

MEMORIES: Mapping[str, tuple[int, int]] = {
    "_VRAM": (0x8000, 0x2000),
    "_SCRN0": (0x9800, 0x0400),
    "TILEMAP0": (0x9800, 0x0400),
    "_SCRN1": (0x9C00, 0x0400),
    "TILEMAP1": (0x9C00, 0x0400),
    "_SRAM": (0xA000, 0x2000),
    "_RAM": (0xC000, 0x2000),
    "_OAMRAM": (0xFE00, 0x00A0),
    "OAMRAM": (0xFE00, 0x00A0),
    "_AUD3WAVERAM": (0xFF30, 0x0010),
    "_HRAM": (0xFF80, 0x007F),
}
"""Address and size in bytes of what is larger."""


def find_register(name: str) -> tuple[int, int] | None:
    """Address and size in bytes of a register or memory; None for another name."""
    address = REGISTERS.get(name)
    return MEMORIES.get(name) if address is None else (address, 1)
