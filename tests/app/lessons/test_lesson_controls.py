"""A lesson shows the controls and tabs that it uses; all others are a click away."""

import pytest

from app.lessons.reading import faults_of, lessons, read_lesson

pytestmark = pytest.mark.usefixtures("undrawn")

LESSONS = {lesson.name: lesson for lesson in lessons()[0]}


def rows(window):
    """Return the fields of the rows that are in sight."""
    return {field for row in window.body.column.rows if row.isVisible() for field in row.fields}


def tabs(window):
    """Return the titles of the tabs in sight."""
    bar = window.page.card.tabs
    return [bar.titles[key].name for key in bar.offered]


def test_what_a_lesson_does_not_use_is_folded_until_it_is_wanted(stage):
    whole, shown = rows(stage), tabs(stage)
    stage.controllers.lessons.play(LESSONS["choosing-bounds"])
    assert stage.wait_until_idle(60_000)
    column = stage.body.column
    assert rows(stage) == {"epsilon", "lower", "upper"}
    assert not column.release.isVisible()  # q is a parameter of another step's query
    assert tabs(stage) == ["By distance k", "Distribution"]
    column.more.click()
    assert {"delta", "query", "method", "column"} <= rows(stage)
    assert tabs(stage) == shown
    column.more.click()
    assert rows(stage) == {"epsilon", "lower", "upper"}
    # rows that are made while it is played are folded, too
    stage.body.lesson.next.click()
    assert stage.wait_until_idle(60_000)
    assert rows(stage) == {"epsilon", "lower", "upper"}
    stage.controllers.lessons.player.leave()
    assert stage.wait_until_idle(60_000)
    assert rows(stage) == whole
    assert tabs(stage) == shown
    assert not column.more.isVisible()


def test_an_unknown_control_is_a_fault_and_none_named_means_all(tmp_path):
    from tiny_lesson import HEAD, SCENES, STEP

    title, page, scene = SCENES[0]
    step = STEP.format(title=title, page=page, scene=scene)
    path = tmp_path / "own.toml"
    path.write_text(HEAD + step, "utf-8")
    assert read_lesson(path).controls is None
    path.write_text(f'{HEAD}controls = ["epsilom"]\n{step}', "utf-8")
    (fault,) = faults_of(path)
    assert "epsilom" in str(fault)
    assert "epsilon" in str(fault)
