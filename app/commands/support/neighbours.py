"""``--neighbour SPEC``: on which two databases a mechanism is audited."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from app.commands.support.options import UsageError
from app.model.kinds.registry import KINDS
from engine.errors import UnknownName

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.audit import Pair
    from engine.mechanisms.base import Mechanism
    from engine.privacy import Privacy
    from engine.progress import Progress

ALL = "all"
SHAPE = "record=NUMBER,value=VALUE"


@dataclasses.dataclass(frozen=True)
class Neighbour:
    """What ``--neighbour`` says.

    Attributes
    ----------
    name : str
        Name of a pair, or "all"; "" where one record is moved.
    record : int
        Which one, counted from 1.
    value : tuple of str
        Its new value, one word for each coordinate.
    """

    name: str
    record: int = 0
    value: tuple[str, ...] = ()

    def pairs(
        self, mechanism: Mechanism[Any], data: LoadedRecords[Any], privacy: Privacy, progress: Progress
    ) -> tuple[Pair, ...]:
        """Return the pairs that are meant: all that follow from public facts, or a single one.

        Raises
        ------
        UnknownName
            If there is no pair of this name.
        SensiscopeError
            If the record cannot be moved there.
        """
        from engine.audit import as_meant, pairs_from_data, replace_one_pair, worst_case_pairs

        database, kind = data.database, KINDS[mechanism.reads]
        if not self.name:
            pair = replace_one_pair(database, self.record - 1, kind.value_of(self.value, database.domain))
            if (meant := as_meant(mechanism, pair)) is None:
                raise UsageError("--neighbour: there is no other record beside it; at least two are needed")
            return (meant,)
        public = worst_case_pairs(mechanism, database.domain, database.n, privacy, **kind.structure(database))
        if self.name == ALL:
            return public
        known = {pair.name: pair for pair in public}
        if self.name not in known:  # those of the data may take a while
            known |= {
                pair.name: pair for pair in pairs_from_data(mechanism, database, privacy, progress=progress)
            }
        if self.name not in known:
            raise UnknownName("pair of neighbours", self.name, [ALL, *known])
        return (known[self.name],)


def neighbour(text: str) -> Neighbour:
    """Read the option."""
    if "=" not in text:
        return Neighbour(text)
    pairs = [pair.partition("=") for pair in text.split(",")]
    given = {name.strip(): value.strip() for name, _, value in pairs}
    if set(given) != {"record", "value"} or len(pairs) > 2 or not all(given.values()):
        raise UsageError(
            f"--neighbour: '{text}' is no {SHAPE}; of points the value has colons, as in value=0.1:0.2"
        )
    if not given["record"].isdecimal() or int(given["record"]) < 1:
        raise UsageError(f"--neighbour: record '{given['record']}' is no number of a record; the first is 1")
    return Neighbour("", int(given["record"]), tuple(given["value"].split(":")))
