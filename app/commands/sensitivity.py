"""Show the local, smooth and global sensitivity of a query on data, and A^(k): all confidential."""

from __future__ import annotations

import argparse
import dataclasses
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from app.commands.support.console import Bar, remark, say, say_json
from app.commands.support.data import FIRST_OPTIONS, add_data_options, load
from app.commands.support.figures import add_figure_options, confidentiality, save_panels
from app.commands.support.options import (
    JSON,
    Option,
    ParameterOptions,
    UsageError,
    VerbHelp,
    add_options,
    check_number,
    count,
    number,
)
from app.commands.support.parts import PartsReader, whole_or_public_groups
from app.commands.support.privacy import (
    NOISE,
    NOISE_TITLE,
    PAIR_TITLE,
    add_privacy_options,
    family_and_pair,
    noise_options,
    pair_options,
    read_privacy,
    warn_unless_private,
)
from app.model.loaded import LoadedRecords
from app.model.output_file import OutputFile, output
from app.model.wording.components import below
from app.model.wording.console import bounds, columns, facts, settings, size
from app.model.wording.console import number as number_text
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import grouped, short
from app.model.wording.releases import answer_unit
from engine.data.order_statistics import Sample
from engine.errors import ParameterError
from engine.privacy import SAME_GROUP
from engine.progress import each, part

if TYPE_CHECKING:
    from engine.queries.profile import SensitivityProfile

ROWS = 14


BETA = Option("beta", "smoothness of S*, above 0", number, "B")
K_MAX = Option("k-max", "print A^(0) to A^(K), exactly K + 1 values", count, "K")

HELP = VerbHelp(
    usage="QUERY DATA (--beta B | --epsilon E) [options]",
    first=(*FIRST_OPTIONS, "beta", "epsilon", "delta", "noise", "k-max", "json"),
    example="sensitivity median --example salaries --epsilon 1 --plot sensiscope-median.png",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", metavar="QUERY", help="a query of sensiscope catalog, such as median")
    add_data_options(parser)
    text = "State --beta, or --epsilon, from which beta follows."
    add_options(
        parser.add_argument_group("smoothness: beta, or the noise that decides it", text), (BETA, NOISE)
    )
    add_privacy_options(parser, required=False)
    _queries().add_to(parser, "query: parameters of the query")
    noise_options().add_to(parser, NOISE_TITLE)
    pair_options().add_to(parser, PAIR_TITLE)
    group = parser.add_argument_group("output: distances, JSON, figure")
    add_options(group, (K_MAX, JSON))
    add_figure_options(group)


def run(options: argparse.Namespace) -> int:
    from engine import catalog
    from engine.catalog import sanitizers
    from engine.queries import QUERIES
    from engine.queries.profile import sensitivity_profile

    if options.query in sanitizers():
        raise UsageError(
            f"{options.query} is a mechanism, not a query, so it has no sensitivity to show; try sensiscope "
            f"run {options.query} --show-private, or a query: {', '.join(QUERIES)}",
        )
    catalog.query(options.query)
    options = whole_or_public_groups(options, options.query)
    by_group = getattr(options, "parts", False)
    query = catalog.query(options.query, **_queries().of(options.query, options))
    beta, origin = _beta(options, WORDS[SAME_GROUP if by_group else query.neighbours].between, query.decline)
    plot = output(options.plot)
    with Bar() as bar:
        data = load(options, PartsReader(query.name) if by_group else query, part(bar, 0.0, 0.5))
        groups = _groups(data) if by_group else {"": data}
        profiles = {}
        for (name, one), here in zip(groups.items(), each(len(groups), part(bar, 0.5, 1.0)), strict=True):
            problem = query.problem(one.database.domain, one.database.n)
            if problem is not None:
                raise ParameterError(*problem)
            profiles[name] = sensitivity_profile(query, one.database, beta, options.k_max, progress=here)
    if by_group:
        return _say_groups(options, query, data, profiles, origin, plot)
    (profile,) = profiles.values()
    unit = answer_unit(query, data.unit)
    if options.json:
        say_json({"query": query.name, **data.about_json, **data.sizes, **_json(profile)})
    else:
        chosen = settings(query.settings().items())
        title = f"{query.label}{f' ({chosen})' if chosen else ''}"
        say(_text(title, data, profile, unit, origin, confidentiality(options)))
    remark("note", *data.notes, *data.detected)
    if plot is not None:
        _draw(options, query, profile, unit, plot)
    return 0


def _json(profile: SensitivityProfile) -> dict[str, Any]:
    return {
        "value": profile.value,
        "beta": profile.beta,
        "local": profile.local,
        "smooth": profile.smooth,
        "global": profile.global_,
        "argmax_k": profile.argmax_k,
        "at_distance": profile.at_distance,
        # LS, S* and A^(k) are no more than upper bounds
        **({"bound": True} if profile.bound else {}),
    }


def _groups(data: LoadedRecords[Any]) -> dict[str, LoadedRecords[Any]]:
    """Return the records of each group that has some; with public membership, their numbers are public."""
    parts = data.database
    return {
        name: dataclasses.replace(data, database=Sample(parts.part(number), parts.domain.values))
        for number, name in enumerate(parts.domain.groups)
        if parts.sizes[number]
    }


def _say_groups(
    options: argparse.Namespace,
    query: Any,
    data: LoadedRecords[Any],
    profiles: Mapping[str, SensitivityProfile],
    origin: str,
    plot: OutputFile | None,
) -> int:
    """Print the sensitivities of each public group; draw those of a single one."""
    if plot is not None and len(profiles) != 1:
        raise UsageError("--plot: choose one group with --where, such as 'city = Bern'")
    if options.json:
        groups = [{"group": name, "n": one.n, **_json(one)} for name, one in profiles.items()]
        say_json({"query": query.name, "groups": groups})
    else:
        unit = answer_unit(query, data.unit)
        header = ("group", "n", "value", "local", "smooth", "global", "k")
        rows = [
            (
                name,
                grouped(one.n),
                *map(number_text, (one.value, one.local, one.smooth, one.global_)),
                grouped(one.argmax_k),
            )
            for name, one in profiles.items()
        ]
        known = [
            *([("unit", unit)] if unit else []),
            ("beta", number_text(next(iter(profiles.values())).beta), origin),
        ]
        title = f"{query.label} of {data.name}"
        say("\n".join((title, confidentiality(options), "", facts(known), "", columns(header, rows, left=1))))
    remark("note", *data.notes, *data.detected)
    if plot is not None:
        ((name, profile),) = profiles.items()
        _draw(options, query, profile, answer_unit(query, data.unit), plot, f" of {name}")
    return 0


def _draw(
    options: argparse.Namespace,
    query: Any,
    profile: SensitivityProfile,
    unit: str,
    plot: OutputFile,
    of: str = "",
) -> None:
    from app.plots.figure_panel import FigurePanel
    from app.plots.sensitivity.against_k import AgainstK

    title = f"Sensitivity of the {query.label.lower()}{of} against k"
    save_panels([FigurePanel(title, AgainstK, profile, unit)], plot, options)


def _queries() -> ParameterOptions:
    from engine.queries import QUERIES

    return ParameterOptions(QUERIES)


def _beta(options: argparse.Namespace, between: str, decline: float) -> tuple[float, str]:
    """Return beta and its origin in words; `between` names the neighbours that epsilon is about."""
    if (options.beta is None) == (options.epsilon is None):
        problem = "is missing" if options.beta is None else "decides the smoothness, not both"
        raise UsageError(f"either --beta B or --epsilon E (from which beta follows) {problem}")
    if options.beta is not None:
        if options.delta is not None or options.noise is not None:
            raise UsageError("--beta takes no --delta and no --noise: these belong to --epsilon")
        noise_options().of("--beta", options)
        pair_options().of("--beta", options)
        check_number("beta", options.beta, math.inf, "a finite number above 0")
        return options.beta, "as given"
    privacy = read_privacy(options)
    family, pair = family_and_pair(options, privacy, options.noise, decline=decline)
    if getattr(options, "parameter_constants", None) == "published":
        from engine.noise.certificate import certify

        warn_unless_private(family, pair, certify(family, pair.alpha, pair.beta, privacy), privacy)
    return pair.beta, (
        f"from epsilon = {short(privacy.epsilon)}, delta = {short(privacy.delta)} ({between}) "
        f"with {family.name} noise"
    )


def _text(
    title: str, data: LoadedRecords[Any], profile: SensitivityProfile, unit: str, origin: str, said: str
) -> str:
    known, record, bound = data.database.facts, WORDS[profile.neighbours], profile.bound
    within = bounds(known, data.unit)
    title = f"{title} of {data.name}, {size(known, profile.n)}"
    if within:
        title += f", public bounds {within} for each {record.record}"
    decided = f"{'an upper bound, ' if bound else ''}decided at k = {grouped(profile.argmax_k)}"
    rows = [
        ("value", number_text(profile.value, 8, unit)),
        ("local sensitivity", below(number_text(profile.local, unit=unit), bound), record.difference),
        ("smooth sensitivity", below(number_text(profile.smooth, unit=unit), bound), decided),
        ("global sensitivity", number_text(profile.global_, unit=unit), "public"),
        ("beta", number_text(profile.beta), origin),
        *([("clamped to bounds", f"{grouped(data.clamped)} {record.records}")] if within else []),
        *([("dropped", f"{grouped(data.dropped)} rows", "without a value")] if data.dropped else []),
    ]
    header = "k", f"A^(k){' ≤' if bound else ''}{f' [{unit}]' if unit else ''}", "exp(-beta k) A^(k)"
    at_distances = (
        (grouped(k), number_text(profile.at_distance[k]), number_text(profile.discounted[k]))
        for k in _distances(len(profile.at_distance), profile.argmax_k)
    )
    return f"{title}\n{said}\n\n{facts(rows)}\n\n{columns(header, at_distances)}"


def _distances(count: int, argmax: int) -> list[int]:
    """Return the distances to print: all if few, else the first, the deciding and the last."""
    if count <= ROWS:
        return list(range(count))
    spread = {round((count - 1) * (i / (ROWS - 3)) ** 2) for i in range(ROWS - 2)}
    return sorted(spread | {k for k in (argmax,) if k < count})
