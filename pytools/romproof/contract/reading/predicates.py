"""The predicates of a program: what its sources define, and what is wrong with that.

A predicate is known in all files of the program, those that are included among them, and a name
has one meaning in all of them. The same definition may come twice, as from a file that several
others include. What its text means is read anew for each contract that uses it, as if it stood
there: names are those that this routine sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from romproof.contract.nouns.expr import Expression
from romproof.contract.reading.expr_parse import ConditionParser
from romproof.contract.text.blocks import FieldText
from romproof.contract.text.cursor import MalformedCondition
from romproof.contract.text.definitions import PredicateDefinition, definitions
from romproof.contract.text.fieldtext import FieldLines, on_one_line
from romproof.contract.text.scope import ANYTHING, Argument, ConditionScope, Meanings, Predicate
from romproof.contract.text.tokens import KEYWORDS, ConditionToken, tokens
from romproof.isa.abi import abi_of
from romproof.program.image import Image
from romproof.text.diagnostic import Diagnostics, suggest
from romproof.text.span import Span

_FORM = "write ;; predicate NAME: CONDITION, or ;; predicate NAME(x, n): CONDITION"
_NAME = re.compile(r"[A-Za-z_]\w*")
_WORDS = KEYWORDS | {"sum", "predicate"}


def predicates_of(image: Image, diagnostics: Diagnostics) -> Mapping[str, Predicate]:
    """The predicates that the program's sources define, by name; faults go to ``diagnostics``."""
    made: dict[str, Predicate] = {}
    known = _list_reserved(image)
    for definition in _definitions(image):
        predicate = _predicate(definition, known, diagnostics)
        if predicate.name in known:  # that keeps its meaning
            continue
        first = made.get(predicate.name)
        if first is None:
            made[predicate.name] = predicate
        elif (first.form, _text(first)) != (predicate.form, _text(predicate)):
            diagnostics.error(
                f"the predicate '{predicate.name}' is defined twice, and not the same",
                predicate.span,
                "predicates are shared by all files of a program: rename one of them",
                (("first", first.span),),
            )
            made[predicate.name] = replace(first, faulty=True)
    for name, predicate in made.items():
        if not predicate.faulty:
            made[name] = replace(
                predicate, faulty=not _is_grammatical(predicate, made, diagnostics)
            )
    for name in _circular(made, diagnostics):
        made[name] = replace(made[name], faulty=True)
    return made


def _definitions(image: Image) -> Iterator[PredicateDefinition]:
    """All definitions; those of a file that is included several times come once."""
    seen: set[tuple[str, str]] = set()
    for source in image.sources:
        if (source.name, source.text) not in seen:
            seen.add((source.name, source.text))
            yield from definitions(source)


def _list_reserved(image: Image) -> Mapping[str, str]:
    """What a predicate cannot be called: the name, and what it is already."""
    known = {symbol.name: "a symbol in the program" for symbol in image.symbols}
    known |= dict.fromkeys(abi_of(image.cpu).items, "a register or flag")
    return known | dict.fromkeys(_WORDS, "a word of conditions")


def _predicate(
    definition: PredicateDefinition, known: Mapping[str, str], diagnostics: Diagnostics
) -> Predicate:
    name, span, errors = definition.name, definition.span, diagnostics.errors
    if not definition.pieces:
        diagnostics.error(f"this line does not define a predicate '{name}'", span, _FORM)
    elif name in known:
        diagnostics.error(f"'{name}' is {known[name]}", span, "give the predicate another name")
    field = FieldText("predicate", span, definition.pieces)
    parameters = tuple(_parameters(definition, known, diagnostics))
    return Predicate(name, parameters, FieldLines(field), span, diagnostics.errors > errors)


def _parameters(
    definition: PredicateDefinition, known: Mapping[str, str], diagnostics: Diagnostics
) -> Iterator[str]:
    """The names in parentheses."""
    piece = definition.parameters
    if piece is None:
        return
    seen: set[str] = set()
    at = 0
    for part in piece.text.split(","):
        name = part.strip()
        start = at + len(part) - len(part.lstrip())
        at += len(part) + 1
        span = replace(piece.span, col=piece.span.col + start, length=max(1, len(name)))
        if not _NAME.fullmatch(name):
            diagnostics.error(f"'{name}' is not a valid parameter name", span, _FORM)
        elif name in seen:
            diagnostics.error(f"'{name}' is used for two parameters", span)
        elif known.get(name, "").startswith("a register") or name in _WORDS:
            diagnostics.error(f"'{name}' is {known[name]}", span, "give the parameter another name")
        else:
            seen.add(name)
            yield name


def _text(predicate: Predicate) -> str:
    return on_one_line(predicate.body.whole)


def _is_grammatical(
    predicate: Predicate, predicates: Mapping[str, Predicate], diagnostics: Diagnostics
) -> bool:
    """Whether the text of a predicate can be read, whatever its names mean."""
    errors = diagnostics.errors
    names = {name: Argument(name, _token(name, predicate)) for name in predicate.parameters}
    scope = ConditionScope(names, writes_out=False)
    names_ignored = Diagnostics()
    parser = ConditionParser(
        predicate.body, _Anything(predicates), names_ignored, scope=scope, grammar=diagnostics
    )
    # what means nothing to somebody who knows no names may mean something
    with suppress(MalformedCondition):
        parser.body()
    return diagnostics.errors == errors


def _token(name: str, predicate: Predicate) -> ConditionToken:
    return ConditionToken("name", name, 0, 0, predicate.span)


class _Anything:
    """Names that may mean anything."""

    def __init__(self, predicates: Mapping[str, Predicate]) -> None:
        self._predicates = predicates

    def is_listed(self, name: str) -> bool:
        """See Meanings."""
        return False

    def is_item(self, name: str) -> bool:
        """See Meanings."""
        return False

    def predicate(self, name: str) -> Predicate | None:
        """See Meanings."""
        return self._predicates.get(name)

    def suggest_predicate(self, name: str) -> str | None:
        """See Meanings."""
        return suggest(name, self._predicates)

    def value(self, name: str, span: Span) -> Expression:
        """See Meanings."""
        return ANYTHING

    def element(self, name: str, index: Expression, span: Span, index_span: Span) -> Expression:
        """See Meanings."""
        return ANYTHING

    def address(self, name: str, span: Span) -> Expression:
        """See Meanings."""
        return ANYTHING

    def with_diagnostics(self, diagnostics: Diagnostics) -> Meanings:
        """See Meanings."""
        return self


def _circular(predicates: Mapping[str, Predicate], diagnostics: Diagnostics) -> set[str]:
    """The predicates that refer to themselves; each circle is reported once."""
    uses = {name: _list_uses(predicate, predicates) for name, predicate in predicates.items()}
    done: set[str] = set()
    circular: set[str] = set()
    for start in predicates:
        path: list[str] = []
        stack = [iter([start])]
        while stack:
            name = next(stack[-1], None)
            if name is None:
                stack.pop()
                done.update(path[-1:])
                del path[-1:]
            elif name in path:
                circle = path[path.index(name) :]
                if not circular.issuperset(circle):
                    _tell_circle(circle, predicates, diagnostics)
                circular.update(circle)
            elif name not in done:
                path.append(name)
                stack.append(iter(uses[name]))
    return circular


def _tell_circle(
    circle: list[str], predicates: Mapping[str, Predicate], diagnostics: Diagnostics
) -> None:
    names = [*circle, circle[0]]
    shown = names if len(names) <= 12 else [*names[:10], "…", names[-1]]
    diagnostics.error(
        f"the predicate '{circle[0]}' refers to itself: {' → '.join(shown)}",
        predicates[circle[0]].span,
        "define one of them without the others",
    )


def _list_uses(predicate: Predicate, predicates: Mapping[str, Predicate]) -> list[str]:
    """The predicates that stand in the text of one, in their order."""
    return list(dict.fromkeys(_names_in(predicate, predicates)))


def _names_in(predicate: Predicate, predicates: Mapping[str, Predicate]) -> Iterable[str]:
    if predicate.faulty:
        return
    text = predicate.body
    for token in tokens(text, 0, len(text.whole), Diagnostics()):
        is_use = token.kind == "name" and token.text in predicates
        if is_use and token.text not in predicate.parameters:
            yield token.text
