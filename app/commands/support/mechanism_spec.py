"""Several mechanisms in one command, each in the form ``NAME[:METHOD][,key=value…]``."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import difflib
import re
from collections.abc import Iterator
from typing import Any

from app.commands.support.mechanism_options import (
    PART_OF_OPTION,
    add_mechanism_options,
    add_release_options,
    check_name,
    mechanism_of,
    mechanism_parameters,
    specification_of,
)
from app.commands.support.options import Parser, UsageError
from app.commands.support.parts import reader_of
from app.commands.support.privacy import noise_options
from app.model.kinds.registry import KINDS
from app.model.loaded import LoadedRecords
from engine.errors import SensiscopeError
from engine.mechanisms.base import Mechanism
from engine.privacy import Privacy

SHAPE = "NAME[:METHOD][,key=value…]"
ALL = "all"
"""The method that stands for all mechanisms that answer the same question."""

_LISTS = ("output_lower", "output_upper")


@dataclasses.dataclass(frozen=True)
class MechanismSpec:
    """A mechanism from one word of the command, and the options that the word stands for.

    `fit` completes its parameters from public facts.
    """

    mechanism: Mechanism[Any]
    options: argparse.Namespace

    @property
    def reader(self) -> Any:
        """The query or mechanism that decides which kind of data it reads."""
        return reader_of(self.mechanism)

    def fit(self, data: LoadedRecords[Any], privacy: Privacy) -> tuple[Mechanism[Any], ...]:
        """Return the mechanism with the planned number of blocks; all alternatives for the method "all"."""
        from engine.comparison import alternatives

        own = with_planned_blocks(self.mechanism, data, privacy, self.options)
        if self.options.method != ALL:
            return (own,)
        others = alternatives(own, privacy, data.database.domain, data.database.n)
        given = mechanism_parameters()
        return tuple(dataclasses.replace(other, **given.values(other.name, self.options)) for other in others)


def read_spec(text: str, common: argparse.Namespace, privacy: Privacy) -> MechanismSpec:
    """Read ``NAME[:METHOD][,key=value…]``; colons separate the items of a list.

    All mechanisms take the resolution from the `common` options, and the noise where they name none. The
    default noise depends on the privacy.
    """
    with _about(text):
        options = _options(text)
        options.resolution = common.resolution  # an error where nothing is rounded
        options.parts, options.membership = common.parts, common.membership
        if options.noise is None and (options.parts or _takes_noise(options)):
            options.noise = common.noise
        return MechanismSpec(_build(options, privacy), options)


def with_spec(options: argparse.Namespace) -> argparse.Namespace:
    """Return the options with those that the word ``NAME[:METHOD][,key=value…]`` stands for."""
    with _about(options.mechanism):
        word = vars(_options(options.mechanism))
        given = {name: value for name, value in word.items() if value is not None}
        for name in given.keys() - {"mechanism"}:
            if getattr(options, name, None) is not None:
                raise SensiscopeError(f"{name.removeprefix('parameter_')}: it stands twice; give it once")
        return argparse.Namespace(**vars(options) | given)


@contextlib.contextmanager
def _about(text: str) -> Iterator[None]:
    """Name the word in every error within; there an option is a key, without hyphens."""
    try:
        yield
    except SensiscopeError as error:
        plain = re.sub(r"--(?=[a-z])", "", str(error))
        raise UsageError(f"'{text}': {plain}") from None


def _options(text: str) -> argparse.Namespace:
    arguments = command_of(text)
    check_name(arguments[0])
    parser = Parser()
    parser.add_argument("mechanism")
    add_release_options(parser)
    add_mechanism_options(parser)
    return parser.parse(arguments)


def command_of(text: str) -> list[str]:
    """Return ``NAME[:METHOD][,key=value…]`` as the arguments of a command with this mechanism alone.

    "median:smooth,nu=3" is ["median", "--method=smooth", "--nu=3"].
    """
    first, *pairs = text.split(",")
    name, colon, method = first.partition(":")
    if not name or (colon and not method):
        raise SensiscopeError(
            f"the name or the method is missing; write {SHAPE}, for instance median:laplace"
        )
    declared = mechanism_parameters().declarations().keys() | noise_options().declarations().keys()
    given, known = {"method": method} if method else {}, {"method", "noise", *PART_OF_OPTION, *declared}
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        key = key.replace("-", "_")
        if not (key and equals and value):
            raise SensiscopeError(f"'{pair}' is no key=value; write {SHAPE}, for instance median:smooth,g=3")
        if key in given:
            raise SensiscopeError(f"{key}: it stands twice; give it once")
        if key not in known:
            nearest = difflib.get_close_matches(key, known, n=3)
            hint = f"try {', '.join(nearest)}" if nearest else "sensiscope catalog lists all parameters"
            raise SensiscopeError(f"there is no parameter '{key}'; {hint}")
        given[key] = value.replace(":", ",") if key in _LISTS else value
    return [name, *(f"--{key.replace('_', '-')}={value}" for key, value in given.items())]


def with_planned_blocks(
    mechanism: Mechanism[Any], data: LoadedRecords[Any], privacy: Privacy, options: argparse.Namespace
) -> Mechanism[Any]:
    """Return the mechanism for these columns, with planned blocks unless the options state their number."""
    from engine.mechanisms import BlockMechanism
    from engine.mechanisms.planning import plan_blocks, with_blocks

    mechanism = mechanism.for_columns(data.columns)
    if not isinstance(mechanism, BlockMechanism) or options.blocks is not None:
        return mechanism
    plan = plan_blocks(mechanism, data.database.domain, data.database.n, privacy)
    return with_blocks(mechanism, plan.blocks)


def check_same_data(mechanisms: list[MechanismSpec]) -> None:
    """Raise unless all mechanisms read the same kind of data."""
    first, *others = (each.reader for each in mechanisms)
    for other in others:
        if other.reads != first.reads:
            raise UsageError(
                f"{other.name} reads {KINDS[other.reads].description}, and {first.name} reads "
                f"{KINDS[first.reads].description}; compare mechanisms of the same data"
            )


def _takes_noise(options: argparse.Namespace) -> bool:
    """Tell whether the mechanism adds admissible noise; false for unknown names."""
    with contextlib.suppress(SensiscopeError):
        return specification_of(_without_all(options)).find("noise") is not None
    return False


def _build(options: argparse.Namespace, privacy: Privacy) -> Any:
    """Return the mechanism; for the method "all" the default one for the same question."""
    from engine.catalog import methods
    from engine.queries import QUERIES

    beside = list(methods()) if options.method == ALL and options.mechanism in QUERIES else []
    return mechanism_of(_without_all(options), privacy, beside=beside)


def _without_all(options: argparse.Namespace) -> argparse.Namespace:
    return argparse.Namespace(**vars(options) | {"method": None}) if options.method == ALL else options
