"""Tables with thousands of columns: what is listed stays short, and any column is found by its name."""

import pytest
from tables import ask_on, declare, open_table

from app.panels.reading_preview import MAX_COLUMNS as SEEN
from app.widgets.column_finder import MAX_COLUMNS, PORTION, ColumnFinder

pytestmark = pytest.mark.usefixtures("undrawn")

COLUMNS = 2000


@pytest.fixture
def wide(tmp_path):
    file = tmp_path / "wide.csv"
    rows = [",".join(str((place * row) % 7) for place in range(COLUMNS)) for row in range(5)]
    file.write_text("\n".join([",".join(f"gene{place}" for place in range(COLUMNS)), *rows]) + "\n")
    return file


def finder_of(form):
    (finder,) = (editor.finder for editor in form.editors if hasattr(editor, "finder"))
    assert isinstance(finder, ColumnFinder)
    return finder


@pytest.mark.slow
def test_one_column_of_many_is_an_item_of_a_list_and_no_widget(shared, wide):
    open_table(shared, wide)
    declare(shared, "gene0", lower=0, upper=6)
    ask_on(shared, "median")
    box = shared.body.column.data.form.box("column")
    assert box.count() == PORTION
    assert box.model().position(f"gene{COLUMNS - 1}") == COLUMNS - 1  # which loads the items up to it
    assert box.count() == COLUMNS
    assert box.itemText(1234).startswith("gene1234")
    shared.controllers.data.choose(column="gene1999")
    assert shared.wait_until_idle(30_000)
    assert shared.session.state.data.column == "gene1999"


@pytest.mark.slow
def test_columns_of_many_are_found_by_their_names(shared, wide):
    page = open_table(shared, wide)
    assert list(page.rows) == [f"gene{place}" for place in range(MAX_COLUMNS)]
    shared.controllers.data.ask_reading()
    assert shared.controllers.imports.dialog.preview.model().columnCount() == SEEN
    shared.controllers.imports.close()
    page.finder.setText("GENE199")
    assert shared.wait_until_idle(30_000)
    assert list(page.rows) == ["gene199", *(f"gene199{digit}" for digit in range(10))]
    for name in ("gene199", "gene1997"):
        page.rows[name].facts.lower_box.type_in("0")
        page.rows[name].facts.upper_box.type_in("6")
    page.finder.setText("gene3")
    assert shared.wait_until_idle(30_000)
    assert next(iter(page.rows)) == "gene3"
    assert {"gene199", "gene1997"} < page.rows.keys()  # declared columns stay in the list
    ask_on(shared, "clustering")
    assert shared.session.state.data.columns == ("gene199", "gene1997")


@pytest.mark.slow
def test_the_menu_of_the_side_panel_finds_columns(shared_points, wide):
    open_table(shared_points, wide)
    for name in ("gene0", "gene1"):
        declare(shared_points, name, lower=0, upper=6)
    ask_on(shared_points, "clustering")
    form = shared_points.body.column.data.form
    menu, finder = form.box("columns").menu, finder_of(form)
    assert len(menu.actions()) == MAX_COLUMNS + 1
    finder.setText("gene1999")
    assert [action.text() for action in menu.actions()[1:]] == ["gene0", "gene1", "gene1999"]
    menu.actions()[-1].trigger()
    assert shared_points.wait_until_idle(30_000)
    assert shared_points.session.state.data.columns == ("gene0", "gene1", "gene1999")
