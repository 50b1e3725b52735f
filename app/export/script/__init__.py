"""Scripts and notebooks that repeat the shown results with the engine alone."""

from app.export.script.scripts import script_of
from app.export.script.subject import NOT_WRITTEN, ScriptCell
from app.export.script.writing import to_notebook, to_python

__all__ = ["NOT_WRITTEN", "ScriptCell", "script_of", "to_notebook", "to_python"]
