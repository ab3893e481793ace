"""What is wrong with a ROM's header, without changing it."""

from __future__ import annotations

from romproof.toolchains.rgbds.fix import header_fields


def check_header(rom: bytes) -> list[str]:
    """The faults of the header of ``rom``, a line for each; none if it is in order.

    The logo and the header's checksum are what a Game Boy insists on; the other checksum and
    the size are what emulators and flash cartridges look at.
    """
    if len(rom) < header_fields.END:
        return [f"the ROM has {len(rom)} bytes and ends before $0150, where its header ends"]
    faults = []
    if rom[header_fields.LOGO] != header_fields.NINTENDO_LOGO:
        faults.append("the logo at $0104 is not Nintendo's: a Game Boy will not start it")
    checksum, right = rom[header_fields.HEADER_CHECKSUM], header_fields.header_checksum(rom)
    if checksum != right:
        faults.append(
            f"the header's checksum at $014D is ${checksum:02X}, not ${right:02X}:"
            " a Game Boy will not start it"
        )
    total, right_total = rom[header_fields.GLOBAL_CHECKSUM], header_fields.global_checksum(rom)
    if total != right_total:
        faults.append(
            f"the checksum at $014E is ${total.hex().upper()}, not ${right_total.hex().upper()}"
        )
    code = rom[header_fields.ROM_SIZE]
    if code > 8 and rom[header_fields.CARTRIDGE_TYPE] != header_fields.TPP1_TYPE:
        faults.append(f"the byte at $0148 (ROM size) is ${code:02X}; valid are $00 to $08")
    elif len(rom) != 2 * header_fields.ROM_BANK << min(code, 32):
        faults.append(
            f"the ROM has {len(rom)} bytes; the byte at $0148 (ROM size), ${code:02X},"
            f" says {2 * header_fields.ROM_BANK << min(code, 32)}"
        )
    return faults
