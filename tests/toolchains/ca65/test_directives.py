"""Commands are found in the module of their topic, which is imported when the first is met."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

from romproof.toolchains.ca65.asm import directives


def test_the_table_of_topics_is_that_of_their_modules() -> None:
    directives.command_of.cache_clear()  # another test may have imported the modules anew
    for topic, words in directives.TOPICS.items():
        commands = import_module(f"{directives.__name__}.{topic}").COMMANDS
        assert sorted(commands) == sorted(words.split()), topic
        assert [directives.command_of(word) for word in commands] == [*commands.values()]
    assert directives.command_of(".if") is None


def test_few_topics_are_imported_before_their_commands_are_met() -> None:
    script = "import sys, romproof.toolchains.ca65.asm.assembler; print(*sys.modules)"
    asked = [sys.executable, "-c", script]
    made = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    loaded = {f"{directives.__name__}.{topic}" for topic in directives.TOPICS} & set(made)
    assert loaded == {f"{directives.__name__}.linkage", f"{directives.__name__}.text"}
