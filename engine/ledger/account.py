"""The account of one dataset: its limit, its entries, and how a release is paid for."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from engine.ledger.composition import Composition, composed
from engine.ledger.cost import SLACK, Cost, Limit
from engine.ledger.entry import LedgerEntry
from engine.ledger.errors import NOTHING, LedgerError, Overspent, Resembling
from engine.ledger.event import fits, plain
from engine.ledger.known import Decision, Holdings, LedgerState, charge_content, limit_content
from engine.ledger.similar import KeptSketch, SimilarData
from engine.shown import ShownInALine

if TYPE_CHECKING:
    from engine.data.sketch import TableSketch
    from engine.mechanisms.release import Release


class Log(Protocol):
    """What a ledger is to its accounts."""

    def keyed(self, purpose: str, content: bytes) -> str:
        """Return a hash with the ledger's key."""

    def known(self) -> LedgerState:
        """Return what the ledger says now."""

    def append(self, decide: Decision) -> int:
        """Write one event, chosen by what the ledger says, while nothing else can write; return its id."""


class Account(ShownInALine):
    """What was released of one dataset; asks the `Ledger` each time, which others may write, too.

    Parameters
    ----------
    ledger : Ledger
    name : str
        A keyed hash: it tells nothing about the data to whoever has not the ledger.
    title : str, optional
        What the dataset is called.
    first : Limit, optional
        The limit that it begins with.
    sketch : TableSketch, optional
        Of the data, by which those that resemble them are found.
    file : str, optional
        A keyed hash of the bytes of the file that holds them.
    others : sequence of str, optional
        Names of further datasets that the data come from, too.  What is in their accounts counts, and
        the first release joins them with this one.

    Attributes
    ----------
    name : str
        A keyed hash: it tells nothing about the data to whoever has not the ledger.
    """

    def __init__(
        self,
        ledger: Log,
        name: str,
        title: str = "",
        first: Limit | None = None,
        sketch: TableSketch | None = None,
        file: str = "",
        others: Sequence[str] = (),
    ) -> None:
        self._ledger = ledger
        self.name = name
        self._title = title
        self._first = first
        self._sketch, self._file = sketch, file
        self._others = tuple(others)

    @property
    def in_a_line(self) -> str:
        """Whose account it is."""
        return repr(self._title or self.name[:8])

    @functools.cached_property
    def _kept_sketch(self) -> KeptSketch | None:
        return None if self._sketch is None else KeptSketch.of(self._sketch, self._ledger.keyed)

    @property
    def title(self) -> str:
        """What the dataset is called."""
        return self._title or self._holdings().title

    @property
    def limit(self) -> Limit | None:
        """How much may be spent; None: as much as one likes."""
        return self._holdings().limit

    @property
    def limit_chosen(self) -> bool:
        """Whether a limit was ever set, or none on purpose."""
        return self._holdings().limit_chosen

    def set_limit(self, limit: Limit | None) -> None:
        """Set how much may be spent from now on, whatever is spent already."""
        content = {**self._named(), "limit": limit_content(limit)}
        self._ledger.append(lambda known: ("limit", content))

    def entries(self, neighbours: str | None = None) -> list[LedgerEntry]:
        """Return all entries, the oldest first; of one neighbouring relation, or of all."""
        return _entries(self._holdings(), neighbours)

    def spent(self, neighbours: str) -> Composition | None:
        """Return what is spent between these neighbours; None if nothing is."""
        return _spent(self._holdings(), neighbours)

    def with_one_more(self, cost: Cost) -> tuple[Composition, bool]:
        """Return what would be spent after a release at this cost, and whether that is over the limit."""
        holdings = self._holdings()
        return _with_one_more(holdings, cost)

    def goes_by(self, name: str) -> bool:
        """Tell whether a name is that of this account, or was it before accounts were joined."""
        known = self._ledger.known()
        return known.named(name) == known.named(self.name)

    def similar(self) -> tuple[SimilarData, ...]:
        """Return what the data resemble of which something was released, the most similar first.

        Nothing once something was released of themselves: then it was said that they are other data.
        """
        return self._similar(self._ledger.known())

    def count_as(self, name: str) -> None:
        """Count the data as those of another account from now on, whose name this is; all is added up."""

        def join(known: LedgerState) -> tuple[str, dict[str, Any]]:
            if known.named(self.name) == known.named(name):
                raise _Begun
            return "join", {"account": known.named(name), "with": known.named(self.name)}

        with contextlib.suppress(_Begun):
            self._ledger.append(join)

    def spend(
        self,
        cost: Cost,
        about: Mapping[str, Any],
        draw: Callable[[], Release],
        *,
        over: bool = False,
        apart: bool = False,
    ) -> Release:
        """Write down a release, make it, and return it.

        The limit is checked and the entry is on the disk before `draw` is called.  If the program is
        killed in between, the entry stays, and counts.  If `draw` raises, no value came about: the
        entry is void.

        Parameters
        ----------
        cost : Cost
        about : mapping
            What is released and how; public.
        draw : callable
            Makes the release, and has nothing else to do that could fail.
        over : bool
            Go beyond the limit: the user has agreed to that.
        apart : bool
            Count the data as other data than all that they resemble: the user has said so.

        Raises
        ------
        Resembling
            If the data resemble others of which something was released, and nothing of themselves yet.
        Overspent
            If it would go beyond the limit; no entry is written.
        LedgerError
            If it cannot be written down: nothing is released.
        """
        facts = plain(about)

        def charge(known: LedgerState) -> tuple[str, dict[str, Any]]:
            holdings = self._of(known)
            if not apart and (similar := self._similar(known)):
                raise Resembling(similar, self._title)
            composition, too_much = _with_one_more(holdings, cost)
            if too_much and not over:
                assert holdings.limit is not None
                title = self._title or holdings.title
                raise Overspent(cost, holdings.limit, composition, _spent(holdings, cost.neighbours), title)
            sketch = self._kept_sketch
            kept = {} if sketch is None or sketch in holdings.sketches else {"sketch": sketch.content}
            file = {"file": self._file} if self._file and self._file not in holdings.files else {}
            return "charge", {**self._named(), **charge_content(cost, facts, too_much), **kept, **file}

        try:
            self._begin(apart)
            self._join(charge)
            entry = self._ledger.append(charge)
        except LedgerError as error:
            raise type(error)(f"{error}; {NOTHING}") from error
        done = {"account": self.name, "charge": entry}
        try:
            release = draw()
        except BaseException:
            with contextlib.suppress(LedgerError):  # what stays open counts, which is on the safe side
                self._ledger.append(lambda known: ("void", done))
            raise
        # whatever is wrong with keeping it, the value is paid for and goes out
        with contextlib.suppress(Exception):
            self._ledger.append(lambda known: ("value", {**done, **_kept(release.value)}))
        return release

    def _similar(self, known: LedgerState) -> tuple[SimilarData, ...]:
        mine_too = self._names(known)
        own = known.accounts.get(mine_too[0], Holdings())
        if own.entries or (mine := self._kept_sketch) is None:
            return ()
        found = []
        for name, other in known.accounts.items():
            alike = [mine.shared(each) for each in other.sketches if mine.resembles(each)]
            spent = _all_spent(other)
            if name not in mine_too and alike and spent:
                found.append(SimilarData(name, other.title, *max(alike), spent))
        return tuple(sorted(found, key=lambda each: (each.share, each.columns), reverse=True))

    def _begin(self, apart: bool) -> None:
        """Write the first limit down, from which others are to learn it, unless something was written."""
        if self._first is None:
            return

        def begin(known: LedgerState) -> tuple[str, dict[str, Any]]:
            written = any(name in known.accounts for name in self._names(known))
            if written or (not apart and self._similar(known)):
                raise _Begun
            return "limit", {**self._named(), "limit": limit_content(self._first)}

        with contextlib.suppress(_Begun):
            self._ledger.append(begin)

    def _join(self, charge: Decision) -> None:
        """Make the accounts of all datasets that the data come from one, unless nothing may be released."""

        def join(known: LedgerState) -> tuple[str, dict[str, Any]]:
            own, *others = self._names(known)
            if not others:
                raise _Begun
            charge(known)
            return "join", {"account": own, "with": others[0]}

        with contextlib.suppress(_Begun):
            for _ in self._others:
                self._ledger.append(join)

    def _names(self, known: LedgerState) -> list[str]:
        """Return the different accounts of the datasets that the data come from, its own first."""
        return list(dict.fromkeys(map(known.named, (self.name, *self._others))))

    def _named(self) -> dict[str, str]:
        return {"account": self.name, "title": self._title}

    def _holdings(self) -> Holdings:
        return self._of(self._ledger.known())

    def _of(self, known: LedgerState) -> Holdings:
        found = [known.accounts[name] for name in self._names(known) if name in known.accounts]
        if not found:
            return Holdings(limit=self._first, limit_chosen=self._first is not None)
        return functools.reduce(Holdings.together, found)


class _Begun(Exception):
    """It is done already, or must not be done yet."""


def _entries(holdings: Holdings, neighbours: str | None) -> list[LedgerEntry]:
    return [entry for entry in holdings.entries.values() if neighbours in (None, entry.cost.neighbours)]


def _spent(holdings: Holdings, neighbours: str, *more: Cost) -> Composition | None:
    counted = [entry.cost for entry in _entries(holdings, neighbours) if entry.counts]
    return composed([*counted, *more], SLACK if holdings.limit is None else holdings.limit.slack)


def _all_spent(holdings: Holdings) -> dict[str, Composition]:
    relations = dict.fromkeys(entry.cost.neighbours for entry in _entries(holdings, None))
    found = ((neighbours, _spent(holdings, neighbours)) for neighbours in relations)
    return {neighbours: spent for neighbours, spent in found if spent is not None}


def _with_one_more(holdings: Holdings, cost: Cost) -> tuple[Composition, bool]:
    composition = _spent(holdings, cost.neighbours, cost)
    assert composition is not None
    return composition, holdings.limit is not None and not composition.within(holdings.limit)


def _kept(value: Any) -> dict[str, Any]:
    """Return the value as JSON holds it, unless it is too long to be kept."""
    return {"value": plain(value)} if fits(value) else {}
