"""romproof beside its peers: ten claims put to angr, and the opcodes of public models counted.

``compare`` asks and writes docs/peers.md. What needs a peer runs as a process of its own, in a venv
where those of requirements.txt are installed: ``sleigh``, ``emulators``, ``pyboys``,
``answer_angr``; these import nothing of romproof.
"""
