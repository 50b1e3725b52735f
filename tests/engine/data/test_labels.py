"""The names of vertices, however a table spells them."""

import datetime
import decimal

import pyarrow as pa
import pytest
from edge_tables import edges_of, fault, named, table

from engine.data import EdgeColumns, read_edges, read_table
from engine.errors import DataError


class TestLabels:
    def test_numbers_and_texts_mix(self):
        assert named(edges_of([1, 2], ["2", "x"])) == [("1", "2"), ("2", "x")]
        assert named(edges_of([1.0, 2.5], ["2.5", " 1 "])) == [("1", "2.5"), ("2.5", "1")]

    def test_text_that_spells_a_number_is_that_number_only_beside_numbers(self):
        texts = ["007", "1.50", "1e3", "00", "12345678901234567890", "1.2.3", "-"]
        numbers = ["7", "1.5", "1000", "0", "12345678901234567890", "1.2.3", "-"]
        assert [pair[0] for pair in named(edges_of(texts, [99] * 7))] == numbers
        assert [pair[0] for pair in named(edges_of(texts, ["99"] * 7))] == texts

    def test_leading_zeros_that_one_column_of_a_file_has_lost(self, tmp_path):
        path = tmp_path / "net.csv"
        path.write_text("source,target,weight\n007,008,1\nx,007,2\n008,010,3\n")
        assert named(read_edges(read_table(path))) == [("7", "8"), ("x", "7"), ("8", "10")]
        path.write_text("source,target,weight\n007,x,1\nx,008,2\n")
        assert named(read_edges(read_table(path))) == [("007", "x"), ("x", "008")]

    @pytest.mark.parametrize(
        ("cells", "names"),
        [
            ([True, False], ["true", "false"]),
            ([datetime.date(2024, 2, 29), datetime.date(2025, 1, 1)], ["2024-02-29", "2025-01-01"]),
            ([decimal.Decimal("1.50"), decimal.Decimal("20.00")], ["1.5", "20"]),
            ([decimal.Decimal(10**30), decimal.Decimal(10**30 + 1)], [f"1{'0' * 30}", f"1{'0' * 29}1"]),
            ([2**63 - 1, -(2**63)], ["9223372036854775807", "-9223372036854775808"]),
            ([-0.0, 1e300], ["0", "1e+300"]),
            (pa.array([0.1, 2], pa.float32()), ["0.1", "2"]),
            (pa.array(["é", " b c "], pa.large_string()), ["é", "b c"]),
        ],
    )
    def test_whatever_reads_as_a_word_is_a_name(self, cells, names):
        assert [pair[0] for pair in named(edges_of(cells, ["x", "x"]))] == names

    def test_times_of_a_zone(self):
        moments = pa.array([0, 1], pa.timestamp("s", tz="Europe/Berlin"))
        assert len(set(edges_of(moments, ["x", "x"]).labels)) == 3

    @pytest.mark.parametrize(
        ("cells", "what"),
        [
            ([["a"], ["b"]], "it holds lists or objects, which name no vertices"),
            ([{"id": 1}, {"id": 2}], "it holds lists or objects, which name no vertices"),
            ([b"a", b"b"], "it holds bytes, which name no vertices"),
            (pa.array(["a", "b"], pa.string_view()), "it holds string_view values, which name no vertices"),
        ],
    )
    @pytest.mark.parametrize("column", ["source", "target"])
    def test_types_that_are_no_names(self, cells, what, column):
        columns = {"source": ["x", "y"], "target": ["y", "z"], column: cells}
        assert (
            fault(**columns) == f"net, column '{column}': {what}; name the vertices by text or whole numbers"
        )

    def test_times_of_an_unknown_zone(self):
        moments = pa.array([0, 1], pa.timestamp("s", tz="Nowhere/City"))
        said = fault(source=moments, target=["x", "x"])
        assert said.startswith("net, column 'source': its values cannot be read as text;")

    @pytest.mark.parametrize(
        ("cell", "what"),
        [(float("nan"), "nan"), (float("inf"), "inf"), (float("-inf"), "-inf"), ("  ", "a blank")],
    )
    def test_cells_that_are_no_names(self, cell, what):
        good = "x" if isinstance(cell, str) else 1.5
        assert fault(source=["a", "b", "c"], target=[good, cell, cell]) == (
            "net, row 3, column 'target': the cell is no name of a vertex; "
            "name the vertices by text or whole numbers"
        )

    def test_the_row_of_a_wrong_name_counts_the_dropped_ones(self):
        net = table(source=["a", None, "c"], target=["b", "b", " "])
        with pytest.raises(DataError, match="net, row 4, column 'target': the cell is no name"):
            read_edges(net, EdgeColumns(weight=None), missing="drop")
