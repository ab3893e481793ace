"""The way into the commands and out of them: help, completion, faults, speed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from cli_programs import PYTOOLS, Run, romproof_in
from click.testing import CliRunner

from romproof.cli import romproof, run_guarded
from romproof.text.diagnostic import BuildFailed, Diagnostic, Severity
from romproof.text.errors import RomproofError

COMMANDS = sorted(romproof.commands)


def test_the_commands() -> None:
    names = (
        "asm batch bounds build compare completion conformance disasm engines infer init prove "
        "report run same"
    )
    assert names.split() == COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples_and_explains_every_option(name: str) -> None:
    text = CliRunner().invoke(romproof, [name, "--help"]).output
    assert f"    romproof {name} " in text[text.index("Examples:") :] or name == "build"
    for parameter in romproof.commands[name].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{name} {parameter.name}"


def test_examples_can_be_pasted_into_a_shell() -> None:
    commands = [romproof, *romproof.commands.values()]
    helps = [command.help or "" for command in commands]
    examples = [line for text in helps for line in text.splitlines() if "  romproof " in line]
    assert len(examples) > len(commands)
    for example in examples:
        assert "$" not in re.sub("'[^']*'", "", example), "a shell replaces $ outside of quotes"


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"completion"}))
def test_every_command_speaks_json(name: str) -> None:
    assert any("--json" in parameter.opts for parameter in romproof.commands[name].params)


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from romproof.cli import run; run(['--help']); "
        "print(sorted({'rich', 'py65', 'romproof.toolchains', 'romproof.harness'} "
        "& set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(PYTOOLS)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(romproof: Run, shell: str) -> None:
    done = romproof("completion", shell)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"_ROMPROOF_COMPLETE={shell}_complete" in done.stdout


def completed(folder: Path, words: str, position: int) -> list[str]:
    env = {"_ROMPROOF_COMPLETE": "bash_complete", "COMP_WORDS": words}
    done = romproof_in(folder, env={**env, "COMP_CWORD": str(position)})
    return [line.split(",", 1)[1] for line in done.stdout.splitlines() if line]


@pytest.mark.slow
def test_completion_knows_roms_routines_and_clocks(project: Path) -> None:
    assert completed(project, "romproof build d", 2) == ["demo"]
    assert completed(project, "romproof report demo --clock nes-", 4) == [
        "nes-ntsc",
        "nes-pal",
        "nes-dendy",
    ]
    assert completed(project, "romproof run demo --reg a", 4) == ["a="]
    assert completed(project, "romproof run demo --call st", 4) == []
    assert romproof_in(project, "build").returncode == 0
    assert completed(project, "romproof run demo --call st", 4) == ["step"]
    assert completed(project, "romproof bounds d", 2) == ["demo"]
    assert completed(project, "romproof bounds demo:st", 2) == ["demo:step"]


def test_completion_in_a_broken_project(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.romproof\n")
    assert completed(project, "romproof build d", 2) == []


def fail_with(fault: BaseException) -> Callable[[], int]:
    @click.command()
    def command() -> None:
        raise fault

    return lambda: run_guarded(command, [], "x")


@pytest.mark.parametrize(
    ("fault", "code", "told"),
    [
        (RomproofError("no such thing"), 1, "error: no such thing\n"),
        (
            BuildFailed([Diagnostic(Severity.ERROR, "bad"), Diagnostic(Severity.WARNING, "odd")]),
            1,
            "error: bad\nwarning: odd\n1 error and 1 warning\n",
        ),
        (FileNotFoundError(2, "No such file or directory", "x.s"), 1, "error: x.s: No such file"),
        (OSError("disk on fire"), 1, "error: disk on fire\n"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (click.UsageError("wrong"), 2, "wrong"),
        (ZeroDivisionError("by zero"), 1, "internal fault: ZeroDivisionError: by zero"),
    ],
)
def test_every_failure_is_a_message_and_a_code(
    fault: BaseException, code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fail_with(fault)() == code
    shown = capsys.readouterr()
    assert told in shown.err
    assert "Traceback" not in shown.err
    assert shown.out == ""


def test_a_traceback_for_those_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROMPROOF_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        fail_with(ZeroDivisionError())()


def test_usage_and_version(romproof: Run) -> None:
    assert romproof("nonsense").returncode == 2
    assert "--nonsense" in romproof("asm", "--nonsense").stderr
    assert romproof("--version").stdout.startswith("romproof, version ")


@pytest.mark.slow
def test_a_reader_that_stops_reading(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(bytes(60_000))
    done = subprocess.run(
        f"'{sys.executable}' -c 'from romproof.cli import main; main()' disasm x.bin | head -1",
        shell=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PYTOOLS)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "; x.bin\n"
    assert done.stderr == ""


@pytest.mark.parametrize("watched", [False, True])
def test_a_tool_ends_at_once_unless_somebody_waits_for_its_end(
    tmp_path: Path, watched: bool
) -> None:
    """What it prints and its exit code are the same, and who asked to be told is told."""
    (tmp_path / "x.asm").write_text('PRINTLN "printed"\nWARN "careful"\nFAIL "no"\n', "utf-8")
    ask = "import atexit; atexit.register(print, 'told'); " if watched else ""
    script = f"{ask}from romproof.cli.originals.start import start; start(['rgbasm', 'x.asm'])"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PYTOOLS)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stdout == ("printed\ntold\n" if watched else "printed\n"), done.stderr
    assert "careful" in done.stderr
