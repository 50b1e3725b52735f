"""Pictures from Python: what the window draws of data and releases, as arrays and numbers.

>>> from sensiscope import scenes
>>> scenes.cell_outlines.__name__
'cell_outlines'
"""

from typing import Any

from engine import analysis
from engine.lazy_names import load_name

__all__ = analysis.__all__


def __getattr__(name: str) -> Any:
    return load_name(globals(), analysis.HOMES, name)


def __dir__() -> list[str]:
    return analysis.__all__
