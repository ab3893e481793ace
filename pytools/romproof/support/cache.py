"""The one place where something is kept between runs: what can be made again, but not quickly.

The rule (docs/decisions/0021): a kept file is used only if this user wrote it. It must be a regular
file of the user's own that nobody else may write, where files have owners, and it must begin with
a digest of its name and contents that is made with a key which only this user can read. What does
not fit is not there: it is made again. Contents are bytes, and nothing unpickles them.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import stat
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from romproof.support.files import write_atomically

FOLDER_VARIABLE = "ROMPROOF_CACHE"
"""The environment variable that names the folder; empty: keep nothing."""

MAX_BYTES = 512 << 20
"""What all kept files have together, about: compiled code takes some 50 KB a program."""
_KEPT = re.compile(r"[0-9a-f]{64}\.[a-z]{1,12}")
"""The names of kept files: digests."""
_WATCHED = "0"
"""With what the names begin whose keeping has the size looked at: one of sixteen does, as to look
takes as long as to write a file."""
_MAGIC = b"romproof kept 1\n"
_KEY = 32
_DIGEST = 32
_HEAD = len(_MAGIC) + _DIGEST
_OWN = (".cfg", ".mac", ".py", ".tbl")
"""How the names end of files that decide what romproof makes."""
_OWNERS = hasattr(os, "geteuid")


def cache_folder() -> Path | None:
    """$ROMPROOF_CACHE, or romproof in the user's cache folder; None: nothing is kept."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen is not None:
        return Path(chosen) if chosen else None
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        return Path(base).expanduser() / "romproof"
    except RuntimeError:  # no home folder
        return None


def recall(name: str) -> bytes | None:
    """The value that ``keep`` stored under this name; None without one, or for another user's."""
    folder, key = cache_folder(), _key(make=False)
    if folder is None or key is None:
        return None
    cached = _read_own_file(folder / name, private=False)
    if cached is None or not cached.startswith(_MAGIC):
        return None
    data = cached[_HEAD:]
    if not hmac.compare_digest(cached[len(_MAGIC) : _HEAD], _digest(key, name, data)):
        return None
    with suppress(OSError):
        os.utime(folder / name)  # when it was used last: what nobody uses is deleted first
    return data


def keep(name: str, data: bytes, most: int | None = None) -> None:
    """Keep some bytes under a name, which is a file's; where there is no place for them, do not.

    ``most``: of files with the name's ending so many; those that were not used for longest go.
    """
    folder = cache_folder()
    if folder is None:
        return
    with suppress(OSError):
        key = _key(make=True)
        if key is not None:
            write_atomically(folder / name, _MAGIC + _digest(key, name, data) + data, mode=0o600)
            if most is not None:
                _thin_out(folder, Path(name).suffix, most)
            if name.startswith(_WATCHED):
                _shrink(folder, name)


def _thin_out(folder: Path, ending: str, most: int) -> None:
    """Of the files with an ending delete those used longest ago until there are ``most``.

    Raises OSError.
    """
    with os.scandir(folder) as entries:
        files = [entry for entry in entries if entry.name.endswith(ending)]
    if len(files) <= most:
        return
    files.sort(key=lambda entry: entry.stat(follow_symlinks=False).st_mtime_ns, reverse=True)
    for entry in files[most:]:
        with suppress(OSError):  # another process may be at it too, or it is not ours
            os.unlink(entry)


def _shrink(folder: Path, new: str) -> None:
    """Where all kept files together have more than MAX_BYTES, delete those used longest ago until
    they have nine tenths of that; ``new`` stays.

    Looked at are regular files that are named as kept ones are, and this user's: the folder may
    hold others. Raises OSError.
    """
    files: list[tuple[int, int, str]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if _KEPT.fullmatch(entry.name) is None:
                continue
            with suppress(OSError):  # another process may just have deleted it
                status = entry.stat(follow_symlinks=False)
                own = not _OWNERS or status.st_uid == os.geteuid()
                if own and stat.S_ISREG(status.st_mode):
                    files.append((status.st_mtime_ns, status.st_size, entry.path))
    total = sum(size for _, size, _ in files)
    if total <= MAX_BYTES:
        return
    for _, size, path in sorted(files):
        if total <= MAX_BYTES * 9 // 10:
            return
        if os.path.basename(path) != new:
            with suppress(OSError):
                os.unlink(path)
            total -= size


@lru_cache(maxsize=16)
def digest_of_packages(*packages: str) -> str:
    """A digest of the files of some packages: what they make is kept until they change."""
    digest = hashlib.sha256()
    for package in packages:
        for root in import_module(package).__path__:
            for path in sorted(Path(root).rglob("*")):
                if path.suffix in _OWN and path.is_file():
                    digest.update(f"{path.relative_to(root)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def _digest(key: bytes, name: str, data: bytes) -> bytes:
    digest = hashlib.blake2b(key=key, digest_size=_DIGEST)
    digest.update(f"{name}\n".encode())
    digest.update(data)
    return digest.digest()


def _read_own_file(path: Path, private: bool) -> bytes | None:
    """The contents of a file that this user wrote, and nobody else may have changed.

    ``private``: nor may anybody else have read it.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError):
        return None
    others = (stat.S_IRWXG | stat.S_IRWXO) if private else (stat.S_IWGRP | stat.S_IWOTH)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return None
        if _OWNERS and (status.st_uid != os.geteuid() or status.st_mode & others):
            return None
        with open(handle, "rb", closefd=False) as file:
            return file.read()
    except OSError:
        return None
    finally:
        os.close(handle)


def _key(make: bool) -> bytes | None:
    """This user's key, a new one if there is none and it is wanted; None: there is none."""
    path = _key_file()
    if path is None:
        return None
    key = _read_own_file(path, private=True)
    if key is not None and len(key) == _KEY:
        return key
    if not make:
        return None
    write_atomically(path, secrets.token_bytes(_KEY), mode=0o600)
    key = _read_own_file(path, private=True)  # somebody may have been there at the same time
    return key if key is not None and len(key) == _KEY else None


def _key_file() -> Path | None:
    """Where the key is: in a folder of the user's own, wherever the cache is.

    Without a home folder it is beside what is kept, if its owner tells whose it is.
    """
    state = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_STATE_HOME")
    try:
        base = Path(state) if state else Path("~/.local/state").expanduser()
        if not base.is_absolute() or not _writeable(base / "romproof"):
            raise RuntimeError
    except RuntimeError:
        folder = cache_folder()
        return folder / "key" if folder is not None and _OWNERS else None
    return base / "romproof" / "cache.key"


def _writeable(folder: Path) -> bool:
    """Whether the folder can be written, or made."""
    there = next((p for p in (folder, *folder.parents) if p.exists()), None)
    return there is not None and there.is_dir() and os.access(there, os.W_OK)
