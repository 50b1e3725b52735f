"""How many times another one a number is, as users read it."""

import math

from app.model.wording.numbers import number


def times(ratio: float, of: str, alike: str = "", digits: int = 3) -> str:
    """Say that something is `ratio` times `of` something; where that is once, that it is `alike`, else `of`.

    >>> times(2.5, "the baseline"), times(1.0001, "the baseline"), times(1, "the baseline")
    ('2.5 times the baseline', 'about the baseline', 'the baseline')
    >>> times(1, "below global", "as large as global")
    'as large as global'
    """
    factor = number(ratio, digits)
    if factor != number(1):
        return f"{factor} times {of}"
    about = "" if math.isclose(ratio, 1) else "about "
    return f"{about}{alike or of}"
