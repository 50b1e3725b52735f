"""Data-dependent noise in differential privacy: sensitivities, noise, mechanisms; no user interface.

Scripts import everything from here; ``__init__.pyi`` lists the names.  A module is imported at first access
to one of its names.  ``dir`` omits most names of `engine.extras`.
"""

from typing import Any

from engine.lazy_names import listed_names, load_name, unknown_name

__version__ = "1.1.0.dev0"

_HOMES = listed_names(__file__)

_LISTED_EXTRAS = {"PrivateKMeans", "PrivateStatistic", "KMeansOnCells", "PrivTree"}  # guides import these
_LISTED_EXTRAS |= {"Cluster", "StoredSample", "stored_column"}

__all__ = sorted(
    name for name, home in _HOMES.items() if name in _LISTED_EXTRAS or not home.startswith("engine.extras.")
)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return load_name(globals(), _HOMES, name)
    from engine.former_names import FORMER_NAMES

    if name not in FORMER_NAMES:
        raise AttributeError(unknown_name(__name__, name, _HOMES))
    return load_name(globals(), FORMER_NAMES, name)


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
