"""What holds for every test: no display, no traces in the person's own folders, nothing left running.

Warnings are errors (``filterwarnings`` in pyproject.toml).
"""

import functools
import gc
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from brief_reports import report_briefly
from late_files import read_late

# Before anything imports Qt, matplotlib or numpy, here or in a process that a test starts.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("MPLBACKEND", "Agg")
# Hypothesis then has no clocks, which fail under load, and draws the same examples each time.
os.environ.setdefault("CI", "true")
os.environ["LC_ALL"] = "C.UTF-8"  # numbers in English, whoever runs them
if "PYTEST_XDIST_WORKER" in os.environ:
    # Workers share the cores: threads of numpy and scikit-learn would only wait for each other.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
# For the workers, which are started after this was read: what a test has freed goes back to the system.
os.environ.setdefault("MALLOC_ARENA_MAX", "1")
# Not in small pieces: each array of a picture would be mapped and given back anew, a fifth of all time.
os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", str(1 << 26))
os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", str(1 << 25))

PERSONAL = (
    "HOME",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
)
HOMES: list[Path] = []
"""Where tests' homes are made, and then homes that tests have given back empty."""

# How long a thread or timer may take to end after its test has.
PATIENCE = 400  # turns of 5 ms and what events take: longer on a machine under load
# After how many new objects garbage is sought. Tests leave more behind than a session, and clear up
# themselves: it would take a twelfth of their time.
SELDOM, ORDINARY = (20_000, 20, 20), gc.get_threshold()


def pytest_configure(config: pytest.Config) -> None:
    """Point the person's folders elsewhere before test modules are imported."""
    # In memory where there is one: a disk with patience lets each entry of a ledger wait for 20 ms.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    home = tempfile.mkdtemp(prefix="sensiscope-tests-", dir=memory)
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    # Kept between runs: matplotlib takes seconds to list the fonts.
    if cache := getattr(config, "cache", None):
        os.environ.setdefault("MPLCONFIGDIR", str(cache.mkdir("matplotlib")))
    HOMES[:] = [Path(home)]
    settle(HOMES[0])
    gc.disable()  # until all tests are collected, who stay
    report_briefly(config)
    read_late(config)


def pytest_collection_finish() -> None:
    """Leave what was imported and collected out of the searches for garbage.

    A tenth of it is garbage, and stays: each worker would look for it for nearly a second.
    """
    gc.freeze()
    gc.set_threshold(*SELDOM)
    gc.enable()


def pytest_collection_modifyitems() -> None:
    """Let Hypothesis look for numbers and words to try in no module of the program.

    It reads all that were imported so far, a second in each worker, and other tests decide which those are.
    """
    if providers := sys.modules.get("hypothesis.internal.conjecture.providers"):
        providers._get_local_constants = lambda: providers._local_constants


@pytest.fixture
def ordinary_garbage() -> Iterator[None]:
    """Look for garbage as often as the program does, which holds it up."""
    gc.set_threshold(*ORDINARY)
    yield
    gc.set_threshold(*SELDOM)


DESTROYED = pytest.StashKey[bool]()
"""Whether windows were destroyed after a test."""


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Destroy the windows that the test, or the last test of a module, has closed.

    No event loop runs between tests, and without one `deleteLater` never does. Innermost of all,
    so that pytest-qt still sees what goes wrong in a slot while they die.
    """
    windows = len(all_windows())
    yield
    let_events_happen()
    item.stash[DESTROYED] = len(all_windows()) < windows


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Collect what destroyed windows leave behind, now that the test holds none of it any more."""
    result = yield
    if item.stash.get(DESTROYED, False):
        if all_windows():
            gc.collect(1)  # those that are left were there before, and are not searched
        else:
            gc.collect()
            gc.freeze()  # what was imported in the meantime, too: the next search need not look at it
    return result


def settle(home: Path) -> None:
    """Let a folder be the person's home, settings, data and cache."""
    for name in PERSONAL:
        if os.environ.get(name) != str(home):  # it nearly always is
            os.environ[name] = str(home)


@pytest.fixture(autouse=True)
def personal_folders() -> Iterator[Path]:
    """Give each test empty home, settings, data and cache folders of its own.

    Most leave them as they were, and then the next test gets the same ones.
    """
    home = HOMES.pop() if len(HOMES) > 1 else Path(tempfile.mkdtemp(prefix="home-", dir=HOMES[0]))
    settle(home)
    if core := sys.modules.get("PySide6.QtCore"):
        # Qt reads the environment for this only once.
        for kind in (core.QSettings.Format.NativeFormat, core.QSettings.Format.IniFormat):
            core.QSettings.setPath(kind, core.QSettings.Scope.UserScope, str(home))
    yield home
    if os.listdir(home):
        shutil.rmtree(home, ignore_errors=True)
    else:
        HOMES.append(home)


@pytest.fixture(autouse=True)
def nothing_left_running(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail the test after which a thread, an active timer or a shown window is left over.

    Set up before any other fixture of the test, hence checked after pytest-qt has closed the
    test's windows. What fixtures of a wider scope keep open was there before and is not counted.
    """
    threads = set(threading.enumerate())
    timers = record_timers(monkeypatch)
    windows = set(map(id, shown_windows()))
    yield
    leftovers: list[str] = []

    def is_quiet() -> bool:
        leftovers[:] = [*new_threads(threads), *active_timers(timers)]
        leftovers.extend(f"window {window!r}" for window in shown_windows() if id(window) not in windows)
        return not leftovers

    wait_for(is_quiet)
    assert not leftovers, "left over after the test:\n" + "\n".join(leftovers)


def new_threads(before: set[threading.Thread]) -> list[str]:
    """Name the threads that were not there before, but for idle ones of a window that tests share."""
    return [
        f"thread {thread.name}"
        for thread in threading.enumerate()
        if thread not in before
        and thread.is_alive()
        and not isinstance(thread, threading._DummyThread)
        and not thread.name.startswith("window job")
    ]


def record_timers(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, str]]:
    """Note every QTimer started from now on, with the line that did it."""
    started: list[tuple[object, str]] = []
    if core := sys.modules.get("PySide6.QtCore"):
        start = core.QTimer.start

        def noting(timer: object, *arguments: object) -> None:
            caller = sys._getframe(1)
            started.append((timer, f"timer started at {caller.f_code.co_filename}:{caller.f_lineno}"))
            start(timer, *arguments)

        monkeypatch.setattr(core.QTimer, "start", noting)
    return started


def active_timers(started: list[tuple[object, str]]) -> list[str]:
    """Name the timers that still run; those deleted with their windows do not."""
    if not started:
        return []
    from shiboken6 import isValid

    return [where for timer, where in started if isValid(timer) and timer.isActive()]


def all_windows() -> list[Any]:
    """Return all windows, dialogs and menus, if there is a Qt application at all."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return []
    return list(widgets.QApplication.topLevelWidgets())


def shown_windows() -> list[Any]:
    """Return the windows on the screen."""
    return [window for window in all_windows() if window.isVisible()]


@pytest.fixture
def qtbot(qtbot: Any) -> Any:
    """Wait until something has gone wrong on a machine under load, too: the clock judges nothing."""
    for name in ("waitUntil", "waitSignal"):
        setattr(qtbot, name, functools.partial(getattr(qtbot, name), timeout=60_000))
    return qtbot


def wait_for(condition: Callable[[], bool]) -> None:
    """Let Qt's events and other threads go on until the condition holds or patience ends."""
    for turn in range(PATIENCE):
        if condition():
            return
        # Only what is left after a while is looked for among the garbage: each search takes 0.2 seconds.
        if turn == PATIENCE // 4:
            gc.collect()
        let_events_happen()
        time.sleep(0.005)


def let_events_happen() -> None:
    """Delete what Qt was told to delete later, and handle the events that wait."""
    core = sys.modules.get("PySide6.QtCore")
    if core and (application := core.QCoreApplication.instance()):
        core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete)
        application.processEvents()
