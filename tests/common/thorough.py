"""What ``make test`` does with less work, and ``make test-slow`` with all of it (THOROUGH=1)."""

from __future__ import annotations

import os

THOROUGH = bool(os.environ.get("THOROUGH"))
"""Whether the same tests are to do all the work there is: compiled code optimised in the tests of
engines, more inputs for each opcode and more examples of hypothesis, as many runs for each small
proof as users have them."""
