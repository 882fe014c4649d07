"""The endpoints that `schema_tasks` asks: graphs, tables and a GraphQL service of its own."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.evals.sparql_patterns_worlds import geography, organisations, thesaurus

CODES = "https://codes.example/"
_MINERALS = (
    ("Q3", "Arlite", "4.5", "red", "Q21"), ("Q4", "Borrite", "6.5", "grey", "Q22"),
    ("Q5", "Corvite", "7.0", "black", "Q21"), ("Q6", "Dunmite", "3.0", "white", "Q23"),
    ("Q7", "Elmite", "5.5", "blue", "Q22"), ("Q8", "Farrite", "8.5", "green", "Q23"),
)  # fmt: skip
_PLACES = (("Q21", "Harrow Pit"), ("Q22", "Sorrel Ridge"), ("Q23", "Lower Fen"))
_NAMES = (("P12", "hardness"), ("P13", "colour"), ("P14", "found at"), ("Q100", "mineral"),
          ("Q101", "place"))  # fmt: skip

SHOP = """
CREATE SCHEMA sales; CREATE SCHEMA stock;
CREATE TABLE sales.customers (customer_id integer PRIMARY KEY, name text NOT NULL, city text);
COMMENT ON TABLE sales.customers IS 'People who bought something.';
CREATE TABLE stock.products (product_id integer PRIMARY KEY, title text UNIQUE, price numeric(8,2),
    colour text);
CREATE TABLE sales.orders (order_id integer PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES sales.customers, placed_on date, status text);
COMMENT ON COLUMN sales.orders.status IS 'open, sent or returned';
CREATE TABLE sales.order_lines (order_id integer REFERENCES sales.orders, line integer,
    product_id integer REFERENCES stock.products, pieces integer, PRIMARY KEY (order_id, line));
INSERT INTO sales.customers VALUES (1,'Lina Moss','Aldenport'),(2,'Otto Brandt','Kessing');
INSERT INTO stock.products VALUES (1,'Oak stool',49.90,'brown'),(2,'Fern lamp',32.00,'green'),
    (3,'Moss rug',120.00,'green');
INSERT INTO sales.orders VALUES (10,1,'2024-03-02','sent'),(11,2,'2024-05-19','open'),
    (12,1,'2024-06-30','returned');
INSERT INTO sales.order_lines VALUES (10,1,1,2),(10,2,3,1),(11,1,2,1),(12,1,2,4);
CREATE ROLE reader LOGIN PASSWORD 'read-only';
GRANT USAGE ON SCHEMA sales, stock TO reader;
GRANT SELECT ON ALL TABLES IN SCHEMA sales, stock TO reader; ANALYZE;
"""

LIBRARY = """
type Query {
  books(title: String): [Book!]!  authors: [Author!]!  publisher(name: String!): Publisher
}
"A printed work." type Book { title: String!  year: Int  author: Author!  publisher: Publisher }
type Author { name: String!  books: [Book!]! }
type Publisher { name: String!  city: String }
"""
_BOOKS = (
    ("Salt and Tides", 1987, "Ada Fenn", "Quay House"),
    ("The Long Weir", 2011, "Ivo Marr", "Harbour Press"),
    ("Lamps of Kessing", 2019, "Ada Fenn", "Harbour Press"),
)


def codes(folder: Path) -> Path:
    """A graph whose names say nothing, and whose labels do."""
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    decimal = "<http://www.w3.org/2001/XMLSchema#decimal>"
    a = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    lines = [f'<{CODES}{one}> {label} "{text}"@en .' for one, text in _NAMES]
    for one, text in _PLACES:
        lines.append(f'<{CODES}{one}> {a} <{CODES}Q101> ; {label} "{text}" .')
    for one, text, hard, colour, place in _MINERALS:
        lines.append(
            f'<{CODES}{one}> {a} <{CODES}Q100> ; {label} "{text}" ; <{CODES}P12> '
            f'"{hard}"^^{decimal} ; <{CODES}P13> "{colour}" ; <{CODES}P14> <{CODES}{place}> .'
        )
    path = folder / "codes.ttl"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def graphs(folder: Path) -> dict[str, Path]:
    """The files of the generated graphs."""
    made = {one.name: one.write(folder) for one in (geography(), organisations(), thesaurus())}
    return {**made, "codes": codes(folder)}


@contextmanager
def library() -> Iterator[str]:
    """The URL of a GraphQL service on loopback."""
    from graphql import build_schema, graphql_sync

    schema = build_schema(LIBRARY)

    def author(name: str) -> dict[str, Any]:
        return {"name": name, "books": lambda *_: [b for b in books if b["author"]["name"] == name]}

    books: list[dict[str, Any]] = []
    authors = {name: author(name) for name in dict.fromkeys(row[2] for row in _BOOKS)}
    books += [
        {
            "title": t,
            "year": y,
            "author": authors[a],
            "publisher": {"name": p, "city": "Brackwater"},
        }
        for t, y, a, p in _BOOKS
    ]

    def listed(_info: object, title: str | None = None) -> list[dict[str, Any]]:
        return [one for one in books if title in (None, one["title"])]

    root = {"books": listed, "authors": lambda _: list(authors.values())}

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            done = graphql_sync(schema, asked["query"], root)
            body = json.dumps(done.formatted).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/graphql"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def shop() -> Iterator[int | None]:
    """The port of a PostgreSQL server that holds the shop; None where none is installed."""
    import pytest

    from tests.postgres_cluster import cluster

    with ExitStack() as stack:
        try:
            running = stack.enter_context(cluster(SHOP))
        except pytest.skip.Exception:
            yield None
            return
        yield running.port
