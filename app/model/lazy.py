"""Classes and functions of higher packages that declarations name; each is imported on first use.

``lazy.pyi`` lists them for type checkers and editors.
"""

from engine.lazy_names import offer_names

HOMES, __all__, __getattr__, __dir__ = offer_names(globals())
"""The module of each name, and what Python looks up in a module."""
