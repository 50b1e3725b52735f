"""What is to be released, as options describe it: mechanism, budget, and what follows from the release."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING, Any

from app.commands.support.budget import read_privacy_for
from app.commands.support.data import readers
from app.commands.support.mechanism_options import check_name, mechanism_of
from app.commands.support.postprocessing_options import postprocessing_of, refuse_postprocessing
from app.releases.postprocessing import NO_POSTPROCESSING, Postprocessing
from app.releases.run import Run
from engine.mechanisms.relation import check_missing

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.privacy import Privacy


@dataclasses.dataclass(frozen=True)
class Sanitization:
    """What is to be released, as options say it before any data are read.

    Attributes
    ----------
    blocks_given : bool
        Whether the number of blocks was said, or there are none.
    postprocessing : Postprocessing
        What follows from the release alone.
    """

    mechanism: Any
    privacy: Privacy
    blocks_given: bool = True
    postprocessing: Postprocessing = NO_POSTPROCESSING

    @property
    def name(self) -> str:
        """What is released, by its name in the catalog."""
        return str(self._asked.name)

    @property
    def reads(self) -> str:
        """Which kind of data it is released of."""
        return str(self._asked.reads)

    @property
    def _asked(self) -> Any:
        return getattr(self.mechanism, "query", self.mechanism)

    def on(self, data: LoadedRecords[Any]) -> Run:
        """Return what is run on these data; the planner chooses the number of blocks, if it is not given.

        Raises
        ------
        ParameterError
            If more is to follow from the release than can.
        """
        if self.postprocessing.points is None:
            self.postprocessing.check(data.database.n)
        if self.blocks_given:
            return Run(self.mechanism, self.privacy, data)
        from engine.mechanisms.planning import plan_blocks, with_blocks

        plan = plan_blocks(self.mechanism, data.database.domain, data.database.n, self.privacy)
        return Run(with_blocks(self.mechanism, plan.blocks), self.privacy, data, plan)


def sanitization_of(options: argparse.Namespace) -> Sanitization:
    """Return what is to be released; all is checked before any data are read."""
    from engine.catalog import sanitizers

    name = options.mechanism
    check_name(name)
    privacy = read_privacy_for(options, readers()[name])
    if name not in sanitizers():
        refuse_postprocessing(name, options)
        mechanism = mechanism_of(options, privacy)
        check_missing(mechanism.relation, options.missing)
        _check_pair(mechanism, privacy)
        return Sanitization(mechanism, privacy)
    from engine.mechanisms import BlockMechanism, HistogramMechanism

    if not issubclass(sanitizers()[name], HistogramMechanism):
        refuse_postprocessing(name, options)
    mechanism = mechanism_of(options, privacy)
    check_missing(mechanism.relation, options.missing)
    given = not isinstance(mechanism, BlockMechanism) or options.blocks is not None
    return Sanitization(mechanism, privacy, given, postprocessing_of(options))


def _check_pair(mechanism: Any, privacy: Privacy) -> None:
    """Refuse a pair that does not exist, before a large file is read."""
    if hasattr(mechanism, "noise"):
        chosen = mechanism.settings()
        mechanism.noise.check(privacy, constants=chosen["constants"], split=chosen["split"])
