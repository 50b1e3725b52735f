"""No modules import each other in a circle, not even for a type checker or inside functions."""

from pathlib import Path

import pytest
from import_graph import circular, imports


def circles(root: Path, *packages: str) -> set[str]:
    """Return the imports on circles."""
    return {f"{importing} -> {imported}" for importing, imported in circular(imports(root, packages))}


def test_there_are_no_circles(root: Path) -> None:
    assert circles(root, "engine", "app") == set()


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A package in which `a` imports `b`, and `c` imports `a`."""
    files = {"__init__": "", "a": "import house.b", "b": "", "c": "from house.a import something"}
    (tmp_path / "house" / "room").mkdir(parents=True)
    for name, text in {**files, "room/__init__": "from house.b import x", "room/d": ""}.items():
        (tmp_path / "house" / f"{name}.py").write_text(text)
    return tmp_path


def test_imports_in_one_direction_are_no_circle(planted: Path) -> None:
    assert circles(planted, "house") == set()


@pytest.mark.parametrize(
    "text",
    [
        "import house.c",
        "from house.c import something",
        "from house import c",
        "from . import c",
        "from .c import something",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house.c import Something",
        "def late():\n    from house.c import something",
        "import importlib\nimportlib.import_module('house.c')",
        "import importlib\nlate = lambda name: importlib.import_module(f'house.{name}')",
    ],
    ids=["import", "name", "module", "relative module", "relative name", "type", "lazy", "text", "f-string"],
)
def test_a_circle_is_found_however_it_is_closed(planted: Path, text: str) -> None:
    (planted / "house" / "b.py").write_text(text)
    assert {"house.b -> house.c", "house.c -> house.a", "house.a -> house.b"} <= circles(planted, "house")


@pytest.mark.parametrize("text", ["import house.room", "from house.room import x", "from . import room"])
def test_a_package_imports_what_its_init_file_does(planted: Path, text: str) -> None:
    (planted / "house" / "b.py").write_text(text)
    assert circles(planted, "house") == {"house.b -> house.room", "house.room -> house.b"}


def test_a_module_of_a_package_does_not_count_as_the_package(planted: Path) -> None:
    (planted / "house" / "b.py").write_text("from house.room import d")
    assert circles(planted, "house") == set()
