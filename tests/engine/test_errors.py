"""What an error says to everyone, and what it says beside the records alone."""

import copy
import pickle
import traceback

import pytest

from engine import Sample
from engine.errors import DataError, ParameterError, SensiscopeError, UnknownName

ERRORS = [
    SensiscopeError("no"),
    DataError("no number", confidential="'Zyxwarg'", source="a.csv", row=7, column="age"),
    ParameterError("vertices", "3 are too few", confidential="the edges name 4"),
    UnknownName("example", "salarys", ["salaries"]),
]


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("sent", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_is_the_same_in_another_process(error, sent):
    again = sent(error)
    assert type(again) is type(error)
    assert (str(again), again.curator_text, vars(again)) == (str(error), error.curator_text, vars(error))
    assert again.__suppress_context__


def test_what_is_confidential_is_in_no_text_of_an_error():
    error = ERRORS[1]
    assert error.curator_text == f"{error} (confidential: 'Zyxwarg')"
    assert "Zyxwarg" not in str(error) + repr(error)


def test_a_traceback_does_not_show_what_a_library_has_raised_before():
    def wrapped():
        try:
            float("Zyxwarg")
        except ValueError:
            raise DataError("no number")  # noqa: B904  as functions do that are called there

    with pytest.raises(DataError) as caught:
        wrapped()
    assert "could not convert" not in "".join(traceback.format_exception(caught.value))


def test_a_list_that_is_no_sample_does_not_tell_which_cell():
    values = [1.0, "Zyxwarg"]
    with pytest.raises(DataError) as caught:
        Sample(values, (0, 1))
    assert "Zyxwarg" not in "".join(traceback.format_exception(caught.value))
    assert "Zyxwarg" in caught.value.curator_text


def test_an_unknown_name_says_that_plug_ins_are_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "plug-ins" not in str(UnknownName("query", "laps", ["median"]))
    monkeypatch.setattr("engine.errors.are_pending", lambda: True)
    text = str(UnknownName("query", "laps", ["median"]))
    assert text.endswith("plug-ins are not loaded yet: call sensiscope.load_plugins() before")
    assert "\n" not in text
