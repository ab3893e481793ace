"""What holds for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# a busy machine is slow, not wrong; CI looks at the same examples every time
settings.register_profile("romproof", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("romproof")
