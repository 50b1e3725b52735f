"""The form of histograms: every mechanism is offered, and Run stays in sight whatever is asked."""

import numpy as np
import pytest

from app.model.kinds.category_choice import CategoryChoice
from app.model.pages.registry import PAGE_KINDS, queries_of
from app.session import Session
from engine.catalog import questions
from engine.parameters import idle_parameters
from engine.progress import silent

pytestmark = pytest.mark.usefixtures("undrawn")


def test_run_is_in_sight_at_the_usual_size_with_all_fine_tuning(window_of, dataset):
    numbers = np.linspace(0.0, 1.0, 40)
    data = dataset(x=numbers, y=numbers**2, sex=["f", "m"] * 20, smokes=["yes", "no", "no", "no"] * 10)
    lists = {"sex": ("f", "m"), "smokes": ("yes", "no")}
    fields = {
        "columns": ("x", "y"),
        "bounds": {"x": (0.0, 1.0), "y": (0.0, 1.0)},
        "missing": "refuse",
        "bounds_source": "known",
        "categories": CategoryChoice(columns=tuple(lists), lists=lists),
    }
    session = Session()
    session.show_page("histogram")
    session.open_dataset(data, "open", **PAGE_KINDS["histogram"].read(data, fields, silent))
    window = window_of(session, 30_000)
    window.resize(1280, 800)
    box = window.body.column.release.form.chooser("query").box
    offered = [box.itemData(i) for i in range(box.count()) if box.itemData(i)]
    assert sorted(offered) == sorted(queries_of("histogram"))
    assert offered[0] == "histogram-noisy"
    assert not any(
        questions()[name].facts.is_private for name in offered[-5:]
    )  # what promises nothing is last
    headings = [box.itemText(i) for i in range(box.count()) if not box.itemData(i)]
    assert headings == [
        "Cells",
        "Quantiles",
        "Matrices",
        "Counts of conditions",
        "Synthetic data",
        "Choices",
        "Tables of categories",
        "Single answers about categories",
        "Local model",
        "Cells: Not DP",
        "Moved points: Not DP",
    ]
    for name in offered:
        session.edit("ask", query=name)
        form = window.body.column.release
        form.tuning_button.setChecked(True)
        inside, room = window.body.column.widget(), window.body.column.viewport()
        needed = inside.layout().totalHeightForWidth(room.width())
        assert 400 < needed <= room.height(), name
        shown = {field for row in form.rows for field in row.fields} - {"query"}
        kind = questions()[name]
        wanted = {one.name for one in kind.parameters()} - idle_parameters(kind, {})
        if "block_function" in wanted:  # which has a form of its own within
            wanted = wanted - {"block_function"} | {"function", "metric"}
        assert shown == wanted, name
    assert window.wait_until_idle(30_000)
