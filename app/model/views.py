"""The two views of the data: who is looking decides what is seen."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

CURATOR, RELEASE = "curator", "release"

VIEWS: Mapping[str, str] = MappingProxyType({CURATOR: "Curator view", RELEASE: "Release view"})
"""The views by name, with their labels: one shows everything, one what can be shared."""
