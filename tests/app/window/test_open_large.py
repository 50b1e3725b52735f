"""Files too large for memory: looked at, drawn and released while their records stay where they are."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet
from PySide6.QtGui import QGuiApplication
from tables import ask_on, declare

from app.model.views import CURATOR
from app.pages.sensitivity.data_card import STAYS
from engine import Interval, Median, Sample, StoredSample
from engine.data import large_files

pytestmark = pytest.mark.usefixtures("undrawn")

VALUES = np.random.default_rng(8).normal(50, 20, 3000).round(6)
TABLE = pa.table({"name": ["x"] * 3000, "pay": VALUES, "age": np.arange(3000.0)})


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_large_file(window, tmp_path, monkeypatch, kind):
    monkeypatch.setattr(large_files, "LARGE", 1000)
    path = tmp_path / f"people.{kind}"
    if kind == "parquet":
        parquet.write_table(TABLE, path, row_group_size=400)
    else:
        csv.write_csv(TABLE, path)
    window.controllers.data.start_with(path)
    assert window.wait_until_idle()
    assert list(window.page.rows) == ["pay", "age"]
    assert not any(row.bars.bars for row in window.page.rows.values())
    declare(window, "pay", lower=0, upper=100)
    ask_on(window, "median")
    page, state = window.body.pages["median"], window.session.state
    held = Sample(VALUES, Interval(0, 100))
    shown = page.canvas.picture.result
    assert (shown.n, shown.smooth) == (3000, Median().smooth_sensitivity(held, shown.beta).value)
    view = page.strip._view
    assert view.n == 3000
    assert np.isin(view.values, held.values).all()
    np.testing.assert_array_equal(held.values[view.indices], view.values)
    assert page.strip.hint.text() == STAYS
    page.strip.nudge(5)
    assert not window.session.state.modified
    assert state.view == CURATOR
    assert not window.actions_by_name["data_table"].isEnabled()
    window.actions_by_name["copy_python"].trigger()
    assert window.wait_until_idle()
    names = {}
    exec(QGuiApplication.clipboard().text(), names)
    assert isinstance(names["data"], StoredSample)
    assert names["shown"].smooth == shown.smooth
    window.controllers.releases.run()
    assert window.wait_until_idle()
    assert 0 <= window.session.state.releases[-1].release.value <= 100
