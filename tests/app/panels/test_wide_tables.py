"""Tables with thousands of columns: what is listed stays short, and any column is found by its name."""

import pytest
from PySide6.QtWidgets import QWidget

from app.panels.import_dialog import MAX_COLUMNS as SEEN
from app.widgets.column_finder import MAX_COLUMNS, PORTION, ColumnFinder

pytestmark = pytest.mark.usefixtures("undrawn")

COLUMNS = 2000


@pytest.fixture
def wide(tmp_path):
    file = tmp_path / "wide.csv"
    rows = [",".join(str((place * row) % 7) for place in range(COLUMNS)) for row in range(5)]
    file.write_text("\n".join([",".join(f"gene{place}" for place in range(COLUMNS)), *rows]) + "\n")
    return file


def asked(window, file):
    window.controllers.data.open_file(file)
    assert window.wait_until_idle(30_000)
    return window.controllers.imports.dialog


def finder_of(form):
    (finder,) = (editor.finder for editor in form.editors if hasattr(editor, "finder"))
    assert isinstance(finder, ColumnFinder)
    return finder


@pytest.mark.slow
def test_one_column_of_many_is_an_item_of_a_list_and_no_widget(shared, wide):
    dialog = asked(shared, wide)
    box = dialog.form.box("column")
    assert box.count() == PORTION
    assert box.model().position(f"gene{COLUMNS - 1}") == COLUMNS - 1  # which loads the items up to it
    assert box.count() == COLUMNS
    assert box.itemText(1234).startswith("gene1234 ")
    assert dialog.preview.model().columnCount() == SEEN
    assert len(dialog.findChildren(QWidget)) < 200
    box.setCurrentIndex(1999)
    assert box.currentData() == "gene1999"
    for name, value in (("lower", 0), ("upper", 6)):
        dialog.form.box(name).type_in(str(value))
    dialog.form.box("known").click()
    dialog.decide()
    assert shared.wait_until_idle(30_000)
    assert shared.session.state.data.column == "gene1999"


@pytest.mark.slow
def test_several_columns_of_many_are_found_by_their_names(shared_points, wide):
    dialog = asked(shared_points, wide)
    form, finder = dialog.form, finder_of(dialog.form)
    assert list(form.each) == [f"gene{place}" for place in range(MAX_COLUMNS)]
    finder.setText("GENE199")
    assert list(form.each) == ["gene199", *(f"gene199{digit}" for digit in range(10))]
    for name in ("gene199", "gene1997"):
        check, low, high = form.each[name]
        check.setChecked(True)
        low.type_in("0")
        high.type_in("6")
    finder.setText("gene3")
    assert next(iter(form.each)) == "gene3"
    assert {"gene199", "gene1997"} < form.each.keys()  # what is chosen stays in the list
    form.each["gene3"][0].setChecked(True)
    form.each["gene3"][0].setChecked(False)
    dialog.decide()
    form.box("known").click()
    dialog.decide()
    assert shared_points.wait_until_idle(30_000)
    assert shared_points.session.state.data.columns == ("gene199", "gene1997")


@pytest.mark.slow
def test_the_menu_of_the_side_panel_finds_columns(shared_points, wide):
    dialog = asked(shared_points, wide)
    for name in ("gene0", "gene1"):
        check, low, high = dialog.form.each[name]
        check.setChecked(True)
        low.type_in("0")
        high.type_in("6")
    dialog.form.box("known").click()
    dialog.decide()
    assert shared_points.wait_until_idle(30_000)
    form = shared_points.body.column.data.form
    menu, finder = form.box("columns").menu, finder_of(form)
    assert len(menu.actions()) == MAX_COLUMNS + 1
    finder.setText("gene1999")
    assert [action.text() for action in menu.actions()[1:]] == ["gene0", "gene1", "gene1999"]
    menu.actions()[-1].trigger()
    assert shared_points.wait_until_idle(30_000)
    assert shared_points.session.state.data.columns == ("gene0", "gene1", "gene1999")
