"""Makes bench/peers importable; what lies beside it must not hide anything."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
if str(ROOT / "bench") not in sys.path:
    sys.path.append(str(ROOT / "bench"))
