"""A file is loaded with the modules beside it that were looked at, and with no others."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
)
from pathlib import Path
from types import CodeType, ModuleType

MODULE = "sensiscope_function"


class Unloadable(Exception):
    """Why the function cannot be had from the file."""


def load_module(modules: Sequence[str]) -> ModuleType:
    """Run the first module, which may import the others, and return it.

    Raises
    ------
    Unloadable
        If it is no Python file.
    Exception
        Whatever the file raises.
    """
    path = modules[0]
    folder = str(Path(path).parent)
    sys.path.insert(0, folder)
    sys.path_hooks.insert(0, _finder_of(folder, frozenset(modules)))
    spec = importlib.util.spec_from_file_location(MODULE, path)
    if spec is None or not isinstance(spec.loader, SourceFileLoader):
        raise Unloadable(f"{Path(path).name} is not a Python file; its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    exec(_FromSource(MODULE, path).get_code(MODULE), vars(module))
    return module


class _FromSource(SourceFileLoader):
    """Never from bytecode, which may be of another text and passes for current by size and second."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


class _Finder(FileFinder):
    """Finds the modules of a list alone; a folder without a file is one part of a package."""

    def __init__(self, folder: str, modules: frozenset[str]) -> None:
        super().__init__(folder, (_FromSource, [".py"]), (ExtensionFileLoader, EXTENSION_SUFFIXES))
        self._modules = modules

    def find_spec(self, fullname: str, target: ModuleType | None = None) -> ModuleSpec | None:
        found = super().find_spec(fullname, target)
        return found if found is None or found.loader is None or found.origin in self._modules else None


def _finder_of(folder: str, modules: frozenset[str]) -> Callable[[str], _Finder]:
    def hook(path: str) -> _Finder:
        if not Path(path).is_relative_to(folder):
            raise ImportError
        return _Finder(path, modules)

    return hook
