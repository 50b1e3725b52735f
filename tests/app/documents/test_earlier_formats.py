"""A file of the first format, in which what is chosen makes no tree, is opened as it was meant."""

import json
import shutil
from pathlib import Path

import pytest

from app.documents.loading import load_session
from app.documents.reading import read_session
from app.documents.schema import DocumentError
from app.documents.writing import save
from app.model.selection import selection
from engine import (
    Average,
    BlackBox,
    LaplaceRelease,
    Ledger,
    Partition,
    Quantile,
    SampleAggregate,
    SmoothRelease,
    StudentT,
)

SAMPLE = Path(__file__).parent / "format_1.json"


@pytest.fixture
def file(tmp_path):
    """Return a copy of the file."""
    return Path(shutil.copy(SAMPLE, tmp_path / "work.sensiscope"))


def state_of(file):
    ledger = Ledger(None)
    return load_session(read_session(file, ledger), {}, ledger).work.state


def test_what_stood_side_by_side_is_a_tree(file, tmp_path):
    state = state_of(file)
    assert state.mechanism.build() == LaplaceRelease(query=Quantile(q=0.25))
    smooth = state.known.specify("mechanism", "smooth").build()
    assert smooth == SmoothRelease(query=Quantile(q=0.25), noise=StudentT(nu=4.0), split=0.25)
    function = BlackBox(
        str(tmp_path / "mine.py"), "middle", (0.0, 0.0), (1.0, 1.0), seconds=2.0, memory_mb=100
    )
    there = state.at("clustering")
    assert there.mechanism.build() == SampleAggregate(
        sampling=Partition(blocks=9), aggregator=Average(), block_function=function
    )
    assert there.trusted == frozenset()
    assert selection(state).privacy.epsilon == 1.0


def test_it_is_saved_in_the_format_of_now(file):
    ledger = Ledger(None)
    work = load_session(read_session(file, ledger), {}, ledger).work
    save(work, file, ledger)
    assert json.loads(file.read_text("utf-8"))["format"] == 3
    assert state_of(file).mechanism == work.state.mechanism


@pytest.mark.parametrize(
    ("where", "value", "words"),
    [
        (("shared", "method"), "clusters", "shared.method: 'clusters' is not known"),
        (("shared", "parameters"), {"noise/lcp": {"q": 1}}, "no such parameter of lcp"),
        (("shared", "parameters"), [], "a list is not an object"),
        (("pages", "median", "desk", "query"), "mst", "pages.median.desk.query: 'mst' is not known"),
        (("pages", "clustering", "desk", "black_box"), None, "must name a function from a file"),
    ],
)
def test_what_makes_no_sense_is_named_with_its_place(file, where, value, words):
    content = json.loads(file.read_text("utf-8"))
    node = content
    for step in where[:-1]:
        node = node[step]
    node[where[-1]] = value
    file.write_text(json.dumps(content), "utf-8")
    with pytest.raises(DocumentError, match=words):
        read_session(file, None)
