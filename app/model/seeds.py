"""What simulations are drawn from."""

from __future__ import annotations

DEFAULT_SEED = 1
"""The seed of simulations until the user asks for a new one."""
