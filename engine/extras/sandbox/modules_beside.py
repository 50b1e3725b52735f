"""A file and the modules beside it: listed before you trust the file, and loaded without any others."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
)
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

MAX_MODULE_BYTES = 1 << 25
"""Larger modules are left out, in bytes."""


def modules_beside(path: str | Path, content: bytes | None = None) -> dict[str, bytes]:
    """Return the file and all modules beside it that it may import, directly or not: contents by path.

    The file itself comes first.  `OSError` if it cannot be read.
    """
    file = Path(os.path.abspath(path))
    modules_found = {str(file): file.read_bytes() if content is None else content}
    waiting = [file]
    while waiting:
        module = waiting.pop()
        if module.suffix != ".py" and module != file:
            continue
        for level, name in imports_of(modules_found[str(module)]):
            base = file.parent if level == 0 else module.parents[min(level, len(module.parents)) - 1]
            for one in _files(base, name) if base.is_relative_to(file.parent) else ():
                if str(one) not in modules_found and one.stat().st_size <= MAX_MODULE_BYTES:
                    modules_found[str(one)] = one.read_bytes()
                    waiting.append(one)
    return modules_found


def digest_of_modules(modules: Mapping[str, bytes]) -> str:
    """Return the SHA-256 of the modules' contents and of their paths relative to the first."""
    digest = hashlib.sha256()
    folder = os.path.dirname(next(iter(modules)))
    for path in sorted(modules):
        name = os.path.relpath(path, folder).encode()
        for part in (name, modules[path]):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _files(base: Path, name: str) -> Iterator[Path]:
    """Yield the files below `base` that importing a dotted name runs."""
    base_path = base
    suffixes = (".py", *EXTENSION_SUFFIXES)
    for part in name.split(".") if name else ():
        modules_found = [base_path / part / f"__init__{suffix}" for suffix in suffixes]
        modules_found += [base_path / f"{part}{suffix}" for suffix in suffixes]
        yield from (one for one in modules_found if one.is_file())
        base_path /= part


@functools.lru_cache(64)
def imports_of(content: bytes) -> tuple[tuple[int, str], ...]:
    """Return the imports of a module: (level of a relative import, dotted name)."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    modules_found: dict[tuple[int, str], None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules_found |= dict.fromkeys((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = f"{node.module}." if node.module else ""
            modules_found |= dict.fromkeys((node.level, f"{above}{alias.name}") for alias in node.names)
            modules_found[node.level, node.module or ""] = None
        elif isinstance(node, ast.Call) and (named := _imported_by_call(node)):
            modules_found[0, named] = None
    return tuple(modules_found)


def _imported_by_call(call: ast.Call) -> str:
    """Return the name in ``import_module("name")`` or ``__import__("name")``, "" for other calls."""
    function: Any = call.func
    name = getattr(function, "attr", getattr(function, "id", ""))
    if name not in ("import_module", "__import__") or not call.args:
        return ""
    given = call.args[0]
    text = given.value if isinstance(given, ast.Constant) else ""
    return text if isinstance(text, str) and not text.startswith(".") else ""


MODULE = "sensiscope_function"


class Unloadable(Exception):
    """The reason why the function cannot be loaded from the file."""


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
    """Return a loader that uses the confirmed texts, even if the files have changed since.

    It loads no bytecode: Python checks only size and time, so bytecode may belong to another text.
    """

    class FromSource(SourceFileLoader):
        def get_data(self, path: str) -> bytes:
            return modules[path] if path in modules else super().get_data(path)

        def get_code(self, fullname: str) -> CodeType:
            return self.source_to_code(self.get_data(self.path), self.path)

    return FromSource


class _Finder(FileFinder):
    """Finds only the listed modules; a folder without a file is one part of a package."""

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
