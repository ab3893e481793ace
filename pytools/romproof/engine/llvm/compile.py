"""Machine code from LLVM modules, cached on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
from llvmlite import ir

import romproof.engine
import romproof.isa
from romproof.support import cache as disk_cache
from romproof.support.collecting import without_collecting
from romproof.support.interrupts import patiently

optimised = True
"""Whether machine code is optimised. Without it a module is compiled in a tenth of the time, and
executed five times slower: for who compiles much and executes little, as tests of engines do."""


class CompiledCode:
    """A function in memory: ``address``, and whether it came from the disk."""

    def __init__(self, address: int, cached: bool) -> None:
        self.address = address
        self.cached = cached


def compile_module(
    key: str, function: str, make: Callable[[], ir.Module], optimise: bool | None = None
) -> CompiledCode:
    """The function of the module that ``make`` gives, compiled for this machine.

    ``key`` names everything the module depends on besides romproof's own source. The machine code
    is cached by :mod:`romproof.support.cache`, which gives back only what this user stored there.
    It is optimised if ``optimise`` says so, or else ``optimised``.
    """
    best = optimised if optimise is None else optimise
    name = _name(key, best)
    data = disk_cache.recall(name)
    cached = data is not None
    if data is None:
        with without_collecting():  # a module is a hundred thousand objects
            data = _compile(make(), best)
        disk_cache.keep(name, data)
    return CompiledCode(_load(data, function), cached)


def recall(key: str, function: str) -> CompiledCode | None:
    """The same, optimised, if it is cached."""
    data = disk_cache.recall(_name(key, best=True))
    return None if data is None else CompiledCode(_load(data, function), cached=True)


def _name(key: str, best: bool) -> str:
    return hashlib.sha256(f"{fingerprint()}\n{best}\n{key}".encode()).hexdigest() + ".o"


@cache
def fingerprint() -> str:
    """A digest of all that decides what machine code comes out: our source, LLVM, the CPU."""
    digest = hashlib.sha256()
    for package in (romproof.isa, romproof.engine):
        root = Path(package.__path__[0])
        for path in sorted(p for p in root.rglob("*") if p.suffix in (".py", ".tbl")):
            digest.update(path.read_bytes())
    machine = (*patiently(_host), llvmlite.__version__, llvm.llvm_version_info)
    digest.update(repr(machine).encode())
    return digest.hexdigest()


# All that follows is LLVM's, and done by threads of patiently(): llvmlite's lock belongs to code in
# Python, as other things do that a signal handler would leave half done.


@cache
def _host() -> tuple[str, str]:
    """The name of this CPU, and what it can do."""
    return llvm.get_host_cpu_name(), str(llvm.get_host_cpu_features().flatten())


@cache
def _target_machine(level: int = 2) -> Any:
    # this pass takes minutes for the large loops we have, and finds nothing in them
    llvm.set_option("romproof", "-disable-lsr")
    # put the check behind every instruction before the fetch of the next: one jump less, a tenth
    # of the interpreter's time
    llvm.set_option("romproof", "-force-precise-rotation-cost")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target, (name, features) = llvm.Target.from_default_triple(), _host()
    return target.create_target_machine(
        cpu=name,
        features=features,
        opt=level,
        codemodel="jitdefault",
        jit=True,
    )


_LARGE = 1_000_000
"""Characters of a module that is optimised with what pays most, in a third of the time."""
_QUICK_PASSES = (
    "sroa", "simplify_cfg", "instruction_combine", "sccp", "dead_store_elimination",
    "jump_threading", "aggressive_dce", "simplify_cfg", "instruction_combine",
)  # fmt: skip


def _compile(module: ir.Module, optimise: bool) -> bytes:
    level = 2 if optimise else 0
    module.triple, module.data_layout = patiently(lambda: _layout(level))
    text = str(module)
    return patiently(lambda: _object(level, text))  # seconds, sometimes


def _layout(level: int) -> tuple[str, str]:
    machine = _target_machine(level)
    return machine.triple, str(machine.target_data)


def _object(level: int, text: str) -> bytes:
    machine, optimise = _target_machine(level), level > 0
    parsed = llvm.parse_assembly(text)
    if not optimise:
        return bytes(machine.emit_object(parsed))
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    if len(text) < _LARGE:
        builder.getModulePassManager().run(parsed, builder)
    else:
        passes = llvm.create_new_function_pass_manager()
        for name in _QUICK_PASSES:
            getattr(passes, f"add_{name}_pass")()
        for function in parsed.functions:
            if not function.is_declaration:
                passes.run(function, builder)
    return bytes(machine.emit_object(parsed))


def _load(data: bytes, function: str) -> int:
    """The address of a function of an object file, in memory from now on.

    A thread does it, as signal handlers raise in the main one alone. What an exception left here
    half-way would be an engine that nobody has taken the machine away from (see ``_address``).
    """
    return patiently(lambda: _address(data, function))


def _address(data: bytes, function: str) -> int:
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target_machine())
    try:
        engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        engine.finalize_object()
        return int(engine.get_function_address(function))
    finally:
        # It owns the machine code, which may run as long as the process lasts; and all engines
        # share one target machine, which the first to be disposed of would take along: also where
        # something was raised, it stays.
        engine.detach()
