"""The checks that every test gets do find what they look for, and closed windows are destroyed."""

import shlex
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

SUPPORT = shlex.quote(str(Path(__file__).parent / "support"))
"""As pytest reads it, also from a folder with a space in its name."""

OFFENDERS = """
import os, pathlib, threading, time, weakref
import platformdirs
import pytest
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QWidget

stop = threading.Event()
kept = []

def test_thread():
    threading.Thread(target=stop.wait, args=(30,), daemon=True, name="forgotten").start()

def test_timer(qapp):
    timer = QTimer(qapp)
    kept.append(timer)
    timer.start(1000)

def test_window(qapp):
    stop.set()
    kept[0].stop()
    kept.append(QWidget())
    kept[-1].show()

def test_clean(qtbot):
    kept.pop().close()
    window = QWidget()
    qtbot.addWidget(window)
    timer = QTimer(window)
    timer.start(10)
    window.show()
    thread = threading.Thread(target=time.sleep, args=(0.1,))
    thread.start()

def test_closed(qapp):
    window = QWidget()
    window.myself = window  # for the garbage collector
    window.show()
    window.close()
    window.deleteLater()
    kept.append(weakref.ref(window))

def test_destroyed():
    assert kept.pop()() is None

def test_warning():
    import warnings
    warnings.warn("look here")

@pytest.mark.parametrize("turn", [1, 2])
def test_folders(turn, personal_folders):
    for folder in (platformdirs.user_data_path("x"), platformdirs.user_config_path("x"), pathlib.Path.home()):
        assert folder.is_relative_to(personal_folders)
    settings = QSettings("Sensiscope", "test")
    assert settings.value("seen") is None
    assert pathlib.Path(settings.fileName()).is_relative_to(personal_folders)
    settings.setValue("seen", turn)
    settings.sync()
"""


def test_what_is_left_over_is_found(pytester: pytest.Pytester) -> None:
    here = Path(__file__).parent
    conftest = (here / "conftest.py").read_text(encoding="utf-8")
    pytester.makeconftest(conftest.replace("PATIENCE = 400", "PATIENCE = 100"))
    pytester.makepyfile(OFFENDERS)
    pytester.makeini(f"[pytest]\nfilterwarnings = error\nqt_api = pyside6\npythonpath = {SUPPORT}\n")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    # The offenders themselves pass; the error is what the check adds.
    result.assert_outcomes(passed=8, errors=3, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*thread forgotten*",
            "*timer started at *test_what_is_left_over_is_found.py:*",
            "*window *QWidget*",
            "*UserWarning: look here*",
        ]
    )
    for name in ("test_thread", "test_timer", "test_window"):
        result.stdout.fnmatch_lines([f"ERROR *::{name} - *"])
    result.stdout.fnmatch_lines(["FAILED *::test_warning - *"])


FILES = {
    "test_long": """
import pytest

# Long files come first.
@pytest.fixture(scope="module")
def shared():
    yield
    raise OSError("ends with its file")

@pytest.mark.parametrize("turn", [1, 2])
def test_both(shared, turn):
    assert turn == 1

@pytest.mark.slow
def test_slow():
    raise AssertionError
""",
    "test_skipped": 'import pytest; pytest.importorskip("nowhere")',
    "test_wrong": "import nowhere",
    "test_none": "",
}


def test_a_worker_reads_a_file_when_its_turn_has_come(pytester: pytest.Pytester) -> None:
    here = Path(__file__).parent
    pytester.makeconftest((here / "conftest.py").read_text(encoding="utf-8"))
    folder = pytester.mkdir("tests")
    for name, text in FILES.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    pytester.makeini(
        f"[pytest]\ntestpaths = tests\npythonpath = {SUPPORT}\nmarkers = slow: takes long\n"
        "addopts = --import-mode=importlib -m 'not slow'\n"
    )
    result = pytester.runpytest_subprocess("--numprocesses=1", "--dist=loadfile", "--no-loadscope-reorder")
    result.assert_outcomes(passed=1, failed=1, errors=2, skipped=1)
    result.stdout.fnmatch_lines(
        ["1 worker [[]4 items[]]", "*OSError: ends with its file", "*No module named 'nowhere'"]
    )
    result.stdout.fnmatch_lines(["FAILED tests/test_long.py::test_both[[]2[]] - *"])
