"""Declarations name functions that type checkers follow, and the options that these take."""

import subprocess
import sys
from pathlib import Path

import pytest

from app.model.pages.audit import AUDIT
from app.model.pages.registry import PAGES, places
from app.model.references import SCENE, USUAL, Analysis, Late, known

ROOT = Path(__file__).resolve().parents[3]
COMMON = {*USUAL, *SCENE, "publish"}
PICTURES = [
    pytest.param(picture, id=f"{name} {picture.name}")
    for name, page in {**places(), "audit": AUDIT}.items()
    for picture in page.pictures
]


def bound(lower, *, upper=1):
    return lower, upper


def test_an_analysis_gets_what_is_known_under_its_own_names():
    analysis = Late(lambda: bound).takes(lower=known("start"), upper=known("stop"))
    assert analysis.takes == {"start", "stop"}
    assert analysis.call({"start": 2, "stop": 3, "lower": 4}) == (2, 3)
    assert analysis.call({"start": 2}) == (2, 1)


def test_a_value_that_is_known_already_is_refused():
    with pytest.raises(TypeError, match="by keyword, as `known`"):
        Late(lambda: bound).takes(lower=1)
    with pytest.raises(TypeError, match="by keyword, as `known`"):
        Late(lambda: bound).takes(known("start"))


def test_without_a_list_it_gets_all_that_has_the_names_of_its_parameters():
    assert Analysis(lambda: bound).call({"lower": 2, "other": 3}) == (2, 1)


@pytest.mark.parametrize("picture", PICTURES)
def test_an_analysis_takes_nothing_that_is_not_known(picture):
    options = {declared.name for declared in picture.declared}
    editors = {"query", "window"}  # what the editor of attacks says besides
    assert picture.arguments or picture.analysis.takes <= COMMON | options | editors


@pytest.mark.parametrize("page", PAGES)
def test_estimates_need_nothing_that_is_not_known(page):
    options = {declared.name for picture in PAGES[page].pictures for declared in picture.declared}
    estimate = PAGES[page].estimate
    assert estimate is None or estimate.takes <= COMMON | options


@pytest.mark.slow
def test_another_name_of_a_parameter_is_an_error_of_types(tmp_path):
    text = """
from app.model.references import USUAL, Late, known
import engine
Late(lambda: engine.sensitivity_along_path).takes(**USUAL, target=known("target"))
Late(lambda: engine.sensitivity_along_path).takes(**USUAL, goal=known("target"))
"""
    (tmp_path / "declared.py").write_text(text)
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", str(tmp_path / "declared.py")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert 'Unexpected keyword argument "goal"' in done.stdout
    assert "Found 1 error" in done.stdout
