"""The small tables that tests put into every SQL engine."""

from __future__ import annotations

SALES = [
    (1, "north", "apple", "10.10", "1.5", "2024-01-15", "2024-01-15 12:00:00+00", None),
    (2, "south", "pear", "20.20", "nan", "2024-02-15", "2024-03-31 01:30:00+00", "it's"),
    (3, "north", "tart", "30.35", "-2.5", "2024-02-20", "2024-10-27 00:30:00+00", ""),
    (4, "west", "apple", "0.01", "0.1", "2024-12-31", "2024-12-31 23:59:59+00", "ü中"),
]
NAMES = [(1, "one"), (2, "two"), (9, "nine")]


def _cell(value: object) -> str:
    return "NULL" if value is None else "'" + str(value).replace("'", "''") + "'"


def rows(cast: str = "") -> str:
    """The rows of sales as VALUES; `cast` is written behind the rate, which may be NaN."""
    return ", ".join(
        f"({one[0]}, {', '.join(map(_cell, one[1:4]))}, {_cell(one[4])}{cast}, "
        f"{', '.join(map(_cell, one[5:]))})"
        for one in SALES
    )


NAMED = ", ".join(f"({number}, '{name}')" for number, name in NAMES)
POSTGRES = f"""
CREATE TABLE sales(id int PRIMARY KEY, region text NOT NULL, product text, amount numeric(12,2),
    rate double precision, day date, moment timestamptz, note text, UNIQUE (region, product));
COMMENT ON TABLE sales IS 'what was sold';
COMMENT ON COLUMN sales.amount IS 'in EUR';
INSERT INTO sales VALUES {rows()};
CREATE TABLE names(id int PRIMARY KEY, name text);
INSERT INTO names VALUES {NAMED};
CREATE TABLE parts(sale int REFERENCES sales(id), name text);
CREATE SCHEMA app;
CREATE TABLE app."Odd Table"(id int);
CREATE TABLE hidden(id int);
CREATE ROLE reader LOGIN PASSWORD 'geheim-1';
GRANT USAGE ON SCHEMA app TO reader;
GRANT SELECT ON sales, names, parts, app."Odd Table" TO reader;
CREATE ROLE writer LOGIN;
GRANT SELECT, INSERT ON sales TO writer;
"""
DUCKDB = f"""
CREATE TABLE sales(id INTEGER PRIMARY KEY, region VARCHAR NOT NULL, product VARCHAR,
    amount DECIMAL(12,2), rate DOUBLE, day DATE, moment TIMESTAMPTZ, note VARCHAR,
    UNIQUE (region, product));
COMMENT ON TABLE sales IS 'what was sold';
COMMENT ON COLUMN sales.amount IS 'in EUR';
INSERT INTO sales VALUES {rows()};
CREATE TABLE names(id INTEGER PRIMARY KEY, name VARCHAR);
INSERT INTO names VALUES {NAMED};
CREATE TABLE parts(sale INTEGER REFERENCES sales(id), name VARCHAR);
CREATE SCHEMA app;
CREATE TABLE app."Odd Table"(id INTEGER);
"""
SQLITE = f"""
CREATE TABLE sales(id INTEGER PRIMARY KEY, region TEXT NOT NULL, product TEXT, amount NUMERIC,
    rate REAL, day TEXT, moment TEXT, note TEXT, UNIQUE (region, product));
INSERT INTO sales VALUES {rows().replace("'nan'", "NULL")};
CREATE TABLE names(id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO names VALUES {NAMED};
CREATE TABLE parts(sale INTEGER REFERENCES sales, name TEXT);
CREATE TABLE "Odd Table"(id INTEGER);
"""
CLICKHOUSE = f"""
CREATE DATABASE w;
CREATE TABLE w.sales(id Int32, region String, product String, amount Decimal(12, 2), rate Float64,
    day Date, moment DateTime('UTC'), note Nullable(String),
    tags Array(String) DEFAULT ['a', region])
    ENGINE = MergeTree ORDER BY id COMMENT 'what was sold';
INSERT INTO w.sales (id, region, product, amount, rate, day, moment, note) VALUES
    {rows().replace("+00", "")};
CREATE TABLE w.names(id Int32, name String) ENGINE = ReplacingMergeTree ORDER BY id;
INSERT INTO w.names VALUES {NAMED}
"""
