"""Plug-ins are found by their entry points; what fails is named and taken out again."""

import sys

import pytest

from engine import QUERIES, load_example, load_plugins, plugins
from engine.resources import resource_file, resource_folders

REGISTERS = """
import dataclasses
from pathlib import Path
from engine import Median, add_resources, register

@register
@dataclasses.dataclass(frozen=True)
class Own(Median):
    name = "{query}"

def begin():
    add_resources(Path(__file__).parent / "{module}-files")
    {end}
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Return what installs a package with a plug-in, as pip leaves it; all is forgotten afterwards."""
    registries = [(registry, registry.copy()) for registry in plugins._watched]
    for kept in (plugins._found, plugins._asked):
        monkeypatch.setattr(plugins, (kept is plugins._found and "_found") or "_asked", type(kept)())
    monkeypatch.syspath_prepend(tmp_path)

    def make(module, target, code):
        (tmp_path / f"{module}.py").write_text(code)
        (tmp_path / f"{module}-files" / "icons").mkdir(parents=True)
        info = tmp_path / f"{module}-2.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 2.5\n")
        (info / "entry_points.txt").write_text(f"[{plugins.GROUP}]\n{module} = {target}\n")
        return tmp_path / f"{module}-files"

    yield make
    for registry, content in registries:
        registry.clear()
        (registry.extend if isinstance(registry, list) else registry.update)(content)
    for name in [name for name in sys.modules if name.startswith("plugged_")]:
        del sys.modules[name]


def test_a_plug_in_registers_itself_once(install):
    folder = install(
        "plugged_in",
        "plugged_in:begin",
        REGISTERS.format(query="plugged", module="plugged_in", end="print('once')"),
    )
    (found,) = load_plugins()
    assert (found.name, found.package, found.version, found.problem) == (
        "plugged_in",
        "plugged_in",
        "2.5",
        "",
    )
    assert found.text == "plug-in 'plugged_in' (plugged_in 2.5)"
    assert "plugged" in QUERIES
    assert resource_folders("icons")[1:] == (folder / "icons",)
    (folder / "icons" / "own.svg").write_text("<svg/>")
    assert resource_file("icons", "own.svg") == folder / "icons" / "own.svg"
    assert load_plugins() == (found,)


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("import plugged_nowhere", "ModuleNotFoundError: No module named 'plugged_nowhere'"),
        ("raise SystemExit('I\\nquit')", "SystemExit: I quit"),
    ],
)
def test_what_fails_is_left_out_whole_and_costs_no_other(install, end, said):
    install("plugged_bad", "plugged_bad:begin", REGISTERS.format(query="bad", module="plugged_bad", end=end))
    install(
        "plugged_good",
        "plugged_good:begin",
        REGISTERS.format(query="good", module="plugged_good", end="pass"),
    )
    bad, good = load_plugins()
    assert bad.text == f"plug-in 'plugged_bad' (plugged_bad 2.5) is left out: {said}"
    assert good.problem == ""
    assert "good" in QUERIES
    assert "bad" not in QUERIES
    assert len(resource_folders()) == 2


def test_what_is_announced_by_its_module_is_imported_at_once_so_that_it_fails_at_once(install):
    later = "from engine import register_later\nregister_later('query', '{0}', '{1}:{2}')\n"
    install("plugged_class", "plugged_class", REGISTERS.format(query="real", module="-", end="pass"))
    install("plugged_later", "plugged_later", later.format("real", "plugged_class", "Own"))
    install("plugged_lost", "plugged_lost", later.format("lost", "plugged_nowhere", "Own"))
    _, later, lost = load_plugins()
    assert later.problem == ""
    assert lost.problem == "ModuleNotFoundError: No module named 'plugged_nowhere'"
    assert "lost" not in QUERIES


def test_a_module_is_enough_and_a_taken_name_is_refused(install):
    install("plugged_module", "plugged_module", REGISTERS.format(query="module", module="-", end="pass"))
    install("plugged_twice", "plugged_twice", REGISTERS.format(query="median", module="-", end="pass"))
    _, twice = load_plugins()
    assert "module" in QUERIES
    assert twice.problem.startswith("ValueError: a query with the name 'median' is registered already")


def test_its_examples_and_components_have_names(install):
    from engine.catalog import query

    code = REGISTERS.format(query="late", module="plugged_late", end="pass")
    folder = install("plugged_late", "plugged_late:begin", code) / "examples"
    folder.mkdir()
    (folder / "late.csv").write_text("x\n1\n2\n")
    card = 'order = 1\nname = "late"\nfile = "late.csv"\nn = 2\n'
    words = "".join(f'{key} = "-"\n' for key in ("title", "description", "source", "licence", "bounds"))
    (folder / "late.toml").write_text(card + words)
    load_plugins()
    assert load_example("late").n == 2
    assert query("late").name == "late"


def test_they_can_be_kept_out(install, monkeypatch):
    install("plugged_off", "plugged_off", "raise RuntimeError")
    monkeypatch.setenv(plugins.OFF, "off")
    assert load_plugins() == ()


def test_without_any_nothing_is_imported_for_them(tmp_path):
    (tmp_path / "other-1.dist-info").mkdir()
    (tmp_path / "other-1.dist-info" / "entry_points.txt").write_text("[console_scripts]\nx = y:z\n")
    (tmp_path / "package.zip").write_bytes(b"PK")
    assert not plugins.is_any_installed([str(tmp_path), str(tmp_path / "nowhere")])
    assert plugins.is_any_installed([str(tmp_path / "package.zip")])
