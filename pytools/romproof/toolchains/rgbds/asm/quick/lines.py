"""Carrying out plain lines, one after the other, and leaving the others to the parser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.context import Context, Mode
from romproof.toolchains.rgbds.asm.lexer import Lexer
from romproof.toolchains.rgbds.asm.parser import Parser
from romproof.toolchains.rgbds.asm.quick.control import end_branch, end_conditional, enter_else
from romproof.toolchains.rgbds.asm.quick.definitions import define_by_argument
from romproof.toolchains.rgbds.asm.quick.plans import LinePlan, label_fits, plain_call, plan_of
from romproof.toolchains.rgbds.asm.quick.scan import before_comment, code_of
from romproof.toolchains.rgbds.asm.quick.templates import Template, strings_of
from romproof.toolchains.rgbds.asm.quick.values import NotPlain
from romproof.toolchains.rgbds.asm.quick.writing import Act
from romproof.toolchains.rgbds.asm.skipping import NOTHING, skip_conditional, skip_loop

_ENDS = {"ELSE": enter_else, "ENDC": end_conditional}
_MAX_PLANS = 20_000
"""Texts of lines whose plans are remembered at a time."""
_JOINED = re.compile(r"[ \t]+(?!D[BWLS]\b)[A-Za-z_]\w*[ \t]", re.ASCII | re.IGNORECASE)
_ELIF = re.compile(r"[ \t]*ELIF[ \t(]", re.IGNORECASE)
_INDENT = re.compile(r"[ \t]*")
_CONTINUED = re.compile(r",[ \t]*\\\Z")
_DONE, _LEFT, _LABEL_DONE = range(3)
"""What became of a line: carried out, not touched, or only its label defined."""


class Lines:
    """The lines of a source, plain ones by their text."""

    def __init__(self, lexer: Lexer, parser: Parser, asm: Assembly) -> None:
        self._lexer = lexer
        self._parser = parser
        self._asm = asm
        self._column = 0
        """Where the statement behind a label begins that is left to the parser."""
        self._plans: dict[str, LinePlan | Template | None] = {}
        """By the text of a line."""
        self._codes: dict[str, LinePlan | Template | None] = {}
        """By the text in front of a comment: disassemblies have an address behind each line."""

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
        lexer, contexts = self._lexer, self._asm.contexts
        while True:
            context = lexer.context
            if context.at_line_start and contexts.entered is not None:
                context = lexer.context = contexts.switch()
            if context.mode != Mode.NORMAL and _is_plain(context) and not self._skip(context):
                return False
            if not _is_plain(context) or context.mode != Mode.NORMAL:
                return False
            outcome = self._lines_of(context)
            if outcome == _DONE:
                continue
            if outcome == _LEFT:
                return False
            context.pos += self._column
            context.at_line_start, context.last_kind = False, ""
            return True

    def _lines_of(self, context: Context) -> int:
        """Carry out lines of a text until it ends, others are entered or a branch is not taken.

        Else what became of the last one, at whose start the context is.
        """
        contexts, plans, normal = self._asm.contexts, self._plans, Mode.NORMAL
        text = context.text
        while True:
            start = context.pos
            end = text.find("\n", start)
            if end < 0:
                if start < len(text) and text[start:].strip(" \t"):
                    return _LEFT
                return _DONE if self._left(context) else _LEFT
            line = text[start:end]
            try:
                plan = plans[line]
            except KeyError:
                plan = self._plan_anew(line)
            more = 0
            if plan is None and line[-1:] == "\\":
                line, more, end = _join(text, start, end)
                plan = self._plan(line)
            if plan is None:
                return _LEFT
            context.line += 1 + more
            context.statement_at, context.value_at = start, None
            context.pos = end + 1
            if type(plan) is LinePlan and not plan.label:
                outcome = _DONE
                if plan.act is not None:
                    context.statement_at = start + plan.column
                    try:
                        plan.act(context)
                    except NotPlain:
                        context.statement_at = start
                        outcome = _LEFT
            else:
                outcome = self._carry_out(context, plan)
            if outcome == _LEFT and isinstance(plan, LinePlan) and not plan.label:
                plan = self._with_strings(line)
                outcome = _LEFT if plan is None else self._carry_out(context, plan)
            if outcome != _DONE:
                context.pos = start
                if outcome == _LEFT:
                    context.line -= 1 + more
                return outcome
            context.last_kind = "NEWLINE"
            if contexts.entered is not None or context.mode != normal:
                return _DONE

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
        if context.mode == Mode.OVER:
            context.statement_at = context.text.rfind("\n", 0, context.pos - 1) + 1
            indent = _INDENT.match(context.text, context.statement_at)
            context.token_at = context.statement_at if indent is None else indent.end()
        context.value_at, context.is_reading = None, True
        is_over = context.mode == Mode.OVER
        to_end = is_over or context.mode == Mode.TO_ENDC
        line, depth = context.line, len(context.conditionals)
        word = (
            skip_loop(self._lexer)
            if context.mode == Mode.TO_ENDR
            else skip_conditional(self._lexer, to_end)
        )
        context.is_reading = False
        if is_over and word == "EOF":
            context.pos, context.line = context.statement_at, line - 2
            del context.conditionals[depth:]
            context.conditionals[-1].in_else = False
            context.at_line_start, context.painted = True, 0
            return False
        if word == "ELIF":
            done = self._elif(context)
        else:
            done = word in _ENDS and _end_branch(context, _ENDS[word])
        if done:
            context.painted = 0
            context.at_line_start, context.last_kind = True, "NEWLINE"
        else:
            context.pending = word
        return done

    def _elif(self, context: Context) -> bool:
        """Carry out the ELIF whose word has been read as an IF in its place; False: it is for the
        parser."""
        text, behind, statement_at = context.text, context.pos, context.statement_at
        end = text.find("\n", behind)
        if end < 0 or text[behind] not in " \t(":
            return False
        plan = self._plan("IF" + text[behind:end])
        context.pos = end + 1
        if plan is None or self._carry_out(context, plan) != _DONE:
            context.pos, context.statement_at = behind, statement_at
            return False
        context.conditionals[-1].ran = context.conditionals.pop().ran
        return True

    def _plan_anew(self, line: str) -> LinePlan | Template | None:
        """What a line does; None: it is one for the parser."""
        plans, codes = self._plans, self._codes
        for kept in (plans, codes):
            if len(kept) >= _MAX_PLANS:
                kept.clear()
        code = before_comment(line)
        try:
            plan = codes[code]
        except KeyError:
            plan = codes[code] = self._new_plan(code)
        plans[line] = plan
        return plan

    def _new_plan(self, line: str) -> LinePlan | Template | None:
        try:
            call = plain_call(self._asm, line)
            if call is not None:
                return call
            if "\r" in line[:-1]:
                raise NotPlain  # it ends a line there
            if _ELIF.match(line) is not None:
                plan = LinePlan()
                plan.act = end_branch
                return plan
            if "\\" in line or "{" in line:
                return self._with_inserted(line)
            return plan_of(self._asm, code_of(line))
        except NotPlain:
            return self._with_strings(line)

    def _with_inserted(self, line: str) -> LinePlan | Template:
        """What a line does with a backslash or brace in it. Raises NotPlain."""
        act = define_by_argument(self._asm, line)
        if act is not None:
            plan = LinePlan()
            plan.act, plan.column = act, len(line) - len(line.lstrip(" \t"))
            return plan
        template = Template(self._asm, line)
        if template.is_constant:
            return plan_of(self._asm, code_of(template.constant))
        if not template.has_arguments_only:
            return template
        with suppress(NotPlain):
            plan = plan_of(self._asm, template.constant)
            template.plan = None if plan.label else plan
        return template

    def _plan(self, line: str) -> LinePlan | Template | None:
        return self._plans[line] if line in self._plans else self._plan_anew(line)

    def _with_strings(self, line: str) -> Template | None:
        """The line as one with EQUS symbols to be put in, if it has any that may be."""
        try:
            template = strings_of(self._asm, line)
        except NotPlain:
            self._plans.setdefault(line, None)
            return None
        self._plans[line] = template
        return template

    def _carry_out(self, context: Context, plan: LinePlan | Template) -> int:
        try:
            if isinstance(plan, Template):
                return self._fill(context, plan)
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
            context.statement_at -= plan.column
            self._column = plan.column
            return _LABEL_DONE if plan.label else _LEFT
        return _DONE

    def _fill(self, context: Context, template: Template) -> int:
        """Carry out a line with what is to be put in. Raises NotPlain before anything is done."""
        if template.plan is not None and self._as_it_is(context, template, template.plan):
            return _DONE
        line, inserted = template.fill(context)
        plan = self._plan(line)
        if isinstance(plan, LinePlan):
            column = 0 if plan.act is None else template.column_of(line, plan.column)
            outcome = self._carry_out_filled(context, template, plan, column, inserted)
            if outcome != _LEFT or plan.label or template.is_strings:
                return outcome
            plan = self._with_strings(line)
        if plan is None or template.is_strings:
            return _LEFT
        full, more = plan.fill(context)  # its symbols denote texts, too
        final = self._plan(full)
        if not isinstance(final, LinePlan) or final.label:
            return _LEFT
        column = final.column if final.column < min(template.column, plan.column) else None
        return self._carry_out_filled(context, template, final, column, inserted + more)

    def _as_it_is(self, context: Context, template: Template, plan: LinePlan) -> bool:
        """Carry out a line whose arguments are values; False: they are something else."""
        texts = template.arguments()
        if texts is None or plan.act is None:
            return False
        context.statement_at += plan.column
        try:
            plan.act(context)
        except NotPlain:
            context.statement_at -= plan.column
            return False
        if context.unique is not None:
            for text in texts:
                self._asm.growth.count_insertion(text, self._asm.contexts.depth)
        return True

    def _carry_out_filled(
        self,
        context: Context,
        template: Template,
        plan: LinePlan,
        column: int | None,
        inserted: Sequence[str],
    ) -> int:
        """Carry out what a line has become; its statement is at ``column`` of the source's."""
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
                context.statement_at -= column
                if not plan.label:
                    return _LEFT
                outcome, self._column = _LABEL_DONE, column
                if column < template.column:
                    return outcome
        for text in inserted:
            self._asm.growth.count_insertion(text, self._asm.contexts.depth)
        return outcome

    def _define(self, plan: LinePlan) -> None:
        symbols = self._asm.symbols
        symbols.add_label(plan.label)
        if plan.exported:
            symbols.export(plan.label)


def _join(text: str, start: int, end: int) -> tuple[str, int, int]:
    """A line and those that continue it as one of the same length, how many those are, and where
    the last one ends. A line is as it was where what continues it may be hidden or may matter: in a
    comment or string, elsewhere than behind a comma, for a label or several values.
    """
    line, more = text[start:end], 0
    if _JOINED.match(line) is None:
        return line, 0, end
    while _CONTINUED.search(line) and ";" not in line and _quotes(line) % 2 == 0:
        following = text.find("\n", end + 1)
        if following < 0:
            break
        line = f"{line[:-1]}  {text[end + 1 : following]}"
        more, end = more + 1, following
    return line, more, end


def _quotes(line: str) -> int:
    return line.count('"') - line.count('\\"')


def _end_branch(context: Context, act: Act) -> bool:
    """Carry out the ELSE or ENDC whose word has been read; False: it is for the parser."""
    after = NOTHING.match(context.text, context.pos)
    if after is None:
        return False
    try:
        act(context)
    except NotPlain:
        return False
    context.pos = after.end()
    return True


def _is_plain(context: Context) -> bool:
    """Whether a line begins here that is nothing but the text."""
    return (
        context.at_line_start
        and context.pending is None
        and not context.expansions
        and context.painted == 0
        and context.last_kind != "EOB"
    )
