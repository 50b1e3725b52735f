"""Registries of components: names and order are known before anything is imported."""

import sys
from typing import ClassVar

import pytest

from engine import Query
from engine.components import Component, Registry, register, register_later, registry_of


@pytest.fixture
def colours(tmp_path, monkeypatch):
    """Return the registry of a family, and a module with two of its components on the path."""
    (tmp_path / "dyes.py").write_text(
        "from test_components import Colour\n\n\n"
        "class Red(Colour):\n    name = 'red'\n\n\n"
        "class Blue(Colour):\n    name = 'blue'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "test_components", sys.modules[__name__])
    yield Colour.registry
    Colour.registry.clear()
    sys.modules.pop("dyes", None)


class Colour(Component, family="colour"):
    name: ClassVar[str] = "white"
    reads: ClassVar[str] = "light"


def test_an_entry_is_imported_when_it_is_asked_for(colours):
    register(Colour)
    register_later("colour", "red", "dyes:Red")
    assert list(colours) == ["white", "red"]
    assert "red" in colours
    assert len(colours) == 2
    assert repr(colours) == "<colour: white, red>"
    assert "dyes" not in sys.modules
    assert colours["red"] is sys.modules["dyes"].Red
    assert dict(colours) == {"white": Colour, "red": sys.modules["dyes"].Red}


def test_lists_have_an_entry_after_the_one_it_names_whichever_comes_first(colours):
    register_later("colour", "blue", "dyes:Blue", after="red")
    register_later("colour", "red", "dyes:Red", after="white")
    register_later("colour", "lost", "dyes:Lost", after="nowhere")
    register(Colour)
    register_later("colour", "last", "dyes:Last")
    assert list(colours) == ["lost", "white", "red", "blue", "last"]
    content = colours.copy()
    colours.clear()
    colours.update(content)
    assert list(colours) == ["lost", "white", "red", "blue", "last"]
    assert "dyes" not in sys.modules


def test_what_an_entry_states_of_its_data_needs_no_import_and_must_be_true(colours):
    register_later("colour", "red", "dyes:Red", reads="light")
    register_later("colour", "blue", "dyes:Blue", reads="paint")
    assert [colours.stated_reads(name) for name in ("red", "blue", "white")] == ["light", "paint", ""]
    assert "dyes" not in sys.modules
    assert colours["red"].name == "red"
    with pytest.raises(TypeError, match="Blue does not read paint"):
        colours["blue"]


def test_a_class_may_register_itself_where_it_is_announced_and_no_other(colours):
    register_later("colour", "red", "dyes:Red")
    register_later("colour", "red", "dyes:Red")
    from dyes import Blue, Red

    assert register(Red) is Red is register(Red)
    with pytest.raises(ValueError, match="'red' is registered already"):
        register_later("colour", "red", "dyes:Blue")
    Blue.name = "red"
    with pytest.raises(ValueError, match="'red' is registered already"):
        register(Blue)


def test_an_entry_must_be_what_it_was_announced_as(colours):
    register_later("colour", "green", "dyes:Red")
    with pytest.raises(TypeError, match="Red is the colour 'red', not 'green'"):
        colours["green"]
    abstract = Registry("query")
    abstract.add("none", "engine.queries.base:Query")
    with pytest.raises(TypeError, match="Query cannot be registered; it still needs"):
        abstract["none"]


def test_entries_may_come_before_their_family():
    register_later("shade", "dark", "dyes:Dark")
    shade = type("Shade", (Component,), {}, family="shade")
    assert list(shade.registry) == ["dark"]
    assert shade.registry is registry_of("shade")
    assert Query.registry is registry_of("query")
