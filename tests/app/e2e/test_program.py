"""The program as a user starts it: on a CSV, a release, a figure."""

import json
import os
import subprocess
import sys

DRIVER = """
import json, sys, traceback
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

file, out = sys.argv[1:3]

def drive():
    try:
        act()
    except BaseException:
        traceback.print_exc()
        QApplication.exit(1)

def act():
    window = next(w for w in QApplication.topLevelWidgets() if type(w).__name__ == "MainWindow")
    assert window.wait_until_idle()
    income = window.page.rows["income"].facts
    income.lower_box.type_in("0")
    income.upper_box.type_in("100 000")
    window.actions_by_name["page_median"].trigger()
    assert window.wait_until_idle()
    window.body.column.release.run.click()
    from app.panels.release_questions import FirstLimitDialog

    asked = next(d for d in window.findChildren(FirstLimitDialog) if d.isVisible())
    asked.answers[None].click()
    assert window.wait_until_idle()
    window.controllers.exports.figures.write(window.body.pages["median"].canvas, out + "/figure.png")
    window.controllers.exports.figures.write(window.body.pages["median"].canvas, out + "/numbers.csv")
    assert window.wait_until_idle()
    release = window.session.state.releases[0].release
    print(json.dumps({
        "title": window.windowTitle(),
        "value": release.value,
        "simulated": release.simulated,
        "messages": window.body.messages.texts(),
    }))
    window.close()

# the program waits for people; this one acts once the event loop runs
exec_ = QApplication.exec
def exec_driven(*arguments):
    QTimer.singleShot(0, drive)
    return exec_()
QApplication.exec = exec_driven

from app.__main__ import main
sys.argv = ["sensiscope", file]
sys.exit(main())
"""


def test_open_a_csv_release_and_export(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("name,income\n" + "".join(f"p{i},{500 * i}\n" for i in range(101)), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, str(path), str(tmp_path)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.strip().splitlines()[-1])
    assert told["title"].startswith("people.csv: income")
    assert told["messages"] == []
    assert not told["simulated"]
    assert isinstance(told["value"], float)
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "numbers.csv").read_text("utf-8").count("\n") > 3
