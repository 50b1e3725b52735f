"""Predictions: the answer stays hidden until it is given, and the distance is measured."""

import math

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from tiny_lesson import HEAD, STEP

from app.lessons.lesson import Prediction
from app.lessons.reading import read_lesson
from app.panels.prediction_box import verdict_of
from engine.errors import DataError

CHOICE = STEP[STEP.index("answers") :]
DATA = "values = [0, 0, 0, 0, 0]\nlower = 0\nupper = 10\n"
SCENE = DATA + 'tab = "path"\npath = "upper"\nlayers = ["answer", "local"]'
LINE = 'predict = "line"\nlayer = "local"\nbecause = "So."\n'
POINT = 'predict = "point"\nanswer = "upper"\nscale = [0, 20]\nunit = "$"\nbecause = "So."\n'
BET = 'predict = "bet"\nanswers = ["No", "Yes"]\nright = 2\nbecause = "So."\n'


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a lesson of one question for each text."""

    def writing(*questions):
        steps = [
            STEP.format(title=f"Step {index}", page="median", scene=SCENE).replace(CHOICE, question)
            for index, question in enumerate(questions)
        ]
        path = tmp_path / "own.toml"
        path.write_text(HEAD + "".join(steps), "utf-8")
        return read_lesson(path)

    return writing


def test_points_bets_and_lines_are_read(write):
    point, bet, line = (step.question.prediction for step in write(POINT, BET, LINE).steps)
    assert (point.answer, point.lower, point.upper, point.log, point.unit) == (10, 0, 20, False, "$")
    assert (bet.answer, bet.ends) == (100, ("No", "Yes"))
    assert line.layer == "local"


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        (LINE.replace("local", "global"), "'layers'"),
        (POINT.replace("20", "5"), "between them"),
        (POINT.replace('"upper"', '"uper"'), "upper"),
        (BET.replace('["No", "Yes"]', '["No"]'), "2 answers"),
    ],
)
def test_a_mistake_is_named(write, question, problem):
    with pytest.raises(DataError, match=problem):
        write(question)


def test_distances_are_shares_of_the_scale():
    point = Prediction(10.0, 0.0, 20.0)
    assert point.distance(15.0) == pytest.approx(0.25)
    assert verdict_of(point, 11.0)[0] is True
    assert verdict_of(point, 19.0)[0] is False
    wide = Prediction(100.0, 1.0, 10_000.0, log=True)
    assert wide.distance(1.0) == pytest.approx(0.5)
    assert wide.number(wide.share(73.0)) == pytest.approx(73.0)
    bet = Prediction(100.0, ends=("No", "Yes"))
    assert verdict_of(bet, 80.0) == (True, "You gave 80\u202f% to “Yes”, which is right.")
    assert verdict_of(bet, 20.0)[0] is False
    assert verdict_of(Prediction(layer="local"), math.nan) == (None, "")


def test_a_drawn_line_is_compared_with_its_layer(stage, write):
    player, panel = stage.controllers.lessons.player, stage.body.lesson
    player.start(write(LINE, POINT))
    assert stage.wait_until_idle()
    picture, surface = stage.page.canvas.picture, stage.page.canvas.surface
    assert not any(one.get_visible() for one in picture.layered["local"])  # nor the size of its jump
    assert not any(text.startswith("local") for text in picture.labels.texts())
    assert not panel.question.verdict.isVisible()
    assert not stage.page.card.advice.text()  # it would reveal the hidden line
    draw(
        surface,
        picture.axes,
        [(5 * index / 40, 10.0 if 1.5 < index / 8 < 3.5 else 0.0) for index in range(41)],
    )
    assert stage.wait_until_idle()
    assert player.answers[0] < 0.05
    assert stage.page.canvas.picture.layered["local"][0].get_visible()
    assert "your line is off by" in panel.question.verdict.text()
    player.next()
    assert stage.wait_until_idle()
    panel.question.prediction.slider.setValue(100)
    panel.question.prediction.reveal.click()
    assert player.answers[1] == 10.0
    panel.question.take(3.0)
    assert player.answers[1] == 10.0  # the first prediction counts
    player.leave()
    assert stage.wait_until_idle()


def test_a_line_is_drawn_by_keyboard(stage, write):
    player, panel = stage.controllers.lessons.player, stage.body.lesson
    player.start(write(LINE, POINT))
    assert stage.wait_until_idle()
    canvas = stage.page.canvas
    assert "arrow keys" in panel.question.prediction.value.text()
    canvas.setFocus()
    for _ in range(50):
        QTest.keyClick(canvas, Qt.Key.Key_Down)
    for right, up in ((0, 0), (30, 0), (2, 91), (36, 0), (2, -91), (20, 0)):
        for key, steps in ((Qt.Key.Key_Right, right), (Qt.Key.Key_Up, up), (Qt.Key.Key_Down, -up)):
            for _ in range(max(0, steps)):
                QTest.keyClick(canvas, key)
        assert 0 not in player.answers
        QTest.keyClick(canvas, Qt.Key.Key_Return)
    assert player.index == 0  # Enter did not go on
    assert player.answers[0] < 0.1
    assert canvas.picture.layered["local"][0].get_visible() or stage.wait_until_idle()
    assert "your line is off by" in panel.question.verdict.text()
    QTest.keyClick(canvas, Qt.Key.Key_Return)  # the line is complete
    assert len(stage.controllers.lessons.drawn_line._points) == 6
    player.leave()
    assert stage.wait_until_idle()


def draw(surface, axes, points):
    """Draw a line with the mouse through points in data coordinates."""
    ratio = surface.device_pixel_ratio
    pixels = [axes.transData.transform(point) / ratio for point in points]
    places = [QPoint(round(x), round(surface.height() - y)) for x, y in pixels]
    QTest.mousePress(surface, Qt.MouseButton.LeftButton, pos=places[0])
    for place in places[1:]:
        QTest.mouseMove(surface, place)
    QTest.mouseRelease(surface, Qt.MouseButton.LeftButton, pos=places[-1])
