"""Declarations name functions, and analyses get inputs by the names of their parameters."""

import inspect

import pytest

from app.model.pages.audit import AUDIT
from app.model.pages.registry import PAGES, places
from app.model.references import Analysis

COMMON = {"mechanism", "data", "privacy", "progress", "publish", "seed", "released", "records"}
PICTURES = [
    pytest.param(picture, id=f"{name} {picture.name}")
    for name, page in {**places(), "audit": AUDIT}.items()
    for picture in page.pictures
]


def bound(lower, *, upper=1):
    return lower, upper


def test_an_analysis_gets_all_that_has_the_names_of_its_parameters():
    analysis = Analysis(lambda: bound)
    assert analysis.takes == {"lower", "upper"}
    assert analysis.call({"lower": 2, "upper": 3, "other": 4}) == (2, 3)
    assert analysis.call({"lower": 2, "other": 3}) == (2, 1)


def needed(analysis):
    """Return the parameters of an analysis that have no default."""
    parameters = inspect.signature(analysis.function).parameters.values()
    return {one.name for one in parameters if one.default is one.empty}


@pytest.mark.parametrize("picture", PICTURES)
def test_an_analysis_needs_nothing_that_is_not_known(picture):
    options = {declared.name for declared in picture.declared}
    editors = {"query", "window"}  # what the editor of attacks says besides
    assert picture.arguments or needed(picture.analysis) <= COMMON | options | editors


@pytest.mark.parametrize("page", PAGES)
def test_estimates_need_nothing_that_is_not_known(page):
    options = {declared.name for picture in PAGES[page].pictures for declared in picture.declared}
    estimate = PAGES[page].estimate
    assert estimate is None or needed(estimate) <= COMMON | options


@pytest.mark.parametrize("picture", PICTURES)
def test_each_option_of_a_picture_is_used(picture):
    view = set(inspect.signature(picture.view()).parameters) if picture.view else set()
    assert {declared.name for declared in picture.declared} <= picture.analysis.takes | view
