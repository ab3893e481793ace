"""Public test suites for CPUs and machines, run on our engines.

None of these suites is part of romproof: they are looked for in a folder that the user names.
"""
