"""Typed numbers: each text has one value in a number format, or is refused with both of its readings."""

import pytest

from app.model.wording.numbers import FORMATS, THIN, format_exact, use
from app.model.wording.typed_numbers import (
    NumberError,
    format_number_list,
    parse_number,
    parse_number_list,
    read_typed,
    show_typed,
)

CLEAR = {
    "1e-6": 1e-6,
    "10^-6": 1e-6,
    "3×10^4": 3e4,
    "3 × 10^4": 3e4,
    "40 000": 40_000.0,
    f"40{THIN}000": 40_000.0,
    "40\u00a0000": 40_000.0,
    f"600{THIN}00": 60_000.0,  # a digit was deleted from a number that the program wrote
    "1.234,5": 1234.5,
    "600.000,00": 600_000.0,
    "-1.234,5": -1234.5,
    "1,234.5": 1234.5,
    "1 234,5": 1234.5,
    "1 234.567": 1234.567,
    "1'234.5": 1234.5,
    "1’234,5": 1234.5,
    "1,234,567": 1_234_567.0,
    "1.234.567": 1_234_567.0,
    "1.234.567,8": 1_234_567.8,
    "12.5": 12.5,
    "0,5": 0.5,
    "0,125": 0.125,
    "0.125": 0.125,
    ",5": 0.5,
    "5.": 5.0,
    "−3": -3.0,
    "- 3": -3.0,
    "+5": 5.0,
    "1_000": 1000.0,
}
"""Texts that mean the same in each format."""

DECIDED = {
    ("1,234", "english"): 1234.0,
    ("1,234", "comma"): 1.234,
    ("1.234", "english"): 1.234,
    ("1.234", "si"): 1.234,
    ("1,234e2", "comma"): 123.4,
    ("12,5", "si"): 12.5,
    ("12,5", "comma"): 12.5,
    ("600,00", "comma"): 600.0,
    ("-40,000", "english"): -40_000.0,
}
"""Texts that the format decides."""

IN_DOUBT = {
    ("1,234", "si"): (1.234, 1234.0),
    ("1.234", "comma"): (1.234, 1234.0),
    ("-1,234", "si"): (-1234.0, -1.234),
    # with commas between thousands: a decimal comma, or a comma that lost a digit
    ("12,5", "english"): (12.5, 125.0),
    ("600,00", "english"): (600.0, 60_000.0),
    ("6000,000", "english"): (6000.0, 6_000_000.0),
}

NO_NUMBERS = (
    *("", ".", "much", "1.2.3", "1,2,3", "--1", "1e", "1,00,000", "18 25", "1.234,567.8", "1,234,56.7"),
    *("nan", "inf", "-infinity", "1e999", "10^400", "210^3", "12\t345", "5 %"),
)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", CLEAR)
def test_a_clear_text_means_the_same_in_each_format(text, name):
    use(name)
    assert parse_number(text) == CLEAR[text]


@pytest.mark.parametrize(("text", "name"), DECIDED)
def test_the_format_decides_about_its_own_separators(text, name):
    use(name)
    assert parse_number(text) == DECIDED[text, name]


@pytest.mark.parametrize(("text", "name"), IN_DOUBT)
def test_a_text_that_can_mean_two_numbers_is_refused_with_both(text, name):
    use(name)
    with pytest.raises(NumberError) as caught:
        parse_number(text)
    one, other = map(format_exact, IN_DOUBT[text, name])
    assert str(caught.value) == f"'{text}' can mean {one} or {other}; write one of these"
    assert {parse_number(one), parse_number(other)} == {*IN_DOUBT[text, name]}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", NO_NUMBERS)
def test_any_other_text_is_refused(text, name):
    use(name)
    with pytest.raises(NumberError, match=r"is not a number|is too large"):
        parse_number(text)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "value", [0.0, 1.0, 0.1, 1.234, 1e-6, 1234.0, 123456.789, -40_000.0, 1e7, 1e15, 2.5e-12]
)
def test_each_number_that_is_shown_reads_back_the_same(value, name):
    use(name)
    assert parse_number(format_exact(value)) == value
    assert parse_number_list(format_number_list((value,))) == (value,)
    assert parse_number_list(format_number_list((value, -value, 0.5))) == (value, -value, 0.5)


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("", "si", ()),
        ("7", "comma", (7.0,)),
        ("18,25,35,65", "si", (18.0, 25.0, 35.0, 65.0)),
        ("18,25,35,65", "english", (18.0, 25.0, 35.0, 65.0)),
        ("18; 25", "english", (18.0, 25.0)),
        ("18, 25", "comma", (18.0, 25.0)),
        ("0.5,1.5", "english", (0.5, 1.5)),
        ("1,5; 2,5", "si", (1.5, 2.5)),
        ("1,5, 2,5", "comma", (1.5, 2.5)),
        ("1,5", "comma", (1.5,)),
        ("1,234, 5", "english", (1234.0, 5.0)),
    ],
)
def test_lists_have_semicolons_or_commas(text, name, values):
    use(name)
    assert parse_number_list(text) == values


@pytest.mark.parametrize(
    ("text", "name"),
    [("1,5", "si"), ("1,5", "english"), ("100,200,300", "english"), ("18,25,35", "comma"), ("0, zero", "si")],
)
def test_a_list_is_refused_where_a_comma_can_belong_to_a_number(text, name):
    use(name)
    with pytest.raises(NumberError):
        parse_number_list(text)


@pytest.mark.parametrize(
    ("holds", "name", "text", "stored", "shown"),
    [
        ("numbers", "english", "1, 1, 2.5", "1, 1, 2.5", "1, 1, 2.5"),
        ("numbers", "comma", "1,5", "1.5", "1,5"),
        ("numbers", "comma", "1;2,5", "1, 2.5", "1; 2,5"),
        ("points", "english", "0,0; 1,0.5", "0,0; 1,0.5", "0,0; 1,0.5"),
        ("points", "comma", "0 : 0,5; 1:2", "0,0.5; 1,2", "0 : 0,5; 1 : 2"),
        ("points", "comma", "sphere 12", "sphere 12", "sphere 12"),
        ("conditions", "english", "> 1.234,5", "> 1234.5", "> 1234.5"),
        ("conditions", "comma", "1,5..2 or > 1 000", "1.5..2 or > 1000", "1,5..2 or > 1000"),
        ("conditions", "english", "age > 30; 2: 150..1,800", "age > 30; 2: 150..1800", None),
        ("", "comma", "anything 1,5", "anything 1,5", "anything 1,5"),
    ],
)
def test_texts_with_numbers_are_read_in_the_format(holds, name, text, stored, shown):
    use(name)
    assert read_typed(text, holds) == stored
    assert show_typed(stored, holds) == (stored if shown is None else shown)
    assert read_typed(show_typed(stored, holds), holds) == stored


@pytest.mark.parametrize(
    ("holds", "name", "text"),
    [
        ("numbers", "english", "1,5"),
        ("points", "comma", "1,5"),
        ("points", "english", "1,500"),
        ("conditions", "english", "> 1,5"),
        ("numbers", "comma", "1; x"),
    ],
)
def test_texts_with_doubtful_numbers_are_refused(holds, name, text):
    use(name)
    with pytest.raises(NumberError):
        read_typed(text, holds)
