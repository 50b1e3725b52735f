"""Data-dependent noise in differential privacy: sensitivity, noise, mechanisms; without any display.

``from engine import Sample, Interval, Median, SmoothRelease, Privacy`` is all that a script needs.  The names
are those of ``__init__.pyi``, which type checkers and editors read as well; a module is imported when one of
its names is first asked for.  Those of `engine.extras` are found, too, but not listed by ``dir``.
"""

from typing import Any

from engine.lazy_names import listed_names, load_name

__version__ = "1.0.0"

_HOMES = listed_names(__file__)

__all__ = sorted(name for name, home in _HOMES.items() if not home.startswith("engine.extras."))


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return load_name(globals(), _HOMES, name)
    from engine.former_names import FORMER_NAMES

    return load_name(globals(), FORMER_NAMES, name)


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
