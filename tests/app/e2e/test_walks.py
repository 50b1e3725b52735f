"""Five tasks by clicks in a real window, in no more of them than promised, and with no dead end."""

import pytest
from PySide6.QtWidgets import QLabel
from walker import Walker
from walks import (
    LECTURE,
    MOST_ACTIONS,
    MOST_CLICKS,
    QUESTIONS,
    started,
    walk_through_game,
    walk_through_lecture,
    walk_to_answers,
    walk_to_figure,
    walk_to_report,
)

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def walker(request, qtbot, tmp_path):
    """Return what walks through a window; a test may say how it starts."""
    window = started(tmp_path, **getattr(request, "param", {}))
    yield Walker(window)
    window.close()
    window.deleteLater()


@pytest.mark.parametrize("walker", [{"first": True}], indirect=True)
def test_from_the_first_start_to_the_same_game_in_the_workbench(walker):
    won, share = walk_through_game(walker)
    assert won >= 4
    assert share < 0.66
    assert walker.clicks == 3
    window = walker.window
    assert window.session.state.dataset.example == "anas-firm"
    seen = [label.text() for label in window.findChildren(QLabel, "advice") if label.isVisible()]
    assert any("ε = 1 allows at most 73" in text for text in seen)
    assert window.body.messages.texts() == []


@pytest.mark.usefixtures("asks_for_limit")
@pytest.mark.parametrize("walker", [{"first": True}], indirect=True)
def test_from_an_own_file_to_a_report(walker, tmp_path):
    report = walk_to_report(walker, tmp_path)
    (record,) = walker.window.session.state.releases
    assert record.promises
    assert "people.csv" in report.read_text("utf-8")
    assert walker.clicks <= MOST_CLICKS["report"]
    assert walker.window.body.messages.texts() == []


@pytest.mark.usefixtures("asks_for_limit")
def test_from_an_own_file_with_missing_values_to_a_report_on_three_questions(walker, tmp_path):
    report, actions = walk_to_answers(walker, tmp_path)
    state = walker.window.session.state
    assert [row.question.as_text() for row in state.questions] == list(QUESTIONS)
    assert sum(record.release.privacy.epsilon for record in state.releases) == pytest.approx(1.0)
    text = report.read_text("utf-8")
    assert "Rows without salary or department are left out" in text
    assert "n = 2\N{NARROW NO-BREAK SPACE}000" in text
    assert actions <= MOST_ACTIONS
    assert walker.window.body.messages.texts() == []


@pytest.mark.slow
@pytest.mark.parametrize("walker", [{"size": (1280, 720)}], indirect=True)
def test_a_lecture_of_ten_steps_by_the_keys_of_a_clicker(walker):
    places = walk_through_lecture(walker)
    assert len(set(places)) == LECTURE
    assert walker.window.controllers.appearance.presenting
    assert walker.clicks <= MOST_CLICKS["lecture"]
    walker.window.controllers.lessons.player.leave()


@pytest.mark.slow
@pytest.mark.usefixtures("one_process")
def test_from_a_comparison_over_epsilon_to_a_figure_for_a_column(walker, tmp_path):
    import pypdf

    figure = walk_to_figure(walker, tmp_path)
    width = float(pypdf.PdfReader(figure).pages[0].mediabox.width) / 72
    assert width == pytest.approx(3.5, abs=0.1)
    assert walker.clicks <= MOST_CLICKS["figure"]
    assert walker.window.settings["figure_width"] == "single"  # the next figure begins there
