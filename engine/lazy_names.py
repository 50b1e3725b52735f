"""Packages that import a module when one of its names is first asked for."""

from __future__ import annotations

import ast
from pathlib import Path


def listed_names(package_file: str) -> dict[str, str]:
    """Return the modules of the names that the stub beside a package's ``__init__.py`` lists, by name."""
    return {
        alias.name: statement.module
        for statement in ast.parse(Path(package_file).with_suffix(".pyi").read_text("utf-8")).body
        if isinstance(statement, ast.ImportFrom) and statement.module
        for alias in statement.names
    }
