"""Whatever can be cancelled is cancelled at any moment, soon, and leaves nothing half done behind."""

import contextlib
import random

import numpy as np
import pyarrow as pa
import pytest
from cancellable import BOUNDS, Impatient, analyses, budget, data_for, runs, runs_by_aggregator, work_of
from pyarrow import parquet
from thinned import thinned

from engine.extras.stored.opening import stored_column
from engine.extras.stored.sample import StoredSample
from engine.progress import Cancelled
from engine.randomness import reproducible

SMALL, LARGE = 300, 300_000
MANY = 100_000
"""Records of which analyses are asked about: most look at all of them several times."""
SOON = 0.2
"""Seconds of this thread's own time."""
PATIENCE = 3.0
"""Seconds after which users do not wait for the end of an analysis."""

RUNS, ANALYSES = runs(SMALL) | runs_by_aggregator(SMALL), analyses(SMALL)


def run_of(mechanism, data):
    """Return a simulated release, as a function of a progress."""
    return lambda progress: mechanism.run(data, budget(mechanism), reproducible(1), progress)


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=[pytest.mark.slow] * one.endswith("smallest-ball")) for one in RUNS],
)
def test_a_release_is_cancelled_at_any_moment_and_then_made_as_ever(name):
    mechanism = RUNS[name]
    whole = Impatient()
    expected = run_of(mechanism, data_for(mechanism, SMALL))(whole)
    data = data_for(mechanism, SMALL)
    if whole.called:
        with pytest.raises(Cancelled):
            run_of(mechanism, data)(Impatient(calls=random.Random(name).randint(1, whole.called)))
    assert run_of(mechanism, data)(Impatient()).value == expected.value


@pytest.fixture(scope="module")
def column_of_a_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("stored") / "people.parquet"
    values = np.random.default_rng(1).gamma(2.0, 1.0, 20_000)
    parquet.write_table(pa.table({"pay": values}), path, row_group_size=1000)
    return stored_column(path, "pay")


OF_A_COLUMN = [name for name, one in RUNS.items() if one.reads == "column"]


@pytest.mark.parametrize("name", thinned(OF_A_COLUMN, str.split))
def test_so_is_one_of_a_column_that_stays_in_its_file(name, column_of_a_file):
    mechanism = RUNS[name]

    def released(progress):
        return run_of(mechanism, StoredSample(column_of_a_file, BOUNDS, progress=progress))(progress).value

    whole = Impatient()
    expected = released(whole)
    assert whole.called >= 20  # pieces of the file
    with pytest.raises(Cancelled):
        released(Impatient(calls=random.Random(name).randint(1, whole.called)))
    assert released(Impatient()) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", ANALYSES)
def test_so_is_an_analysis_or_it_ends_soon(name):
    analysis, mechanism = ANALYSES[name]
    whole = Impatient(seconds=PATIENCE)
    with contextlib.suppress(Cancelled):  # so many reports there are at least
        work_of(analysis, mechanism, data_for(mechanism, SMALL))(whole)
    data = data_for(mechanism, SMALL)
    if whole.called:
        with pytest.raises(Cancelled):
            work_of(analysis, mechanism, data)(Impatient(calls=random.Random(name).randint(1, whole.called)))
    # nothing half done is in the way, and what is imported only once does not count any more
    assert longest_silence(work_of(analysis, mechanism, data)) < SOON


@pytest.mark.slow
@pytest.mark.parametrize("name", ANALYSES)
def test_an_analysis_of_many_records_is_cancelled_soon(name):
    """At any moment of its first second."""
    analysis, mechanism = ANALYSES[name]
    with contextlib.suppress(Cancelled):  # what is imported only once does not count
        work_of(analysis, mechanism, data_for(mechanism, SMALL))(Impatient(seconds=SOON))
    impatient = Impatient(seconds=random.Random(name).uniform(SOON, 1.0))
    with contextlib.suppress(Cancelled):
        work_of(analysis, mechanism, data_for(mechanism, MANY))(impatient)
    impatient.heard()
    assert impatient.silence < SOON


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_a_release_of_many_records_reports_soon(name):
    mechanism = RUNS[name]
    run_of(mechanism, data_for(mechanism, SMALL))(Impatient())  # what is imported only once does not count
    assert longest_silence(run_of(mechanism, data_for(mechanism, LARGE))) < SOON


def longest_silence(work):
    """Return the longest time between two reports, the start and the end; of long work, of its first part."""
    listening = Impatient(seconds=PATIENCE)
    with contextlib.suppress(Cancelled):
        work(listening)
    listening.heard()
    return listening.silence
