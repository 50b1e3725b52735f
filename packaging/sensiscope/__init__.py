"""Sensiscope from Python: the names of `engine`, and the window.

>>> import sensiscope
>>> sensiscope.Median().label
'Median'

``from sensiscope import Sample, Interval, Median, SmoothRelease, Privacy`` is all that a script needs, and
`view` opens the window on data that a program holds.  A module is imported when one of its names is first
asked for.  The first name loads installed plug-ins, too.
"""

import threading
from typing import Any

import engine
from engine import __version__ as __version__

__all__ = sorted([*engine.__all__, "view"])

if engine.__name__ == "engine":  # a checkout
    from sensiscope.checkout import give_second_names

    give_second_names()
    del give_second_names


def view(data: Any = None, *, name: str = "data", theme: str | None = None, ledger: Any = None) -> Any:
    """Open the window on data, wait until it is closed, and return what was released in it.

    Columns and bounds are asked for in the window, as for any file.

    Parameters
    ----------
    data : object, optional
        The path of a file or session, or whatever `as_table` takes: a frame of pandas or polars, an Arrow
        table, an array, a dictionary of columns.  Without it, the window shows what it ended with.
    name : str
        What the window calls data that are in no file.
    theme : str, optional
        "light", "dark" or another one of the settings; for this time.
    ledger : path-like, optional
        Where releases are written down; by default the user's own, as for the program.

    Returns
    -------
    tuple of Release
        In the order in which they were made.

    Raises
    ------
    DataError
        If there is no such file, or the data are no table.
    SensiscopeError
        If PySide6 is not installed, or if there is no display.
    """
    from pathlib import Path

    from app.commands.support.display import display_problem
    from engine.optional_packages import not_installed

    if isinstance(data, (str, Path)) and not Path(data).exists():
        raise engine.DataError("there is no such file; check the name and the folder", source=str(data))
    if missing := not_installed("PySide6", "the window"):
        raise engine.SensiscopeError(missing)
    if problem := display_problem():
        raise engine.SensiscopeError(f"{problem}; start Python where there is one (ssh -X, or xvfb-run)")
    _load_plugins()
    from app.model.dataset import Dataset
    from app.window.application import view_window

    place = None if ledger is None else Path(ledger)
    if data is None or isinstance(data, (str, Path)):
        return view_window(None if data is None else str(data), theme, place)
    return view_window(Dataset.of_table(engine.as_table(data, name)), theme, place)


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    are_loaded = _load_plugins()
    try:
        value = getattr(engine, name)
    except AttributeError as error:
        raise AttributeError(str(error).replace("'engine'", repr(__name__), 1)) from None
    if are_loaded:  # otherwise the next name tries again
        globals()[name] = value
    return value


_MAX_WAIT = 60.0
"""Longest time in seconds that a thread waits until another one has loaded the plug-ins."""

_plugins: list[bool] = []
_loading: list[int] = []
_lock = threading.Lock()


def _load_plugins() -> bool:
    """Load installed plug-ins, once; return False where it must wait for a plug-in that is being imported."""
    if _plugins:
        return True
    from engine.plugins import are_pending, is_importing

    if threading.get_ident() in _loading or (are_pending() and is_importing()):
        return False
    # with a limit: the other thread may load a plug-in that this one is importing
    if not _lock.acquire(timeout=_MAX_WAIT):
        return False
    _loading.append(threading.get_ident())
    try:
        if are_pending():
            from app.commands.support.plugins import start_plugins

            start_plugins()
        _plugins.append(True)
    finally:
        _loading.clear()
        _lock.release()
    return True


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
