"""A page that is declared here, and registered with one call, stands in the window like any other."""

from __future__ import annotations

import dataclasses

import pytest
from scripts import example, found

from app.actions import page_titles
from app.export.script import script_of, to_python
from app.model.kinds.page_data import PageData
from app.model.kinds.registry import COLUMN
from app.model.page_spec import PageSpec
from app.model.pages.registry import PAGE_KINDS, PAGES, register
from app.model.pages.sensitivity import told
from app.model.picture_spec import PictureSpec, TabTitle
from app.model.view_states import ViewState

SPREAD = PageSpec(
    "spread",
    "Spread",
    "How values spread",
    PageData({COLUMN: "winsorized-mean"}, "two-heaps"),
    (
        PictureSpec(
            "epsilon",
            TabTitle("Against ε", "ε", "Sensitivity over a sweep of epsilon", "As it is."),
            drawn_by="app.plots.sensitivity.against_epsilon:AgainstEpsilon",
            analysis="engine:sensitivity_against_epsilon",
        ),
        PictureSpec(
            "noise",
            TabTitle("Noise", "Noise", "Densities of noise", "As it is."),
            drawn_by="app.plots.sensitivity.noise_densities:NoiseDensities",
            analysis="engine:noise_families",
            public_analysis="engine:public_noise_families",
        ),
    ),
    estimate="engine:estimate_scalar_error",
    advice="app.pages.sensitivity.advice:advice",
    told=f"{told.__module__}:{told.__name__}",
    icon="table",
)


@pytest.fixture(autouse=True)
def registered():
    """Register the page for the time of a test."""
    register(SPREAD)
    yield
    for registry in (PAGES, PAGE_KINDS):
        del registry[SPREAD.name]


@pytest.fixture
def opened(window_of):
    """Open the page in a window, with the example of a first visit."""
    from app.session import Session

    window = window_of(Session())
    window.actions_by_name["page_spread"].trigger()
    assert window.wait_until_idle(20_000)
    return window


def test_it_is_in_menu_and_list_of_pages(window):
    assert page_titles()["spread"] == "Spread"
    assert "page_spread" in window.actions_by_name
    assert window.body.navigation.pages.count() == len(page_titles())


def test_a_first_visit_shows_its_example_and_its_first_picture(opened):
    page = opened.body.pages["spread"]
    assert opened.session.state.query == "winsorized-mean"
    assert opened.session.state.dataset.example == "two-heaps"
    assert page.canvas.has_result
    assert "Typical error" in opened.body.column.release.error.text()


def test_it_can_release_and_be_audited(opened):
    opened.controllers.run.start()
    assert opened.wait_until_idle(20_000)
    (record,) = opened.session.state.releases
    assert record.release.query == "winsorized-mean"
    page = opened.body.pages["spread"]
    page.show_audit(runs=1000)
    assert opened.wait_until_idle(60_000)
    assert page.audit.found is not None


def test_the_release_view_shows_what_is_public(opened):
    opened.session.show_view("release")
    assert opened.wait_until_idle()
    page = opened.body.pages["spread"]
    assert page.card.tab == "noise"
    assert page.canvas.has_result


def test_a_session_file_keeps_it(opened, tmp_path, window_of):
    from app.session import Session

    opened.body.pages["spread"].show_tab("noise")
    assert opened.wait_until_idle()
    path = tmp_path / "work.sensiscope"
    opened.controllers.session_files.write(path)
    assert opened.wait_until_idle()
    again = window_of(Session())
    again.controllers.files.open_path(path)
    assert again.wait_until_idle(20_000)
    assert again.session.state.page == "spread"
    assert again.body.pages["spread"].card.tab == "noise"


def test_a_script_tells_its_numbers():
    names = found(to_python(script_of(example("spread", "two-heaps"), ViewState(tab="epsilon"))))
    assert "S* at epsilon = 1 (private): " in names["printed"]
    assert names["shown"].current_epsilon == 1.0


def test_a_page_that_tells_nothing_else_has_a_script_of_its_pictures():
    PAGES[SPREAD.name] = dataclasses.replace(SPREAD, told="")
    names = found(to_python(script_of(example("spread", "two-heaps"), ViewState(tab="epsilon"))))
    assert names["shown"].current_epsilon == 1.0
    assert "true value" not in names["printed"]


def test_a_second_page_of_its_name_is_refused():
    with pytest.raises(ValueError, match="another page"):
        register(SPREAD)
