"""Write the packages of a wheel: `engine` and `app` lie within `sensiscope`, and imports name them so.

In the checkout they are top-level folders.  Installed so, they would collide with a user's ``engine.py``.
"""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

NAME = "sensiscope"
PREFIX = b"sensiscope."
PACKAGES = ("engine", "app")
CHECKOUT_ONLY = "checkout.py"
NOT_INSTALLED = {"guides", "screenshots"}  # resources that people read beside the README

OURS = f"(?:{'|'.join(PACKAGES)})"
IMPORT = re.compile(rf"^\s*(?:from|import) {OURS}\b", re.MULTILINE)
EXAMPLE = re.compile(rf"(?<=>>> from ){OURS}\b".encode())
MODULE = re.compile(rf"({OURS}(?:\.\w+)+)(?:\.|:[\w.]+)?")
"""A module by its full name, perhaps with a dot after it, or an object in it."""


def write_package(root: Path, out: Path) -> None:
    """Write everything that a wheel installs as `sensiscope` into a folder."""
    folders = {"": root / "packaging" / NAME, **{name: root / name for name in PACKAGES}}
    modules = {module for name in PACKAGES for module in _modules(root, name)}
    for name, folder in folders.items():
        for file in folder.rglob("*"):
            target = out / name / file.relative_to(folder)
            if file.suffix not in (".py", ".pyi", ".typed") or file.name == CHECKOUT_ONLY:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                text = in_one_package(file.read_text(encoding="utf-8"), modules)
            except ValueError as error:
                raise ValueError(f"{file.relative_to(root)}: {error}") from None
            target.write_text(text, encoding="utf-8", newline="\n")
    resources = root / "resources"
    shutil.copytree(
        resources,
        out / "resources",
        ignore=lambda folder, names: NOT_INSTALLED if Path(folder) == resources else set(),
    )


def _modules(root: Path, package: str) -> Iterator[str]:
    for file in (root / package).rglob("*.py"):
        yield ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def in_one_package(text: str, modules: Collection[str]) -> str:
    """Return the source of a module with imports from within `sensiscope`.

    `modules` are the full names of all modules in `PACKAGES`; strings that name one of them change, too.

    Raises
    ------
    ValueError
        If a module is named in another way, for instance by an f-string.

    Examples
    --------
    >>> print(in_one_package('from engine.data import Table\\nHOME = "app.plots:Figure"', {"app.plots"}))
    from sensiscope.engine.data import Table
    HOME = "sensiscope.app.plots:Figure"
    """
    source = text.encode()
    for start, end, replacement in sorted(_edits(text, source, modules), reverse=True):
        source = source[:start] + replacement + source[end:]
    return source.decode()


def _edits(text: str, source: bytes, modules: Collection[str]) -> Iterator[tuple[int, int, bytes]]:
    """Yield where a part of the source starts and ends, and what replaces it."""
    lines = [0, *(found.end() for found in re.finditer(rb"\n", source))]
    nodes = list(ast.walk(ast.parse(text)))
    variables = {node.id for node in nodes if isinstance(node, ast.Name)}
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}

    def span(node: ast.stmt | ast.expr | ast.alias) -> tuple[int, int]:
        first, last = lines[node.lineno - 1], lines[(node.end_lineno or node.lineno) - 1]
        return first + node.col_offset, last + (node.end_col_offset or 0)

    for node in nodes:
        if isinstance(node, ast.ImportFrom) and not node.level and _is_ours(node.module or ""):
            start = span(node)[0] + len("from ")
            yield start, start, PREFIX
        elif isinstance(node, ast.Import):
            for alias in (alias for alias in node.names if _is_ours(alias.name)):
                package, _, within = alias.name.partition(".")
                if within and not alias.asname and package in variables:
                    raise ValueError(f"line {node.lineno}: write 'import {alias.name} as …'")
                start, end = span(alias)
                yield start, start, PREFIX
                if not within and not alias.asname:
                    yield end, end, f" as {package}".encode()
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            start, end = span(node)
            named = MODULE.fullmatch(node.value)
            if id(node) in docstrings:
                for found in EXAMPLE.finditer(source, start, end):
                    if source.startswith(b"engine import ", found.start()):  # public names
                        yield found.start(), found.end(), NAME.encode()
                    else:
                        yield found.start(), found.start(), PREFIX
            elif named and named[1] in modules:
                if source[start + 1 : end - 1] != node.value.encode():
                    raise ValueError(f"line {node.lineno}: write '{node.value}' as a string of its own")
                yield start + 1, start + 1, PREFIX
            elif IMPORT.search(node.value):
                raise ValueError(
                    f"line {node.lineno}: a program in a string imports a module; use __package__"
                )


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in PACKAGES
