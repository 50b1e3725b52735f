"""A window that is closed while something runs that cannot be cancelled."""

import subprocess
import sys

import pytest

IMPATIENT = """
import threading
import time
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from app.jobs.channels import Jobs
from app.session import Session
from app.window.main_window import MainWindow

begun = threading.Event()

def work(task):
    begun.set()
    for _ in range(100):
        time.sleep(0.01)  # an import, of which no part asks whether it is cancelled
    print("worked")

def close(jobs):
    for channel in jobs._channels.values():
        channel.close()  # as after five seconds

Jobs.close = close
application = QApplication([])
window = MainWindow(Session())
window.jobs.channel("import").request(work)
begun.wait()
window.close()
window.deleteLater()
QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)
print("deleted")
"""


@pytest.mark.slow
def test_the_program_does_not_stand_still_when_a_window_is_deleted_during_an_import():
    """Qt waited for the thread, and the thread for Python, which Qt did not let go."""
    done = subprocess.run(
        [sys.executable, "-c", IMPATIENT], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.stdout.split() == ["worked", "deleted"], done.stderr
