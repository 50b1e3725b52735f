"""What is to be released, as options describe it: mechanism, budget, and what follows from the release."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING, Any

from app.commands.support.budget import read_privacy_for
from app.commands.support.data import readers
from app.commands.support.mechanism_options import check_name, mechanism_parameters, query_mechanism
from app.commands.support.mechanism_parts import sanitizer_of
from app.commands.support.postprocessing_options import postprocessing_of, refuse_postprocessing
from app.releases.histogram import HistogramRelease
from app.releases.number import QueryRelease
from app.releases.registry import release_of

if TYPE_CHECKING:
    from app.releases.base import Sanitization
    from engine.privacy import Privacy


def sanitization_of(options: argparse.Namespace, program: str) -> tuple[Privacy, Sanitization[Any, Any, Any]]:
    """Return the budget and what is to be released; all is checked before any data are read."""
    from engine.catalog import sanitizers
    from engine.mechanisms import BlockMechanism, HistogramMechanism

    name = options.mechanism
    check_name(name)
    privacy = read_privacy_for(options, readers()[name], program)
    if name not in sanitizers() or not issubclass(sanitizers()[name], HistogramMechanism):
        refuse_postprocessing(name, options, program)
    if name not in sanitizers():
        return privacy, _query_release(options, privacy, program)
    mechanism = sanitizer_of(options, privacy, mechanism_parameters(), program)
    given = not isinstance(mechanism, BlockMechanism) or options.blocks is not None
    subject = release_of(mechanism, privacy, blocks_given=given)
    if isinstance(subject, HistogramRelease):
        subject = dataclasses.replace(subject, postprocessing=postprocessing_of(options, program))
    return privacy, subject


def _query_release(options: argparse.Namespace, privacy: Privacy, program: str) -> QueryRelease:
    mechanism = query_mechanism(options, privacy, mechanism_parameters(), program)
    if hasattr(mechanism, "noise"):
        chosen = mechanism.settings()
        # a pair that does not exist is refused before a large file is read
        mechanism.noise.check(privacy, constants=chosen["constants"], split=chosen["split"])
    return QueryRelease(mechanism)
