"""A monkey at the window: ``python tests/support/monkey.py --seeds 1-50 --actions 20000 --jobs 2``.

Each seed plays in a process of its own: random actions on real windows, from inside the event loop, so
that dialogs with loops of their own are played with as well. What goes wrong is an exception anywhere, a
message of Qt, an abort, a turn of the loop that keeps the window's thread busy for more than half a second,
threads that outlive the windows, or more memory than a window may need. For each kind of failure the
shortest sequence is looked for by leaving out parts of it, and printed.

``--only 3,17,20-40`` plays just these actions of one seed, which is how a sequence is played again.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import faulthandler
import gc
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("MPLBACKEND", "Agg")

LATE = 0.5
"""Seconds that the window's thread may be busy between two actions."""
MOST_MEMORY = 2.5e9
"""Bytes that a process may come to."""
HARMLESS = ("propagateSizeHints", "This plugin does not support", "raise()")
"""Messages of Qt about the missing screen."""
PAUSE_MS = 30
FAILED = 3


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
    """

    def __init__(self, zoo: Any, seed: int, places: Sequence[int], log: Callable[[str], None]) -> None:
        self.zoo = zoo
        self.seed = seed
        self.failures: list[str] = []
        self.done = 0
        self._places = list(places)
        self._log = log
        self._busy = time.thread_time()
        self._name = "start"

    def step(self) -> None:
        """Do the next action; the one after it is due first, should this one open a loop of its own."""
        from monkey_actions import ACTIONS, wait
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QApplication

        faulthandler.dump_traceback_later(STUCK, exit=True)
        self.look()
        if self.done >= len(self._places):
            QApplication.closeAllWindows()
            QApplication.exit()
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

    def look(self) -> None:
        """Note a turn that took too long; make a window where none is left."""
        busy = time.thread_time() - self._busy
        if busy > LATE:
            self.fail(f"late: {busy:.1f} s after {re.sub('^[0-9]+ ', '', self._name)}")
        open_windows = [window for window in self.zoo.windows if window.isVisible()]
        for window in self.zoo.windows:
            if window not in open_windows:
                window.deleteLater()
        self.zoo.windows = open_windows or [self.zoo.make()]
        self._busy = time.thread_time()

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


STUCK = 60
"""Seconds after which a turn is taken for endless, and the process ended with where it is."""


def play(seed: int, places: Sequence[int], log: Callable[[str], None]) -> int:
    """Play in this process; return `FAILED` if anything went wrong."""
    home = Path(tempfile.mkdtemp(prefix="sensiscope-monkey-"))
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        os.environ[name] = str(home)
    os.chdir(home)
    from PySide6.QtCore import QSettings, QTimer, qInstallMessageHandler
    from PySide6.QtGui import QDesktopServices
    from PySide6.QtWidgets import QApplication

    application = QApplication(["monkey"])
    application.setStyle("Fusion")
    application.setQuitOnLastWindowClosed(False)
    from monkey_actions import Zoo
    from monkey_files import write_files

    from app.model.lazy_ledger import LazyLedger
    from app.session import Session
    from app.window.main_window import MainWindow

    QDesktopServices.openUrl = lambda url: True  # nothing outside the program

    def make() -> MainWindow:
        session = Session(ledger=LazyLedger(home / "ledger.sqlite"))
        ini = QSettings(str(home / "settings.ini"), QSettings.Format.IniFormat)
        window = MainWindow(session, None, ini)
        window.show()
        return window

    (home / "files").mkdir()
    monkey = Monkey(Zoo(home, write_files(home / "files"), make), seed, places, log)
    watch(monkey.fail, qInstallMessageHandler)
    QTimer.singleShot(0, monkey.step)
    application.exec()
    monkey.look()
    end(monkey, application)
    shutil.rmtree(home, ignore_errors=True)
    return FAILED if monkey.failures else 0


def watch(fail: Callable[[str], None], install: Callable[[Any], Any]) -> None:
    """Tell `fail` of every exception that nobody has caught, and of every message of Qt."""

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


class Run:
    """One process that played, and what its log tells.

    Attributes
    ----------
    failures : dict of str to str
        The first failure of each kind, by what tells kinds apart.
    started : int
        How many actions were begun.
    """

    def __init__(self, seed: int, places: str, folder: Path) -> None:
        log = folder / f"{seed}-{random.randrange(1 << 40)}.log"
        command = [sys.executable, __file__, "--seed", str(seed), "--only", places, "--log", str(log)]
        with open(log.with_suffix(".err"), "w+") as errors:
            ended = subprocess.run(command, stderr=errors, stdout=errors, check=False).returncode
            errors.seek(0)
            said = errors.read()
        text = log.read_text(errors="replace") if log.exists() else ""
        found = re.findall(r"^! (.*?)(?=^[<>!=] |\Z)", text, re.M | re.S)
        if ended not in (0, FAILED):
            found.append(f"ended by {ended}\n{said[-3000:]}")
        self.failures: dict[str, str] = {}
        for failure in found:
            self.failures.setdefault(kind_of(failure), failure)
        self.started = len(re.findall("^> ", text, re.M))
        self.actions = re.findall(r"^< ([0-9]+ .*)", text, re.M)
        self.end = (re.findall(r"^= (.*)", text, re.M) or [""])[-1]


def kind_of(failure: str) -> str:
    """Return what tells a failure from others: the last line of this program in it, and what it says."""
    if failure.startswith("late"):
        return "late " + " ".join(failure.split()[4:6])
    if "Timeout (" in failure:
        return "stuck " + " ".join(
            re.findall(r'/((?:app|engine)/[^"]*)", line [0-9]+,? in (\S+)', failure)[:1] or "?"
        )
    ours = re.findall(r'File "[^"]*/((?:app|engine)/[^"]*)", line [0-9]+,? in (\S+)', failure)
    lines = [line for line in failure.strip().splitlines() if line.strip()]
    first, last = (lines[0], lines[-1]) if lines else ("", "")
    where = ours[0] if failure.startswith("ended") and ours else ours[-1] if ours else ("", "")
    what = first if failure.startswith(("ended", "Qt")) else last
    return re.sub(r"0x[0-9a-f]+|[0-9]+", "#", f"{where} {what[:120]}")


def shortest(places: list[int], fails: Callable[[list[int]], bool], tries: int = 40) -> list[int]:
    """Return a shorter sequence that still fails, by leaving out smaller and smaller parts."""
    parts = 2
    while len(places) > 1:
        size = max(1, len(places) // parts)
        for start in range(0, len(places), size):
            if not tries:
                return places
            tries -= 1
            fewer = places[:start] + places[start + size :]
            if fewer and fails(fewer):
                places, parts = fewer, max(2, parts - 1)
                break
        else:
            if size == 1:
                break
            parts = min(len(places), 2 * parts)
    return places


def again(seed: int, places: list[int], kind: str, folder: Path, tries: int) -> str:
    """Return how a failure is seen again with few actions."""

    def fails(fewer: list[int]) -> bool:
        return kind in Run(seed, ",".join(map(str, fewer)), folder).failures

    ends = [places[-tail:] for tail in (50, 400)]  # what led to it lies near its end most often
    places = next(filter(fails, ends), places)
    only = ",".join(map(str, shortest(places, fails, tries)))
    actions = "\n  ".join(Run(seed, only, folder).actions)
    return f"\nplayed again with --seed {seed} --only {only}:\n  {actions}"


def report(seed: int, actions: int, folder: Path, tries: int) -> tuple[int, dict[str, str]]:
    """Play a seed to its end, whatever ends its processes; return how much was played, and the failures."""
    begun, played, failures = 0, 0, {}
    while begun < actions:
        run = Run(seed, f"{begun}-{actions - 1}", folder)
        played += run.started
        for kind, failure in run.failures.items():
            if kind in failures:
                continue
            places = list(range(begun, begun + run.started))
            if tries and not kind.startswith("late"):
                failure += again(seed, places, kind, folder, tries)
            failures[kind] = failure
        say(f"seed {seed}: {begun + run.started} of {actions} actions; {run.end}")
        begun += max(1, run.started)
    return played, failures


def say(text: str) -> None:
    """Print at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def numbers(text: str) -> list[int]:
    """Return the numbers that "3,17,20-22" stands for.

    >>> numbers("3,17,20-22")
    [3, 17, 20, 21, 22]
    """
    ends = [[int(end) for end in part.split("-")] for part in text.split(",")]
    return [number for part in ends for number in range(part[0], part[-1] + 1)]


def main(arguments: list[str]) -> int:
    """Play one sequence, or many seeds side by side."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--actions", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tries", type=int, default=40, help="runs that a shorter sequence may cost")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--only")
    parser.add_argument("--log")
    chosen = parser.parse_args(arguments)
    if chosen.seed is not None:
        faulthandler.enable()
        places = numbers(chosen.only or f"0-{chosen.actions - 1}")
        with open(chosen.log or os.devnull, "w", buffering=1) as file:
            return play(chosen.seed, places, lambda line: print(line, file=file if chosen.log else None))
    folder = Path(tempfile.mkdtemp(prefix="monkey-logs-"))
    total, kinds = 0, {}
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        jobs = [
            pool.submit(report, seed, chosen.actions, folder, chosen.tries) for seed in numbers(chosen.seeds)
        ]
        for job in concurrent.futures.as_completed(jobs):
            played, failures = job.result()
            total += played
            for kind, failure in failures.items():
                if kind not in kinds:
                    say(f"\n== {kind}\n{failure}")
                kinds[kind] = kinds.get(kind, 0) + 1
    say(f"\n{total} actions, {len(kinds)} kinds of failures")
    for kind, seeds in sorted(kinds.items(), key=lambda item: -item[1]):
        say(f"  {seeds} seeds: {kind}")
    return FAILED if kinds else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
