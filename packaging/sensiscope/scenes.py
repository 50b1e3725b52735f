"""Pictures from Python: what the window draws of data and releases, as arrays and numbers.

>>> from sensiscope import scenes
>>> scenes.cell_outlines.__name__
'cell_outlines'
"""

from typing import Any

from engine import analysis

__all__ = analysis.__all__


def __getattr__(name: str) -> Any:
    if name not in analysis.HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(analysis, name)
    return value


def __dir__() -> list[str]:
    return analysis.__all__
