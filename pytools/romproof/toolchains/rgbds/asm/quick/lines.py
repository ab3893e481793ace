"""Carrying out plain lines, one after the other, and leaving the others to the parser."""

from __future__ import annotations

from romproof.text.records import Protocol
from romproof.toolchains.rgbds.asm import parser as plain
from romproof.toolchains.rgbds.asm.context import Context, Mode
from romproof.toolchains.rgbds.asm.lexer import Lexer
from romproof.toolchains.rgbds.asm.parser import Parser
from romproof.toolchains.rgbds.asm.quick import templates, writing
from romproof.toolchains.rgbds.asm.quick.control import end_conditional, enter_else
from romproof.toolchains.rgbds.asm.quick.plans import Plan, label_fits, plan_of
from romproof.toolchains.rgbds.asm.quick.scan import code_of
from romproof.toolchains.rgbds.asm.quick.templates import Template
from romproof.toolchains.rgbds.asm.quick.values import NotPlain
from romproof.toolchains.rgbds.asm.skipping import NOTHING, skip_conditional, skip_loop

_ENDS = {"ELSE": enter_else, "ENDC": end_conditional}
_MOST_PLANS = 20_000
"""Texts of lines whose plans are remembered at a time."""
_DONE, _LEFT, _LABEL_DONE = range(3)
"""What became of a line: carried out, not touched, or only its label defined."""


class Parts(plain.Parts, templates.Parts, writing.Parts, Protocol):
    """The parts of the assembler that lines of all kinds need together."""


class Lines:
    """The lines of a source, plain ones by their text."""

    def __init__(self, lexer: Lexer, parser: Parser, asm: Parts) -> None:
        self._lexer = lexer
        self._parser = parser
        self._asm = asm
        self._column = 0
        """Where the statement behind a label begins that is left to the parser."""
        self._plans: dict[str, Plan | Template | None] = {}

    def source(self) -> None:
        """All lines of the program."""
        parser = self._parser
        while True:
            behind_label = self._plain_lines()
            if behind_label:
                parser.line(behind_label=True)
                continue
            if parser.kind == "EOF":
                return
            parser.line()

    def _plain_lines(self) -> bool:
        """Go on up to a line for the parser; whether its label is defined already."""
        settings = self._asm.settings
        if settings.binary_digits != "01":
            return False
        lexer, contexts, plans = self._lexer, self._asm.contexts, self._plans
        while True:
            context = lexer.context
            if context.at_line_start and contexts.entered is not None:
                context = lexer.context = contexts.switch()
            if context.mode != Mode.NORMAL and _is_plain(context) and not self._skip(context):
                return False
            if not _is_plain(context) or context.mode != Mode.NORMAL:
                return False
            text, start = context.text, context.pos
            end = text.find("\n", start)
            if end < 0:
                if (start < len(text) and text[start:].strip(" \t")) or not self._left(context):
                    return False
                continue
            line = text[start:end]
            try:
                plan = plans[line]
            except KeyError:
                plan = self._planned(line)
            if plan is None:
                return False
            context.line += 1
            context.statement_at, context.value_at = start, None
            context.pos = end + 1
            outcome = self._carried_out(context, plan)
            if outcome == _DONE:
                context.last_kind = "NEWLINE"
                continue
            if outcome == _LEFT:
                context.line -= 1
                context.pos = start
                return False
            context.pos = start + self._column
            context.at_line_start, context.last_kind = False, ""
            return True

    def _left(self, context: Context) -> bool:
        """Leave a text at its end for what is around it, or for its next turn."""
        contexts = self._asm.contexts
        if context.conditionals or (len(contexts.stack) == 1 and context.loop is None):
            return False
        context.line += 1
        context.statement_at = context.token_at = context.pos = len(context.text)
        context.value_at, context.last_kind = None, "EOB"
        contexts.leave()
        self._lexer.context = contexts.current
        return True

    def _skip(self, context: Context) -> bool:
        """Go past a branch that is not assembled; False: what ends it is for the parser."""
        context.line += 1
        context.statement_at = context.token_at = context.pos
        context.value_at, context.is_reading = None, True
        to_end = context.mode == Mode.TO_ENDC
        word = (
            skip_loop(self._lexer)
            if context.mode == Mode.TO_ENDR
            else skip_conditional(self._lexer, to_end)
        )
        context.is_reading = False
        after = NOTHING.match(context.text, context.pos)
        if after is not None and word in _ENDS:
            try:
                _ENDS[word](context)
            except NotPlain:
                pass
            else:
                context.pos, context.painted = after.end(), 0
                context.at_line_start, context.last_kind = True, "NEWLINE"
                return True
        context.pending = word
        return False

    def _planned(self, line: str) -> Plan | Template | None:
        """What a line does; None: it is one for the parser."""
        plans = self._plans
        if len(plans) >= _MOST_PLANS:
            plans.clear()
        plan: Plan | Template | None
        try:
            if "\r" in line[:-1]:
                raise NotPlain  # it ends a line there
            if "\\" in line or "{" in line:
                plan = Template(self._asm, line)
                if plan.is_constant:
                    plan = plan_of(self._asm, code_of(plan.constant))
            else:
                plan = plan_of(self._asm, code_of(line))
        except NotPlain:
            plan = None
        plans[line] = plan
        return plan

    def _carried_out(self, context: Context, plan: Plan | Template) -> int:
        try:
            if isinstance(plan, Template):
                return self._filled(context, plan)
            if plan.label:
                if not label_fits(self._asm, plan.label):
                    return _LEFT
                self._define(plan)
            if plan.act is None:
                return _DONE
        except NotPlain:
            return _LEFT
        try:
            context.statement_at += plan.column
            plan.act(context)
        except NotPlain:
            self._column = plan.column
            return _LABEL_DONE if plan.label else _LEFT
        return _DONE

    def _filled(self, context: Context, template: Template) -> int:
        """Carry out a line with what is to be put in. Raises NotPlain before anything is done."""
        line, inserted = template.filled(context)
        plan = self._plans[line] if line in self._plans else self._planned(line)
        if not isinstance(plan, Plan):
            return _LEFT
        column = 0 if plan.act is None else template.column_of(line, plan.column)
        if column is None or (plan.label and not label_fits(self._asm, plan.label)):
            return _LEFT
        if plan.label:
            self._define(plan)
        outcome = _DONE
        if plan.act is not None:
            context.statement_at += column
            try:
                plan.act(context)
            except NotPlain:
                if not plan.label:
                    return _LEFT
                outcome, self._column = _LABEL_DONE, column
                if column < template.column:
                    return outcome
        for text in inserted:
            self._asm.growth.inserted(text)
        return outcome

    def _define(self, plan: Plan) -> None:
        symbols = self._asm.symbols
        symbols.add_label(plan.label)
        if plan.exported:
            symbols.export(plan.label)


def _is_plain(context: Context) -> bool:
    """Whether a line begins here that is nothing but the text."""
    return (
        context.at_line_start
        and context.pending is None
        and not context.expansions
        and context.painted == 0
        and context.last_kind != "EOB"
    )
