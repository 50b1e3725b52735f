"""`engine` itself: complete, lazy, and every name of it documented."""

import ast
import inspect
import pkgutil
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import engine
import engine.analysis
import engine.audit
import engine.data
from engine.aggregation.functions import FUNCTIONS
from engine.aggregation.samplings import SAMPLINGS
from engine.components import Component
from engine.former_names import FORMER_NAMES
from engine.mechanisms import MECHANISMS
from engine.mechanisms.aggregators import AGGREGATORS
from engine.noise import NOISES
from engine.queries import QUERIES

OFFERED = sorted(engine._HOMES)
DOCUMENTED = [
    name
    for name in OFFERED
    if inspect.isclass(getattr(engine, name)) or inspect.isfunction(getattr(engine, name))
]
ROOT = Path(__file__).resolve().parents[2]
REGISTRIES = (AGGREGATORS, FUNCTIONS, MECHANISMS, NOISES, QUERIES, SAMPLINGS)
MAX_NAMES = 190
"""As many as one can learn."""


def test_every_name_is_there_and_listed():
    for name in OFFERED:
        assert getattr(engine, name) is not None
    assert set(dir(engine)) >= set(engine.__all__)


@pytest.mark.parametrize("package", [engine.analysis, engine.audit, engine.data])
def test_no_name_of_a_package_is_that_of_a_module_which_would_replace_it(package):
    modules = {path.stem for path in Path(package.__file__).parent.iterdir()}
    assert modules.isdisjoint(package.__all__)
    assert not [name for name in package.__all__ if inspect.ismodule(getattr(package, name))]


def test_every_name_that_guides_import_is_listed():
    guides = (ROOT / "resources" / "guides").glob("*.md")
    imports = re.findall(r"from sensiscope import (\([^)]*\)|.*)", "\n".join(map(Path.read_text, guides)))
    named = {name for names in imports for name in re.findall(r"\w+", names.partition("#")[0])}
    assert len(named) > 50
    assert named - {"view"} <= set(engine.__all__)


def test_the_list_stays_short():
    assert len(engine.__all__) <= MAX_NAMES


def test_former_names_are_found_but_not_listed():
    assert not FORMER_NAMES.keys() & {*OFFERED, *dir(engine)}
    for name, home in FORMER_NAMES.items():
        assert getattr(engine, name) is pkgutil.resolve_name(home)


def test_no_name_hides_a_module():
    modules = {module.name for module in pkgutil.iter_modules(engine.__path__)}
    assert not modules & {*OFFERED, *FORMER_NAMES}


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="no attribute 'nothing_of_that_name'"):
        _ = engine.nothing_of_that_name


@pytest.mark.parametrize("registry", REGISTRIES)
def test_every_component_is_public(registry):
    assert {component.__name__ for component in registry.values()} <= set(OFFERED)


def test_every_scene_is_there():
    from engine import analysis

    assert {name for name, home in engine._HOMES.items() if home.startswith("engine.analysis")} <= {
        *dir(analysis)
    }
    for name in analysis.__all__:
        assert getattr(analysis, name).__name__ == name


def test_importing_engine_alone_loads_nothing_heavy():
    code = "import engine, sys; print(*(name.partition('.')[0] for name in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "scipy", "sklearn", "pyarrow", "flint"} & set(loaded.stdout.split())


def test_guides_import_from_engine_and_nowhere_deeper():
    guides = [ROOT / "README.md", *(ROOT / "resources").rglob("*.md"), *(ROOT / "resources").rglob("*.toml")]
    for guide in guides:
        deeper = re.findall(r"^.*(?:from|import) engine\..*$", guide.read_text("utf-8"), re.MULTILINE)
        assert not deeper, guide


def sections(thing):
    """The sections of a docstring in numpydoc's style by their titles; what is above them has none."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", inspect.getdoc(thing) or "", flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def entries(section):
    """The names that a section describes, several in a line where they are alike."""
    lines = [line for line in section.splitlines() if line and not line[0].isspace()]
    return {name.strip(" *") for line in lines for name in line.partition(":")[0].split(",")}


def arguments(thing):
    """What a function is given, or what makes an object of a class that is no base for others alone."""
    if inspect.isabstract(thing) or getattr(thing, "__init__", None) is Exception.__init__:
        return set()
    return set(inspect.signature(thing).parameters)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_every_name_says_what_it_is_and_takes(name):
    thing = getattr(engine, name)
    found = sections(thing)
    assert found[""].partition("\n")[0].endswith((".", ":")) or "\n" in found[""]
    described = entries(found.get("Parameters", ""))
    for base in inspect.getmro(thing) if inspect.isclass(thing) else ():
        described |= {
            name for part in ("Attributes", "Parameters") for name in entries(sections(base).get(part, ""))
        }
    assert arguments(thing) <= described


@pytest.mark.parametrize("name", [name for name in DOCUMENTED if inspect.isfunction(getattr(engine, name))])
def test_every_function_says_what_it_returns_and_raises(name):
    function = getattr(engine, name)
    found = sections(function)
    assert "Returns" in found or inspect.signature(function).return_annotation in (None, "None")
    body = ast.parse(textwrap.dedent(inspect.getsource(function)))
    assert "Raises" in found or not any(isinstance(node, ast.Raise) for node in ast.walk(body))


@pytest.mark.parametrize("name", DOCUMENTED)
def test_every_name_has_an_example_or_names_one_that_has(name):
    """What is returned, or only inherited from, names where it comes from: the example is there."""
    thing = getattr(engine, name)
    others = set(re.findall(r"`(\w+)`", thing.__doc__)) & set(DOCUMENTED) if inspect.isclass(thing) else set()
    assert any(">>>" in sections(getattr(engine, one)).get("Examples", "") for one in (name, *others))


@pytest.mark.parametrize("name", DOCUMENTED)
def test_see_also_names_public_names(name):
    """A component needs none: the site links it to its help page."""
    thing = getattr(engine, name)
    others = re.findall(r"\w+", sections(thing).get("See Also", ""))
    assert others or (inspect.isclass(thing) and issubclass(thing, Component))
    assert set(others) <= set(OFFERED) - {name}


def test_examples_of_public_names_import_from_engine():
    for name in DOCUMENTED:
        assert not re.search(r">>> (?:from|import) engine\.", inspect.getdoc(getattr(engine, name))), name
