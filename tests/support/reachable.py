"""What widgets hold on to: everything that can be reached from them but through the session's own state."""

import gc
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QMainWindow, QWidget

from app.jobs.channels import Jobs
from app.model.dataset import Dataset
from app.model.kept_data import DatabaseCache
from app.model.kinds.base import DataChoice
from app.model.selection import Selection
from app.model.state import SessionState
from app.session import Session

OWN = (Session, SessionState, Selection, Dataset, DataChoice, DatabaseCache, Jobs, QMainWindow)
"""What has records anyway: a session that makes releases needs them."""

BEYOND = (type, types.ModuleType, types.FrameType, types.CodeType, types.BuiltinFunctionType)
"""What leads to the whole program."""


def reachable(*roots: QWidget) -> Iterator[Any]:
    """Return all that can be reached from widgets and all widgets in them."""
    # what is to be deleted later, is: the program comes to that in the next turn
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    stack: list[Any] = [each for root in roots for each in (root, *root.findChildren(QObject))]
    seen: set[int] = set()
    while stack:
        found = stack.pop()
        if id(found) in seen or isinstance(found, (*OWN, *BEYOND)):
            continue
        seen.add(id(found))
        yield found
        if isinstance(found, types.FunctionType):
            stack += [
                cell.cell_contents for cell in found.__closure__ or () if cell.cell_contents is not found
            ]
        elif isinstance(found, np.ndarray):
            stack.append(found.base)
        elif isinstance(found, QObject):
            stack += vars(found).values()
        else:
            stack += gc.get_referents(found)


def holds(found: Any, records: np.ndarray) -> bool:
    """Tell whether something is an array with several of these records."""
    if not isinstance(found, np.ndarray) or found.dtype.kind != "f":
        return False
    return int(np.isin(found, records).sum()) >= 3
