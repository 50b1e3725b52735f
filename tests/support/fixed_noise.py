"""Releases with fixed coins, whose value is that of an earlier one: all else can be compared byte by byte."""

import dataclasses
import hashlib
import os
from types import SimpleNamespace

from engine import SuggestedBounds, randomness
from engine.mechanisms import MECHANISMS
from engine.mechanisms.release import Release

_PUBLIC = {field.name for field in dataclasses.fields(Release)}
"""What every release has; fields beyond these show the value once more."""


class FixedNoise:
    """Stands in for the entropy of the operating system where releases take it, and nowhere else."""

    def __init__(self, monkeypatch):
        self.values, self._turn, self._depth, self._count = [], 0, 0, 0
        fake = SimpleNamespace(urandom=self._bytes, getpid=os.getpid, abort=os.abort)
        monkeypatch.setattr(randomness, "os", fake)
        for cls in {SuggestedBounds, *(owner for made in MECHANISMS.values() for owner in made.__mro__)}:
            if "release" in vars(cls):
                monkeypatch.setattr(cls, "release", self._with_one_value(vars(cls)["release"]))

    def begin(self):
        """Draw the same coins again; whatever is released now has the values of the first time."""
        self._turn = self._count = 0

    def _bytes(self, size):
        self._count += 1
        return hashlib.shake_256(self._count.to_bytes(8, "little")).digest(size)

    def _with_one_value(self, release):
        def replaced(*arguments, **options):
            self._depth += 1
            try:
                made = release(*arguments, **options)
            finally:
                self._depth -= 1
            if self._depth:  # a part of another release
                return made
            # rejections take more coins of one database than of the other
            self._count = 1_000_000
            for rng in arguments:
                if isinstance(rng, randomness.SecureGenerator):
                    rng.bit_generator._bytes = b""
            if self._turn == len(self.values):
                own = {field.name for field in dataclasses.fields(made)} - _PUBLIC
                self.values.append({name: getattr(made, name) for name in ("value", *own)})
            self._turn += 1
            return dataclasses.replace(made, **self.values[self._turn - 1])

        return replaced
