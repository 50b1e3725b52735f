"""Read files as tables, columns of numbers or categories, and lists of edges; load examples.

``__init__.pyi`` lists the names; a module is imported at first access to one of its names.
"""

from engine.lazy_names import offer_names

HOMES, __all__, __getattr__, __dir__ = offer_names(globals())
"""The module of each name, and what Python looks up in a module."""
