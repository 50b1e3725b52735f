"""Where a package from elsewhere adds what no built-in part has: words, columns, suffixes."""

import dataclasses
from typing import ClassVar

import numpy as np
import pytest

from app.commands.main import main
from app.commands.support.plugins import refuse_ambiguous_options
from app.jobs.channels import Jobs
from app.model.kinds.column import NumbersChoice
from app.model.kinds.numbers import NumbersKind
from app.model.kinds.registry import KINDS
from app.model.pages.registry import PAGES
from app.model.picture_spec import TabTitle
from app.model.wording.neighbours import WORDS
from app.pages.clustering.page import ClusteringPage
from engine import Median, parameter
from engine.data.formats.registry import FORMATS


def test_a_title_of_a_stage_calls_records_what_they_are(qtbot, session):
    declared = PAGES["clustering"]
    first = dataclasses.replace(
        declared.pictures[0], title=TabTitle("Shares", "Shares of {records}", "Of {records}")
    )
    jobs = Jobs()
    page = ClusteringPage(
        dataclasses.replace(declared, pictures=(first, *declared.pictures[1:])), session, jobs
    )
    qtbot.addWidget(page)
    page.show_tab(first.name)
    page.card.show_words(WORDS[session.state.neighbours])
    assert page.card.titles[first.name].shows == "Shares of records"
    assert "{" not in page.card.tabs.tabToolTip(0)
    jobs.close()


@dataclasses.dataclass(frozen=True, eq=False)
class SpeedChoice(NumbersChoice):
    covered: str = ""
    took: str = ""


def test_each_column_of_a_kind_is_named_in_the_form():
    class SpeedKind(NumbersKind):
        name, words, choice = "speeds", "speeds", SpeedChoice
        boxes: ClassVar = {"covered": "Way", "took": "Time"}
        formula = "covered / took"

        def numbers(self, covered: np.ndarray, took: np.ndarray) -> np.ndarray:
            return covered / took

    assert SpeedKind.fields[0].label == "Way – Time"


@pytest.mark.parametrize("name", list(KINDS))
def test_files_to_open_are_those_of_formats_registered_later(name, monkeypatch):
    later = dataclasses.replace(FORMATS["parquet"], name="later", suffixes=(".later",))
    monkeypatch.setitem(FORMATS, "later", later)
    assert "*.later" in KINDS[name].files


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((), "--data: the page durations has no example to begin with; name --data"),
        (("--example", "salaries"), "no example does; name --data"),
    ],
)
def test_a_page_without_an_example_says_what_is_missing(outside, tmp_path, capsys, words, text):
    assert main(["screenshot", "durations", *words, "--out", str(tmp_path / "page.png")]) == 2
    assert text in capsys.readouterr().err


@dataclasses.dataclass(frozen=True)
class Wide(Median):
    name, label = "wide", "Wide"
    column: float = parameter(default=1.0, label="Column", help="A column.")


def test_an_option_that_means_something_else_already_is_refused(monkeypatch):
    class WayKind(NumbersKind):
        name, words, choice = "ways", "ways", SpeedChoice
        boxes: ClassVar = {"way": "Way", "took": "Time"}
        formula = "way / took"

        def numbers(self, way: np.ndarray, took: np.ndarray) -> np.ndarray:
            return way / took

    refuse_ambiguous_options([Median])
    with pytest.raises(ValueError, match=r"--column would mean two things: .*'wide'.*'column'"):
        refuse_ambiguous_options([Wide])
    monkeypatch.setitem(KINDS, "ways", WayKind())
    with pytest.raises(ValueError, match=r"--way would mean two things: .*interior-point.*'ways'"):
        refuse_ambiguous_options([KINDS["ways"]])
