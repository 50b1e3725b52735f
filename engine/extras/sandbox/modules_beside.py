"""A file and the modules that it imports from beside it: what you look at before you trust the file."""

from __future__ import annotations

import ast
import functools
import hashlib
import os
from collections.abc import Iterator, Mapping
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

MAX_MODULE_BYTES = 1 << 25
"""Bytes of a module that is still read."""


def modules_beside(path: str | Path, content: bytes | None = None) -> dict[str, bytes]:
    """Return the file and the modules beside it that it or they may import: contents by path, the file first.

    `OSError` if the file itself cannot be read.
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
    """Return the SHA-256 of what the modules hold and of where they are beside the first."""
    digest = hashlib.sha256()
    folder = os.path.dirname(next(iter(modules)))
    for path in sorted(modules):
        name = os.path.relpath(path, folder).encode()
        for part in (name, modules[path]):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _files(base: Path, name: str) -> Iterator[Path]:
    """Yield the files that importing a dotted name runs, of those that are below `base`."""
    base_path = base
    suffixes = (".py", *EXTENSION_SUFFIXES)
    for part in name.split(".") if name else ():
        modules_found = [base_path / part / f"__init__{suffix}" for suffix in suffixes]
        modules_found += [base_path / f"{part}{suffix}" for suffix in suffixes]
        yield from (one for one in modules_found if one.is_file())
        base_path /= part


@functools.lru_cache(64)
def imports_of(content: bytes) -> tuple[tuple[int, str], ...]:
    """Return what a module may import: how many folders up it begins, and a dotted name."""
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
    """Return the name in ``import_module("name")`` or ``__import__("name")``."""
    function: Any = call.func
    name = getattr(function, "attr", getattr(function, "id", ""))
    if name not in ("import_module", "__import__") or not call.args:
        return ""
    given = call.args[0]
    text = given.value if isinstance(given, ast.Constant) else ""
    return text if isinstance(text, str) and not text.startswith(".") else ""
