"""Formats whose header declares the types: ARFF, CSVY and files of R."""

import importlib.util
from pathlib import Path

import pytest

from engine.data import read_table
from engine.errors import DataError

FOREIGN = Path(__file__).parents[2] / "data" / "foreign"

WEKA = r"""% people
@RELATION 'a b'

@ATTRIBUTE 'sepal length' REAL % in cm
@attribute class {a, 'b c'}
@attribute born date "yyyy-MM-dd"
@DATA
1.5,a,"2020-01-03"
?,'b c',?
% a comment

 2 , 'it\'s' , 2020-01-05
"""


def test_arff(tmp_path):
    (tmp_path / "a.arff").write_text(WEKA)
    table = read_table(tmp_path / "a.arff", types={"born": "days"})
    assert table.data.to_pydict() == {
        "sepal length": [1.5, None, 2.0],
        "class": ["a", "b c", "it's"],
        "born": [18264.0, None, 18266.0],
    }
    assert read_table(tmp_path / "a.arff", columns=["class"]).data.column_names == ["class"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("@attribute x numeric\n@data\n1\nz", "a.arff, row 2, column 'x': it is not a number, as the header"),
        ("@attribute x numeric\n@data\n1,2", "a.arff, row 1: its cells do not match the 1 attributes"),
        ("@attribute x string\n@data\n'a", "a.arff, row 1: its cells do not match the 1 attributes"),
        ("@attribute x numeric\n@data\n{0 1}", "a.arff, row 1: its records are sparse; save it with dense"),
        ("@attribute x relational\n@data\n1", "a.arff, column 'x': its type relational is not read"),
        ("@attribute\n@data\n1", "a.arff: an @attribute has no name or no type; write both"),
        ("@attribute x numeric\n", "a.arff: the line @data is missing; the file is truncated"),
    ],
)
def test_arff_with_a_fault(tmp_path, text, problem):
    (tmp_path / "a.arff").write_text(f"@relation a\n{text}\n")
    with pytest.raises(DataError) as caught:
        read_table(tmp_path / "a.arff")
    assert str(caught.value).startswith(problem)


HEADER = """---
name: people
fields:
  - name: zip
    type: string
  - name: "pay"
    type: number
---
"""


@pytest.mark.parametrize("mark", ["", "#", "# "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_csvy(tmp_path, mark, end):
    head = "".join(f"{mark if line != '---' else mark.strip()}{line}\n" for line in HEADER.splitlines())
    (tmp_path / "a.csv").write_bytes(f"{head}zip;pay\n007;1,5\n010;2\n".replace("\n", end).encode())
    table = read_table(tmp_path / "a.csv")
    assert table.data.to_pydict() == {"zip": ["007", "010"], "pay": [1.5, 2.0]}
    assert (table.first_row, table.reading.format) == (10, "csvy")
    assert read_table(tmp_path / "a.csv", types={"zip": "number"}).numbers("zip").values.tolist() == [7, 10]


def test_files_of_r_name_what_reads_them(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(DataError) as caught:
        read_table(FOREIGN / "people.rds")
    assert "it is a file of R; save the table in R: write.csv(" in str(caught.value)
    assert "pip install 'sensiscope[r]'" in str(caught.value)


class TestFilesOfR:
    """With the optional package."""

    @pytest.fixture(autouse=True)
    def _rdata(self):
        if importlib.util.find_spec("rdata") is None:
            pytest.skip("rdata is not installed")

    def test_types_of_columns(self):
        table = read_table(FOREIGN / "people.rds", types={"p": "days", "d": "days", "t": "hours"})
        columns = table.data.to_pydict()
        assert columns.pop("nan")[1:] == [1, 2]
        assert columns == {
            "name": ["Ann", "José", None],
            "pay": [1.5, None, 3],
            "age": [31, None, 60],
            "f": ["x", "y", None],
            "b": [True, None, False],
            "d": [18262, None, 18264],
            "p": [18262 + 10 / 24, None, 18264],
            "t": [1.5, None, 0.5],
        }  # the column of lists is left out

    def test_several_data_frames(self):
        table = read_table(FOREIGN / "two.rda", table="d2")
        assert table.data.column_names[:2] == ["row names", "mpg"]
        assert table.reading.offered == {"table": ("df", "d2")}
        with pytest.raises(DataError, match="it has no data frame 'x'; choose from df, d2"):
            read_table(FOREIGN / "two.rda", table="x")

    def test_other_objects(self):
        with pytest.raises(DataError, match=r"it holds no data frame; save the table in R: write\.csv"):
            read_table(FOREIGN / "series.rds")
        with pytest.raises(DataError, match="column 'l' holds lists or other objects; choose another"):
            read_table(FOREIGN / "people.rds", columns=["l"])
