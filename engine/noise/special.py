"""Special functions of scipy, imported when the first one is used, so that a window need not wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scipy.special import betainc as betainc
    from scipy.special import betaincc as betaincc
    from scipy.special import betaincinv as betaincinv
    from scipy.special import betaln as betaln
    from scipy.special import erfcx as erfcx
    from scipy.special import expit as expit
    from scipy.special import gammainc as gammainc
    from scipy.special import gammaincc as gammaincc
    from scipy.special import log_ndtr as log_ndtr
    from scipy.special import logit as logit
    from scipy.special import ndtr as ndtr
    from scipy.special import ndtri as ndtri
    from scipy.special import wrightomega as wrightomega


def load() -> None:
    """Import them now, in a worker: that takes 0.2 s, for which a window need not stand still."""
    from scipy import special  # noqa: F401


def __getattr__(name: str) -> Any:
    """Return a function of `scipy.special`."""
    from scipy import special

    function = globals()[name] = getattr(special, name)
    return function
