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
def orderly_end() -> Iterator[None]:
    """Let what asks the process to end, as `kill` does, unwind it, so that temporary files are removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), end) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


@contextlib.contextmanager
def prompt_interrupt(handle: Handler = signal.default_int_handler, grace: float = GRACE) -> Iterator[None]:
    """Let Ctrl+C raise `KeyboardInterrupt`, and end the process if that takes too long.

    Python delivers a signal only between two of its own instructions, so one long
    call into compiled code (sorting, reading a file) would delay it without limit.
    The interpreter's wake-up socket is written at once, and a thread that waits for
    it ends the process after a short grace.  Nothing is lost by that: files appear
    under their names only when they are complete.  Within it another one may stand,
    with a handler of its own and more patience.
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

    handler = signal.signal(signal.SIGINT, handle)
    wakeup = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    thread = threading.Thread(target=watch, name="interrupt", daemon=True)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(wakeup)
        signal.signal(signal.SIGINT, handler if handler is not None else signal.SIG_DFL)
        writer.close()
        thread.join()
        reader.close()


class Stopping:
    """Lets Ctrl+C cancel work that keeps what it has; a second Ctrl+C ends the program.

    Attributes
    ----------
    stopped : bool
        Whether Ctrl+C was pressed.
    """

    def __init__(self) -> None:
        self.stopped = False

    def __enter__(self) -> Stopping:
        self._outer = prompt_interrupt(self._stop, LEAVE)
        self._outer.__enter__()
        return self

    def __exit__(self, *failure: Any) -> None:
        self._outer.__exit__(*failure)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        if self.stopped:
            raise KeyboardInterrupt
        self.stopped = True

    def watched(self, progress: Progress) -> Progress:
        """Return a progress that raises `Cancelled` once Ctrl+C was pressed."""

        def report(fraction: float, message: str = "") -> None:
            if self.stopped:
                raise Cancelled
            progress(fraction, message)

        return report


@contextlib.contextmanager
def plain_interrupt() -> Iterator[None]:
    """Let Ctrl+C end the process at once: an event loop outside Python would not notice it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler if handler is not None else signal.SIG_DFL)
