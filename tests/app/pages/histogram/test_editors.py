"""What is built on cells, and its price."""

from types import SimpleNamespace

from app.model.pages.histogram_options import TreeOptions
from app.pages.histogram.editors import FacilityEditor
from engine.domain import Box


def follow(editor, n):
    source = SimpleNamespace(domain=Box.of([0, 0], [1, 1]), n=n)
    editor.follow(SimpleNamespace(unit="", source=source), public=False)


def test_a_price_from_a_session_file_waits_until_trees_are_offered(qtbot):
    editor = FacilityEditor(TreeOptions)
    qtbot.addWidget(editor)
    editor.show_values({"price": 2.5})
    follow(editor, 100)
    assert editor.values["price"] == editor.price_box.value == 2.5
    follow(editor, 200)  # other public facts ask for another price
    assert editor.values["price"] != 2.5
