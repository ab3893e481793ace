"""Each CPU that code can be called on, in each form of output; and the help of every command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import fairdeck.cli.group
from romproof.cli.group import romproof
from romproof.isa.abi import _ABIS, Family, abi_of
from romproof.projects.foreign import _CPUS

CODE = {
    Family.MOS6502: (
        "demo.s",
        '.segment "CODE"\n.export it\n.proc it\n  lda #1\n  rts\n.endproc\n',
    ),
    Family.SM83: ("demo.asm", 'SECTION "code", ROM0[$150]\nit::\n  ld a, 1\n  ret\n'),
}
FORMS = {
    "run": ("run", "--call", "it"),
    "run, traced": ("run", "--call", "it", "--trace"),
    "run, traced as JSON": ("run", "--call", "it", "--trace", "--json"),
    "run, stopped": ("run", "--call", "it", "--break", "it"),
    "report": ("report", "--call", "it"),
    "report as JSON": ("report", "--call", "it", "--json"),
    "bounds": ("bounds",),
    "bounds as JSON": ("bounds", "--json"),
}


def commands(group: click.Group, name: str) -> Iterator[tuple[str, ...]]:
    """The words of all commands, those within others too."""
    context = click.Context(group, info_name=name)
    for each in group.list_commands(context):
        found = group.get_command(context, each)
        yield (each,)
        if isinstance(found, click.Group):
            yield from ((each, *more) for more in commands(found, each))


def test_the_names_are_all_there_are() -> None:
    assert set(_CPUS) <= set(_ABIS)


@pytest.mark.parametrize("cpu", [name for name in _CPUS if name != "6510"])
def test_a_routine_of_each_cpu(cpu: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, text = CODE[abi_of(cpu).family]
    (tmp_path / name).write_text(text)
    table = f'[tool.romproof]\nname = "demo"\ncpu = "{cpu}"\nsources = ["{name}"]\n'
    (tmp_path / "pyproject.toml").write_text(table)
    monkeypatch.chdir(tmp_path)
    for form, words in FORMS.items():
        done = CliRunner().invoke(romproof, [words[0], "demo", *words[1:]], catch_exceptions=False)
        assert done.exit_code == 0, (form, done.output)
        if "--json" in words:
            json.loads(done.stdout.splitlines()[0] if form.endswith("traced") else done.stdout)
        else:
            assert done.stdout.strip(), form


@pytest.mark.parametrize(
    ("group", "name"), [(romproof, "romproof"), (fairdeck.cli.group.fairdeck, "fairdeck")]
)
def test_every_command_has_help(group: click.Group, name: str) -> None:
    found = [(), *commands(group, name)]
    assert len(found) > 8
    for words in found:
        done = CliRunner().invoke(group, [*words, "--help"], catch_exceptions=False)
        assert done.exit_code == 0, words
        assert "Usage" in done.output or "usage" in done.output, words
