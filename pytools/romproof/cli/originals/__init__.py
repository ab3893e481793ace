"""Tools whose command lines we take as they are; each has a module with its ``COMMAND``."""

TOOLS = {
    "ca65": "Assemble one file, as cc65's assembler does.",
    "ld65": "Link what ca65 made, and libraries of cc65.",
    "ar65": "Make libraries of objects, and look into them.",
    "cl65": "Compile, assemble and link with one command.",
    "od65": "Tell what is in an object.",
    "rgbasm": "Assemble one file for the Game Boy, as RGBDS's assembler does.",
    "rgblink": "Link what rgbasm made.",
    "rgbfix": "Put header and checksums into a Game Boy ROM.",
    "rgbgfx": "Convert pictures to a Game Boy's tiles, maps and palettes.",
}
"""Their names, and what the help of ``romproof`` says of them."""
