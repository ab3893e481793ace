"""Header blocks become contracts; what cannot be right becomes a diagnostic.

    ;; draw – a random number 0..A, using as few flips as possible.
    ; in:        A zp lfsr[4] rng flips_left
    ; requires:  A <= 127, flips_left <= 8
    ; out:       A, lfsr[4] rng flips_left
    ; ensures:   A <= old A
    ; clobbers:  X N V Z C draw_highest draw_range draw_value
    ; stack:     4
    ; cycles:    39..         (entry to RTS inclusive)
    ; invariant: @widen: draw_highest == old A, draw_value < draw_range
    ; loops:     @widened 7
    ; secret:    lfsr rng

Items are registers (6502: A X Y S; SM83: A B C D E H L SP IME, pairs as AF BC DE HL),
flags (N V D I Z C; ZF NF HF CF, all of them as F) and memory: a symbol or a
``$`` address, with ``[size]`` in bytes unless the symbol's size is known, and
a word such as ``zp``, ``ram`` or ``hram`` before it for the reader. ``volatile`` before it says
that it is no memory but a port: each read brings a new value, whatever was written. Commas or
blanks part them. ``none`` and ``-`` stand for nothing. Text in parentheses, and after two
blanks that follow an item, is for the reader. A line indented more deeply than its field
continues it. Other lines are prose. The SM83's IME is 1 while interrupts are enabled, from the
``ei`` on that enables them; its addresses $FF00..$FF7F are volatile anyway.

``requires:`` says what holds of the inputs at the entry, ``ensures:`` what holds after the
return, ``old X`` being X at the entry; ``invariant:``, of which there may be several, what
holds whenever the code at a label comes next. ``decreases:`` goes with an invariant: a natural
number there, such as ``@step: X``, that is smaller at each visit until the innermost loop around
that place is left, so that the loop ends. Conditions are parted by commas; their language is that
of romproof.contract.expr_parse. ``loops:`` says how often the code at a label is executed, at most
or MIN..MAX times, each time its loop is entered. ``secret:`` lists inputs that no branch and no
address depends on. ``cycles: 38 constant`` takes as long whatever the inputs are. The 6502's D is
clear unless ``in:`` lists it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from romproof.contract.blocks import FIELDS, REPEATED, FieldText, HeaderBlock, find_block
from romproof.contract.clauses import Clauses
from romproof.contract.items import Item, MemoryRange
from romproof.contract.lists import WORDS, Lists
from romproof.contract.model import Contract
from romproof.contract.names import Names
from romproof.program.image import Image, Symbol
from romproof.text.diagnostic import Diagnostics, suggest

_MEANT = {
    **dict.fromkeys(("input", "inputs", "args", "takes", "param", "params"), "in"),
    **dict.fromkeys(("output", "outputs", "return", "returns", "result"), "out"),
    **dict.fromkeys(("clobber", "clobbered", "destroys", "modifies", "changes"), "clobbers"),
    **dict.fromkeys(("precondition", "preconditions", "requirements"), "requires"),
    **dict.fromkeys(("postcondition", "postconditions", "guarantees"), "ensures"),
    **dict.fromkeys(("invariants", "holds"), "invariant"),
    **dict.fromkeys(("decrease", "variant", "measure", "ranking"), "decreases"),
    **dict.fromkeys(("loop", "iterations"), "loops"),
    **dict.fromkeys(("cycle", "time", "timing", "duration"), "cycles"),
}


def parse_contracts(image: Image) -> Mapping[str, Contract]:
    """The contracts of all public routines, by the routine's name.

    A public routine is an exported label with a header block that has at
    least one of the fields. Raises BuildFailed with every malformed contract.
    """
    found = Diagnostics()
    contracts: dict[str, Contract] = {}
    for symbol in image.symbols:
        if symbol.exported and symbol.is_label and symbol.name not in contracts:
            contract = parse_contract(symbol, image, found)
            if contract is not None:
                contracts[symbol.name] = contract
    found.raise_if_failed()
    return contracts


def parse_contract(routine: Symbol, image: Image, found: Diagnostics) -> Contract | None:
    """The contract above ``routine``, or None when it has none; faults go to ``found``."""
    block = find_block(routine.span) if routine.span else None
    if block is None:
        return None
    fields = _fields(block, found)
    if not fields:
        return None
    if block.name not in (routine.name, routine.name.rpartition("::")[2]):
        found.error(
            f"the contract is for '{block.name}' but stands above '{routine.name}'",
            block.span,
            "the first line of a header block reads: ;; name – what the routine does",
        )
    one = {name: first for name, (first, *_) in fields.items()}
    names = Names(image, routine, found)
    lists = Lists(names, found)
    inputs = lists.items(one.get("in"))
    outputs = lists.items(one.get("out"))
    clobbers = lists.items(one.get("clobbers"))
    declared = _memory((*inputs, *outputs, *clobbers))
    clauses = Clauses(names, declared, inputs if "in" in one else None, found)
    secrets = _secrets(one.get("secret"), inputs, lists, found)
    cycles, constant = lists.cycles(one.get("cycles"))
    invariants = clauses.invariants(fields.get("invariant", ()))
    return Contract(
        name=routine.name,
        summary=block.summary,
        inputs=inputs,
        outputs=outputs,
        clobbers=clobbers,
        stack=lists.stack(one.get("stack")),
        cycles=cycles,
        span=block.span,
        places=tuple((name, field.span) for name, field in one.items()),
        requires=clauses.requires(one.get("requires")),
        ensures=clauses.ensures(one.get("ensures")),
        invariants=invariants,
        decreases=clauses.decreases(fields.get("decreases", ()), invariants),
        loops=clauses.loops(one.get("loops")),
        secrets=secrets,
        constant_cycles=constant,
        volatile=tuple(lists.volatile),
    )


def _memory(items: Iterable[Item]) -> dict[str, MemoryRange]:
    """The memory among ``items`` by its name, the largest of each."""
    largest: dict[str, MemoryRange] = {}
    for item in items:
        if isinstance(item, MemoryRange):
            other = largest.get(item.name, item)
            largest[item.name] = max(item, other, key=lambda memory: memory.size)
    return largest


def _secrets(
    field: FieldText | None, inputs: tuple[Item, ...], lists: Lists, found: Diagnostics
) -> tuple[Item, ...]:
    """The inputs of ``secret:``."""
    sizes = {name: memory.size for name, memory in _memory(inputs).items()}
    secrets = lists.items(field, sizes)
    for item in secrets:
        if field is not None and not _is_among(item, inputs):
            name = item if isinstance(item, MemoryRange) else item.name
            found.error(f"the secret {name} is no input", field.span, "list it under 'in:' too")
    return secrets


def _is_among(item: Item, inputs: tuple[Item, ...]) -> bool:
    if not isinstance(item, MemoryRange):
        return item in inputs
    listed = {a for i in inputs if isinstance(i, MemoryRange) for a in i.addresses()}
    return listed.issuperset(item.addresses())


def _fields(block: HeaderBlock, found: Diagnostics) -> dict[str, list[FieldText]]:
    """The block's fields by name; a misspelt one is an error, as is one that is repeated
    but may not be."""
    known: dict[str, list[FieldText]] = {}
    strange: list[FieldText] = []
    for field in block.fields:
        if field.name not in FIELDS:
            strange.append(field)
        elif field.name in known and field.name not in REPEATED:
            found.error(
                f"the field '{field.name}' stands twice in the contract",
                field.span,
                "join the two; a more deeply indented line continues a field",
                (("first", known[field.name][0].span),),
            )
        else:
            known.setdefault(field.name, []).append(field)
    for field in strange:
        meant = _MEANT.get(field.name.lower())
        hint = f"did you mean '{meant}'?" if meant else suggest(field.name, FIELDS)
        if field.name.lower() in WORDS:
            hint = f"the word stands before an item: in: {field.name.lower()} PORT[1];"
        # without any real field the block is plain documentation, whatever its words
        if hint and known:
            found.error(
                f"a contract has no field '{field.name}'",
                field.span,
                f"{hint} the fields are {', '.join(FIELDS)}",
            )
    return known
