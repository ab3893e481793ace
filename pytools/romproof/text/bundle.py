"""The modules that a start needs, from one file.

To look for a module in its folder takes longer than to execute most of them, and the tools of cc65
are started once for each source. Where a wheel is compiled for one version of Python it has their
code in one file beside the package (``hatch_build.py`` puts it there), as Python keeps it for each
module in ``__pycache__``; what is not in it, and all of a source tree, is found as ever.

The file also tells where the compiled modules are. Their library takes two classes and a lock of
``importlib``, which brings ``warnings``: as Python has these without it, they are handed over.
"""

# without __future__, which is a file to look for: what is annotated by other files' names is quoted
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import (  # type: ignore[attr-defined]
    MAGIC_NUMBER,
    ExtensionFileLoader,
    SourceFileLoader,
    _compile_bytecode,
)
from _io import FileIO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import CodeType, ModuleType
else:
    ModuleType = type(sys)

Place = tuple[str, int, int]
"""The path of a source, and offset and size of its code; size 0 for a compiled module."""
_HEAD = 8
"""Bytes in front of the index: of which Python's code it is, and where the index ends."""
_PACKAGE_FILE = "__init__.py"


class Bundle:
    """Finds modules of the package in ``folder``, whose code is in an open ``file``; ``places`` has
    of each by its name: the path of its source, from the folder that the package is in, and where
    its code is."""

    def __init__(self, folder: str, file: FileIO, places: dict[str, Place]) -> None:
        self._folder = folder.rpartition("/")[0]
        self._file = file
        self._places = places

    def find_spec(
        self, name: str, path: "Sequence[str] | None" = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """As ``importlib.abc.MetaPathFinder`` has it."""
        place = self._places.get(name)
        if place is None:
            return None
        source = f"{self._folder}/{place[0]}"
        if not place[2]:
            spec = ModuleSpec(name, _Compiled(name, source), origin=source)
            spec.has_location = True
            return spec
        spec = ModuleSpec(name, _Loader(name, source, self._file, place), origin=source)
        spec.has_location = True
        spec.cached = source
        if source.endswith(_PACKAGE_FILE):
            spec.submodule_search_locations = [source[: -len(_PACKAGE_FILE) - 1]]
        return spec


class _Loader(SourceFileLoader):
    """Loads a module whose code is known; all else is that of its source."""

    def __init__(self, name: str, path: str, file: FileIO, place: Place) -> None:
        super().__init__(name, path)
        self._file = file
        self._place = place

    def get_code(self, fullname: str) -> "CodeType | None":
        """The code of the module."""
        _, at, size = self._place
        self._file.seek(at)
        code: CodeType = _compile_bytecode(self._file.read(size), fullname, self.path, self.path)
        return code


class _Compiled(ExtensionFileLoader):
    """Loads a compiled module, with what its library takes of ``importlib`` at hand."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module; the first one loads the library."""
        if _PACKAGE in sys.modules:
            return super().create_module(spec)
        stand_ins = _Machinery(_PACKAGE), _Machinery(_MACHINERY)
        sys.modules.update(zip((_PACKAGE, _MACHINERY), stand_ins, strict=True))
        sys.modules[_LOCKS] = sys.modules["_frozen_importlib"]  # as importlib itself has it
        try:
            return super().create_module(spec)
        finally:
            if sys.modules.get(_PACKAGE) is stand_ins[0]:
                _give_back()


_PACKAGE, _LOCKS, _MACHINERY = "importlib", "importlib._bootstrap", "importlib.machinery"


class _Machinery(ModuleType):
    """What stands for ``importlib`` and its ``machinery`` until the second class is taken."""

    ModuleSpec = ModuleSpec

    def __getattr__(self, name: str) -> object:
        if name != "ExtensionFileLoader":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        _give_back()
        return ExtensionFileLoader


def _give_back() -> None:
    """From here on ``importlib`` is that of the standard library."""
    for name in (_PACKAGE, _LOCKS, _MACHINERY):
        del sys.modules[name]


def file_in(folder: str) -> str:
    """The file of a package for the Python that runs."""
    return f"{folder}/start.{sys.implementation.cache_tag}.bin"


def use_bundle(folder: str) -> None:
    """Have modules of the package in ``folder`` found in its file, if there is one."""
    try:
        file = FileIO(file_in(folder))
    except OSError:
        return
    head = file.read(_HEAD)
    if head.startswith(MAGIC_NUMBER):
        end = int.from_bytes(head[-4:], "little")
        sys.meta_path.insert(0, Bundle(folder, file, _places(file.read(end - _HEAD), end)))


def _places(index: bytes, end: int) -> dict[str, Place]:
    """What the index says, behind which the code of the first module begins at ``end``."""
    places: dict[str, Place] = {}
    for line in index.decode().split("\n"):
        name, path, size = line.rsplit(" ", 2)
        places[name] = path, end, int(size)
        end += int(size)
    return places


def packed(modules: "Iterable[tuple[str, str, bytes]]") -> bytes:
    """The file with these modules: name, path from the folder that the package is in, and code;
    none for a compiled module."""
    listed = list(modules)
    index = "\n".join(f"{name} {path} {len(code)}" for name, path, code in listed).encode()
    head = MAGIC_NUMBER + (_HEAD + len(index)).to_bytes(4, "little")
    return head + index + b"".join(code for _, _, code in listed)
