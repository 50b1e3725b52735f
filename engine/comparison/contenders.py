"""Choose and label the mechanisms of a comparison."""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

from engine.arguments import as_domain, as_whole
from engine.comparison.results import ComparedMechanism
from engine.components import asked_of, part_of
from engine.errors import ParameterError
from engine.mechanisms import MECHANISMS, BlockMechanism, Mechanism, ScalarMechanism
from engine.mechanisms.base import MechanismLike, checked_mechanism
from engine.mechanisms.planning import plan_blocks, with_blocks
from engine.noise import Automatic
from engine.numerals import given
from engine.parameters import Parameter, Parameterised
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.signatures import explained

PROPOSED_SHARE = 0.02
"""Default proposal of propose-test-release, as a share of the global sensitivity."""


ContendersLike: TypeAlias = MechanismLike | ComparedMechanism | Iterable[MechanismLike | ComparedMechanism]
"""Types that functions accept as the mechanisms of a comparison."""


def same_task(mechanisms: Sequence[Mechanism[Any]]) -> None:
    """Raise `ParameterError` unless all mechanisms answer the same query on the same kind of data."""
    if not mechanisms:
        raise ParameterError("mechanisms", "there are none; choose at least one to compare")
    first = mechanisms[0]
    for other in mechanisms[1:]:
        if other.question != first.question:
            raise ParameterError(
                "mechanisms",
                f"{_asked(first)} and {_asked(other)} do not answer the same question, so that "
                "their errors cannot be compared; choose mechanisms for one of them",
            )


def contenders_from(mechanisms: ContendersLike) -> tuple[ComparedMechanism, ...]:
    """Label each mechanism; equal labels get the settings that differ.

    Parameters
    ----------
    mechanisms : sequence of Mechanism
        Mechanisms, their classes or names; `compare` calls this for them.

    Returns
    -------
    tuple of ComparedMechanism

    Raises
    ------
    ParameterError, UnknownName
        If one is no mechanism.

    Examples
    --------
    Settings distinguish mechanisms with the same label:

    >>> from engine import ExponentialRelease, Lloyd
    >>> [one.label for one in contenders_from([ExponentialRelease(), Lloyd(k=2), Lloyd(k=3)])]
    ['Exponential mechanism', 'Noisy Lloyd (k = 2)', 'Noisy Lloyd (k = 3)']
    """
    if isinstance(mechanisms, str | Parameterised | type | ComparedMechanism):
        mechanisms = (mechanisms,)
    if not isinstance(mechanisms, Iterable):
        raise ParameterError("mechanisms", f"{given(mechanisms)} is no list; give a list of mechanisms")
    every = tuple(mechanisms)
    if all(isinstance(one, ComparedMechanism) for one in every):
        return cast("tuple[ComparedMechanism, ...]", every)
    named = [checked_mechanism(one.mechanism if isinstance(one, ComparedMechanism) else one) for one in every]
    alike: dict[str, list[dict[str, str]]] = defaultdict(list)
    for mechanism in named:
        alike[mechanism.label].append(dict(_setting_texts(mechanism)))
    labels = []
    for mechanism in named:
        own, others = dict(_setting_texts(mechanism)), alike[mechanism.label]
        telling = [text for key, text in own.items() if any(other.get(key) != text for other in others)]
        labels.append(f"{mechanism.label} ({', '.join(telling)})" if telling else mechanism.label)
    return tuple(map(ComparedMechanism, named, _number(labels)))


@explained
def alternatives(
    mechanism: MechanismLike, privacy: PrivacyLike, domain: Any, n: int, *, libraries: bool = False
) -> tuple[Mechanism[Any], ...]:
    """Return a mechanism and all others that answer the same query.

    Common parameters are copied.  Some mechanisms may not fit; `Mechanism.problems` says why.

    Parameters
    ----------
    mechanism : Mechanism
    privacy : PrivacyLike
        The budget; it determines the noise if none was chosen.
    domain, n : Any, int
        Public facts about the data.
    libraries : bool
        Include mechanisms of other libraries, installed or not.

    Returns
    -------
    tuple of Mechanism

    See Also
    --------
    compare, verdict, AutoRelease

    Examples
    --------
    >>> from engine import Interval, Privacy, SmoothRelease
    >>> found = alternatives(SmoothRelease(), Privacy(1.0), Interval(0, 120), n=500)
    >>> len(found), [mechanism.name for mechanism in found[:4]]
    (7, ['smooth', 'laplace', 'gaussian', 'exponential'])
    """
    privacy, mechanism = as_privacy(privacy), checked_mechanism(mechanism)
    domain, n = as_domain(domain, mechanism), as_whole("n", n, 1)
    known = dict(_settings(mechanism))
    if isinstance(mechanism, ScalarMechanism):
        known.setdefault("noise", Automatic())
        if mechanism.query.problem(domain, n) is None:
            proposed = PROPOSED_SHARE * mechanism.query.global_sensitivity(domain, n)
            known.setdefault("bound", float(f"{proposed:.2g}"))
    alike_asked = [
        kind
        for name in MECHANISMS
        if MECHANISMS.stated_reads(name) in ("", mechanism.reads)  # others need not be imported
        and part_of(kind := MECHANISMS[name], "query") == part_of(mechanism, "query")
        and isinstance(mechanism, ScalarMechanism) == issubclass(kind, ScalarMechanism)
    ]
    others = (
        _carry_over(kind, known)
        for kind in alike_asked
        if kind is not type(mechanism)
        and (libraries or kind.facts.library is None)
        and kind.facts.is_meant_for(asked_of(mechanism), n)
    )
    alike = [other for other in others if other.question == mechanism.question]
    return mechanism, *(
        alike if "sampling" in known else [_plan_blocks(o, privacy, domain, n) for o in alike]
    )


def _asked(mechanism: Mechanism[Any]) -> str:
    if isinstance(mechanism, ScalarMechanism):
        return f"{mechanism.query.label} by {mechanism.label}"
    return mechanism.label


def nested(component: Parameterised) -> Iterator[tuple[str, Parameterised]]:
    """Yield the components that `component` holds, by field name."""
    for declared in component.parameters():
        if declared.is_component:
            yield declared.name, getattr(component, declared.name)


def _settings(component: Parameterised) -> Iterator[tuple[str, Any]]:
    """Yield the settings of a mechanism by name, those of its parts first."""
    for _, part in nested(component):
        yield from _settings(part)
    for declared in component.parameters():
        yield declared.name, getattr(component, declared.name)


def _carry_over(kind: type[Mechanism[Any]], known: Mapping[str, Any]) -> Mechanism[Any]:
    """Create a mechanism with all matching settings, except values out of its bounds."""
    settings = {}
    for declared in kind.parameters():
        if declared.name in known and _fits(declared, known[declared.name]):
            settings[declared.name] = known[declared.name]
    return kind(**settings)


def _plan_blocks(mechanism: Mechanism[Any], privacy: Privacy, domain: Any, n: int) -> Mechanism[Any]:
    """Let the planner choose the number of blocks, if the mechanism has any."""
    if not isinstance(mechanism, BlockMechanism):
        return mechanism
    with contextlib.suppress(ParameterError):
        return with_blocks(mechanism, plan_blocks(mechanism, domain, n, privacy).blocks)
    return mechanism


def _fits(declared: Parameter, value: Any) -> bool:
    if declared.is_component:
        return isinstance(value, Parameterised)
    try:
        declared.check(value)
    except ParameterError:
        return False
    return True


def _setting_texts(component: Parameterised, within: str = "") -> Iterator[tuple[str, str]]:
    """Yield the settings of a mechanism and its parts as text, by path."""
    for declared in component.parameters():
        value = getattr(component, declared.name)
        key = f"{within}{declared.name}"
        if declared.is_component:
            yield key, value.label
            yield from _setting_texts(value, f"{key}/")
        elif declared.choices or isinstance(value, str):
            yield key, str(value)
        elif value is None:
            yield key, f"{declared.name} = auto"
        else:
            yield key, f"{declared.name} = {value:,g}" if abs(value) < 1e6 else f"{declared.name} = {value:g}"


def _number(labels: Sequence[str]) -> Iterator[str]:
    """Yield labels, numbering repeated ones."""
    many, seen = Counter(labels), Counter[str]()
    for label in labels:
        seen[label] += 1
        yield f"{label} #{seen[label]}" if many[label] > 1 else label
