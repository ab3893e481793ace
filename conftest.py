"""What holds for all tests.

It stands here and not in tests/: pytest puts the folder of a conftest on the
import path, and tests/fairdeck would then hide the package of that name.
"""

from __future__ import annotations

import os

from hypothesis import settings

# a busy machine is slow, not wrong; CI looks at the same examples every time
settings.register_profile("romproof", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("romproof")
