"""The rule for handlers that end a wait: they change what it waits for, and are not kept away.

The argument stands in the head page: ``romproof.prover.conditions``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from romproof.contract.nouns.changes import AssumedChange
from romproof.prover.catalogue import Reason
from romproof.prover.exploration.explore import Leg
from romproof.prover.replay.judge import Case
from romproof.prover.states.handlers import HandlerFault, KnownHandler, always_changes
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term
from romproof.text.messages import Message

_IE = 0xFFFF
"""The SM83's register of enabled interrupts, which is memory (Pan Docs, "Interrupts")."""


@dataclass(frozen=True)
class Interruption:
    """What is known of the interrupts that change a byte for which some legs wait: ``fault`` says
    why they may not; ``assumed`` are conditions, with when they hold, that nothing shows."""

    handler: KnownHandler
    fault: HandlerFault | None = None
    assumed: tuple[Message, ...] = ()


def interruption_of(
    case: Case, change: AssumedChange, inside: Sequence[Leg], value: int | None
) -> Interruption:
    """Whether the handler of a change comes, and changes the byte, while some legs are taken, on
    which the byte is always the same: a ``value``, or None where that is not known."""
    address = change.memory.address
    handler = case.handlers.get(change.handler)
    if handler is None:  # what is proved here is no routine of a program with all its contracts
        handler = KnownHandler(change.handler, (), None, HandlerFault.NOT_PROVED)
    if handler.contract is None:
        return Interruption(handler, handler.fault)
    if not always_changes(case.program, handler.contract, address, value):
        return Interruption(handler, HandlerFault.MAY_KEEP)
    required = (condition.text for condition in handler.contract.requires)
    assumed = [Reason.WHENEVER_ENTERED(condition=text, handler=handler.name) for text in required]
    bits = handler.enable_bits
    if len(bits) > 1:  # any of them is enough: which one a program enables is not looked at
        assumed.append(Reason.ONE_ENABLED(bits=tuple(bits)))
    for name, enabled in _enabling(case, handler):
        allowed = _stays_enabled(case, inside, enabled)
        if allowed is None:
            return Interruption(handler, HandlerFault.MASKED)
        if not allowed:
            assumed.append(Reason.AT_ENTRY(condition=name))
    return Interruption(handler, assumed=tuple(assumed))


def _enabling(case: Case, handler: KnownHandler) -> Iterator[tuple[Message, _Enabled]]:
    """What has to hold so that the interrupt comes: each as a name and as a bit of a state. One of
    which the vectors say nothing is taken for one that can be masked."""
    if any(not each.is_maskable for each in handler.interrupts):
        return
    register, masked = case.abi.masking
    named = Reason.REGISTER_IS(register=register.upper(), value=1 - masked)
    yield named, _Enabled(register, 1 - masked)
    if len(handler.enable_bits) == 1:
        (bit,) = handler.enable_bits
        yield Reason.ENABLED(bit=bit), _Enabled("", 1, bit)


@dataclass(frozen=True)
class _Enabled:
    """That a register of one bit, or else a bit of IE, has a ``value``."""

    register: str
    value: int
    bit: int = 0

    def term(self, state: State) -> Term:
        """The register or the bit in a state."""
        if self.register:
            return state.get(self.register)
        return t.extract(state.memory.byte(_IE), self.bit, 1)

    def holds(self, state: State) -> Term:
        """Whether it has the value."""
        return t.eq(self.term(state), t.const(self.value, 1))


def _stays_enabled(case: Case, inside: Sequence[Leg], enabled: _Enabled) -> bool | None:
    """Whether interrupts are enabled at each cut of some legs: True where that is proved, False
    where they are if they are at the entry, None where they may not be."""
    places = {leg.begin for leg in inside}
    entering = [leg for leg in case.legs if leg.end in places and leg not in inside]
    holds, oracle = enabled.holds, case.oracle
    for leg in inside:
        kept = t.eq(enabled.term(leg.first), enabled.term(leg.at))
        if not oracle.holds(leg.at.path, t.or_(kept, holds(leg.at))):
            return None
    is_proved = True
    for leg in entering:
        if oracle.holds(leg.at.path, holds(leg.at)):
            continue
        is_proved = False
        same = enabled.term(leg.at) is enabled.term(case.entry)
        if not same or not oracle.possible(leg.at.path, holds(leg.at)):
            return None
    return is_proved
