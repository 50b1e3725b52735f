"""Words for sensitivities, and for upper bounds of them."""


def smooth_label(amount: str, bound: bool) -> str:
    """Name smooth sensitivity in a legend."""
    return f"smooth S ≤ {amount}" if bound else f"smooth S*  {amount}"


def local_label(amount: str, bound: bool) -> str:
    """Name local sensitivity in a legend."""
    return f"local ≤ {amount}" if bound else f"local  {amount}"


def at_most(amount: str, bound: bool) -> str:
    """Write an amount in a sentence."""
    return f"at most {amount}" if bound else amount


def below(amount: str, bound: bool) -> str:
    """Write an amount in a table."""
    return f"≤ {amount}" if bound else amount
