"""The account of one dataset: its limit, its entries, and how it pays for a release."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from engine.arguments import as_data, as_mechanism
from engine.data.look_only import missing_of, rows_of_person
from engine.errors import ParameterError
from engine.ledger.composition import Composition, compose
from engine.ledger.cost import SLACK, Cost, LedgerEntry, Limit, LimitLike, Payable, as_limit
from engine.ledger.errors import NOTHING, LedgerError, MisstatedCost, Overspent, Resembling
from engine.ledger.known import Decision, Holdings, LedgerState, charge_content, fits, limit_content, plain
from engine.ledger.similar import KeptSketch, SimilarData
from engine.mechanisms.relation import check_missing, refuse_look_only
from engine.privacy import NEIGHBOURS, ROW_STEPS, Privacy, PrivacyLike, as_privacy, for_persons
from engine.progress import Progress, part, silent
from engine.randomness import secure
from engine.shown import ShownInALine

if TYPE_CHECKING:
    import numpy as np

    from engine.data.database import AnyDatabase
    from engine.data.sketch import TableSketch
    from engine.mechanisms.base import MechanismLike
    from engine.mechanisms.release import Release

DataT = TypeVar("DataT", bound="AnyDatabase", contravariant=True)

RECOUNTED = "releases of earlier versions are now counted together, for one row of the file"


class ReleasingMechanism(Payable, Protocol[DataT]):
    """Makes the releases of an account: a `Mechanism`, or `SuggestedBounds`."""

    @property
    def name(self) -> str: ...
    def settings(self) -> Mapping[str, Any]: ...
    def refuse(self, privacy: Privacy, domain: Any, n: int, /) -> None: ...
    def prepare(self, data: DataT, privacy: Privacy, progress: Progress, /) -> Any: ...
    def release(
        self, prepared: Any, data: DataT, privacy: Privacy, rng: np.random.Generator, progress: Progress, /
    ) -> Release: ...


class Log(Protocol):
    """The methods of a ledger that its accounts use."""

    def keyed(self, purpose: str, content: bytes) -> str: ...
    def known(self) -> LedgerState: ...
    def append(self, decide: Decision) -> int: ...


class Account(ShownInALine):
    """The releases of one dataset; reads the `Ledger` each time, since other programs may write to it.

    `name` is a keyed hash: without the ledger it reveals nothing about the data.  `first` is the initial
    limit; `sketch` finds similar data; `file` is a keyed hash of the file's bytes.  The data may also come
    from the datasets of the `others`: these accounts count, too, and the first release joins them with this
    one.
    """

    def __init__(
        self,
        ledger: Log,
        name: str,
        title: str = "",
        first: LimitLike | None = None,
        sketch: TableSketch | None = None,
        file: str = "",
        others: Sequence[str] = (),
    ) -> None:
        self._ledger = ledger
        self.name = name
        self._title = title
        self._first = as_limit(first)
        self._sketch, self._file = sketch, file
        self._others = tuple(others)

    @property
    def in_a_line(self) -> str:
        return repr(self._title or self.name[:8])

    @functools.cached_property
    def _kept_sketch(self) -> KeptSketch | None:
        return None if self._sketch is None else KeptSketch.of(self._sketch, self._ledger.keyed)

    @property
    def title(self) -> str:
        return self._title or self._holdings().title

    @property
    def limit(self) -> Limit | None:
        """How much may be spent; None means no limit."""
        return self._holdings().limit

    @property
    def limit_chosen(self) -> bool:
        """Whether a limit was ever set or deliberately removed."""
        return self._holdings().limit_chosen

    def set_limit(self, limit: LimitLike | None) -> None:
        """Set how much may be spent from now on, regardless of earlier spending; None for no limit."""
        content = {**self._named(), "limit": limit_content(as_limit(limit))}
        self._ledger.append(lambda known: ("limit", content))

    def entries(self) -> list[LedgerEntry]:
        return list(self._holdings().entries.values())

    def spent(self) -> Composition | None:
        """Return the cost so far for one row of the file, to which the limit applies; None without releases.

        Adds up releases with any neighbouring relations (`Cost.row`).
        """
        return _spent(self._holdings())

    def spent_between(self, neighbours: str) -> Composition | None:
        """Return the cost so far for other neighbours, such as of a vertex, to show beside `spent`.

        None unless all releases state their privacy for these neighbours: otherwise the sum is unknown.
        """
        holdings = self._holdings()
        costs = _counted(holdings)
        if not costs or any(cost.neighbours != neighbours for cost in costs):
            return None
        stated = [dataclasses.replace(cost, neighbours=NEIGHBOURS) for cost in costs]  # to be added as stated
        return compose(stated, _slack(holdings.limit))

    @property
    def recounted(self) -> str:
        """One line saying that releases of earlier versions are now counted differently; or ""."""
        return _recounted(self._holdings())

    def with_one_more(self, cost: Cost) -> tuple[Composition, bool]:
        """Return the cost after one more release, and whether it exceeds the limit."""
        holdings = self._holdings()
        return _with_one_more(holdings, cost)

    def goes_by(self, name: str) -> bool:
        """Tell whether a name is that of this account, or was before accounts were joined."""
        known = self._ledger.known()
        return known.named(name) == known.named(self.name)

    def similar(self) -> tuple[SimilarData, ...]:
        """Return similar data with releases, the most similar first.

        None once these data have releases of their own: the user has then said that they are different data.
        """
        return self._similar(self._ledger.known())

    def count_as(self, name: str) -> None:
        """Join the account with another one, given by name; all costs are added up from now on."""

        def join(known: LedgerState) -> tuple[str, dict[str, Any]]:
            if known.named(self.name) == known.named(name):
                raise _Begun
            return "join", {"account": known.named(name), "with": known.named(self.name)}

        with contextlib.suppress(_Begun):
            self._ledger.append(join)

    def check(
        self,
        mechanism: Payable,
        privacy: PrivacyLike,
        domain: Any = None,
        *,
        rows: int = 0,
        over: bool = False,
        apart: bool = False,
    ) -> None:
        """Raise the errors that `release` would raise, before the data are prepared; `rows` as in `Cost`."""
        cost = Cost.of(mechanism, privacy, domain, rows)
        with _nothing_released():
            self._goes_beyond(self._ledger.known(), cost, over, apart)

    def release(
        self,
        mechanism: ReleasingMechanism[Any] | MechanismLike,
        data: Any,
        privacy: PrivacyLike,
        about: Mapping[str, Any] | None = None,
        *,
        over: bool = False,
        apart: bool = False,
        progress: Progress = silent,
        look: Callable[[Any], None] | None = None,
        settle: Callable[[], None] | None = None,
    ) -> Release:
        """Write the cost down, then make a release with the operating system's randomness.

        The limit is checked and the entry is on the disk before anything is drawn.  If the program is killed
        in between, the entry stays, and counts.  If the mechanism raises, there is no value: the entry is
        void.

        Data are arrays, which do not name their origin: the caller must make sure that they belong to this
        account.

        Parameters
        ----------
        mechanism : Mechanism or SuggestedBounds
        data : Sample, Points or other database
            The records of this dataset, within public bounds.
        privacy : PrivacyLike
        about : mapping, optional
            Query and method for the history; public.  By default those of the mechanism.
        over : bool
            Exceed the limit, with the user's consent.
        apart : bool
            Treat the data as different from all similar data, as the user says.
        progress : Progress
            A release that it cancels costs nothing.
        look : callable, optional
            Receives the result of `prepare` before anything is written down: for slow work that should
            precede the entry.
        settle : callable, optional
            Called once there is a value; the value is discarded if this raises.

        Returns
        -------
        Release

        Raises
        ------
        Resembling
            If the data resemble others with releases, and have none themselves yet.
        Overspent
            If it would exceed the limit; no entry is written.
        LedgerError
            If the entry cannot be written: nothing is released.
        MisstatedCost
            If the release states a cost that differs from the mechanism's; it is discarded, and its entry
            counts.
        DataError
            If the data have no public bounds, like a list.
        ParameterError
            If the mechanism refuses the parameters, data or budget; no entry is written.
        """
        from engine.mechanisms.auto import resolve_method

        asked = as_privacy(privacy)
        method: ReleasingMechanism[Any] = as_mechanism(mechanism)
        data = as_data(data, method)
        refuse_look_only(data)
        check_missing(getattr(method, "relation", NEIGHBOURS), missing_of(data))
        if simulated := getattr(method, "simulated_by", ""):
            field = simulated.split()[0]
            raise ParameterError(field, f"{simulated} makes this a simulation; leave it empty for a release")
        method.refuse(asked, data.domain, data.n)
        method = resolve_method(method, data.domain, data.n, asked)
        rows = rows_of_person(data)
        cost = Cost.of(method, asked, data.domain, rows)
        facts = plain(about_release(method) if about is None else about)
        charge = self._charge(cost, facts, over, apart)
        with _nothing_released():
            charge(self._ledger.known())  # refuse before long work
        prepare = getattr(method, "_prepare_release", method.prepare)
        prepared = prepare(data, asked, part(progress, 0.0, 0.5))
        if look is not None:
            look(prepared)

        def draw() -> Release:
            made = method.release(prepared, data, asked, secure(), part(progress, 0.5, 1.0))
            stated, relation = for_persons(made.privacy, made.neighbours, rows)
            made = dataclasses.replace(made, privacy=stated, neighbours=relation) if rows else made
            progress(1.0)  # a value cancelled at this point is never seen
            if settle is not None:
                settle()
            return made

        return self._pay(cost, charge, draw, apart)

    def _charge(self, cost: Cost, facts: Mapping[str, Any], over: bool, apart: bool) -> Decision:
        """Return the function that refuses an entry, or writes it."""

        looked: dict[bytes, bool] = {}

        def charge(known: LedgerState) -> tuple[str, dict[str, Any]]:
            holdings = self._of(known)
            if known.seal not in looked:  # nothing else has been written since the last check
                looked[known.seal] = self._goes_beyond(known, cost, over, apart)
            too_much = looked[known.seal]
            sketch = self._kept_sketch
            kept = {} if sketch is None or sketch in holdings.sketches else {"sketch": sketch.content}
            file = {"file": self._file} if self._file and self._file not in holdings.files else {}
            return "charge", {**self._named(), **charge_content(cost, facts, too_much), **kept, **file}

        return charge

    def _goes_beyond(self, known: LedgerState, cost: Cost, over: bool, apart: bool) -> bool:
        """Tell whether a release exceeds the limit; raise the errors of `release` if it must not be made."""
        if not apart and (similar := self._similar(known)):
            raise Resembling(similar, self._title)
        holdings = self._of(known)
        composition, too_much = _with_one_more(holdings, cost)
        if too_much and not over:
            assert holdings.limit is not None
            title, recounted = self._title or holdings.title, _recounted(holdings)
            raise Overspent(cost, holdings.limit, composition, _spent(holdings), title, recounted)
        return too_much

    def _pay(self, cost: Cost, charge: Decision, draw: Callable[[], Release], apart: bool) -> Release:
        """Write the entry, make the release, and return it if its cost is the one in the entry."""
        with _nothing_released():
            self._begin(apart)
            self._join(charge)
            entry = self._ledger.append(charge)
        done = {"account": self.name, "charge": entry}
        try:
            release = draw()
        except BaseException:
            with contextlib.suppress(LedgerError):  # an open entry counts, which is safe
                self._ledger.append(lambda known: ("void", done))
            raise
        if (release.privacy, release.neighbours, release.simulated) != (cost.privacy, cost.neighbours, False):
            del release  # keeps it out of the traceback, too
            raise MisstatedCost(
                f"{self._title or 'this dataset'}: the release states a cost that differs from "
                "its entry; it was discarded, and the entry counts: correct the mechanism"
            )
        # the value is paid for: it is returned even if storing it fails
        with contextlib.suppress(Exception):
            self._ledger.append(lambda known: ("value", {**done, **_kept(release)}))
        return release

    def _similar(self, known: LedgerState) -> tuple[SimilarData, ...]:
        mine_too = self._names(known)
        own = known.accounts.get(mine_too[0], Holdings())
        if own.entries or (mine := self._kept_sketch) is None:
            return ()
        similar = []
        for name, other in known.accounts.items():
            alike = [mine.shared(each) for each in other.sketches if mine.resembles(each)]
            spent = _spent(other)
            if name not in mine_too and alike and spent:
                similar.append(SimilarData(name, other.title, *max(alike), spent))
        return tuple(sorted(similar, key=lambda each: (each.share, each.columns), reverse=True))

    def _begin(self, apart: bool) -> None:
        """Write the first limit to the ledger, so that others see it, unless the account has entries."""
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
        """Join the accounts of all datasets that the data come from, unless nothing may be released."""

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
        holdings = [known.accounts[name] for name in self._names(known) if name in known.accounts]
        if not holdings:
            return Holdings(limit=self._first, limit_chosen=self._first is not None)
        return functools.reduce(Holdings.together, holdings)


class _Begun(Exception):
    """The step is done already, or must not be done yet."""


@contextlib.contextmanager
def _nothing_released() -> Iterator[None]:
    """Add "nothing was released" to errors of the ledger."""
    try:
        yield
    except LedgerError as error:
        raise type(error)(f"{error}; {NOTHING}") from error


def about_release(mechanism: ReleasingMechanism[Any]) -> dict[str, Any]:
    """Return the default description of a release in the history: names and parameters."""
    asked = getattr(mechanism, "query", mechanism)
    return {"release": asked.name, "method": mechanism.name, "parameters": mechanism.settings()}


def _counted(holdings: Holdings) -> list[Cost]:
    return [entry.cost for entry in holdings.entries.values() if entry.counts]


def _slack(limit: Limit | None) -> float:
    return SLACK if limit is None else limit.extra


def _spent(holdings: Holdings, *more: Cost) -> Composition | None:
    return compose([*_counted(holdings), *more], _slack(holdings.limit))


def _with_one_more(holdings: Holdings, cost: Cost) -> tuple[Composition, bool]:
    composition = _spent(holdings, cost)
    assert composition is not None
    return composition, holdings.limit is not None and not composition.within(holdings.limit)


def _recounted(holdings: Holdings) -> str:
    counted = [entry for entry in holdings.entries.values() if entry.counts]
    between = {entry.cost.neighbours for entry in counted}
    spent, limit = _spent(holdings), holdings.limit
    was_kept = limit is None or spent is None or spent.within(limit)
    apart = any(ROW_STEPS.get(each) != 1 for each in between) or len(between) > 1
    if any(entry.earlier for entry in counted) and (apart or not was_kept):
        return RECOUNTED
    return ""


_FACTS = ("mechanism", "query", "noise", "parameters", "error", "step", "version")
"""The fields of a release that are stored beside its value; the entry has the others."""


def _kept(release: Release) -> dict[str, Any]:
    """Return value and facts of a release in JSON form, except for those too long to store."""
    value, facts = {"value": release.value}, {"facts": {name: getattr(release, name) for name in _FACTS}}
    kept = value | facts if fits([release.value, facts]) else value if fits(release.value) else {}
    return {name: plain(content) for name, content in kept.items()}
