"""What is said wherever epsilon and delta do not hold to the last bit."""

INEXACT = "not exact in floating point"


def inexact_words(exact: bool, reason: str) -> str:
    """Say that privacy does not hold to the last bit, and why if that is known; "" where it does."""
    return "" if exact else f"{INEXACT}: {reason}" if reason else INEXACT
