"""Releasing what is computed from categories: tables of counts, the mode, shares of answers."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from app.model.wording.console import columns, counted
from app.model.wording.console import number as words
from app.releases.base import PicturedSanitization
from app.releases.points import described
from engine.data.categories import Categories
from engine.mechanisms import Prepared, Release

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from app.releases.figures import FigurePanel
    from engine.mechanisms import CategoriesMechanism
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release
    from engine.privacy import Privacy

SHOWN, LISTED = 40, 8
"""How many rows a table has, and how many labels a list, in the text for people."""

Cell = Mapping[str, Any]


@dataclasses.dataclass(frozen=True)
class CategoriesRelease(PicturedSanitization[Categories, Prepared, Release]):
    """A mechanism on categories."""

    mechanism: CategoriesMechanism
    privacy: Privacy
    explanations: ClassVar[Mapping[str, str]] = {"unseen": "records counted as 'other'"}

    @property
    def name(self) -> str:
        """Name of the mechanism."""
        return self.mechanism.name

    @property
    def reads(self) -> str:
        """What the mechanism reads."""
        return self.mechanism.reads

    def parameters(self, release: Release, data: LoadedRecords[Categories]) -> dict[str, Any]:
        """Return all public parameters."""
        return dict(release.parameters)

    def diagnostics(self, prepared: Prepared, data: LoadedRecords[Categories]) -> dict[str, Any]:
        """Return the true value in the form of a release, and what was done with records."""
        truth = self.mechanism.true_answer(prepared.diagnostics["true_value"], data.database.domain)
        return {"true_value": truth, "unseen": data.clamped, "dropped": data.dropped}

    def private_rows(
        self, private: Mapping[str, Any], data: LoadedRecords[Categories]
    ) -> list[tuple[str, str]]:
        """Return what is private in words; of a table of counts the counts alone."""
        others = {name: value for name, value in private.items() if name != "true_value"}
        rows = super().private_rows(others, data)
        return [("true_value", _brief(private["true_value"])), *rows]

    def value(self, release: Release, data: LoadedRecords[Categories]) -> str:
        """Say the mode; of all else how many numbers there are."""
        value = release.value
        if isinstance(value, Mapping):
            if "shares" in value:
                return f"{counted(len(value['shares']), 'share')} of {data.columns[0]}"
            if "margins" in value:
                return (
                    f"{counted(len(value['margins']), 'margin')} of a table of {data.database.domain.size:,}"
                )
            sizes = value.get("cells", value.get("counts"))
            return counted(len(sizes), "count") + (", in falling order" if "counts" in value else "")
        return value if isinstance(value, str) else ", ".join(value)

    def table(self, release: Release, data: LoadedRecords[Categories]) -> str:
        """Return what was released: two columns as a cross table, one or many row by row."""
        value = release.value
        if not isinstance(value, Mapping):
            return ""
        if "shares" in value:
            return shares_table(data.columns[0], value)
        if "counts" in value:
            return shortened(["", "count"], [[f"{i}.", words(c)] for i, c in enumerate(value["counts"], 1)])
        margins = value.get("margins") or [{"columns": data.columns, "cells": value["cells"]}]
        return "\n\n".join(counts_table(margin["columns"], margin["cells"]) for margin in margins)

    def rows(self, data: LoadedRecords[Categories]) -> list[tuple[str, str]]:
        """Return the public lists, the mechanism, and who randomizes."""
        domain = data.database.domain
        lists = "; ".join(
            f"{name}: {', '.join(own[:LISTED])}" + (f" … ({len(own):,})" if len(own) > LISTED else "")
            for name, own in zip(domain.columns, domain.labels, strict=True)
        )
        rows = [("public categories", lists), ("mechanism", described(self.mechanism))]
        public = self.mechanism.public(domain, data.database.n, self.privacy)
        if "true_answer" in public:
            local = (
                f"true with probability {words(public['true_answer'], 4)}; each is private by itself, before "
                "anybody collects them (local privacy)"
            )
            rows.append(("answers", local))
        return rows

    def error(self, release: Release, data: LoadedRecords[Categories]) -> str:
        """Return the half-width that holds 95 % of the errors of each count."""
        return f"95 % within ± {words(release.error or 0.0, 4)} records in each count"

    def remarks(self, release: Release, data: LoadedRecords[Categories]) -> Iterator[str]:
        """Yield that noise is larger than what is counted, as far as public facts tell."""
        domain, n = data.database.domain, data.database.n
        scale = release.noise.get("scale")
        largest = max(map(len, _margins(release.value))) if scale is not None else 1
        if scale is not None and scale > n / largest:
            yield (
                f"the noise (scale {words(scale, 3)}) is larger than the average count "
                f"({words(n / largest, 3)}): the counts say little; take fewer columns, coarser categories "
                "or a larger epsilon"
            )
        if isinstance(release.value, Mapping) and "standard_errors" in release.value:
            error = max(release.value["standard_errors"].values())
            if error > 1 / domain.size:
                yield (
                    f"the standard error ({words(error, 3)}) is larger than the average share "
                    f"({words(1 / domain.size, 3)}): the shares say little; ask more people, or "
                    "take a larger epsilon"
                )

    def panel(
        self, release: Release, prepared: Prepared, data: LoadedRecords[Categories], *, show_private: bool
    ) -> FigurePanel:
        """Return the picture of what was released."""
        from app.releases.categories_figure import categories_panel

        return categories_panel(self.mechanism, release, prepared, data, show_private=show_private)


def counts_table(names: Sequence[str], cells: Sequence[Cell]) -> str:
    """Return counts as a cross table of two columns, else row by row."""
    if len(names) != 2:
        return shortened([*names, "count"], [[*cell["categories"], words(cell["count"])] for cell in cells])
    counts = {tuple(cell["categories"]): words(cell["count"]) for cell in cells}
    rows, across = (list(dict.fromkeys(key[place] for key in counts)) for place in (0, 1))
    if len(across) > LISTED:
        return shortened([*names, "count"], [[*key, count] for key, count in counts.items()])
    header = [f"{names[0]} \\ {names[1]}", *across]
    return shortened(header, [[row, *(counts[row, label] for label in across)] for row in rows])


def shares_table(name: str, value: Mapping[str, Mapping[str, float]]) -> str:
    """Return shares with their standard errors and the randomized answers."""
    rows = [
        [
            label,
            words(share, 4),
            f"± {words(value['standard_errors'][label], 2)}",
            f"{value['answers'][label]:,}",
        ]
        for label, share in value["shares"].items()
    ]
    return shortened([name, "share", "standard error", "answers"], rows)


def shortened(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of the first rows."""
    more = len(rows) - SHOWN
    text = columns(header, rows[:SHOWN])
    return text if more <= 0 else f"{text}\n  … and {counted(more, 'row')} more, which --json writes down"


def _margins(value: Any) -> list[Sequence[Any]]:
    """Return the tables of counts that were released."""
    if "margins" in value:
        return [margin["cells"] for margin in value["margins"]]
    return [value.get("cells", value.get("counts"))]


def _brief(truth: Any) -> str:
    """Return a true value on one line."""
    if isinstance(truth, str):
        return truth
    if isinstance(truth, Mapping):
        if "cells" in truth or "margins" in truth or "counts" in truth:
            counts = itertools.chain.from_iterable(_margins(truth))
            numbers = [words(cell["count"] if isinstance(cell, Mapping) else cell) for cell in counts]
            return ", ".join(numbers[:SHOWN]) + (", …" if len(numbers) > SHOWN else "")
        return ", ".join(f"{label} {words(share, 4)}" for label, share in truth.items())
    return ", ".join(truth)
