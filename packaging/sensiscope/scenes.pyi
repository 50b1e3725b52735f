"""The names of `sensiscope.scenes` for type checkers and editors: those of `engine.analysis`."""

from engine.analysis import *
