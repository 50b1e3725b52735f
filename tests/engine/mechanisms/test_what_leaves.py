"""Nothing that is private leaves with a release: not by a pickle, a copy, `vars`, JSON or what is shown.

Numbers that only the data have are looked for, as doubles and as text, in all that can be made of a release.
"""

import copy
import dataclasses
import io
import json
import pickle
import pprint

import joblib
import numpy as np
import pytest
from every_mechanism import MARKED, PRIVACY, data_for, every_mechanism, leaves_a_trace, on_blocks

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import SensiscopeError
from engine.mechanisms import LaplaceRelease, SmoothRelease
from engine.mechanisms.aggregators import AGGREGATORS
from engine.mechanisms.release import Private, Release
from engine.queries import QUERIES, Median

CASES = [
    *every_mechanism(),
    *(SmoothRelease(query=kind()) for kind in QUERIES.values() if kind is not Median),
    *(on_blocks(kind()) for kind in AGGREGATORS.values()),
]
ALL = pytest.mark.parametrize(
    "mechanism",
    CASES,
    ids=lambda one: "-".join([one.name, *(str(value) for value in one.settings().values())]),
)


def numbers_in(value):
    """Yield all numbers in a release, diagnostics or data."""
    if isinstance(value, np.ndarray):
        yield from value.ravel().tolist() if value.dtype.kind in "fiu" else ()
    elif isinstance(value, (bool, str)) or value is None:
        return
    elif isinstance(value, (int, float)):
        yield float(value)
    elif isinstance(value, dict | Private):
        for part in value.values():
            yield from numbers_in(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from numbers_in(part)


def public_fields(release):
    return {
        field.name: getattr(release, field.name)
        for field in dataclasses.fields(Release)
        if field.name not in ("diagnostics", "privacy")
    }


def made_of(release):
    """Everything that a release can be turned into, as bytes."""
    # the search trees of scipy in a Voronoi histogram have no pickle of the two oldest kinds
    oldest = 2 if "voronoi" in release.mechanism else 0
    for protocol in range(oldest, pickle.HIGHEST_PROTOCOL + 1):
        yield f"pickle {protocol}", pickle.dumps(release, protocol)
        yield f"pickle {protocol} of vars", pickle.dumps(vars(release), protocol)
    stream = io.BytesIO()
    joblib.dump(release, stream)
    yield "joblib", stream.getvalue()
    for name, twin in (
        ("copy", copy.copy(release)),
        ("deepcopy", copy.deepcopy(release)),
        ("diagnostics", copy.copy(release.diagnostics)),
    ):
        yield name, pprint.pformat(twin).encode()
        inside = twin if isinstance(twin, Private) else twin.diagnostics
        assert (len(inside), list(inside), "true_value" in inside) == (0, [], False)
    whole = dataclasses.asdict(release)
    yield "asdict", pprint.pformat(whole).encode()
    yield "JSON", json.dumps(whole, default=str).encode()
    yield "vars", pprint.pformat(vars(release)).encode()
    yield "repr", repr(release).encode()
    yield "print", str(release).encode()
    yield "notebook", release._repr_html_().encode()
    yield "shown diagnostics", f"{release.diagnostics!r} {release.diagnostics}".encode()


@ALL
def test_no_number_of_the_data_is_in_what_a_release_is_made_into(mechanism):
    data = data_for(mechanism)
    release = mechanism.run(data, PRIVACY)
    public = set(numbers_in(public_fields(release)))
    known = {*numbers_in(release.diagnostics), *np.ravel(getattr(data, "values", [])).tolist(), MARKED}
    # small whole numbers may stand anywhere
    private = {one for one in known - public - {float(data.n)} if one != round(one) or abs(one) > 1000}
    assert private or MARKED in public
    private = [MARKED, *sorted(private - {MARKED})[:: max(1, len(private) // 20)]]
    for name, content in made_of(release):
        # a long array holds some eight bytes by chance with probability below 2^-40
        traces = [one for one in private if one not in public and leaves_a_trace(one, content)]
        assert (name, traces) == (name, [])


@ALL
def test_a_stored_release_is_the_same_but_for_its_diagnostics(mechanism):
    release = mechanism.run(data_for(mechanism), PRIVACY)
    for again in (pickle.loads(pickle.dumps(release)), copy.copy(release), copy.deepcopy(release)):
        assert type(again) is type(release)
        assert repr(public_fields(again)) == repr(public_fields(release))
        assert again.privacy == release.privacy
        assert again._repr_html_() == release._repr_html_()
        with pytest.raises(SensiscopeError, match="a copy or a stored release") as error:
            again.diagnostics["true_value"]
        assert "\n" not in str(error.value)
        assert str(error.value).startswith("no true_value: ")
    assert "true_value" in release.diagnostics


def test_releases_are_compared_by_what_is_public():
    data = Sample([1.0, 2.0, 3.0], Interval(0, 10))
    release = LaplaceRelease().run(data, 1.0)
    assert release == copy.copy(release) == pickle.loads(pickle.dumps(release))
    assert release != dataclasses.replace(release, value=release.value + 1)


def test_diagnostics_hold_nothing_in_a_dictionary_and_look_nothing_up_when_they_are_searched():
    known = Private({"scale": MARKED}, later={"true_value": lambda progress: pytest.fail("worked out")})
    with pytest.raises(TypeError):
        vars(known)
    assert "true_value" in known
    assert "scale" in known
    assert "smooth" not in known
    assert known.get("smooth", 1.0) == 1.0
    assert Private({}).get("smooth") is None
    assert dict(copy.deepcopy(known)) == {}


def test_what_is_prepared_is_neither_stored_nor_copied():
    ready = SmoothRelease().prepare(Sample([MARKED] * 9, Interval(0, 100)), 1.0)
    for way in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="confidential and cannot be stored or copied"):
            way(ready)
    assert dataclasses.replace(ready, error=None).scale == ready.scale
