"""Makefiles as ``romproof init`` reads them: nothing is executed, everything else is followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.cli.starting.makefile import read_makefile
from romproof.cli.starting.tools import read_build_file


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("X = a b", "a b"),
        ("Y = 1\nX = $(Y)$Y${Y}", "111"),
        ("X = $(Y)\nY = later", "later"),
        ("X := $(Y)\nY = later", ""),
        ("X = a\nX += b", "a b"),
        ("X ?= a\nX ?= b", "a"),
        ("X = $(Y:.s=.o)\nY = a.s b.c", "a.o b.c"),
        ("X = $(Y:src/%.s=obj/%.o)\nY = src/a.s", "obj/a.o"),
        ("X = $(patsubst %.s,%.o,a.s b.s)", "a.o b.o"),
        ("X = $(foreach n,a b,o/$(n).o)", "o/a.o o/b.o"),
        ("X = $(addprefix o/,$(addsuffix .o,a b))", "o/a.o o/b.o"),
        ("X = $(sort b a b) $(notdir x/y.s) $(basename y.s) $(dir x/y)", "a b y.s y x/"),
        ("X = $(filter %.o,a.o b.c) $(filter-out %.o,a.o b.c)", "a.o b.c"),
        ("X = $(if ,yes,no) $(if x,yes,no) $(subst a,b,aca) $(strip  a  b )", "no yes bcb a b"),
        ("X = $(wildcard *.s)", "one.s two.s"),
        ("X = $(wildcard /etc/* ../*)", ""),
        ("X = a$(shell touch made)b", "ab"),
        ("X = a # comment", "a"),
        ("X = a \\\n  b", "a b"),
        ("ifdef Y\nX = 1\nelse\nX = 2\nendif", "2"),
        ("Y = 1\nifdef Y\nX = 1\nelse\nX = 2\nendif", "1"),
        ("ifeq ($(Y),)\nX = 1\nelse ifeq (a,a)\nX = 2\nendif", "1"),
        ("ifneq '1' \"1\"\nX = 1\nelse ifeq (a,a)\nX = 2\nelse\nX = 3\nendif", "2"),
        ("export X = 1", "1"),
        ("X = $(X)", ""),
        ("X = $(", ""),
    ],
)
def test_variables(tmp_path: Path, text: str, value: str) -> None:
    for name in ("one.s", "two.s"):
        (tmp_path / name).touch()
    assert read_makefile(text, tmp_path).expand("$(X)").strip() == value
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.s", "two.s"]


def test_variables_that_double_each_other_end() -> None:
    lines = ["A0 = x"] + [f"A{n} = $(A{n - 1})$(A{n - 1})" for n in range(1, 60)]
    assert len(read_makefile("\n".join(lines), Path()).expand("$(A59)")) < 1 << 21


def test_commands_of_rules() -> None:
    text = "all: a.gb\na.gb: a.o b.o | dir\n\t@rgblink -o $@ $^ && rgbfix -v $@\n\techo 'x;y' # z\n"
    words = [words for _, words in read_makefile(text, Path()).commands()]
    assert words == [
        ["rgblink", "-o", "a.gb", "a.o", "b.o", "dir"],
        ["rgbfix", "-v", "a.gb"],
        ["echo", "x;y"],
    ]


def test_calls_of_tools_by_whatever_path() -> None:
    text = (
        "AS = /opt/cc65/bin/ca65.exe\nx.o: x.s\n\t$(AS) -g $< -o $@\n"
        "x.nes: x.o\n\tld65 --nonsense -o $@\n\tcc -o y y.c\n"
    )
    calls = read_build_file(Path("Makefile"), text).calls
    assert [(call.tool, call.target, call.words) for call in calls] == [
        ("ca65", "x.o", (("g", ""), ("", "x.s"), ("o", "x.o"))),
        ("ld65", "x.nes", ()),
    ]


def test_scripts_are_read_line_by_line() -> None:
    build = read_build_file(Path("mk.bat"), "@echo off\r\nca65 a.s -o a.o\r\nld65 -C a.cfg a.o\r\n")
    assert [call.tool for call in build.calls] == ["ca65", "ld65"]
    assert build.command("a.nes") == "mk.bat"


def test_the_tools_of_rgbds_by_their_prefix() -> None:
    text = "RGBDS ?=\nL := $(RGBDS)rgblink\na.gb: a.o\n\t$(L) -n a.sym -o $@ $<\n"
    assert read_build_file(Path("Makefile"), text).command("a.gb") == "make RGBDS='romproof ' a.gb"
