"""``import sensiscope``: the engine's names, none of them loaded before it is asked for, and the window."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

LAZY = """
import sys, sensiscope, engine
assert {"numpy", "PySide6", "app"}.isdisjoint(sys.modules), "lazy"
assert set(dir(sensiscope)) > {"Median", "SmoothRelease", "read_table", "view", *engine.__all__}
assert sensiscope.__version__ == engine.__version__
assert sensiscope.Interval is engine.Interval
assert sensiscope.ScoredChoice is engine.ScoredChoice and "ScoredChoice" not in dir(sensiscope)
assert sensiscope.Contender is engine.Contender and "Contender" not in dir(sensiscope)
assert "PySide6" not in sys.modules
try:
    sensiscope.nothing
except AttributeError as error:
    print(error)
try:
    sensiscope.view("no such file.csv")
except sensiscope.DataError as error:
    print(error)
"""

VIEW = """
import faulthandler, json, sensiscope
faulthandler.dump_traceback_later(90, exit=True)
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

def act():
    from app.panels.release_questions import FirstLimitDialog
    from engine.questions.declarations import ColumnDeclaration, Declarations

    window = next(one for one in QApplication.topLevelWidgets() if type(one).__name__ == "MainWindow")
    assert window.wait_until_idle()
    if window.session.state.table is not None:
        declared = Declarations((ColumnDeclaration("age", 0.0, 100.0),))
        window.session.edit("declare", declarations=declared)
        window.session.show_page("median")
        assert window.wait_until_idle()
        seen.append(window.session.state.dataset.title)
        window.body.column.release.run.click()
        limit = next(one for one in window.findChildren(FirstLimitDialog) if one.isVisible())
        limit.answers[None].click()
        assert window.wait_until_idle()
    window.controllers.session_files._closing = True
    window.close()

def drive():
    try:
        act()
    except BaseException:
        import os, traceback
        traceback.print_exc()
        os._exit(1)

exec_, seen = QApplication.exec, []
def driven(*_):
    QTimer.singleShot(0, drive)
    return exec_()
QApplication.exec = driven

first = sensiscope.view({"age": [float(i) for i in range(101)]}, name="ages")
second = sensiscope.view()
print(json.dumps([seen, len(first), type(first[0]).__name__, len(second)]))
"""


def ran(root: Path, code: str) -> str:
    """Run code as it is run where the three packages are installed."""
    path = os.pathsep.join([str(root / "packaging"), str(root)])
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_has_the_names_of_the_engine_and_loads_none(root: Path) -> None:
    unknown, missing = ran(root, LAZY).splitlines()
    assert unknown == "module 'sensiscope' has no attribute 'nothing'"
    assert missing.startswith("no such file.csv: there is no such file")


@pytest.mark.slow
def test_the_window_shows_what_a_program_holds_and_returns_the_releases(root: Path) -> None:
    seen, released, kind, nothing = json.loads(ran(root, VIEW).splitlines()[-1])
    assert (seen, released, kind, nothing) == (["ages"], 1, "Release", 0)


def test_the_editable_installation_finds_it(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    code = "import sys; from hatchling.build import build_editable; build_editable(sys.argv[1])"
    subprocess.run([sys.executable, "-P", "-c", code, tmp_path], cwd=root, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        mapped = wheel.read("_editable_impl_sensiscope.py").decode()
    for package in ("app", "engine", "packaging/sensiscope"):
        assert repr(str(root / package / "__init__.py")) in mapped
