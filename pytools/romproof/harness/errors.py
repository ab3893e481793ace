"""What can go wrong with a call; each error tells the whole story as text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from romproof.contract.checks.requirements import Unmet
from romproof.contract.nouns.model import Contract
from romproof.engine.protocol import EngineFault
from romproof.harness.replay.excerpt import end_of_run
from romproof.harness.replay.instructions import instructions
from romproof.harness.replay.run import Scenario, Trace, replay
from romproof.harness.replay.trace import TraceStep
from romproof.program.image import Image
from romproof.text.diagnostic import Diagnostic, Severity, render
from romproof.text.errors import RomproofError
from romproof.text.span import Span


@dataclass(frozen=True)
class CallRecord:
    """A call that was made; its end is found by running it again when asked for."""

    scenario: Scenario
    image: Image = field(repr=False)

    @property
    def name(self) -> str:
        """What was called."""
        return self.scenario.name

    @cached_property
    def trace(self) -> Trace:
        """The end of the call."""
        return replay(self.scenario)

    def report(self) -> str:
        """Registers, the listing lines around the last instruction, the call chain, and the last
        instructions."""
        return "\n".join([self.summary(), *self.last_instructions()])

    def summary(self) -> str:
        """Registers, the listing lines around the last instruction, the call chain."""
        return f"call of '{self.name}'\n{end_of_run(self.image, self.trace)}"

    def last_instructions(self, steps: Sequence[TraceStep] | None = None) -> list[str]:
        """The last instructions, or some of them, as a table."""
        chosen = self.trace.steps if steps is None else steps
        return instructions(self.image, self.trace, chosen, self.scenario.abi)


class CallError(RomproofError):
    """A call that failed. ``record`` is the call, ``summary`` what is wrong in short."""

    def __init__(self, summary: str, record: CallRecord) -> None:
        super().__init__(summary)
        self.summary = summary
        self.record = record

    def __str__(self) -> str:
        # the end of the call costs a second run: only when somebody reads it
        return f"{self.summary}\n{self.record.report()}"


class Runaway(CallError):
    """A call did not end within its budget of cycles."""

    def __init__(self, record: CallRecord) -> None:
        scenario = record.scenario
        super().__init__(
            f"'{scenario.name}' did not end within {scenario.limit:,} {scenario.abi.cycles}",
            record,
        )

    def __str__(self) -> str:
        trace, abi = self.record.trace, self.record.scenario.abi
        steps = trace.steps
        loop = len({step.address for step in steps})
        if abi.is_halted(trace.registers):
            advice = (
                "the CPU waits for an interrupt that does not come: flat memory has no "
                "interrupts, a machine has those that the program enables"
            )
            steps = steps[:1]
        elif 2 * loop <= len(steps):
            advice = (
                f"the last {len(steps)} instructions are at only {loop} "
                f"{'address' if loop == 1 else 'addresses'}: check the exit of that loop"
            )
            steps = steps[-2 * loop :]
        else:
            advice = (
                f"if the routine is only slow, raise the limit to "
                f"{10 * self.record.scenario.limit} cycles: 'limit=' of a call, '--limit' of a "
                f"command"
            )
        return "\n".join(
            [
                self.summary,
                self.record.summary(),
                *self.record.last_instructions(steps),
                f"help: {advice}",
            ]
        )


class UninitialisedRead(CallError):
    """A call has read an uninitialised variable.

    ``site`` is the address of the instruction, ``address`` that of the byte.
    """

    def __init__(self, record: CallRecord, site: int, address: int) -> None:
        self.site, self.address = site, address
        describe = record.image.describe
        super().__init__(
            f"'{record.name}': the instruction at {describe(site)} reads {describe(address)}, "
            f"which has not been written: set it (mem= of a call, --mem of a command), or let the "
            f"routine do so first",
            record,
        )


class CallFault(CallError, EngineFault):
    """The engine refused to go on: see EngineFault for ``kind`` and ``address``."""

    def __init__(self, fault: EngineFault, record: CallRecord) -> None:
        EngineFault.__init__(
            self,
            fault.kind,
            fault.engine,
            fault.address,
            fault.opcode,
            fault.sentence,
            fault.write,
        )
        summary = fault.explain(record.image.describe(fault.address))
        self.summary = f"'{record.name}': {summary}"
        self.record = record


@dataclass(frozen=True, slots=True)
class Breach:
    """One broken promise of a contract; ``where`` names an inner call's site."""

    contract: Contract
    sentence: str
    span: Span
    where: str = ""


class RequirementBroken(RomproofError):
    """A call that the contract above its routine does not allow; it was not made.

    ``unmet`` has all it breaks. ``given`` are the registers and flags that the test set,
    as contracts write them.
    """

    def __init__(self, contract: Contract, unmet: Sequence[Unmet], given: Collection[str]) -> None:
        self.contract = contract
        self.unmet = tuple(unmet)
        super().__init__("\n".join(self._message(one, given) for one in unmet))

    def _message(self, unmet: Unmet, given: Collection[str]) -> str:
        missing = [n for n in unmet.names if n not in given]
        sentence = f"the call violates 'requires:' of '{self.contract.name}': {unmet.sentence}"
        if missing:
            sentence += f" ({', '.join(missing)} not given: such places always have the same value)"
        return render(Diagnostic(Severity.ERROR, sentence, unmet.span))


class ContractViolation(CallError):
    """A call broke the contract above its routine; ``breaches`` has all the ways."""

    def __init__(self, breaches: Sequence[Breach], record: CallRecord) -> None:
        self.breaches = tuple(breaches)
        names = ", ".join(dict.fromkeys(f"'{b.contract.name}'" for b in breaches))
        promises = "promise" if len(breaches) == 1 else "promises"
        text = [f"the contract of {names} is broken: {len(breaches)} {promises}"]
        for breach in breaches:
            where = f" (called at {breach.where})" if breach.where else ""
            sentence = f"{breach.contract.name}{where}: {breach.sentence}"
            text.append(render(Diagnostic(Severity.ERROR, sentence, breach.span)))
        super().__init__("\n".join(text), record)


class NotReached(RomproofError):
    """What a test waited for did not come to be."""

    def __init__(self, frames: int) -> None:
        super().__init__(
            f"what was waited for is not the case after {frames:,} frames; limit= says for how "
            f"many to wait"
        )
