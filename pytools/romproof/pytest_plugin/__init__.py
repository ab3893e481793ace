"""The pytest plugin. ``rom`` is the project's program, ready to be called.

    def test_next_byte(rom):
        r = rom.call("next_byte", mem={"lfsr": bytes.fromhex("12345678")})
        assert r.a == 0x5A

The program is what the table ``[tool.romproof]`` of the pyproject.toml in or
above the test's folder says, else of one above pytest's root folder or the
current one; it is built once a session. When there are several, in tables
``[tool.romproof.roms.NAME]``, ``@pytest.mark.rom("NAME")`` chooses. The ``command`` that makes
an image is run once, before the tests, and before the workers of pytest-xdist. The same marker
sets checks for a test: ``@pytest.mark.rom(checks={"data_execution": "error"})``.

``@romproof.equivalent`` makes a test of a routine and its Python model (see
romproof.pytest_plugin.equivalent).

Nothing of the toolkit is imported before a test asks for a ROM.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from romproof.harness.rom import Rom
    from romproof.pytest_plugin.pictures import Pictures, PicturesPlugin
    from romproof.pytest_plugin.programs import Roms

_PICTURES: pytest.StashKey[PicturesPlugin] = pytest.StashKey()
_ROMS: pytest.StashKey[Roms] = pytest.StashKey()
_COVERAGE = ("", "-lcov", "-html", "-fail-under")
"""The options that ask for coverage: each of them does."""
_CYCLES = ("cycles", "cycles-update", "budget", "github")
_UNINITIALISED = {"error": True, "auto": None, "off": False}


def pytest_addoption(parser: pytest.Parser) -> None:
    """What the plugin can be told: see docs/how-to/coverage.md and budgets.md beside it."""
    group = parser.getgroup("romproof", "8-bit code under test")
    group.addoption(
        "--romproof-engine",
        metavar="NAME",
        help="the engine that executes the code (default: 'engine' in [tool.romproof], else "
        "auto: the fastest one)",
    )
    group.addoption(
        "--romproof-uninitialised",
        choices=("error", "auto", "off"),
        default="auto",
        help="reads of uninitialised variables: error; auto (an error if an output of a "
        "contract depends on the value); or off",
    )
    group.addoption(
        "--romproof-strict",
        action="store_true",
        help="fail the tests of a program whose sources have comments that look like contracts "
        "but are not read; also the setting romproof_strict",
    )
    parser.addini(
        "romproof_strict",
        "fail the tests of a program whose sources have comments that look like contracts but "
        "are not read",
        type="bool",
        default=False,
    )
    group.addoption(
        "--romproof-prove",
        action="store_true",
        help="prove @romproof.equivalent for all inputs instead of trying random ones",
    )
    group.addoption(
        "--romproof-prove-timeout",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="the time for each proof (default: 60)",
    )
    group.addoption(
        "--romproof-cov",
        action="store_true",
        help="report the lines of assembly and the branch outcomes that the tests executed",
    )
    group.addoption(
        "--romproof-cov-lcov",
        metavar="FILE",
        help="write the coverage as a tracefile of lcov, for editors and services",
    )
    group.addoption("--romproof-cov-html", metavar="DIR", help="write the coverage as HTML pages")
    group.addoption(
        "--romproof-cov-fail-under",
        type=float,
        metavar="PERCENT",
        help="fail if the share of executed lines and branch outcomes is lower",
    )
    group.addoption(
        "--romproof-cycles",
        metavar="FILE",
        help="compare the cycles of each routine's calls with those recorded in FILE",
    )
    group.addoption(
        "--romproof-cycles-update",
        action="store_true",
        help="record the measured cycles in the file",
    )
    group.addoption(
        "--romproof-budget",
        action="store_true",
        help="fail if a routine may exceed its budget, or a call does",
    )
    group.addoption(
        "--romproof-github",
        action="store_true",
        help="print an annotation for GitHub for each budget that is not kept",
    )
    group.addoption(
        "--romproof-update",
        action="store_true",
        help="write the pictures anew with which tests compare screens",
    )
    group.addoption(
        "--romproof-update-new",
        action="store_true",
        help="write those that are missing, and let their tests pass",
    )
    group.addoption(
        "--romproof-profile",
        action="append",
        default=[],
        metavar="FILE",
        help="write a profile of all code that the tests run: .html, .json, .speedscope.json, "
        ".collapsed or .callgrind; may be repeated",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker; have runs observed when that is asked for."""
    config.addinivalue_line(
        "markers",
        "rom(name, checks={}): use the program of the table [tool.romproof.roms.NAME], "
        "with levels of checks for this test",
    )
    if any(config.getoption(f"--romproof-cov{kind}") for kind in _COVERAGE):
        from romproof.pytest_plugin.coverage import CoveragePlugin, settings_of

        plugin = CoveragePlugin(config, settings_of(config))
        config.pluginmanager.register(plugin, "romproof-coverage")
    if any(config.getoption(f"--romproof-{kind}") for kind in _CYCLES):
        from romproof.pytest_plugin.cycles import CyclesPlugin

        config.pluginmanager.register(CyclesPlugin(config), "romproof-cycles")
    if config.getoption("--romproof-profile"):
        from romproof.pytest_plugin.profiles import ProfilePlugin

        names = config.getoption("--romproof-profile")
        config.pluginmanager.register(ProfilePlugin(config, names), "romproof-profile")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Bring the images of the project up to date, which other build systems make."""
    config = session.config
    if hasattr(config, "workerinput") or config.option.collectonly:
        return
    folders = [config.rootpath, config.invocation_params.dir]
    folders += [Path(config.invocation_params.dir, arg.partition("::")[0]) for arg in config.args]
    if any(map(_may_have_command, folders)):
        from romproof.pytest_plugin.commands import run_commands

        run_commands(folders)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The next session in this process brings images up to date again."""
    if not hasattr(session.config, "workerinput") and "romproof.projects.command" in sys.modules:
        from romproof.projects.command import mark_done

        mark_done(())


def _may_have_command(folder: Path) -> bool:
    """Whether a project around a folder may have a command; what it has is read elsewhere."""
    for above in (folder, *folder.parents):
        try:
            text = (above / "pyproject.toml").read_bytes()
        except OSError:
            continue
        if b"command" in text and b"romproof" in text:
            return True
    return False


@pytest.fixture(scope="session")
def roms(pytestconfig: pytest.Config) -> Callable[..., Rom]:
    """The project's programs: ``roms("tarot")``, or ``roms(None)`` for the only one."""
    from romproof.pytest_plugin.programs import Roms

    if _ROMS not in pytestconfig.stash:
        engine = pytestconfig.getoption("--romproof-engine")
        uninitialised = _UNINITIALISED[pytestconfig.getoption("--romproof-uninitialised")]
        folders = (pytestconfig.rootpath, pytestconfig.invocation_params.dir)
        asked = pytestconfig.getoption("--romproof-strict")
        strict = asked or pytestconfig.getini("romproof_strict")
        pytestconfig.stash[_ROMS] = Roms(folders, engine, uninitialised, strict)
    return pytestconfig.stash[_ROMS].get


@pytest.fixture
def rom(request: pytest.FixtureRequest, roms: Callable[..., Rom]) -> Rom:
    """The project's program: ``rom.call("routine", a=1)``; see romproof.harness.rom.Rom."""
    marker = request.node.get_closest_marker("rom")
    name = marker.args[0] if marker is not None and marker.args else None
    checks = marker.kwargs.get("checks") if marker is not None else None
    return roms(name, request.path.parent, checks)


@pytest.fixture
def picture(request: pytest.FixtureRequest) -> Pictures:
    """``machine.screen == picture("title")``: see romproof.pytest_plugin.pictures."""
    from romproof.pytest_plugin.pictures import PicturesPlugin

    config = request.config
    if _PICTURES not in config.stash:
        config.stash[_PICTURES] = PicturesPlugin(config)
        config.pluginmanager.register(config.stash[_PICTURES], "romproof-pictures")
    return config.stash[_PICTURES].of_test(request)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test shows no calls but its own."""
    roms = item.config.stash.get(_ROMS, None)
    if roms is not None:
        roms.forget()


def pytest_assertrepr_compare(
    config: pytest.Config, left: object, right: object
) -> list[str] | None:
    """Remember what a comparison that failed was of; pytest says what differs, but of screens."""
    roms = config.stash.get(_ROMS, None)
    if roms is not None:
        roms.compared = (left, right)
    if _PICTURES in config.stash:
        from romproof.pytest_plugin.pictures import explain

        return explain(left, right)
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Leave the toolkit out of tracebacks; add the last call's end to other failures."""
    roms = item.config.stash.get(_ROMS, None)
    if call.excinfo is None or roms is None:
        return (yield)
    from romproof.pytest_plugin.failure import last_calls, without_toolkit

    if not item.config.getoption("fulltrace"):
        without_toolkit(call.excinfo)
    report = yield
    if report.failed and report.when == "call":
        report.sections += last_calls(roms.built(), call.excinfo.value, roms.compared)
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many runs stand behind each proof."""
    lines = [
        f"{report.nodeid}: {value}"
        for report in terminalreporter.stats.get("passed", [])
        for name, value in report.user_properties
        if name == "romproof_runs"
    ]
    if lines:
        terminalreporter.section("romproof: proved, and executed")
        for line in lines:
            terminalreporter.write_line(line)
