"""Files as people have them open as one would expect, or one line says what to choose."""

import numpy as np
import pytest
from awkward_files import FILES

from engine.data import read_table
from engine.errors import DataError


def test_there_are_forty_and_no_two_have_one_name():
    assert len({file.name for file in FILES}) == len(FILES) >= 40


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_an_awkward_file(tmp_path, file):
    path = tmp_path / file.name
    path.write_bytes(file.content)
    if file.fault:
        with pytest.raises(DataError) as caught:
            read_table(path, types=file.types, **file.options).numbers("pay")
        assert file.fault in caught.value.curator_text
        assert "\n" not in str(caught.value)
        assert caught.value.source in (file.name, file.name.rpartition(".")[0])
        return
    table = read_table(path, types=file.types, **file.options)
    assert table.source == file.name
    for name, values in file.numbers.items():
        found = table.data.column(name).to_pylist()
        np.testing.assert_array_equal(np.array(found, float), np.array(values, float))
    for name, kind in file.types.items():
        assert table.column(name).type == ("text" if kind == "category" else "number")


def test_what_was_detected_can_be_stated(tmp_path):
    for file in FILES:
        if file.fault or not file.name.endswith((".csv", ".txt", ".tsv")):
            continue
        path = tmp_path / file.name
        path.write_bytes(file.content)
        found = read_table(path, types=file.types, **file.options)
        again = read_table(path, types=file.types, **{**found.reading.values, **file.options})
        assert again.data.equals(found.data), file.name
        assert again.reading == found.reading, file.name
