"""The monkey in a process of its own: it plays the actions of a seed, and notes what goes wrong."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import random
import re
import resource
import shutil
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

LATE = 0.5
"""Seconds that the window's thread may be busy between two actions."""
MOST_MEMORY = 2.5e9
"""Bytes that a process may come to."""
HARMLESS = ("propagateSizeHints", "This plugin does not support", "raise()")
"""Messages of Qt about the missing screen."""
PAUSE_MS = 30
LOOKS = 0.03
"""Seconds between two looks at where the window's thread is."""
FAILED = 3


class NoPandas:
    """Says that there is no pandas, as where the program is installed: pyarrow imports it for a second."""

    def find_spec(self, name: str, *_: Any) -> None:
        """Refuse one name, and leave all others to others."""
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


class Lookout(threading.Thread):
    """Looks now and then where the window's thread is, and remembers it once a turn is long.

    Attributes
    ----------
    seen : list of str
        The innermost functions of the program, in the turn that is played.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seen: list[str] = []
        self._window = threading.get_ident()
        self._clock = time.pthread_getcpuclockid(self._window)
        self._begun = time.thread_time()
        self._played = threading.Event()
        self.start()

    def end(self) -> None:
        """Look no more."""
        self._played.set()
        self.join()

    def begin(self) -> float:
        """Begin a turn; return how many seconds the thread was busy in the last one."""
        now, before = time.thread_time(), self._begun
        self._begun = now
        return now - before

    def run(self) -> None:
        """Look until all is played."""
        while not self._played.wait(LOOKS):
            if time.clock_gettime(self._clock) - self._begun > LATE / 2:
                stack = traceback.extract_stack(sys._current_frames()[self._window])
                ours = [f"{one.name} ({Path(one.filename).name})" for one in stack if "/app/" in one.filename]
                self.seen += ours[-1:]


class Monkey:
    """Plays the actions of a seed, one after the other, in the event loop that runs.

    Parameters
    ----------
    zoo : Zoo
        What it plays with.
    seed : int
    places : sequence of int
        Which actions it plays; each is the same whichever others are.
    log : callable
        Is told each action before and after it is done.
    finish : callable
        Is called once all have been done.
    """

    def __init__(
        self,
        zoo: Any,
        seed: int,
        places: Sequence[int],
        log: Callable[[str], None],
        finish: Callable[[], object],
    ) -> None:
        self.zoo = zoo
        self.seed = seed
        self.failures: list[str] = []
        self.done = 0
        self._places = list(places)
        self._log = log
        self._finish = finish
        self._lookout = Lookout()
        self._name = "start"

    def step(self) -> None:
        """Do the next action; the one after it is due first, should this one open a loop of its own."""
        from monkey_actions import ACTIONS, wait
        from PySide6.QtCore import QTimer

        if self.done % 25 == 0:  # each time a thread ends and another begins
            faulthandler.dump_traceback_later(STUCK, exit=True)
        self.look()
        if self.done >= len(self._places):
            self._lookout.end()
            self._finish()
            return
        place = self._places[self.done]
        self.done += 1
        rng = random.Random(f"{self.seed}/{place}")
        action = rng.choices(list(ACTIONS), list(ACTIONS.values()))[0]
        QTimer.singleShot(PAUSE_MS if action is wait else 0, self.step)
        self._name = f"{place} {action.__name__}"
        self._log(f"> {self._name}")
        with self._noting():
            words = action(self.zoo, rng)
            self._name = f"{place} {action.__name__} {words}"
        self._log(f"< {self._name}")
        self.end_turn("in")

    def end_turn(self, where: str) -> None:
        """Note a turn that took too long: that of an action, or all that is due after it."""
        busy, seen = self._lookout.begin(), self._lookout.seen
        if busy > LATE:
            words = f"late: {busy:.1f} s {where} {re.sub('^[0-9]+ ', '', self._name)}"
            self.fail(f"{words}; in {', '.join(dict.fromkeys(seen))}")
        self._lookout.seen = []

    def look(self) -> None:
        """Note what took too long; make a window where none is left."""
        self.end_turn("after")
        open_windows = [window for window in self.zoo.windows if window.isVisible()]
        for window in self.zoo.windows:
            if window not in open_windows:
                window.deleteLater()
        self.zoo.windows = open_windows or [self.zoo.make()]
        self._lookout.begin()

    def fail(self, text: str) -> None:
        """Note what went wrong."""
        self.failures.append(text)
        self._log(f"! {text}")

    @contextlib.contextmanager
    def _noting(self) -> Any:
        try:
            yield
        except Exception:
            self.fail(traceback.format_exc())


STUCK = 300
"""Seconds after which a turn is taken for endless, and the process ended with where it is."""


def play(seed: int, places: Sequence[int], log: Callable[[str], None]) -> int:
    """Play in this process; return `FAILED` if anything went wrong."""
    home = Path(tempfile.mkdtemp(prefix="sensiscope-monkey-"))
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        os.environ[name] = str(home)
    os.chdir(home)
    sys.meta_path.insert(0, NoPandas())
    from PySide6.QtCore import QSettings, QTimer, qInstallMessageHandler
    from PySide6.QtGui import QDesktopServices
    from PySide6.QtWidgets import QApplication

    application = QApplication(["monkey"])
    application.setStyle("Fusion")
    application.setQuitOnLastWindowClosed(False)
    from flashes import Flashes
    from monkey_files import write_files
    from monkey_zoo import Zoo

    from app.model.ledger import LazyLedger
    from app.session import Session
    from app.window.main_window import MainWindow

    QDesktopServices.openUrl = lambda url: True  # nothing outside the program

    def make() -> MainWindow:
        session = Session(ledger=LazyLedger(home / "ledger.sqlite"))
        ini = QSettings(str(home / "settings.ini"), QSettings.Format.IniFormat)
        window = MainWindow(session, None, ini)
        window.show()
        return window

    def finish() -> None:
        application.closeAllWindows()
        application.exit()

    (home / "files").mkdir()
    monkey = Monkey(Zoo(home, write_files(home / "files"), make), seed, places, log, finish)
    watch(monkey.fail, qInstallMessageHandler)
    flashes = Flashes()
    QTimer.singleShot(0, monkey.step)
    application.exec()
    for flash in dict.fromkeys(flashes.seen):
        monkey.fail(f"shown as a window of its own: {flash}")
    faulthandler.cancel_dump_traceback_later()
    monkey.look()
    end(monkey, application)
    shutil.rmtree(home, ignore_errors=True)
    return FAILED if monkey.failures else 0


def watch(fail: Callable[[str], None], install: Callable[[Any], Any]) -> None:
    """Tell `fail` of every exception that was not caught, and of every message of Qt."""

    def excepthook(kind: Any, error: Any, trace: Any) -> None:
        fail("".join(traceback.format_exception(kind, error, trace)))

    sys.excepthook = excepthook
    sys.unraisablehook = lambda found: excepthook(found.exc_type, found.exc_value, found.exc_traceback)
    threading.excepthook = lambda found: excepthook(found.exc_type, found.exc_value, found.exc_traceback)

    def handle(kind: Any, context: Any, message: str) -> None:
        if not any(words in message for words in HARMLESS):
            fail(f"Qt says: {message}\n{''.join(traceback.format_stack(limit=6))}")

    install(handle)


def end(monkey: Monkey, application: Any) -> None:
    """Close everything, and note what is left."""
    for window in monkey.zoo.windows:
        window.controllers.session_files._closing = True
        window.close()
        window.deleteLater()
    monkey.zoo.windows = []
    deadline = time.monotonic() + 20
    left: list[str] = ["?"]
    while left and time.monotonic() < deadline:
        application.sendPostedEvents(None, 52)  # DeferredDelete
        application.processEvents()
        gc.collect()
        dummies = threading._DummyThread
        others = (one for one in threading.enumerate() if one is not threading.main_thread())
        left = [one.name for one in others if not isinstance(one, dummies) and not one.daemon]
        time.sleep(0.05)
    if left:
        monkey.fail(f"threads are left: {', '.join(sorted(left))}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    monkey._log(f"= {monkey.done} actions, at most {memory / 1e6:.0f} MB")
    if memory > MOST_MEMORY:
        monkey.fail(f"memory: {memory / 1e9:.1f} GB")
