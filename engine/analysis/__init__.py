"""Analyses for window, command line and scripts: each is a function with a frozen result.

``__init__.pyi`` lists the names; a module is imported at first access to one of its names.
"""

from engine.lazy_names import offer_names

HOMES, __all__, __getattr__, __dir__ = offer_names(globals())
"""The module of each name, and what Python looks up in a module."""
