"""Two sources of randomness, and only two: one for releases, one for simulations."""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Any

import numpy as np

_NextInteger64 = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)
_NextInteger32 = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)
_NextDouble = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)


class _BitGeneratorStruct(ctypes.Structure):
    """The C interface through which numpy asks for random bits (``bitgen_t``)."""

    _fields_ = (
        ("state", ctypes.c_void_p),
        ("next_uint64", _NextInteger64),
        ("next_uint32", _NextInteger32),
        ("next_double", _NextDouble),
        ("next_raw", _NextInteger64),
    )


class SystemEntropy:
    """A numpy bit generator whose every bit comes from ``os.urandom``.

    numpy's own generators are seeded once and then predictable to whoever
    recovers their state; a release must not be.  There is no seed here.

    The samplers that use these bits work in double precision, and the lowest bits of
    what they return can tell more than the proofs allow (Mironov 2012).  A declared
    resolution removes most of that, not all.
    """

    _BUFFER = 4096

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._bytes = b""
        self._position = 0
        self._process = os.getpid()
        self._struct = _BitGeneratorStruct(
            None,
            _NextInteger64(lambda _: self._word(8)),
            _NextInteger32(lambda _: self._word(4)),
            # 53 random bits: the spacing that numpy's own generators use
            _NextDouble(lambda _: (self._word(8) >> 11) * 2.0**-53),
            _NextInteger64(lambda _: self._word(8)),
        )
        new_capsule = ctypes.pythonapi.PyCapsule_New
        new_capsule.restype = ctypes.py_object
        new_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        self.capsule = new_capsule(ctypes.addressof(self._struct), b"BitGenerator", None)

    def _word(self, size: int) -> int:
        try:
            # a forked process must not repeat the bytes of its parent
            if self._position + size > len(self._bytes) or self._process != os.getpid():
                self._bytes, self._position = os.urandom(self._BUFFER), 0
                self._process = os.getpid()
            start, self._position = self._position, self._position + size
            return int.from_bytes(self._bytes[start : self._position], "little")
        except BaseException:
            # numpy cannot be told: an exception here would become the number 0, and a
            # release with known noise.  Failing closed is all that is left.
            os.abort()


class SecureGenerator(np.random.Generator):
    """The generator of releases; its type tells a release from a simulation."""

    def __init__(self) -> None:
        source: Any = SystemEntropy()
        super().__init__(source)


def secure() -> SecureGenerator:
    """Return a generator for a *release*: operating-system entropy, not seedable."""
    return SecureGenerator()


def reproducible(seed: int) -> np.random.Generator:
    """Return a generator for a *simulation*: the same seed gives the same numbers.

    Whoever knows the seed can subtract the noise, so nothing drawn from it is a
    release.
    """
    return np.random.Generator(np.random.PCG64DXSM(seed))


def is_release(rng: np.random.Generator) -> bool:
    """Tell whether what is drawn from `rng` may be called a release."""
    return isinstance(rng, SecureGenerator)
