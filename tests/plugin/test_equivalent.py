"""@romproof.equivalent, seen from a user's test files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from equivalent_programs import ENGINES, MODEL, write
from equivalent_runs import pasted, plugin, run, told

import romproof


@pytest.mark.slow_cases("sm83")
@pytest.mark.parametrize("cpu", ENGINES)
def test_a_routine_that_is_its_model_passes(pytester: pytest.Pytester, cpu: str) -> None:
    write(pytester.path, cpu)
    pytester.makepyfile(
        MODEL
        + """
@romproof.equivalent("next_byte", model, **LFSR)
def test_it():
    ...

@romproof.equivalent("bump", lambda sum: (sum + 1) & 0xFF)
def test_sum():
    ...
"""
    )
    run(pytester, "--romproof-engine", ENGINES[cpu]).assert_outcomes(passed=2)


@pytest.mark.slow_cases("6502")
@pytest.mark.parametrize("cpu", ENGINES)
def test_a_difference_is_shown_as_a_test_to_paste(pytester: pytest.Pytester, cpu: str) -> None:
    write(pytester.path, cpu, wrong=True)
    pytester.makepyfile(
        MODEL + '\n@romproof.equivalent("next_byte", model, **LFSR)\ndef test_it():\n    ...\n'
    )
    text = told(pytester)
    lines = text.splitlines()
    assert lines[0] == "'next_byte' is not its model 'model':"
    assert lines[1:4] == [
        "  in  lfsr:     00 00 00 01",
        "  out lfsr:big: $01440000, the model says $01460000",
        "",
    ]
    assert pasted(text).startswith(
        "def test_next_byte_counterexample(rom):\n"
        '    r = rom.call("next_byte", mem={"lfsr": bytes.fromhex("'
    )
    pytester.makepyfile(test_pasted=pasted(text))
    engine = ENGINES[cpu]
    result = run(pytester, "test_pasted.py", "--romproof-engine", engine)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*AssertionError*"])
    write(pytester.path, cpu)
    run(pytester, "test_pasted.py", "--romproof-engine", engine).assert_outcomes(passed=1)


@pytest.mark.quick_cases("list does not fit")
@pytest.mark.parametrize(
    ("cpu", "routine", "model", "options", "shown", "call", "claim"),
    [
        (
            "6502",
            "add",
            "lambda a, x, c: {'a': a + x + c & 0xFF, 'c': 0}",
            "gives='a'",
            ["out c: 1, the model says 0"],
            'rom.call("add", a=0x',
            "assert r.flags.c == 0",
        ),
        (
            "6502",
            "add",
            "lambda a, x, c: a + x + c",
            "",
            ["out a: $00, the model says 256 (does not fit)"],
            'flags={"c": ',
            "assert r.a == 0x100",
        ),
        (
            "6502",
            "bump",
            "lambda sum: sum + 1",
            "",
            ["in  sum: FF", "out sum: $00, the model says 256 (does not fit)"],
            'rom.call("bump", mem={"sum": bytes.fromhex("ff")})',
            'assert r.mem["sum"][0] == 0x100',
        ),
        (
            "6502",
            "shift_in",
            "lambda queue, a: queue[1:] + bytes([a ^ 1])",
            "",
            ["in  queue:     00 00", " 00 … (20 bytes)", "out queue[19]: $00, the model says $01"],
            'rom.call("shift_in", a=0x00, mem={"queue": bytes.fromhex("00") * 20})',
            'assert r.mem["queue"] == bytes.fromhex("000000',
        ),
        (
            "6502",
            "shift_in",
            "lambda queue, a: [*queue[1:19], 256 + queue[19], a]",
            "",
            ["out queue[18]: $00, the model says 256"],
            "rom.call(",
            'assert list(r.mem["queue"]) == [0, 0',
        ),
        (
            "6502",
            "next_byte",
            "lambda lfsr: 0",
            "gives='lfsr[1:3]:big'",
            ["out lfsr[1:3]:big: $4600, the model says $0000"],
            'rom.call("next_byte", mem=',
            'assert int.from_bytes(r.read(0x0011, 2), "big") == 0x0000',
        ),
        (
            "sm83",
            "add_words",
            "lambda hl, de: max(hl + de, 1) & 0xFFFF",
            "",
            ["in  h:  $00", "out hl: $0000, the model says $0001"],
            'rom.call("add_words", h=0x00, l=0x00, d=0x00, e=0x00)',
            "assert r.hl == 0x0001",
        ),
        (
            "sm83",
            "add_c",
            "lambda a, c, cf: (a + c + cf & 0xFF, 1)",
            "gives=('a', 'zf')",
            ["in  c:  $", "in  cf: ", "out zf: 0, the model says 1"],
            'flags={"c": ',
            "assert r.flags.z == 1",
        ),
    ],
    ids=[
        "flag",
        "register does not fit",
        "byte does not fit",
        "bytes",
        "list does not fit",
        "slice",
        "register pair",
        "carry",
    ],
)
def test_the_pasted_test_fails_as_shown(
    pytester: pytest.Pytester,
    cpu: str,
    routine: str,
    model: str,
    options: str,
    shown: list[str],
    call: str,
    claim: str,
) -> None:
    write(pytester.path, cpu)
    pytester.makepyfile(
        "import romproof\n"
        f"@romproof.equivalent({routine!r}, {model}, {options})\n"
        "def test_it():\n    ...\n"
    )
    text = told(pytester)
    for part in shown:
        assert part in text
    assert call in text
    assert claim in text
    assert max(map(len, text.splitlines())) <= 120
    pytester.makepyfile(test_pasted=pasted(text))
    result = run(pytester, "test_pasted.py", "--romproof-engine", ENGINES[cpu])
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*AssertionError*"])


@pytest.mark.slow
def test_what_is_required_narrows_the_inputs(pytester: pytest.Pytester) -> None:
    write(pytester.path, "6502")
    pytester.makepyfile(
        """
        import pytest
        import romproof

        def model(a, x):
            assert a < 100 and 1 <= x < 10
            return max(a, x)

        def narrow(a, x):
            assert a == 5 and x > 7
            return max(a, x)

        @romproof.equivalent("maximum", model, examples=20)
        def test_contract(): ...

        @romproof.equivalent("maximum", narrow, requires="A == 5, X > 7", examples=20)
        def test_words(): ...

        @romproof.equivalent("maximum", narrow, requires=lambda a, x: a == 5 and x > 7, examples=20)
        def test_function(): ...

        @romproof.equivalent("maximum", lambda a, x: x, requires=lambda x: x == 9, examples=20)
        def test_some_parameters(): ...

        @romproof.equivalent("maximum", model, requires="A > 99", examples=20)
        def test_none(): ...

        @romproof.equivalent("maximum", model, requires="A % 2 == 1, A % 4 == 2", examples=20)
        def test_nothing_fulfils(): ...

        @romproof.equivalent("maximum", model, requires="A << 1 << X == 26 << 5", examples=20)
        def test_few(): ...

        @romproof.equivalent("maximum", model, requires="A <", examples=20)
        def test_malformed(): ...
        """
    )
    result = run(pytester)
    text = result.stdout.str()
    sections = re.split(r"_{5,} (\w+) _{5,}", text.split("short test summary")[0])
    shown = dict(zip(sections[1::2], sections[2::2], strict=True))
    assert set(shown) == {
        "test_some_parameters",
        "test_none",
        "test_nothing_fulfils",
        "test_few",
        "test_malformed",
        "test_function",
    }
    assert re.search(r"in  x: \$09\n", shown["test_some_parameters"])
    assert "A would be at least 100 and at most 99" in shown["test_none"]
    assert "random inputs of 'maximum' none satisfied requires:" in shown["test_nothing_fulfils"]
    assert re.search(r"none|only \d+ satisfied requires: A < 100", shown["test_few"])
    assert "requires=:1:" in shown["test_malformed"]
    assert "A <" in shown["test_malformed"]


def test_the_test_may_have_arguments_of_its_own(pytester: pytest.Pytester) -> None:
    write(pytester.path, "6502")
    pytester.makepyfile(
        MODEL
        + """
seen = []

@pytest.fixture
def mask():
    return 0xFF

@pytest.mark.parametrize("more", [1, 2])
@romproof.equivalent("bump", lambda sum, more, mask: (sum + more) & mask)
def test_parameters(more, mask, rom, request):
    seen.append((more, rom.call("bump", mem={"sum": 1}).mem["sum"], request.node.name))

class TestClass:
    @romproof.equivalent("bump", lambda sum: sum + 1 & 0xFF)
    def test_method(self, mask):
        seen.append(mask)

@romproof.equivalent("bump", lambda sum: 1 / 0)
def test_skipped():
    pytest.skip("the body runs first")

def test_bodies():
    assert seen == [
        (1, b"\\2", "test_parameters[1]"), (2, b"\\2", "test_parameters[2]"), 255,
    ]
"""
    )
    result = run(pytester)
    result.assert_outcomes(passed=3, failed=1, skipped=1)
    text = result.stdout.str()
    assert "in  sum: 00" in text
    assert "out sum: $01, the model says $02" in text


def test_several_programs(pytester: pytest.Pytester) -> None:
    write(pytester.path, "6502")
    write(pytester.path, "sm83")
    pytester.makepyprojecttoml(
        "[tool.romproof]\nengine = 'plain'\n"
        "[tool.romproof.roms.mos]\nsources = ['prog.s']\nconfig = 'prog.cfg'\n"
        "[tool.romproof.roms.gb]\nsources = ['prog.asm']\ncpu = 'sm83'\n"
    )
    pytester.makepyfile(
        MODEL
        + """
@romproof.equivalent("next_byte", model, rom="mos", **LFSR)
def test_mos(rom):
    assert rom.image.cpu == "mos6502"

@pytest.mark.rom("gb")
@romproof.equivalent("next_byte", model, **LFSR)
def test_gb(rom):
    assert rom.image.cpu == "sm83"

@romproof.equivalent("bump", lambda sum: 0, rom="gb")
def test_wrong(): ...
"""
    )
    result = run(pytester, "--strict-markers")
    result.assert_outcomes(passed=2, failed=1)
    text = result.stdout.str()
    assert 'import pytest\n\n\n@pytest.mark.rom("gb")\ndef test_bump_counterexample(rom):' in text
    body = pasted(text).partition("\n====")[0]
    pytester.makepyfile(test_pasted=body)
    run(pytester, "test_pasted.py", "--strict-markers").assert_outcomes(failed=1)


@pytest.mark.slow
def test_a_call_that_fails_by_itself(pytester: pytest.Pytester) -> None:
    write(pytester.path, "6502")
    pytester.makepyfile(
        """
        import romproof

        @romproof.equivalent("careless", lambda a: a, examples=20)
        def test_contract(): ...

        @romproof.equivalent("endless", lambda a: a, limit=500, examples=2000)
        def test_limit(): ...
        """
    )
    text = told(pytester, "-k", "contract")
    assert text.startswith("a call of 'careless' fails for an input that its contract allows:\n")
    assert "in  a: $80" in text
    assert "the contract of 'careless' is broken: 1 promise" in text
    assert pasted(text) == "def test_careless_counterexample(rom):\n" + (
        '    rom.call("careless", a=0x80)\n'
    )
    text = told(pytester, "-k", "limit")
    assert "in  a: $07" in text
    assert "'endless' did not end within 500 cycles" in text
    assert 'rom.call("endless", a=0x07, limit=500)' in text


def test_errors_are_one_clear_message(pytester: pytest.Pytester) -> None:
    write(pytester.path, "6502")
    cases = {
        '"next_bite", lambda lfsr: 0': "no symbol 'next_bite' in the image; did you mean",
        '"plain", lambda: 0': "'plain' has no contract: write a comment",
        '"bump", lambda number, two: 0': "takes={'number': 'sum'}",
        '"bump", lambda sum: "a"': "gives a str for sum: it must be a number",
        '"bump", lambda sum: 1 // sum': "the model '<lambda>' raises ZeroDivisionError: ",
    }
    for arguments, message in cases.items():
        pytester.makepyfile(
            f"import romproof\n\n@romproof.equivalent({arguments})\ndef test_it(): ...\n"
        )
        assert message in told(pytester)
    text = told(pytester)
    assert "test_errors_are_one_clear_message.py:3) for an input of 'bump':" in text
    assert "in  sum: 00" in text
    assert "exclude inputs that the model does not support" in text


def test_a_model_may_leave_inputs_out(pytester: pytest.Pytester) -> None:
    write(pytester.path, "6502")
    pytester.makepyfile(
        """
        import romproof
        from hypothesis import assume

        def model(sum):
            assume(sum < 255)
            return sum + 1

        @romproof.equivalent("bump", model, examples=20)
        def test_it(): ...
        """
    )
    run(pytester).assert_outcomes(passed=1)


def _apart(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, *arguments: str
) -> pytest.RunResult:
    """In a process of its own."""
    paths = (str(pytester.path / "first"), str(Path(__file__).parents[2] / "pytools"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    return pytester.run(sys.executable, "-m", "pytest", *plugin(), *arguments)


@pytest.mark.slow
def test_without_hypothesis_there_is_one_line(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(pytester.path, "6502")
    (pytester.path / "first").mkdir()
    (pytester.path / "first" / "hypothesis.py").write_text("raise ImportError\n")
    pytester.makepyfile(
        "import romproof\n\n@romproof.equivalent('bump', lambda sum: 0)\ndef test_it(): ...\n"
    )
    result = _apart(pytester, monkeypatch, "-p", "no:hypothesispytest")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ['romproof.equivalent needs hypothesis: pip install "romproof[[]equivalent]"']
    )


@pytest.mark.slow
def test_in_several_processes(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("xdist")
    write(pytester.path, "6502")
    pytester.makepyfile(
        MODEL
        + """
@pytest.mark.parametrize("n", range(2))
@romproof.equivalent("next_byte", model, **LFSR)
def test_it(n): ...

@romproof.equivalent("bump", lambda sum: 0)
def test_wrong(): ...
"""
    )
    result = _apart(pytester, monkeypatch, "-n", "2", "-q")
    result.assert_outcomes(passed=2, failed=1)
    assert "def test_bump_counterexample(rom):" in result.stdout.str()


def test_the_decorator_imports_nothing_of_the_toolkit() -> None:
    script = (
        "import sys, romproof\n"
        "romproof.equivalent('bump', print)(lambda: None)\n"
        "loaded = {m for m in sys.modules if m.startswith(('romproof.', 'numpy', 'hypothesis'))}\n"
        "assert loaded == {'romproof.pytest_plugin', 'romproof.pytest_plugin.equivalent'}, loaded\n"
    )
    paths = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "pytools")}
    subprocess.run([sys.executable, "-c", script], env=paths, check=True)


def test_the_package_offers_names_and_no_others() -> None:
    assert romproof.word(b"\x12\x34") == 0x1234
    assert romproof.choose(1, 2, 3) == 2
    with pytest.raises(AttributeError, match="no attribute 'equal'"):
        _ = romproof.equal
