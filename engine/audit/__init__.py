"""Audits: empirical lower bounds on epsilon, from draws of a mechanism on two neighbours.

`audit` has the method; `engine.audit.low_bits` attacks the lowest bits of real releases, which it cannot see.
``__init__.pyi`` lists the names; a module is imported at first access to one of its names.
"""

from engine.lazy_names import offer_names

HOMES, __all__, __getattr__, __dir__ = offer_names(globals())
"""The module of each name, and what Python looks up in a module."""
