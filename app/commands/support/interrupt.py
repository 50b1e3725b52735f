"""Ctrl+C ends the program within a second, whatever it is doing."""

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
"""Seconds that the work gets to stop by itself after Ctrl+C."""
LEAVE = 5.0
"""Seconds that work which keeps what it has gets to say it."""

Handler = Callable[[int, FrameType | None], Any]


@contextlib.contextmanager
def _handle(handler: Handler | signal.Handlers, *names: str) -> Iterator[None]:
    """Handle signals in another way, as far as the system has them; threads besides the main one cannot."""
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
    """Let what asks the process to end, as `kill` does, unwind it, so that temporary files are removed."""

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    return _handle(end, "SIGTERM", "SIGHUP")


def plain_interrupt() -> contextlib.AbstractContextManager[None]:
    """Let Ctrl+C end the process at once: an event loop outside Python would not notice it."""
    return _handle(signal.SIG_DFL, "SIGINT")


@contextlib.contextmanager
def prompt_interrupt(handle: Handler = signal.default_int_handler, grace: float = GRACE) -> Iterator[None]:
    """Let Ctrl+C raise `KeyboardInterrupt`, and end the process if that takes too long.

    Python delivers a signal only between two of its own instructions, so one long call into compiled code
    (sorting, reading a file) would delay it without limit.  The interpreter's wake-up socket is written at
    once, and a thread that waits for it ends the process after a short grace.  Nothing is lost by that: files
    appear under their names only when they are complete.  Another one may be used within it.
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
    """Let Ctrl+C cancel work that keeps what it has, by its progress; a second Ctrl+C ends the program."""
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
