"""RGBDS: rgbasm, its objects, rgblink, rgbfix's headers, rgbgfx's pictures."""
