"""Tools whose command lines we take as they are; each has a module with its ``COMMAND``."""

TOOLS = {
    "ca65": "Assemble one file like cc65's assembler.",
    "ld65": "Link object files of ca65 and libraries of cc65.",
    "ar65": "Make and list libraries of object files.",
    "cl65": "Compile, assemble and link with one command.",
    "od65": "Show the contents of an object file.",
    "rgbasm": "Assemble one file for the Game Boy like RGBDS's assembler.",
    "rgblink": "Link object files of rgbasm.",
    "rgbfix": "Write the header and checksums of a Game Boy ROM.",
    "rgbgfx": "Convert pictures to tiles, maps and palettes of the Game Boy.",
}
"""Their names, and what the help of ``romproof`` says of them."""
