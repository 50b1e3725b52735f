"""Handling of Ctrl+C: it ends the program within a second, even during long calls."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from engine.progress import Cancelled, Progress

INTERRUPTED = 130
GRACE = 0.4
"""Seconds for the work to stop by itself after Ctrl+C."""
LEAVE = 5.0
"""Seconds for the work to print its results so far."""

Handler = Callable[[int, FrameType | None], Any]


@contextlib.contextmanager
def _handle(handler: Handler | signal.Handlers, *names: str) -> Iterator[None]:
    """Replace the handlers of the named signals that the system has; do nothing outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = [signal.signal(number, handler) for number in numbers]
    try:
        yield
    finally:
        for number, former in zip(numbers, before, strict=True):
            signal.signal(number, former if former is not None else signal.SIG_DFL)


def orderly_end() -> contextlib.AbstractContextManager[None]:
    """Turn signals such as that of `kill` into `SystemExit`, so that temporary files are removed."""

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    return _handle(end, "SIGTERM", "SIGHUP")


def plain_interrupt() -> contextlib.AbstractContextManager[None]:
    """Let Ctrl+C end the process at once; an event loop outside Python would not notice it."""
    return _handle(signal.SIG_DFL, "SIGINT")


@contextlib.contextmanager
def prompt_interrupt(handle: Handler = signal.default_int_handler, grace: float = GRACE) -> Iterator[None]:
    """Let Ctrl+C raise `KeyboardInterrupt`, and end the process if that takes too long.

    Python delivers a signal only between two of its own instructions, so a long call into compiled code
    (sorting, reading a file) would delay it. But the signal writes to the interpreter's wake-up socket at
    once, and a thread that waits there ends the process after `grace` seconds. No file is damaged: files get
    their names only when they are complete. Contexts may be nested.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = socket.socketpair()
    writer.setblocking(False)

    def watch() -> None:
        while (received := reader.recv(1)) and received[0] != signal.SIGINT:
            pass
        if received:
            reader.settimeout(grace)
            with contextlib.suppress(TimeoutError):
                while reader.recv(1):
                    pass
                return
            os._exit(INTERRUPTED)

    wakeup = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    thread = threading.Thread(target=watch, name="interrupt", daemon=True)
    thread.start()
    try:
        with _handle(handle, "SIGINT"):
            yield
    finally:
        signal.set_wakeup_fd(wakeup)
        writer.close()
        thread.join()
        reader.close()


@contextlib.contextmanager
def stop_on_interrupt(progress: Progress) -> Iterator[Progress]:
    """Let Ctrl+C cancel work through its progress, with the results so far; a second one ends the program."""
    stopped = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal stopped
        if stopped:
            raise KeyboardInterrupt
        stopped = True

    def report(fraction: float, message: str = "") -> None:
        if stopped:
            raise Cancelled
        progress(fraction, message)

    with prompt_interrupt(stop, LEAVE):
        yield report
