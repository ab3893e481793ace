"""The engine ``recompiled``: code that is run often, translated to machine code."""
