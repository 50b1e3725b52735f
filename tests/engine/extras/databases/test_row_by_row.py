"""Statements of which each row is one stored row, and all others with the reason."""

import contextlib
import dataclasses
import sqlite3

import pytest

from engine import DataError, Interval, LaplaceRelease, Mean, Sample, reproducible, stored_table
from engine.data.reading import read_table
from engine.data.reading import release_problem as problem_of_file
from engine.data.reading_options import ReadingOptions
from engine.extras.databases import postgresql
from engine.extras.databases.duckdb import DuckdbCatalog, opened
from engine.extras.databases.odbc import OdbcCatalog
from engine.extras.databases.row_by_row import MAX_DEPTH, Relation, origin_of, small

OK = ""
RECURSIVE = (
    "with recursive s(i) as (select 1 union all select i+1 from s where i<1000) select p.age as x from p, s"
)
STATEMENTS = {
    # one row of the table makes one row of the answer
    "select age from p": OK,
    "SELECT * FROM p": OK,
    "select p.* from p;": OK,
    'select "age", AGE as years from "p"': OK,
    "select q.age / 2.0 as half from main.p as q": "computes a value",
    "select abs(age) as a, round(age, 1) as b, coalesce(age, 0) as c, -age as d from p": "computes a value",
    "select case when age > 40 then 1 else 0 end as old from p": "computes a value",
    "select lower(name) as a, length(name) as b, name like 'a%' as c from p": "computes a value",
    "select cast(age as double) as x, age is null as y, nullif(age, 0) as z from p": "computes a value",
    "select 1 as one, age from p": "computes a value",
    "select older as x from (select age as older from p) as q": OK,
    "select older from plain": OK,
    "select years from renamed": OK,
    "select older from chain": OK,
    # one row makes several, or none
    "select age from p where hiv = 1": "by a condition",
    "select a.age from p as a, p as b": "joins tables",
    "select a.age from p as a join p as b on a.id = b.id": "joins tables",
    "select age from p union all select age from p": "combines several answers",
    "select age from p except select 30 as age": "combines several answers",
    RECURSIVE: "joins tables",
    "with q as (select age from p) select age from q": "named queries",
    "with p as (select 1 as age) select age from p": "named queries",
    "select age from doubled": "the view 'doubled' is not row by row (it combines several answers",
    "select age from conditional": "the view 'conditional' is not row by row (it selects rows",
    "select age from (select age from p limit 3) as q": "takes a part",
    "select age from p limit 2": "takes a part",
    "select age from p limit 2 offset 1": "takes a part",
    "select distinct age from p": "leaves out duplicate rows",
    "values (1), (2)": "not from a stored table",
    "select 1 as x": "not from a stored table",
    "select age from p natural join plain": "joins tables",
    # a value that is worked out of several rows
    "select count(*) as x from p": "one value from many rows (COUNT(*))",
    "select sum(age) as x from p group by hiv": "GROUP BY",
    "select age from p group by age having count(*) > 1": "(HAVING)|by a condition|GROUP BY",
    "select sum(age) over () as x from p": "combines several rows",
    "select lag(age) over (order by id) as x from p": "combines several rows",
    "select (select max(age) from p) as x from p": "contains a query in an expression",
    "select age in (select age from p) as x from p": "computes a value",
    "select exists (select 1 from p) as x from p": "contains a query in an expression",
    "select age from p order by age": "sorts the rows",
    # a value that can fail on one row, which tells of it without noise
    "select case when name = 'ann' and hiv = 1 then null else 0 end as x from p": "computes a value",
    "select hiv * 1e308 * 10 as x from p": "computes a value",
    # another value each time, or what is not stored
    "select random() as x from p": "computes a value",
    "select current_timestamp as x, age from p": "computes a value",
    "select rowid as x from p": "'rowid' is not a stored column",
    "select age from nobody.p": "is not a stored table|the query is wrong",
    # what databases might understand otherwise
    "select age from p -- where": "comments or characters",
    "select age /* all */ from p": "comments or characters",
    "select age as x\u00a0y from p": "comments or characters|the query is wrong",
}
ONLY_SQLITE = {
    "select max(age, 3) as x from p": "computes a value",
    "select age from p indexed by i": "may not be row by row (indexed)",
    "select value as x from generate_series(1, 9)": "from a function|the query is wrong",
    "select json_each.value as x from p, json_each('[1,2]')": "joins tables",
    "select name as x from pragma_function_list": "is not a stored table",
    "select name as x from sqlite_master": "is not a stored table",
    "select words from found": "is a virtual table",
    "select last_insert_rowid() as x from p": "computes a value",
    "select changes() as x from p": "computes a value",
}
ONLY_DUCKDB = {
    "from p": OK,
    "(select age from p)": OK,
    "select age::double as x, greatest(age, 3) as y, age // 2 as z from p": "computes a value",
    "select unnest([age, age]) as x from p": "makes several rows of one",
    "select * exclude (age) from p": "may not be row by row",
    "select columns('a.*') from p": "computes a value",
    "select * from range(9)": "from a function",
    "select * from read_csv('p.csv')": "from a function|the query is wrong",
    "select * from 'p.csv'": "is not a stored table|the query is wrong",
    "select age from p using sample 50%": "draws a part",
    "select age from p tablesample 50%": "may not be row by row|draws a part",
    "select age from p, lateral (select 1 as one)": "joins tables",
    "pivot p on hiv using sum(age)": "not a plain SELECT|the query would write",
    "select nextval('numbers') as x from p": "computes a value",
    "select own(age) as x from p": "computes a value",
    "select age % 2 as x from p": "computes a value",
    "select age ** 2 as x from p": "computes a value",
    "select age ^ 2 as x from p": "computes a value",
    "select y from made": "computed columns",
    "select age from main.p": OK,
    "select age from other.stored": OK,
    "select age from other.shown": "a view in another schema",  # of which `p` is other.p
    "summarize p": "not a plain SELECT",
}
VIEWS = (
    "create view plain as select age, hiv as older from p",
    "create view renamed(years, more) as select age, hiv from p",
    "create view chain as select older from plain",
    "create view doubled as select age from p union all select age from p",
    "create view conditional as select age from p where hiv = 1",
)
TABLE = "create table p (id integer primary key, age integer, hiv integer, name text)"
ROWS = [(1, 30, 1, "ann"), (2, 40, 0, "bo"), (3, 50, 1, "cy")]


@pytest.fixture(scope="module")
def sqlite_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("sqlite") / "t.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as made:
        made.execute(TABLE)
        made.executemany("insert into p values (?, ?, ?, ?)", ROWS)
        for view in VIEWS:
            made.execute(view)
        made.execute("create index i on p (age)")
        made.execute("create virtual table found using fts5(words)")
        made.commit()
    return path


@pytest.fixture(scope="module")
def duckdb_file(tmp_path_factory):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path_factory.mktemp("duckdb") / "t.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute(TABLE)
        made.executemany("insert into p values (?, ?, ?, ?)", ROWS)
        for view in VIEWS:
            made.execute(view)
        made.execute("create schema other")
        made.execute("create table other.stored as select age from p")
        made.execute("create view other.p as select age from main.p where age > 40")
        made.execute("create view other.shown as select age from p")
        made.execute("create sequence numbers")
        made.execute("create table made (x integer, y integer generated always as (x + 1))")
        made.execute("create macro own(x) as x + (select count(*) from p)")
    return path


@pytest.fixture(scope="module")
def duckdb_catalog(duckdb_file):
    with opened(duckdb_file) as database:
        yield DuckdbCatalog(database)


def said(path, **options):
    """Return why no release may be made, by the check alone and by the reader."""
    try:
        problem = problem_of_file(path, ReadingOptions(**options))
    except DataError as error:
        return str(error)
    with contextlib.suppress(DataError):
        assert read_table(path, **options).release_problem == problem
        assert stored_table(path, **options).release_problem == problem
    return problem


def problem_of(*asked):
    """Return why no release may be made of what is asked of a catalog."""
    return origin_of(*asked).release_problem


def fits(problem, reason):
    return not problem if reason == OK else any(part in problem for part in reason.split("|"))


@pytest.mark.parametrize(("query", "reason"), {**STATEMENTS, **ONLY_SQLITE}.items())
def test_statements_of_sqlite(sqlite_file, query, reason):
    assert fits(said(sqlite_file, sql=query), reason), said(sqlite_file, sql=query)


@pytest.mark.parametrize(
    "query", [query for query, reason in {**STATEMENTS, **ONLY_SQLITE}.items() if reason == OK]
)
def test_one_row_changes_one_record(query):
    """By the definition: whatever one row becomes, all other records stay, and there are as many."""

    def answer(rows):
        with contextlib.closing(sqlite3.connect(":memory:")) as made:
            made.execute(TABLE)
            made.executemany("insert into p values (?, ?, ?, ?)", rows)
            for view in VIEWS:
                made.execute(view)
            return made.execute(query).fetchall()

    before = answer(ROWS)
    assert len(before) == len(ROWS)
    for place, (key, *_) in enumerate(ROWS):
        for other in ((key, 99, 0, "zoe"), (key, None, None, None), (key, -(10**9), 5, "")):
            after = answer([*ROWS[:place], other, *ROWS[place + 1 :]])
            assert len(after) == len(before)
            assert {i for i, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]} <= {
                place
            }


@pytest.mark.parametrize(("query", "reason"), {**STATEMENTS, **ONLY_DUCKDB}.items())
def test_statements_of_duckdb(duckdb_catalog, query, reason):
    problem = problem_of(duckdb_catalog, query, "")
    assert fits(problem, reason), problem


@pytest.mark.parametrize(
    "query", ["select age as x from p", "select age from p where hiv = 1", "from doubled"]
)
def test_readers_of_duckdb_say_the_same(duckdb_file, duckdb_catalog, query):
    assert said(duckdb_file, sql=query) == problem_of(duckdb_catalog, query, "")


@pytest.mark.parametrize(
    ("table", "reason"),
    {"": OK, "p": OK, "plain": OK, "chain": OK, "doubled": "'doubled'", "conditional": "by a cond"}.items(),
)
def test_views_count_as_what_they_are_made_of(sqlite_file, duckdb_file, table, reason):
    for path in (sqlite_file, duckdb_file):
        named = table or ("" if path is sqlite_file else "p")  # the first of this one is a view
        problem = said(path, table=named)
        assert fits(problem, reason)
        assert "\n" not in problem


def test_the_first_table_may_be_a_view(tmp_path):
    path = tmp_path / "a.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as made:
        made.execute("create view a as select x from b where x > 0")
        made.execute("create table b (x)")
        made.execute("insert into b values (1)")
        made.commit()
    assert "by a condition" in read_table(path).release_problem


def test_views_within_views_end(tmp_path):
    path = tmp_path / "deep.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as made:
        made.execute("create table v0 (x)")
        made.execute("insert into v0 values (1)")
        for depth in range(1, MAX_DEPTH + 2):
            made.execute(f"create view v{depth} as select x from v{depth - 1}")
        made.commit()
    assert not said(path, table=f"v{MAX_DEPTH - 1}")
    assert "more than 8 deep" in said(path, table=f"v{MAX_DEPTH + 1}")


@pytest.mark.parametrize(
    "query",
    [
        f"select {'(' * 3000}age{')' * 3000} from p",
        f"select {'age,' * 4000}age from p",
        f"select age from {'(select age from ' * 300}p{') as q' * 300}",
    ],
)
def test_what_is_too_much_to_be_checked_is_only_looked_at(query):
    assert fits(problem_of(Postgres(), query, ""), "cannot be checked|too long")


RELATIONS = {
    "p": Relation(("id", "age", "Weight")),
    "older": Relation(definition=" SELECT p.age AS older\n   FROM p;"),
    "doubled": Relation(definition="SELECT age FROM p UNION ALL SELECT age FROM p"),
    "copied": Relation(problem="is not a stored table (but a stored query, or a table of another server)"),
}


@dataclasses.dataclass
class Postgres:
    """The catalog of a server, as it would answer."""

    dialect: str = "postgres"

    def relation(self, names):
        schemas = [small(name) for name, _ in names[:-1]]
        name, quoted = names[-1]
        return RELATIONS.get(name if quoted else small(name)) if schemas in ([], ["public"]) else None

    folded = postgresql.PostgresqlCatalog.folded


POSTGRES = {
    "select age from p": OK,
    "select AGE as years, p.age as b from public.p": OK,
    'select "Weight" from p': OK,
    "select age::double precision as x, abs(age) as y from p": "computes a value",
    "select older from older": OK,
    "table p": OK,
    "select Weight from p": "'Weight' is not a stored column",
    "select p from p": "'p' is not a stored column",
    "select (p).age from p": "computes a value",
    "select ctid from p": "'ctid' is not a stored column",
    "select age from only p": "may not be row by row",
    "select age from other.p": "is not a stored table",
    "select age from copied": "a stored query",
    "select age from doubled": "combines several answers",
    "select lower(age) as x from p": "computes a value",
    "select mine(age) as x from p": "computes a value",
    "select generate_series(1, age) as x from p": "several rows of one|computes a value",
    "select age operator(public.+) 1 as x from p": "computes a value",
    "select |/ age as x from p": "computes a value",
    "select ||/ age as x from p": "computes a value",
    "select age == 1 as x from p": "computes a value",
    "select age <-> 1 as x from p": "computes a value",
    "select 'now'::timestamp as x from p": "computes a value",
    "select age::mine as x from p": "computes a value",
    "select now() as x from p": "computes a value",
    "select nextval('s') as x from p": "computes a value",
    "select age from p for update": "may not be row by row",
    "select age from p tablesample system (10)": "draws a part",
    "select age from p fetch first 3 rows only": "takes a part",
    "select x from generate_series(1, 9) as x": "from a function",
    "select x from unnest(array[1, 2]) as x": "from a function",
    "select age from p as q(age)": "may not be row by row",
    "select age from p cross join lateral (select 1) as q": "joins tables",
    "select distinct on (age) age from p": "DISTINCT",
    "select rank() over w as x from p window w as (order by age)": "combines several rows",
    "select $$a$$ as x from p": "comments or characters",
    "select age from p; select age from p": "must be one statement",
    "delete from p returning age": "not a plain SELECT",
}


@pytest.mark.parametrize(("query", "reason"), POSTGRES.items())
def test_statements_of_postgresql(query, reason):
    problem = problem_of(Postgres(), query, "")
    assert fits(problem, reason), problem


@dataclasses.dataclass
class Row:
    """What a driver of ODBC says of a table or a column."""

    table_name: str
    table_type: str = "TABLE"
    column_name: str = ""


class Cursor:
    """What a driver of ODBC answers."""

    def tables(self):
        return [Row("p"), Row("seen", "VIEW"), Row("twice"), Row("twice", "VIEW"), Row("P2")]

    def columns(self):
        return [Row("p", column_name=name) for name in ("id", "age", "ROWNUM")]


ODBC = {
    "select age from p": OK,
    "select AGE as x, q.id from P as q": OK,
    "select (age + 1) * 2 / 3.5 - id as x from p": "computes a value",
    "select * from p": OK,
    "select age from (select age from p) as q": OK,
    "select age from seen": "ODBC does not show",
    "select age from twice": "ODBC does not show",
    "select age from other.p": "is not a stored table",
    'select "age" from p': "not a stored column",
    'select age from "p"': "quotes",
    "select age, 'x' as y from p": "computes a value",
    "select abs(age) as x from p": "computes a value",
    "select case when age > 3 then 1 else 2 end as x from p": "computes a value",
    "select age from p /*! union all select age from p */": "comments or characters",
    "select age from p # all": "comments or characters",
    "select rownum from p": "not a stored column",
    "select age from p where age > 3": "by a condition",
    "select top 3 age from p": "cannot be checked|takes a part",
    "select {fn now()} as x from p": "comments or characters",
    "select 1 as x) asked; delete from p; select * from (select 1 as x": "cannot be checked",
}


@pytest.mark.parametrize(("query", "reason"), ODBC.items())
def test_statements_by_odbc(query, reason):
    problem = problem_of(OdbcCatalog(Cursor()), query, "")
    assert fits(problem, reason), problem


def test_tables_by_odbc_are_stored_and_views_are_not():
    catalog = OdbcCatalog(Cursor())
    assert [bool(problem_of(catalog, "", name)) for name in ("p", "seen", "twice", "P")] == [
        False,
        True,
        True,
        True,
    ]


class Server:
    """A cursor of PostgreSQL, as far as the catalog asks it."""

    def __init__(self, *row):
        self.row, self.asked = row, []

    def execute(self, query):
        self.asked.append(query)

    def fetchall(self):
        if "relkind" in self.asked[-1]:
            return [self.row] if self.row else []
        if "pg_get_viewdef" in self.asked[-1]:
            return [("SELECT age FROM p WHERE age > 3",)]
        return [("age",)] if "pg_attribute" in self.asked[-1] else []


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (("staff", 7, "r", False, False, False), OK),
        (("staff", 7, "p", False, False, False), OK),
        (("staff", 7, "v", False, False, False), "by a condition"),
        (("staff", 7, "m", False, False, False), "a stored query"),
        (("staff", 7, "f", False, False, False), "a table of another server"),
        (("staff", 7, "r", False, False, True), "a table of another server"),
        (("staff", 7, "r", True, False, False), "row security"),
        (("staff", 7, "r", False, True, False), "belongs to the server"),
        ((), "is not a stored table"),
    ],
)
def test_kinds_of_relations_of_postgresql(row, reason):
    server = Server(*row)
    assert fits(problem_of(postgresql.PostgresqlCatalog(server), 'select age from "it\'s"', ""), reason)
    assert "to_regclass('\"it''s\"')" in server.asked[0]


def test_a_release_is_refused_and_a_simulation_goes_on(sqlite_file):
    mechanism, bounds = LaplaceRelease(query=Mean()), Interval(0, 100)
    values = read_table(sqlite_file, sql=RECURSIVE).numbers("x").values
    with pytest.raises(DataError, match="it joins tables"):
        mechanism.run(Sample(values, bounds), 1.0)
    assert mechanism.run(Sample(values, bounds), 1.0, reproducible(1)).simulated
    assert not mechanism.run(Sample(read_table(sqlite_file).numbers("age").values, bounds), 1.0).simulated


def test_words_of_a_database_do_not_repeat_a_value(duckdb_file):
    with pytest.raises(DataError, match="the query is wrong") as caught:
        read_table(duckdb_file, sql="select cast(name as integer) as x from p")
    assert "ann" not in str(caught.value)
