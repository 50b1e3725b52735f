"""Which module imports which, read from the source: whenever and however it does."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

Graph = Mapping[str, frozenset[str]]


def imports(root: Path, packages: Iterable[str]) -> Graph:
    """Return for each module of the packages in `root` those modules among them that it imports.

    Imports that only a type checker sees count, and those inside functions; so does a module's name
    that stands as a text of its own, or an f-string that begins with a package's, as `importlib` takes.
    That importing a module runs its packages does not count.
    """
    files = {_name(file, root): file for package in packages for file in (root / package).rglob("*.py")}
    return {name: frozenset(_imported(name, file, files)) - {name} for name, file in files.items()}


def circular(graph: Graph) -> set[tuple[str, str]]:
    """Return the imports that lie on a circle, as pairs: which module imports which."""
    number = {name: index for index, name in enumerate(graph)}
    edges = [(name, other) for name, others in graph.items() for other in others]
    rows, columns = ([number[edge[end]] for edge in edges] for end in (0, 1))
    matrix = csr_array((np.ones(len(edges)), (rows, columns)), shape=(len(graph), len(graph)))
    _, labels = connected_components(matrix, connection="strong")
    return {edge for edge in edges if labels[number[edge[0]]] == labels[number[edge[1]]]}


def _name(file: Path, root: Path) -> str:
    parts = file.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(name: str, file: Path, files: Mapping[str, Path]) -> Iterator[str]:
    package = name.split(".") if file.stem == "__init__" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names if alias.name in files)
            case ast.ImportFrom():
                above = package[: len(package) + 1 - node.level] if node.level else []
                base = ".".join([*above, node.module] if node.module else above)
                for alias in node.names:
                    names = (f"{base}.{alias.name}", base)
                    yield from [other for other in names if other in files][:1]
            case ast.Constant(value=str(text)) if "." in text and text in files:
                yield text
            case ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]) if start.endswith("."):
                yield from (other for other in files if other.rpartition(".")[0] == start[:-1])
