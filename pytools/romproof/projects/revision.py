"""A project as it was at a revision of git, in a folder of its own for a while."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from romproof.text.errors import BadInput

_NO_HOOKS = ("-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false")
"""A checkout runs nothing of the repository's."""


@contextmanager
def check_out(folder: Path, revision: str, root: Path | None = None) -> Iterator[Path]:
    """The counterpart of ``folder`` at a revision, in a temporary worktree that goes away again.

    Where a folder below ``root`` was not there yet, it is the one above it.

    The user's own tree, index and branches stay as they are; submodules are not fetched. Raises
    BadInput where there is no git, no repository, no such revision, or no such folder in it.
    """
    folder = folder.resolve()
    top = Path(_git(folder, "rev-parse", "--show-toplevel"))
    if revision.startswith("-"):
        raise BadInput(f"'{revision}' is not a revision: give a branch, a tag, HEAD~1 or a commit")
    commit = _git(
        folder,
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        f"{revision}^{{commit}}",
        missing=f"git knows no revision '{revision}' in {top}",
    )
    with tempfile.TemporaryDirectory(prefix="romproof-") as made:
        tree = Path(made).resolve() / "tree"
        try:
            _git(top, *_NO_HOOKS, "worktree", "add", "--quiet", "--detach", str(tree), commit)
            there = _find_folder(tree, top.resolve(), folder, (root or folder).resolve())
            if not there.is_dir():
                raise BadInput(f"there is no folder {folder.relative_to(top)} at '{revision}'")
            yield there
        finally:
            _remove(top, tree)


def _find_folder(tree: Path, top: Path, folder: Path, root: Path) -> Path:
    """Where ``folder`` is in the worktree, or the first above it up to ``root`` that is there."""
    while folder != root and not (tree / folder.relative_to(top)).is_dir():
        folder = folder.parent
    return tree / folder.relative_to(top)


def _remove(top: Path, tree: Path) -> None:
    """Take the worktree away, from git's list as well."""
    for words in (("remove", "--force", str(tree)), ("prune",)):
        subprocess.run(
            ["git", "-C", str(top), "worktree", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )


def _git(folder: Path, *words: str, missing: str = "") -> str:
    """What git prints. Raises BadInput with its own words, or with what is ``missing``."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError as fault:
        raise BadInput(f"git cannot be run: {fault.strerror or fault}") from None
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip()
        raise BadInput(missing or f"git {words[0]}: {why or 'failed'}")
    return done.stdout.decode("utf-8", "replace").strip()
