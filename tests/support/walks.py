"""Four tasks through a real window, each with the number of clicks that it takes.

``python tests/support/walks.py FOLDER`` walks all of them, saves a picture of each step there, and prints
clicks, keys and typed texts.
"""

import sys
import tempfile
from pathlib import Path

from golden import alone
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication
from walker import PATIENCE, Walker

from app.session import Session
from app.window.main_window import MainWindow
from app.window.scene_controller import SEEN
from engine.ledger import Ledger
from engine.randomness import reproducible

MOST_CLICKS = {"report": 6, "lecture": 2, "figure": 5}
"""How many clicks each task may take."""

MOST_ACTIONS = 14
"""How many clicks and typed texts three questions may take, from a chosen file to their report."""

LECTURE = 10
"""Steps of the lecture."""


def own_file(folder: Path) -> Path:
    """Write a table of people and what they earn."""
    incomes = reproducible(1).uniform(8_000, 90_000, 401)
    path = folder / "people.csv"
    rows = "".join(f"p{place},{value!r}\n" for place, value in enumerate(map(float, incomes)))
    path.write_text("name,income\n" + rows, "utf-8")
    return path


def started(folder: Path, *, first: bool = False, size: tuple[int, int] = (1280, 800)) -> MainWindow:
    """Return a window as the program shows it, on its first start or on a later one."""
    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    if not first:
        store.setValue(SEEN, "yes")
    window = MainWindow(Session(ledger=Ledger(folder / "ledger.sqlite")), settings=store)
    window.resize(*size)
    window.show()
    window.controllers.scene.show_first()
    assert window.wait_until_idle(PATIENCE)
    return window


ANSWERS = 5
"""How many answers with weak noise are enough to win."""


def walk_through_game(walker: Walker) -> tuple[int, float]:
    """Play the game of the first start by its keys, with weak noise and with strong noise.

    Return the number of right bets of the first answers, and the share of right ones of 1,000 later ones.
    """
    window, scene = walker.window, walker.window.controllers.scene.scene
    game = scene.canvas.result.run.game
    for bet in game.bets[:ANSWERS]:
        walker.press(Qt.Key.Key_Right if bet else Qt.Key.Key_Left, step="bet")
    won = int(game.hits(scene.game.bets).sum())
    walker.press(Qt.Key.Key_L, step="more-noise")
    walker.click(scene.game.auto, step="auto")
    walker.until(lambda: scene.game.bets.size >= 1000)
    walker.click(scene.game.auto, step="stopped")
    share = float(scene.canvas.result.run.game.hits(scene.game.bets).mean())
    walker.click(scene.go, step="workbench")
    assert window.wait_until_idle(PATIENCE)
    return won, share


def walk_to_report(walker: Walker, work: Path) -> Path:
    """Go from the first start and a file of one's own to a private median and a report on it."""
    window, controllers = walker.window, walker.window.controllers
    walker.click(controllers.scene.scene.file, step="which-file")
    walker.name_file(own_file(work), step="bounds")
    walker.type("0")
    walker.type("100000")
    walker.click_row(window.body.navigation.pages, "Median & quantiles", step="opened")
    walker.click(window.body.column.release.run, step="budget")
    walker.click(controllers.confirmation.dialog.answers[3.0], step="released")
    walker.click(controllers.results.card.report, step="where-to-save")
    report = work / "report.html"
    walker.name_file(report, step="saved")
    walker.until(report.is_file)
    return report


def employees(folder: Path) -> Path:
    """Write a table of employees, in which some salaries are missing."""
    rng = reproducible(2)
    departments = ("Sales", "IT", "Production", "HR")
    rows = [
        f"{rng.integers(18, 67)},{'' if rng.random() < 0.02 else rng.integers(20_000, 90_000)},"
        f"{departments[rng.integers(4)]}\n"
        for _ in range(2000)
    ]
    path = folder / "employees.csv"
    path.write_text("age,salary,department\n" + "".join(rows), "utf-8")
    return path


QUESTIONS = ("median of salary by department", "mean of salary where age >= 30", "count by department")


def walk_to_answers(walker: Walker, work: Path) -> tuple[Path, int]:
    """Go from a file with missing values to a report on three questions.

    Return the report, and the number of actions after the file was chosen.
    """
    window, controllers = walker.window, walker.window.controllers
    pages = window.body.navigation.pages
    walker.click_row(pages, "Data", step="data")
    walker.click(window.page.opening.file_button, step="which-file")
    walker.name_file(employees(work), step="opened")
    before = walker.clicks + walker.texts
    walker.click(window.page.rows["salary"].facts.boxes[0])
    for text in ("0", "200000", "Sales, IT, Production, HR"):
        walker.type(text)
    assert window.wait_until_idle(PATIENCE)
    walker.click_row(pages, "Questions", step="questions")
    walker.click(window.page.ask.line)
    for text in QUESTIONS:
        walker.enter(text, step="asked")
    walker.click(window.page.run_button, step="budget")
    walker.click(controllers.sheet.dialog.answers[3.0], step="answers")
    walker.until(lambda: all(row.released for row in window.session.state.questions))
    walker.click(window.page.report_button, step="where-to-save")
    report = work / "answers.html"
    walker.name_file(report, step="saved")
    walker.until(report.is_file)
    return report, walker.clicks + walker.texts - before


def walk_through_lecture(walker: Walker) -> list[tuple[str, int]]:
    """Go through ten steps of lessons with a clicker; return the lesson and step of each."""
    window, player = walker.window, walker.window.controllers.lessons.player
    walker.click_row(window.body.navigation.pages, "Lessons", step="lessons")
    walker.press(Qt.Key.Key_F11, step="presentation")
    walker.click(window.page.cards[0], step="lesson-1-step-1")
    places = [(player.lesson.name, player.index)]
    while len(places) < LECTURE:
        walker.press(Qt.Key.Key_1)  # an answer
        walker.press(Qt.Key.Key_PageDown, step=f"lecture-{len(places) + 1}")
        if player.lesson is not None:
            places.append((player.lesson.name, player.index))
    return places


def walk_to_figure(walker: Walker, work: Path) -> Path:
    """Go from the first page to a comparison over epsilon, saved for a column of a paper."""
    window = walker.window
    walker.click_row(window.body.navigation.pages, "Compare", step="compare")
    walker.click(window.page.tools.compare, step="compared")
    walker.until(lambda: not window.page.busy)
    walker.click_tab(window.page.card.tabs, "Frontier", step="over-epsilon")
    walker.click(window.page.card.save_button, step="what-for")
    walker.click_action("one column", step="where-to-save")
    figure = work / "errors.pdf"
    walker.name_file(figure, step="saved")
    walker.until(figure.is_file)
    return figure


def main(folder: Path, work: Path) -> None:
    """Walk all three tasks, and say what they took."""
    QApplication([]).setStyle("Fusion")
    for task, most in (*MOST_CLICKS.items(), ("answers", MOST_ACTIONS)):
        own = work / task
        own.mkdir()
        size = (1280, 720) if task == "lecture" else (1280, 800)
        window = started(own, first=task == "report", size=size)
        walker = Walker(window, folder / task)
        if task == "report":
            walk_to_report(walker, own)
        elif task == "lecture":
            walk_through_lecture(walker)
        elif task == "answers":
            walk_to_answers(walker, own)
        else:
            walk_to_figure(walker, own)
        told = f"{walker.clicks} clicks (at most {most}), {walker.keys} keys, {walker.texts} texts"
        sys.stdout.write(f"{task}: {told}\n")
        window.close()
        window.deleteLater()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        alone(Path(scratch))
        main(Path(sys.argv[1]), Path(scratch))
