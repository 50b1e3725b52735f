"""Pairs of neighbours and planted bugs, as they are offered for an audit."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class PairOffer:
    """A pair of neighbours, or a planted bug, that can be chosen.

    Attributes
    ----------
    name, label : str
        What it is called in a lesson, and on the screen.
    why : str
        A sentence: which mistake shows on the pair, or what is wrong.
    public : bool
        Whether it follows from public facts alone.
    worst, runs : str, int
        The pair on which a bug shows best, and the runs in which it does.
    low_bits : bool
        Whether a bug shows in the low bits of real releases alone.
    """

    name: str
    label: str
    why: str
    public: bool = True
    worst: str = ""
    runs: int = 0
    low_bits: bool = False
