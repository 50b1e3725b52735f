"""Bookmarks: what earlier versions have kept is carried over."""

from PySide6.QtCore import QSettings

from app.lessons.bookmarks import NUMBERED, Bookmarks
from app.lessons.reading import lessons


def test_marks_of_numbered_lessons_are_carried_over(tmp_path):
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    settings.setValue("lessons/03-smooth-sensitivity", "4")
    settings.setValue("lessons/13-the-last-bit", "done")
    settings.setValue("lessons/12-angry-men", "1")  # a lesson of one's own
    bookmarks = Bookmarks(settings)
    assert bookmarks.step("smooth-sensitivity", 6) == 4
    assert bookmarks.is_done("the-last-bit")
    assert bookmarks.step("12-angry-men", 6) == 1
    assert "lessons/03-smooth-sensitivity" not in settings.allKeys()


def test_every_numbered_lesson_is_still_there():
    assert {former.split("-", 1)[1] for former in NUMBERED} <= {lesson.name for lesson in lessons()[0]}


def test_what_epsilon_means_is_the_second_lesson_after_the_lecture():
    names = [lesson.name for lesson in lessons()[0]]
    assert names[:3] == ["dp-in-45-minutes", "global-sensitivity", "what-epsilon-means"]
