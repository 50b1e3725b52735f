"""What is kept of data: choices and places, from which the data come back as they were."""

import gc
import weakref

import pytest

from app.model.kept_data import KeptChoice, KeptFields, WeakCells, found_in, read_dataset, read_example
from app.model.kinds.categories import CategoriesKind
from app.model.kinds.category_choice import CategoryChoice
from app.model.pages.registry import PAGE_KINDS
from engine.data import EXAMPLES
from engine.data.reading_options import DETECTED
from engine.errors import DataError
from engine.progress import silent

PEOPLE = "age,city\n" + "".join(f"{20 + i},{'ABC'[i % 3]}\n" for i in range(30))
CATEGORIES = {"columns": ("city",), "missing": "refuse", "lists": {"city": ("A", "B", "C")}}
POINTS = {"columns": ("age",), "missing": "refuse", "bounds": {"age": (0.0, 120.0)}}


@pytest.fixture
def read(tmp_path):
    """Return a reader of a file with points and categories, and its path."""
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)

    def make():
        dataset, data = read_dataset(path, DETECTED, silent), PAGE_KINDS["histogram"]
        categories = CategoryChoice(**CategoriesKind().read(dataset, CATEGORIES, silent))
        points = data.kinds[0].read(dataset, POINTS, silent)
        return dataset, data.choice(**points, categories=categories)

    return make, path


def test_what_is_there_is_found_and_what_is_gone_is_read_again(read):
    make, _ = read
    dataset, choice = make()
    fields = {"dataset": dataset, "data": choice, "epsilon": 2.0}
    kept = KeptFields("histogram", fields, dataset, WeakCells())
    values = kept.values()
    assert (values["dataset"], values["epsilon"]) == (dataset, 2.0)
    assert found_in(values["data"]) == found_in(choice)
    assert set(found_in(choice)) == {("points",), ("categories", "answers")}
    gone = weakref.ref(dataset)
    del dataset, choice, fields, values
    gc.collect()
    assert gone() is None
    assert kept.values() is None
    found = kept.read(silent)
    for cell, value in found:
        cell.fill(value)
    values = kept.values()
    assert values["data"].points.values[:, 0].tolist() == list(range(20, 50))
    assert values["data"].categories.answers.columns == ("city",)
    assert values["data"].categories.lists == CATEGORIES["lists"]
    assert values["data"].bounds == POINTS["bounds"]


def test_what_is_read_again_is_there_for_all_who_had_it(read):
    make, _ = read
    dataset, choice = make()
    weak_cells = WeakCells()
    both = KeptFields("histogram", {"dataset": dataset, "data": choice}, dataset, weak_cells)
    part = KeptFields("histogram", {"categories": choice.categories}, dataset, weak_cells)
    del dataset, choice
    gc.collect()
    assert part.values() is None
    found = both.read(silent)
    for cell, value in found:
        cell.fill(value)
    assert part.values()["categories"].answers is both.values()["data"].categories.answers


@pytest.mark.parametrize("change", ["other", "order", "no table", "gone"])
def test_a_file_that_is_not_as_it_was_is_refused(read, change):
    make, path = read
    dataset, choice = make()
    kept = KeptFields("histogram", {"dataset": dataset, "data": choice}, dataset, WeakCells())
    del dataset, choice
    gc.collect()
    head, *rows = PEOPLE.splitlines(keepends=True)
    texts = {"other": PEOPLE + "9,A\n", "order": "".join([head, *reversed(rows)]), "no table": ""}
    path.unlink() if change == "gone" else path.write_text(texts[change])
    said = "the file no longer exists" if change == "gone" else "the file has changed"
    with pytest.raises(DataError, match=rf"people\.csv: {said}.* everything stays as it is"):
        kept.read(silent)


def test_an_example_comes_back_by_its_name():
    name = next(name for name, card in EXAMPLES.items() if card.kind == "graph")
    opened = read_example("spanning-tree", name, silent)
    choice = PAGE_KINDS["spanning-tree"].choice(**opened.fields)
    kept = KeptFields("spanning-tree", {"data": choice}, opened.dataset, WeakCells())
    ends = choice.edges.ends.tolist()
    del opened, choice
    gc.collect()
    found = kept.read(silent)
    for cell, value in found:
        cell.fill(value)
    assert kept.values()["data"].edges.ends.tolist() == ends


def test_data_from_nowhere_are_kept_whole(dataset):
    made = dataset(x=[1.0, 2.0])
    weak_cells = WeakCells()
    weak_cells.cell(made)
    kept = KeptFields("median", {"dataset": made}, made, weak_cells)
    del made
    gc.collect()
    assert kept.values()["dataset"].table.n == 2


def test_a_choice_knows_whether_another_one_was_read_like_it(read):
    make, _ = read
    _, choice = make()
    _, again = make()
    kept = KeptChoice.of(choice, WeakCells())
    assert kept.is_found_in(choice)
    assert not kept.is_found_in(again)
    assert not kept.is_found_in(kept.choice)
