"""How many files of the app a click goes through: ``python tests/benchmarks/ways.py``.

Four ways are walked in a real window: from epsilon to a picture, from declared bounds to the first
picture, from a file to a release, and from a release to a report.  Every function of `app` that is
entered counts, in all threads; a call from one room up to a higher one (and not by a signal) is a climb.
A call from one method of an object to another, on the way to the request of a job, is a hop.

Of the files that are entered, those are on the way that do the work in a worker, or wait for a call when
the state of the session is replaced, a job is asked for, or, where the way leads to a picture, it is drawn.
The others are told that something has changed: titles, labels, forms.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
APP = str(ROOT / "app") + os.sep

ROOMS = (
    *("commands", "window", "export", "documents", "panels", "lessons", "pages", "help", "widgets"),
    *(
        "releases",
        "plots",
        "session",
        "edits",
        "settings",
        "actions",
        "recent_files",
        "model",
        "jobs",
    ),
)
"""From the top down."""


STEPS = {("session.py", "_replace"), ("jobs/channels.py", "request")}
"""The functions of the window's thread that bring a way further."""

REQUEST = ("jobs/channels.py", "request")
"""The function that asks a worker."""


class Trace:
    """The files of the app that were entered, those on the way, and the calls from a room to a higher one.

    A call counts as one from room to room if no function of a library stands between: what a signal
    or an event calls is no climb.
    """

    def __init__(self, *, to_picture: bool = False) -> None:
        self.files: dict[str, int] = {}
        self.way: set[str] = set()
        self.climbs: set[str] = set()
        self.hops: dict[str, int] = {}
        self._to_picture = to_picture
        self.paused = False
        self._local = threading.local()

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """Take note of a call."""
        inside: list[bool] = self._local.__dict__.setdefault("inside", [])
        if event in ("c_call", "call"):
            if event == "call":
                self._entered(frame, direct=not (inside and inside[-1]))
            inside.append(event == "c_call")
        elif inside:
            inside.pop()

    def _entered(self, frame: FrameType, *, direct: bool) -> None:
        name = frame.f_code.co_filename
        if self.paused or not name.startswith(APP) or frame.f_code.co_name == "<module>":
            return
        file = name.removeprefix(APP)
        self.files[file] = self.files.get(file, 0) + 1
        if threading.current_thread() is not threading.main_thread():
            self.way.add(file)
        elif (file, frame.f_code.co_name) in STEPS or (self._to_picture and _room(file) == "plots"):
            self.way.update(_above(frame))
            if (file, frame.f_code.co_name) == REQUEST:
                self._count_hops(frame)
        caller = frame.f_back
        if frame.f_code.co_name.lower().endswith("event"):  # what Qt calls, by construction of a child
            return
        if direct and caller is not None and caller.f_code.co_filename.startswith(APP):
            below = caller.f_code.co_filename.removeprefix(APP)
            ranks = [ROOMS.index(_room(one)) for one in (below, file) if _room(one) in ROOMS]
            if len(ranks) == 2 and ranks[1] < ranks[0]:
                self.climbs.add(f"{below} -> {file}")

    def _count_hops(self, frame: FrameType) -> None:
        """Count the calls from method to method of each object that waits for the request of a job."""
        run: list[str] = []
        owner: object = None
        above: FrameType | None = frame.f_back
        while above is not None:
            own = above.f_locals.get("self") if above.f_code.co_filename.startswith(APP) else None
            if own is None or own is not owner:
                run = []
            owner = own
            run.insert(0, above.f_code.co_qualname)
            if own is not None:
                self.hops[" > ".join(run)] = len(run) - 1
            above = above.f_back

    @property
    def most_hops(self) -> int:
        """The most hops within one object."""
        return max(self.hops.values(), default=0)

    @property
    def rooms(self) -> list[str]:
        """The rooms on the way."""
        return sorted({_room(file) for file in self.way})


def _above(frame: FrameType | None) -> Iterator[str]:
    """Yield the files of the app whose functions wait for this one, and its own."""
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(APP) and frame.f_code.co_name != "<module>":
            yield name.removeprefix(APP)
        frame = frame.f_back


def _room(file: str) -> str:
    return file.partition(os.sep)[0].removesuffix(".py")


@contextlib.contextmanager
def traced(*, to_picture: bool = False) -> Iterator[Trace]:
    """Trace the thread of the window and all workers."""
    trace, submit = Trace(to_picture=to_picture), ThreadPoolExecutor.submit

    def submit_traced(pool: ThreadPoolExecutor, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        def work_traced() -> Any:
            sys.setprofile(trace)
            try:
                return work(*arguments)
            finally:
                sys.setprofile(None)

        return submit(pool, work_traced)

    ThreadPoolExecutor.submit = submit_traced  # its threads may have begun without a profiler
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        ThreadPoolExecutor.submit = submit


def settle(window: Any, trace: Trace, done: Callable[[], bool] = lambda: True, quiet_ms: int = 400) -> None:
    """Process events until all is done and no job runs any more; asking for that is not traced."""
    from PySide6.QtWidgets import QApplication

    quiet_since = time.monotonic()
    while True:
        QApplication.processEvents()
        trace.paused = True
        canvas = window.page.canvas
        busy = window.jobs.busy or window.page.pending or (canvas is not None and canvas.drawing)
        if busy or not done():
            quiet_since = time.monotonic()
        elif time.monotonic() - quiet_since > quiet_ms / 1000:
            trace.paused = False
            return
        trace.paused = False
        time.sleep(0.002)


def shown_window() -> Any:
    """Return a window on a bundled example, with its first picture."""
    from PySide6.QtWidgets import QApplication

    from app.session import Session
    from app.window.main_window import MainWindow

    application = QApplication.instance() or QApplication([])
    window = MainWindow(Session())
    window.resize(1400, 900)
    window.show()
    application.processEvents()
    window.controllers.data.open_example("salaries")
    assert window.wait_until_idle(30_000)
    return window


def epsilon_to_picture(window: Any) -> Trace:
    """Turn epsilon, and wait until its picture is drawn."""
    with traced(to_picture=True) as trace:
        window.body.column.privacy.epsilon.type_in("0.5")
        settle(window, trace)
    return trace


def dialog_to_picture(window: Any, folder: Path) -> Trace:
    """Declare the bounds of a file on Data, and wait until its picture is drawn."""
    from PySide6.QtWidgets import QApplication

    path = folder / "first.csv"
    path.write_text("age\n" + "\n".join(str(20 + row % 60) for row in range(400)) + "\n")
    window.controllers.data.open_file(str(path))
    assert window.wait_until_idle(30_000)
    window.page.rows["age"].facts.lower_box.type_in("0")
    window.page.rows["age"].facts.upper_box.type_in("120")
    QApplication.processEvents()
    with traced(to_picture=True) as trace:
        window.session.show_page("median")
        settle(window, trace, lambda: window.page.canvas is not None and window.page.canvas.has_result)
    return trace


def file_to_release(window: Any, folder: Path) -> Trace:
    """Open a file, declare its bounds, and run."""
    path = folder / "ages.csv"
    path.write_text("age\n" + "\n".join(str(20 + place % 60) for place in range(500)) + "\n")
    with traced() as trace:
        window.controllers.files.open_path(str(path))
        settle(window, trace)
        window.session.edit("bounds", lower=0.0, upper=120.0)
        settle(window, trace)
        window.controllers.run.start()
        settle(window, trace)
    assert window.session.state.releases
    return trace


def release_to_report(window: Any, folder: Path) -> Trace:
    """Write a report of what was released."""
    from app.model.report_document import ReportOptions

    reports = window.controllers.exports.reports
    request = reports.request(ReportOptions(title="Ages"))
    with traced() as trace:
        reports.write(request, folder / "report.html")
        settle(window, trace, (folder / "report.html").exists)
    assert (folder / "report.html").stat().st_size > 1000
    return trace


def walk() -> dict[str, Trace]:
    """Walk all three ways in one window."""
    with tempfile.TemporaryDirectory() as folder:
        window = shown_window()
        traces = {"epsilon to a picture": epsilon_to_picture(window)}
        traces["file to a release"] = file_to_release(window, Path(folder))
        traces["release to a report"] = release_to_report(window, Path(folder))
        traces["declared bounds to the first picture"] = dialog_to_picture(window, Path(folder))
        window.close()
    return traces


def main() -> None:
    """Print what was entered on each way."""
    for name, trace in walk().items():
        counts = (len(trace.way), len(trace.rooms), len(trace.climbs), trace.most_hops, len(trace.files))
        print(
            "{}: {} files and {} rooms on the way (*), {} climbs, at most {} hops within one object; "
            "{} files entered".format(name, *counts)
        )
        for file in sorted(trace.files):
            print(f"    {'*' if file in trace.way else ' '} {file}  ({trace.files[file]} calls)")
        for climb in sorted(trace.climbs):
            print(f"    climbs: {climb}")
        for chain, hops in trace.hops.items():
            if hops > 1:
                print(f"    {hops} hops: {chain}")


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("MPLBACKEND", "Agg")
    sys.path.insert(0, str(ROOT))
    main()
