"""Many runs at once, from arrays to arrays: in machine code, on all cores.

Needs numpy and llvmlite; importing this without them raises MissingExtra.
"""

from importlib.util import find_spec

from romproof.text.errors import MissingExtra

for _package in ("numpy", "llvmlite"):
    if find_spec(_package) is None:
        raise MissingExtra(
            f'many runs at once need the package {_package}; pip install "romproof[fast]"'
        )

from romproof.engine.batch.inputs import BadBatch  # noqa: E402
from romproof.engine.batch.results import BatchResult, Outcome  # noqa: E402
from romproof.engine.batch.run import Function, run_many  # noqa: E402

__all__ = ["BadBatch", "BatchResult", "Function", "Outcome", "run_many"]
