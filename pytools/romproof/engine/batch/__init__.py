"""Many runs at once, from arrays to arrays: in machine code, on all cores.

Needs numpy and llvmlite; importing this without them raises MissingExtra.
"""

from romproof.support.extras import need

need("many runs at once need {}", "romproof[fast]", "llvmlite", "numpy")

from romproof.engine.batch.inputs import BadBatch  # noqa: E402
from romproof.engine.batch.results import BatchResult, RunOutcome  # noqa: E402
from romproof.engine.batch.run import CompiledFunction, run_many  # noqa: E402

__all__ = ["BadBatch", "BatchResult", "CompiledFunction", "RunOutcome", "run_many"]
