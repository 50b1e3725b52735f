"""Several mechanisms in one command: each is written ``NAME[:METHOD][,key=value…]``."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import difflib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from app.commands.support.mechanism_options import (
    PART_OF_OPTION,
    add_mechanism_options,
    add_method_option,
    check_name,
    mechanism_of,
    mechanism_parameters,
    specification_of,
)
from app.commands.support.options import Parser, UsageError
from app.commands.support.privacy import noise_options
from app.model.kinds.registry import KINDS
from engine.components import asked_of
from engine.errors import SensiscopeError

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.mechanisms.base import Mechanism
    from engine.privacy import Privacy

SHAPE = "NAME[:METHOD][,key=value…]"
ALL = "all"
"""The method that stands for every mechanism with the same question."""

_LISTS = ("output_lower", "output_upper")


@dataclasses.dataclass(frozen=True)
class MechanismSpec:
    """A mechanism as one word of the command names it, and the options of a command that names it alone.

    `fit` adds to its parameters what follows from public facts.
    """

    mechanism: Mechanism[Any]
    options: argparse.Namespace

    @property
    def reader(self) -> Any:
        """What says which data it reads."""
        return asked_of(self.mechanism)

    def fit(self, data: LoadedRecords[Any], privacy: Privacy) -> tuple[Mechanism[Any], ...]:
        """Return it with as many blocks as the planner chooses, and the alternatives if all are meant."""
        from engine.comparison import alternatives

        own = with_planned_blocks(self.mechanism, data, privacy, self.options)
        if self.options.method != ALL:
            return (own,)
        others = alternatives(own, privacy, data.database.domain, data.database.n)
        given = mechanism_parameters()
        return tuple(dataclasses.replace(other, **given.values(other.name, self.options)) for other in others)


def read_spec(text: str, common: argparse.Namespace, privacy: Privacy) -> MechanismSpec:
    """Read ``NAME[:METHOD][,key=value…]``, in which a value that is a list has colons.

    Of the `common` options all mechanisms have the resolution, and the noise where they take one and name
    none.  The default noise depends on the privacy.
    """
    with _about(text):
        options = _options(text)
        options.resolution = common.resolution  # refused of what is not rounded
        if options.noise is None and _takes_noise(options):
            options.noise = common.noise
        return MechanismSpec(_build(options, privacy), options)


def with_spec(options: argparse.Namespace) -> argparse.Namespace:
    """Return options with those that ``NAME[:METHOD][,key=value…]`` stands for, in place of that word."""
    with _about(options.mechanism):
        word = vars(_options(options.mechanism))
        given = {name: value for name, value in word.items() if value is not None}
        for name in given.keys() - {"mechanism"}:
            if getattr(options, name, None) is not None:
                raise SensiscopeError(f"{name.removeprefix('parameter_')}: is given twice; give it once")
        return argparse.Namespace(**vars(options) | given)


@contextlib.contextmanager
def _about(text: str) -> Iterator[None]:
    """Say of every mistake in which word it is; what a command writes as an option is a key there."""
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
    add_method_option(parser)
    add_mechanism_options(parser)
    return parser.parse(arguments)


def command_of(text: str) -> list[str]:
    """Return ``NAME[:METHOD][,key=value…]`` as the words of a command that names it alone.

    "median:smooth,nu=3" is ["median", "--method=smooth", "--nu=3"].
    """
    first, *pairs = text.split(",")
    name, colon, method = first.partition(":")
    if not name or (colon and not method):
        raise SensiscopeError(f"something is missing; write {SHAPE}, for instance median:laplace")
    declared = mechanism_parameters().declarations().keys() | noise_options().declarations().keys()
    given, known = {"method": method} if method else {}, {"method", "noise", *PART_OF_OPTION, *declared}
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        key = key.replace("-", "_")
        if not (key and equals and value):
            raise SensiscopeError(f"'{pair}' is no key=value; write {SHAPE}, for instance median:smooth,g=3")
        if key in given:
            raise SensiscopeError(f"{key}: is given twice; give it once")
        if key not in known:
            nearest = difflib.get_close_matches(key, known, n=3)
            hint = f"try {', '.join(nearest)}" if nearest else "the catalog has those of each name"
            raise SensiscopeError(f"there is no parameter '{key}'; {hint}")
        given[key] = value.replace(":", ",") if key in _LISTS else value
    return [name, *(f"--{key.replace('_', '-')}={value}" for key, value in given.items())]


def with_planned_blocks(
    mechanism: Mechanism[Any], data: LoadedRecords[Any], privacy: Privacy, options: argparse.Namespace
) -> Mechanism[Any]:
    """Return it with as many blocks as the planner chooses, if there are any and no number is given."""
    from engine.mechanisms import BlockMechanism
    from engine.mechanisms.planning import plan_blocks, with_blocks

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
    """Tell whether admissible noise is added; of what cannot be named, nothing is."""
    with contextlib.suppress(SensiscopeError):
        return specification_of(_without_all(options)).find("noise") is not None
    return False


def _build(options: argparse.Namespace, privacy: Privacy) -> Any:
    """Return the mechanism; where all are meant, the one that stands for their question."""
    from engine.catalog import methods
    from engine.queries import QUERIES

    beside = list(methods()) if options.method == ALL and options.mechanism in QUERIES else []
    return mechanism_of(_without_all(options), privacy, beside=beside)


def _without_all(options: argparse.Namespace) -> argparse.Namespace:
    return argparse.Namespace(**vars(options) | {"method": None}) if options.method == ALL else options
