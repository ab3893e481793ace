"""RGBDS: rgbasm, its objects, rgblink, and the headers that rgbfix writes."""
