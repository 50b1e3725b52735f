"""`engine` itself: complete, lazy, and every name of it documented."""

import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import engine
import engine.analysis

ROOT = Path(__file__).resolve().parents[2]
REGISTRIES = (
    engine.AGGREGATORS,
    engine.FUNCTIONS,
    engine.MECHANISMS,
    engine.NOISES,
    engine.QUERIES,
    engine.SAMPLINGS,
)


def own_names(module):
    """The public functions and classes that a module defines."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module.__name__
    }


def test_every_name_is_there_and_listed():
    assert len(engine.__all__) > 200
    for name in engine.__all__:
        assert getattr(engine, name) is not None
        assert name in dir(engine)


def test_no_name_hides_a_module():
    modules = {module.name for module in pkgutil.iter_modules(engine.__path__)}
    assert not modules & set(engine.__all__)


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="no attribute 'nothing_of_that_name'"):
        _ = engine.nothing_of_that_name


@pytest.mark.parametrize("registry", REGISTRIES)
def test_every_component_is_public(registry):
    assert {component.__name__ for component in registry.values()} <= set(engine.__all__)


def test_every_analysis_is_public():
    for module in pkgutil.iter_modules(engine.analysis.__path__, "engine.analysis."):
        if module.name != "engine.analysis.memory":  # where the others keep what they found
            assert own_names(importlib.import_module(module.name)) <= set(engine.__all__)


def test_importing_engine_alone_loads_nothing_heavy():
    code = "import engine, sys; print(*(name.partition('.')[0] for name in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "scipy", "sklearn", "pyarrow", "flint"} & set(loaded.stdout.split())


def test_guides_import_from_engine_and_nowhere_deeper():
    guides = [ROOT / "README.md", *(ROOT / "resources").rglob("*.md"), *(ROOT / "resources").rglob("*.toml")]
    for guide in guides:
        deeper = re.findall(r"^.*(?:from|import) engine\..*$", guide.read_text("utf-8"), re.MULTILINE)
        assert not deeper, guide
