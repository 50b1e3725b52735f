"""A file is loaded with the modules beside it that were looked at, and with no others."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
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


def load_module(modules: Mapping[str, bytes]) -> ModuleType:
    """Run the first module, which may import the others, and return it."""
    path = next(iter(modules))
    folder = str(Path(path).parent)
    sys.path.insert(0, folder)
    sys.path_hooks.insert(0, _finder_of(folder, modules))
    spec = importlib.util.spec_from_file_location(MODULE, path)
    if spec is None or not isinstance(spec.loader, SourceFileLoader):
        raise Unloadable(f"{Path(path).name} is not a Python file; its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    exec(compile(modules[path], path, "exec", dont_inherit=True), vars(module))
    return module


def _from_source(modules: Mapping[str, bytes]) -> type[SourceFileLoader]:
    """Return a loader of texts that were looked at, whatever the files hold now.

    Nor does it load bytecode, which may be of another text and passes for current by size and second.
    """

    class FromSource(SourceFileLoader):
        def get_data(self, path: str) -> bytes:
            return modules[path] if path in modules else super().get_data(path)

        def get_code(self, fullname: str) -> CodeType:
            return self.source_to_code(self.get_data(self.path), self.path)

    return FromSource


class _Finder(FileFinder):
    """Finds the modules of a list alone; a folder without a file is one part of a package."""

    def __init__(self, folder: str, modules: Mapping[str, bytes]) -> None:
        super().__init__(folder, (_from_source(modules), [".py"]), (ExtensionFileLoader, EXTENSION_SUFFIXES))
        self._modules = modules

    def find_spec(self, fullname: str, target: ModuleType | None = None) -> ModuleSpec | None:
        result = super().find_spec(fullname, target)
        return result if result is None or result.loader is None or result.origin in self._modules else None


def _finder_of(folder: str, modules: Mapping[str, bytes]) -> Callable[[str], _Finder]:
    def hook(path: str) -> _Finder:
        if not Path(path).is_relative_to(folder):
            raise ImportError
        return _Finder(path, modules)

    return hook
