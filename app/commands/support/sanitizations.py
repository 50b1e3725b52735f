"""What is to be released, as options describe it: mechanism, budget, and what follows from the release."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.commands.support.budget import privacy_of
from app.commands.support.data import readers
from app.commands.support.mechanism_options import check_name, mechanism_parameters, query_mechanism
from app.commands.support.mechanism_parts import points_mechanism
from app.commands.support.postprocessing_options import postprocessing_of, refuse_postprocessing
from app.releases.categories import CategoriesRelease
from app.releases.histogram import HistogramRelease
from app.releases.number import QueryRelease
from app.releases.registry import release_class

if TYPE_CHECKING:
    from app.releases.base import Sanitization
    from engine.privacy import Privacy


def sanitization_of(options: argparse.Namespace, program: str) -> tuple[Privacy, Sanitization]:
    """Return the budget and what is to be released; all is checked before any data are read."""
    from engine.mechanisms import BlockMechanism
    from engine.queries import QUERIES

    name = options.mechanism
    check_name(name)
    asked = privacy_of(options, readers()[name], program)
    kind = None if name in QUERIES else release_class(name)
    if kind is None or not issubclass(kind, HistogramRelease):
        refuse_postprocessing(name, options, program)
    if kind is None:
        return asked, _query_release(options, asked, program)
    mechanism = points_mechanism(options, asked, mechanism_parameters(), program)
    if issubclass(kind, CategoriesRelease):
        return asked, kind(mechanism, asked)
    given = not isinstance(mechanism, BlockMechanism) or options.blocks is not None
    if issubclass(kind, HistogramRelease):
        learned = postprocessing_of(options, program)
        return asked, kind(mechanism, asked, blocks_given=given, postprocessing=learned)
    return asked, kind(mechanism, asked, blocks_given=given)


def _query_release(options: argparse.Namespace, asked: Privacy, program: str) -> QueryRelease:
    mechanism = query_mechanism(options, asked, mechanism_parameters(), program)
    if hasattr(mechanism, "noise"):
        chosen = mechanism.settings()
        # a pair that does not exist is refused before a large file is read
        mechanism.noise.check(asked, constants=chosen["constants"], split=chosen["split"])
    return QueryRelease(mechanism)
