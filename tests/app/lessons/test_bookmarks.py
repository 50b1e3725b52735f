"""Bookmarks: progress lasts across sessions."""

from PySide6.QtCore import QSettings

from app.lessons.bookmarks import Bookmarks
from app.lessons.reading import lessons


def test_progress_is_stored_and_a_finished_lesson_stays_finished(tmp_path):
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    Bookmarks(settings).keep("smooth-sensitivity", 4)
    Bookmarks(settings).finish("the-last-bit")
    Bookmarks(settings).keep("the-last-bit", 2)
    bookmarks = Bookmarks(settings)
    assert bookmarks.step("smooth-sensitivity", 6) == 4
    assert bookmarks.step("smooth-sensitivity", 3) == 2  # the lesson has become shorter
    assert bookmarks.is_done("the-last-bit")
    assert bookmarks.step("the-last-bit", 6) == 0


def test_what_epsilon_means_is_the_second_lesson_after_the_lecture():
    names = [lesson.name for lesson in lessons()[0]]
    assert names[:3] == ["dp-in-45-minutes", "global-sensitivity", "what-epsilon-means"]
