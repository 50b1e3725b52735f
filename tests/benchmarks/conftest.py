"""The window that benchmarks look at."""

import numpy as np
import pyarrow as pa
import pytest

from app.model.dataset import Dataset
from app.session import Session
from app.window.main_window import MainWindow
from engine.data import Table


@pytest.fixture
def window(qtbot):
    """The window on a million salaries, shown and idle."""
    values = np.random.default_rng(1).lognormal(10.5, 0.8, 1_000_000)
    table = Table("salaries.csv", pa.table({"salary": values}))
    session = Session()
    session.open_dataset(
        Dataset(table, "salaries"),
        "open",
        column="salary",
        numbers=table.numbers("salary"),
        lower=0.0,
        upper=500_000.0,
    )
    window = MainWindow(session)
    window.show()
    assert window.wait_until_idle(30_000)
    yield window
    window.close()
    window.deleteLater()
