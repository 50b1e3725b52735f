"""The two sources of randomness: one for releases, one for simulations."""

from __future__ import annotations

import ctypes
import math
import os
import threading
from numbers import Real
from typing import Any, NoReturn, SupportsIndex, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from engine.errors import ParameterError, SensiscopeError
from engine.numerals import given, short

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
    """A numpy bit generator whose bits come from ``os.urandom``: no seed, and no state to recover."""

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
            # 53 random bits, as in numpy's own generators
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
            # ctypes would turn an exception into the number 0, and so into a release with known noise; only
            # ending the process is safe
            os.abort()


WHOLE_NUMBERS = frozenset(
    {"bit_generator", "bytes", "integers", "permutation", "permuted", "shuffle", "spawn"}
)
"""Methods of a release's generator: their distributions are exact."""


class SecureGenerator(np.random.Generator):
    """The generator of releases; its type distinguishes a release from a simulation.

    It draws integers, whose distribution is exact. numpy's draws in double precision are blocked: which
    doubles can occur depends on the data that they are added to, and their lowest bits can reveal more than
    the proofs allow (Mironov 2012).  `engine.add_noise` and similar functions are exact, and
    `public_generator` serves draws that do not depend on the data.
    """

    def __init__(self) -> None:
        source: Any = SystemEntropy()
        super().__init__(source)


class DrawnInDoubles(SensiscopeError, TypeError):
    """A mechanism draws in double precision in a release: a programming error."""


def _closed(name: str) -> Any:
    def refuse(*_arguments: object, **_options: object) -> NoReturn:
        raise DrawnInDoubles(
            f"a release must not draw by `{name}` in double precision; use add_noise, "
            "exponential_mechanism, flip_coins, is_above or NoisyThreshold, which are exact"
        )

    return refuse


for _name in dir(np.random.Generator):
    if not _name.startswith("_") and _name not in WHOLE_NUMBERS:
        setattr(SecureGenerator, _name, _closed(_name))


SeedLike: TypeAlias = float | SupportsIndex | np.random.Generator
"""Types that functions accept as a seed: a whole number, or a generator, from which one is drawn."""


def secure() -> SecureGenerator:
    """Return a generator for a *release*: operating-system entropy, not seedable.

    Returns
    -------
    SecureGenerator
        The type by which mechanisms distinguish a release from a simulation.

    See Also
    --------
    reproducible, add_noise

    Examples
    --------
    Integers come from the operating system's entropy; doubles are refused, since their last bits reveal data.

    >>> int(secure().integers(1, 7)) in range(1, 7)
    True
    """
    return SecureGenerator()


def reproducible(seed: SeedLike) -> np.random.Generator:
    """Return a generator for a *simulation*: the same seed gives the same numbers.

    Anyone who knows the seed can subtract the noise, so nothing drawn from it is a release.

    Parameters
    ----------
    seed : int
        At least 0; a generator of numpy draws one.

    Raises
    ------
    ParameterError
        If the seed is no such number.

    Returns
    -------
    Generator
        A PCG64DXSM generator.

    See Also
    --------
    secure, simulate

    Examples
    --------
    >>> reproducible(1).random() == reproducible(1).random()
    True
    """
    return np.random.Generator(np.random.PCG64DXSM(as_seed(seed)))


def as_whole(name: str, value: Any, least: int) -> int:
    """Convert a number without fraction, such as 1e4; raise `ParameterError` for another or a smaller one."""
    is_number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    if is_number and math.isfinite(value) and value == int(value) >= least:
        return int(value)
    shown = short(value) if is_number else given(value)
    raise ParameterError(name, f"{shown} is not possible; it must be a whole number at least {least}")


def as_seed(seed: SeedLike) -> int:
    """Convert to a seed; a generator of numpy draws it."""
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**63))
    if isinstance(seed, np.random.RandomState):
        return int(seed.randint(2**31 - 1))
    if seed is None:
        raise ParameterError("seed", "None is not possible here; a simulation needs a whole number")
    return as_whole("seed", seed, 0)


def as_generator(seed: SeedLike | None) -> np.random.Generator:
    """Return the generator of a release (None), of a simulation (a seed), or the given one."""
    if seed is None:
        return secure()
    draws = any(hasattr(seed, name) for name in ("random", "normal", "laplace"))  # also of another class
    if draws and not isinstance(seed, np.random.RandomState):
        return cast("np.random.Generator", seed)
    return reproducible(as_seed(seed))


def is_release(rng: np.random.Generator) -> bool:
    """Tell whether draws from `rng` are releases."""
    return isinstance(rng, SecureGenerator)


def public_generator(rng: np.random.Generator) -> np.random.Generator:
    """Return a generator for public random choices that do not depend on the data; doubles are allowed."""
    return np.random.Generator(rng.bit_generator) if is_release(rng) else rng


def random_bits(size: int) -> int:
    """Return a whole number of `size` random bits for a release.

    Keeps no state between calls, so that forks and threads never share bits.
    """
    count = (size + 7) // 8
    return int.from_bytes(os.urandom(count), "little") >> (8 * count - size)


def random_words(count: int) -> NDArray[np.uint64]:
    """Return whole numbers of 64 random bits for a release, shape (count,)."""
    return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)
