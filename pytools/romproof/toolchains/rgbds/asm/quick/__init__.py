"""The fast path: plain lines carried out by their text, without looking at single characters.

rgbasm's language is one of characters (docs/decisions/0013), and the plain path, Lexer and Parser,
reads it so; that takes some 25 microseconds a line. Nearly all lines need none of it: they are
instructions, data, labels, constants and calls of macros, and many are there more than once. Here a
line is parsed by patterns (``plans``, ``operands``, ``values``), once for each text, and then
carried out as often as it comes (``lines``); in macros ``\\1`` and ``{name}`` are put in first
(``templates``).

Nothing is decided here. What a line does is done by the parts of the assembler that the plain path
uses, and a line that is not plain, or that would be complained of, is left to the plain path before
anything has been done: so what is wrong is said by that alone. ``tests/rgbds/test_quick.py``
compares both. docs/decisions/0045 has what it costs and brings.
"""
