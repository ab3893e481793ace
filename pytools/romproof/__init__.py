"""romproof: 8-bit code assembled, run, timed and proved from Python, for 6502 and SM83.

The names below are the package's surface: they change by semantic versioning, everything else may
change at any time. All are functions and classes; a name is imported when it is asked for.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from romproof.api.commands import CommandGroup as CommandGroup
    from romproof.api.commands import read_input as read_input
    from romproof.api.commands import read_lines as read_lines
    from romproof.api.commands import show_error as show_error
    from romproof.api.commands import show_warnings as show_warnings
    from romproof.api.programs import build as build
    from romproof.api.programs import disassemble as disassemble
    from romproof.api.programs import engines as engines
    from romproof.api.programs import load as load
    from romproof.api.questions import Profile as Profile
    from romproof.api.questions import bounds as bounds
    from romproof.api.questions import profile as profile
    from romproof.api.questions import prove as prove
    from romproof.cli.output import progress as progress
    from romproof.cli.output import wants_colour as wants_colour
    from romproof.cli.values import Number as Number
    from romproof.contract.nouns.model import Contract as Contract
    from romproof.engine.devices import Device as Device
    from romproof.harness.machine import Machine as Machine
    from romproof.harness.machine_state import MachineState as MachineState
    from romproof.harness.rom import Rom as Rom
    from romproof.harness.state.result import Result as Result
    from romproof.machine.gameboy.machine import GameBoy as GameBoy
    from romproof.program.clocks import Clock as Clock
    from romproof.program.clocks import find_clock as find_clock
    from romproof.program.image import Image as Image
    from romproof.projects.built import Built as Built
    from romproof.prover.prover import Exchange as Exchange
    from romproof.prover.prover import Prover as Prover
    from romproof.prover.refinement.stages import Asked as Asked
    from romproof.prover.refinement.stages import Stage as Stage
    from romproof.prover.results import Attained as Attained
    from romproof.prover.results import Finding as Finding
    from romproof.prover.results import Proof as Proof
    from romproof.prover.results import Verdict as Verdict
    from romproof.prover.routines.routine import ProofOptions as ProofOptions
    from romproof.pytest_plugin.equivalent import equivalent as equivalent
    from romproof.pytest_plugin.same_as import same_as as same_as
    from romproof.support.cache import keep as keep
    from romproof.support.cache import recall as recall
    from romproof.support.cluster import workers as workers
    from romproof.support.ctrl_c import carry_out as carry_out
    from romproof.support.files import write_all as write_all
    from romproof.support.interrupts import processes as processes
    from romproof.symbolic.numbers.choices import choose as choose
    from romproof.symbolic.numbers.choices import table as table
    from romproof.symbolic.numbers.choices import word as word
    from romproof.text.diagnostic import BuildFailed as BuildFailed
    from romproof.text.diagnostic import suggest as suggest
    from romproof.text.errors import BadInput as BadInput
    from romproof.text.errors import MissingExtra as MissingExtra
    from romproof.text.errors import RomproofError as RomproofError
    from romproof.text.errors import RomproofWarning as RomproofWarning
    from romproof.text.messages import Message as Message
    from romproof.text.messages import MessageKind as MessageKind


__version__: str

_HOMES = {
    "Asked": "prover.refinement.stages",
    "BadInput": "text.errors",
    "BuildFailed": "text.diagnostic",
    "Built": "projects.built",
    "Clock": "program.clocks",
    "CommandGroup": "api.commands",
    "Contract": "contract.nouns.model",
    "Device": "engine.devices",
    "Exchange": "prover.prover",
    "Finding": "prover.results",
    "GameBoy": "machine.gameboy.machine",
    "Image": "program.image",
    "Machine": "harness.machine",
    "MachineState": "harness.machine_state",
    "Message": "text.messages",
    "MessageKind": "text.messages",
    "MissingExtra": "text.errors",
    "Number": "cli.values",
    "Profile": "api.questions",
    "Proof": "prover.results",
    "ProofOptions": "prover.routines.routine",
    "Prover": "prover.prover",
    "Result": "harness.state.result",
    "Rom": "harness.rom",
    "RomproofError": "text.errors",
    "RomproofWarning": "text.errors",
    "Stage": "prover.refinement.stages",
    "Attained": "prover.results",
    "Verdict": "prover.results",
    "bounds": "api.questions",
    "build": "api.programs",
    "carry_out": "support.ctrl_c",
    "choose": "symbolic.numbers.choices",
    "disassemble": "api.programs",
    "engines": "api.programs",
    "equivalent": "pytest_plugin.equivalent",
    "find_clock": "program.clocks",
    "keep": "support.cache",
    "load": "api.programs",
    "processes": "support.interrupts",
    "profile": "api.questions",
    "progress": "cli.output",
    "prove": "api.questions",
    "read_input": "api.commands",
    "read_lines": "api.commands",
    "recall": "support.cache",
    "same_as": "pytest_plugin.same_as",
    "show_error": "api.commands",
    "show_warnings": "api.commands",
    "suggest": "text.diagnostic",
    "table": "symbolic.numbers.choices",
    "wants_colour": "cli.output",
    "word": "symbolic.numbers.choices",
    "workers": "support.cluster",
    "write_all": "support.files",
}
"""The exported names, and the modules below romproof that define them."""


def __dir__() -> list[str]:
    return sorted([*_HOMES, "__version__"])


def __getattr__(name: str) -> object:
    """What the package offers, looked up when it is asked for: every start would pay for it."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"romproof.{_HOMES[name]}"), name)
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from romproof.support.version import read_version

    return read_version()
