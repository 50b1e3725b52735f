"""The ledger of a user: where it is, and what is written in it about a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.mechanisms.base import Mechanism


def default_ledger() -> Path:
    """Return the file in the user's data folder that the window and the command line share."""
    from platformdirs import user_data_path

    return user_data_path("Sensiscope", appauthor=False) / "ledger.sqlite"


def about_release(name: str, of: str, mechanism: Mechanism[Any]) -> dict[str, Any]:
    """Return what an entry says of a release: its name in the catalog, of which columns, and how; public."""
    return {"release": name, "of": of, "method": mechanism.name, "parameters": parameters_of(mechanism)}


def parameters_of(mechanism: Mechanism[Any]) -> dict[str, Any]:
    """Return all public parameters of what is asked and of how it is released, those of the noise last."""
    from engine.mechanisms import Sanitizer, ScalarMechanism
    from engine.noise import Noise

    own = mechanism.release_parameters() if isinstance(mechanism, Sanitizer) else mechanism.settings()
    query = mechanism.query.settings() if isinstance(mechanism, ScalarMechanism) else {}
    noise = getattr(getattr(mechanism, "aggregator", mechanism), "noise", None)
    return {**query, **own} | ({"noise": noise.name, **noise.settings()} if isinstance(noise, Noise) else {})
