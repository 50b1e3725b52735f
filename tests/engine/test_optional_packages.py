"""Extras of the distribution: one module says how to install them, and all of them exist."""

import ast
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def texts(module):
    """The strings of a module that are no docstrings."""
    nodes = list(ast.walk(ast.parse(module.read_text("utf-8"))))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    strings = (node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return [node.value for node in strings if id(node) not in docstrings]


def test_one_module_says_how_to_install():
    modules = [module for name in ("engine", "app") for module in (ROOT / name).rglob("*.py")]
    said = [module.name for module in modules if any("pip install" in text for text in texts(module))]
    assert said == ["optional_packages.py"]


def test_every_extra_that_is_named_exists():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    code = "".join(module.read_text("utf-8") for module in (ROOT / "engine").rglob("*.py"))
    named = set(re.findall(r"install_command\(['\"]([\w-]+)['\"]\)", code))
    assert {"peers", "databases", "cluster", "r", "accounting"} <= named <= extras.keys()
