"""What a window ends with: files and what is declared about them, and nothing that follows from raw data."""

import dataclasses

import pytest
from sessions import record

from app.documents.last_session import last_session, pages_of
from app.documents.schema import DocumentError
from app.model.kept_data import read_file
from app.model.kinds.category_choice import CategoryChoice
from app.model.pages.registry import PAGE_KINDS
from app.model.state import SessionState
from engine.data.reading_options import DETECTED
from engine.progress import silent

TABLE = "age,smokes\n" + "".join(f"{31 + i},{'no' if i % 3 else 'yes'}\n" for i in range(20))


def opened(path, page, **fields):
    """Return a state with a file on a page."""
    dataset = read_file(page, path, DETECTED, silent).dataset
    read = PAGE_KINDS[page].read(dataset, {"missing": "refuse", **fields}, silent)
    return SessionState().at(page).replaced({**read, "dataset": dataset})


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "people.csv"
    file.write_text(TABLE, "utf-8")
    return file


def test_what_is_declared_comes_back_and_nothing_private_is_there(path):
    state = opened(path, "median", column="age", lower=0.0, upper=120.0, bounds_source="looked")
    state = dataclasses.replace(state.replaced({"modified_values": {3: 87.5}}), releases=(record("a"),))
    text = last_session(state, "")
    page = pages_of(text)["median"]
    assert page.data.path == str(path)
    assert {name: page.fields[name] for name in ("column", "upper", "bounds_source")} == {
        "column": "age",
        "upper": 120.0,
        "bounds_source": "looked",
    }
    rest = text.replace(str(path), "")  # its folder may hold any number
    assert rest != text
    for private in ("87.5", "34", state.dataset.digest, "48211"):
        assert private not in rest


def test_categories_come_back(path):
    lists = {"smokes": ("yes", "no")}
    choice = CategoryChoice(columns=("smokes",), lists=lists, unseen="other")
    state = opened(path, "histogram", categories=choice, query="contingency-table")
    fields = pages_of(last_session(state, ""))["histogram"].fields
    assert (fields["categories"], fields["mechanism"].name) == (choice, "contingency-table")


def test_pages_that_were_not_opened_keep_what_was_kept_and_examples_keep_nothing(path):
    before = last_session(opened(path, "median", column="age"), "")
    both = last_session(opened(path, "clustering", columns=("age",)), before)
    assert set(pages_of(both)) == {"median", "clustering"}
    state = opened(path, "median", column="age")
    dataset = dataclasses.replace(state.dataset, path=None, example="salaries")
    example = dataclasses.replace(state, dataset=dataset)
    assert set(pages_of(last_session(example, both))) == {"clustering"}
    assert last_session(example, "") == ""


@pytest.mark.parametrize("text", ["[", "{}", '{"format": 1}', "7"])
def test_nonsense_is_refused_with_its_place_and_forgotten(text, path):
    with pytest.raises(DocumentError):
        pages_of(text)
    assert set(pages_of(last_session(opened(path, "median", column="age"), text))) == {"median"}


def test_an_impossible_value_in_a_field_costs_its_page_alone_what_is_new(path):
    state = opened(path, "median", column="age", lower=0.0, upper=120.0)
    good = last_session(state, "")
    wrong = state.replaced({"query": "quantile", "parameters": {"query/quantile": {"q": 7.0}}})
    both = dataclasses.replace(
        opened(path, "clustering", columns=("age",)), other_pages={"median": wrong.page_fields()}
    )
    pages = pages_of(last_session(both, good))
    assert set(pages) == {"median", "clustering"}
    assert pages["median"].fields["mechanism"].asked.name == "median"
    assert set(pages_of(last_session(wrong, ""))) == set()
