"""A fitted estimator can be stored, loaded and shown, and has nothing of the data in it."""

import copy
import io
import pickle
import pprint
import warnings

import joblib
import numpy as np
import pytest
from every_mechanism import MARKED, leaves_a_trace
from sklearn.base import clone

from engine import KMeansOnCells, Lloyd
from engine.errors import SensiscopeError
from engine.extras.libraries.estimators import PrivateKMeans, PrivateStatistic
from engine.mechanisms import Clusters, SmoothRelease

COLUMN = np.full(301, MARKED)
POINTS = np.concatenate([np.full((200, 2), MARKED), np.full((200, 2), 80.0)])
LIMITS = {"lower": 0.0, "upper": 100.0}
FITTED = [
    (PrivateStatistic(SmoothRelease(), **LIMITS), COLUMN),
    (PrivateStatistic(**LIMITS), COLUMN),
    (PrivateKMeans(Lloyd(k=2), **LIMITS), POINTS),
    (PrivateKMeans(KMeansOnCells(k=2), **LIMITS), POINTS),
    (PrivateKMeans(Clusters(k=2), **LIMITS), POINTS),
]


def stored(estimator):
    stream = io.BytesIO()
    joblib.dump(estimator, stream)
    return stream.getvalue()


@pytest.mark.parametrize(("estimator", "data"), FITTED)
def test_a_fitted_estimator_is_stored_and_shown_without_the_data(estimator, data):
    fitted = clone(estimator).fit(data)
    made = {f"pickle {one}": pickle.dumps(fitted, one) for one in range(pickle.HIGHEST_PROTOCOL + 1)}
    made |= {
        "joblib": stored(fitted),
        "vars": pprint.pformat(vars(fitted)).encode(),
        "release": pprint.pformat(vars(fitted.release_)).encode(),
        "repr": repr(fitted).encode(),
        "notebook": str(fitted._repr_html_()).encode(),
        "state": pickle.dumps(fitted.__getstate__()),
    }
    assert [name for name, content in made.items() if leaves_a_trace(MARKED, content)] == []
    for twin in (fitted, copy.copy(fitted), copy.deepcopy(fitted)):
        with pytest.raises(SensiscopeError, match="a copy or a stored release"):
            twin.release_.diagnostics["true_value"]


@pytest.mark.parametrize(("estimator", "data"), FITTED)
def test_a_loaded_estimator_does_what_the_fitted_one_did(estimator, data):
    fitted = clone(estimator).fit(data)
    for again in (pickle.loads(pickle.dumps(fitted)), joblib.load(io.BytesIO(stored(fitted)))):
        assert again.get_params() == fitted.get_params()
        assert again.release_ == fitted.release_
        if isinstance(fitted, PrivateKMeans):
            assert (again.predict(data) == fitted.predict(data)).all()
        else:
            assert again.value_ == fitted.value_


CELLS = [
    "from engine import Interval, Points, Sample, SmoothRelease, Lloyd\n"
    "from engine.extras.libraries.estimators import PrivateStatistic\n"
    "values = [float(line) for line in open('column.txt')]\n"
    "data = Sample(values, (0, 100))\n"
    "mechanism = SmoothRelease()",
    "data",
    "mechanism.run(data, 1.0)",
    "print(mechanism.run(data, 1.0), vars(mechanism.run(data, 1.0)))",
    "mechanism.run(data, 1.0).diagnostics",
    "mechanism.prepare(data, 1.0)",
    "Points([[value, value] for value in values], (0, 100))",
    "[Lloyd(k=2).run(Points([[value, value] for value in values], (0, 100)), 1.0)]",
    "PrivateStatistic(upper=100.0).fit(values)",
    "vars(_)",
]


@pytest.mark.slow
def test_a_saved_notebook_holds_nothing_of_the_data(tmp_path):
    """It is run in a fresh kernel, and what its cells show is looked through."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of the packages that these need
        import nbformat
        from nbclient import NotebookClient

        (tmp_path / "column.txt").write_text("\n".join(map(repr, COLUMN.tolist())), encoding="utf-8")
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
        NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert all(cell.outputs for cell in notebook.cells[1:])
    assert "Release" in (saved := nbformat.writes(notebook))
    assert not leaves_a_trace(MARKED, saved.encode())
