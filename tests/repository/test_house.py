"""What documents and Makefile say is true of the tree."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from click import Command, Context, Group
from every_case import every_case

from fairdeck.cli.group import fairdeck
from romproof.cli.group import romproof
from romproof.cli.originals.as_click import OriginalCommand

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs" / "glossary.md"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
IDS = [str(page.relative_to(ROOT)) for page in PAGES]


@pytest.mark.slow_cases("cycle_tables-written1", "reference_pages-written2")
@pytest.mark.parametrize(
    ("script", "written"),
    [
        ("isa_table", {"isa-6502.md", "isa-65c02.md", "isa-sm83.md"}),
        ("cycle_tables", {"cycles-6502.md", "cycles-65c02.md", "cycles-sm83.md"}),
        ("reference_pages", {f"reference/{n}.md" for n in ("api", "commands", "fairdeck")}),
    ],
)
def test_the_pages_that_are_generated_are_up_to_date(
    script: str, written: set[str], tmp_path: Path
) -> None:
    code = f"import sys; sys.path[:0] = {[str(ROOT / 'tools'), *sys.path]!r}; "
    code += f"import json, {script}; print(json.dumps({script}.pages()))"
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, cwd=tmp_path
    ).stdout
    pages = json.loads(shown)
    assert pages.keys() == written
    for name, page in pages.items():
        assert (ROOT / "docs" / name).read_bytes() == page.encode(), f"{name}: run: make docs"


@every_case("page", PAGES, ids=IDS)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        assert "://" in target or (page.parent / target).exists(), target


@every_case("page", PAGES, ids=IDS)
def test_named_files_exist(page: Path) -> None:
    """Paths in backquotes that begin with a folder of the tree."""
    tops = "asm|bench|docs|pytools|rom|tests|tools"
    for path in re.findall(rf"`((?:{tops})/[\w./-]+)`", page.read_text("utf-8")):
        assert (ROOT / path).exists() or (page.name == "README.md" and "test_prng" in path), path


@every_case("page", PAGES, ids=IDS)
def test_named_commands_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"(?:`|^)make ([a-z][a-z-]+)", text, re.M):
        assert re.search(rf"^{target}:", makefile, re.M), f"make {target}"
    for line in re.findall(r"`((?:romproof|fairdeck) [a-z][^`]*)`", text):
        program, *words = line.split()
        command: Command = romproof if program == "romproof" else fairdeck
        while isinstance(command, Group) and words:
            found = command.get_command(Context(command), words.pop(0))
            assert found is not None, line
            command = found
        known = {name for parameter in command.params for name in parameter.opts}
        known.add("--help")
        if isinstance(command, OriginalCommand):
            known = {f"-{option.short}" for option in command.tool.options}
            known |= {f"--{option.long}" for option in command.tool.options} | {"--help"}
        for word in words:
            assert not word.startswith("-") or word in known, f"{word} in: {line}"


def test_make_explains_itself() -> None:
    shown = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text("utf-8"), re.M):
        assert re.search(rf"^ +make {target} +\S", shown, re.M), target


def test_the_cases_say_what_the_original_does() -> None:
    """tests/cases holds the behaviour of ca65 and ld65 2.19, not our own."""
    if not (shutil.which("ca65") and shutil.which("ld65")):
        pytest.skip("ca65 and ld65 are not installed")
    asked = subprocess.run(["ca65", "--version"], capture_output=True, text=True, check=True)
    if "2.19" not in asked.stdout + asked.stderr:
        pytest.skip(f"not version 2.19: {asked.stderr.strip()}")
    script = ROOT / "tests" / "cases" / "ca65" / "run_original.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_test_lies_directly_in_tests() -> None:
    """pytest looks for modules in the folders of tests: in `tests` itself it would take the folder
    `tests/fairdeck` for the package fairdeck."""
    assert not list((ROOT / "tests").glob("*.py"))


def test_the_glossary_leads_to_modules() -> None:
    """Each term once, in order, each with what is there."""
    rows = re.findall(
        r"^\| (?!term|-)(.+?) \| (.+?) \| (.+?) \|$", GLOSSARY.read_text("utf-8"), re.M
    )
    terms = [term.lower() for term, _, _ in rows]
    assert len(terms) >= 60
    assert terms == sorted(set(terms))
    for term, _, where in rows:
        places = re.findall(r"`([^`]+)`", where)
        assert places, term
        for place in places:
            assert (ROOT / "pytools" / "romproof" / place).exists(), f"{term}: {place}"


def test_the_index_of_decisions_has_each_once() -> None:
    """By its title; what was superseded says so."""
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(
        r"^- \[(\d{4})\]\((\S+)\) (.+?)(?: \*\(superseded by \d{4}\)\*)?$",
        (folder / "index.md").read_text("utf-8"),
        re.M,
    )
    assert sorted(name for _, name, _ in listed) == sorted(p.name for p in folder.glob("0*.md"))
    for number, name, title in listed:
        head, *rest = (folder / name).read_text("utf-8").splitlines()
        assert head == f"# {number}: {title}"
        superseded = any(re.match(r"(.*Status: )?[Ss]uperseded by \[", line) for line in rest)
        line = next(
            line for line in (folder / "index.md").read_text("utf-8").splitlines() if name in line
        )
        assert ("(superseded by" in line) == superseded, name


def test_the_workflow_for_everybody_is_sound() -> None:
    """It names the Pythons that are declared, and what it calls is there."""
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    pythons = workflow["jobs"]["suite"]["strategy"]["matrix"]["python"]
    for classifier in declared["classifiers"]:
        found = re.fullmatch(r"Programming Language :: Python :: (\d\.\d+)", classifier)
        assert found is None or found[1] in pythons
    assert f">={pythons[0]}" == declared["requires-python"]
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            assert "@" in step.get("uses", "@")
    assert (ROOT / ".ci" / "run").is_file()
