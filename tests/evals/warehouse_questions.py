"""Questions of people over warehouses: rankings, growth, shares, trends, breakdowns, filters.

Three worlds: the embedded shops, a star in the names of TPC-DS and an insurer of twenty tables, the
last two with labels and synonyms in three languages. What is right is worked out by SQL that stands
beside each question in `warehouse_questions/HALF.toml`, over views written here. A question is

    [[question]]
    world = "shops"
    language = "en"
    kind = "ranking"
    text = "Which three shops had the highest shop sales in 2025?"
    sql = "SELECT ..."        # the rows that are right; with ORDER BY their order is right too
    sql_too = "SELECT ..."    # another reading that is right, where there is one
    refuses = ["square"]      # in place of `sql`: no value is right, and one of these must be said

Run: python tests/evals/warehouse_questions.py [--half NAME|all] [--show] [--update]
    [--fraction 0.1] [--seed 7]
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))

import duckdb
from _report import Ratchet, drawn_halves, table
from warehouse_brute import World
from warehouse_engine import DuckEngine
from warehouse_worlds import insurance, star
from warehouse_writing import extension, ossie, statements

from groundwire import profiles
from groundwire.config import Settings
from groundwire.metrics.ask import Answered, ask
from groundwire.metrics.factbase import FactBase, State
from groundwire.metrics.models.checking import checked
from groundwire.metrics.models.loading import read_model
from groundwire.metrics.models.warehouse import WarehouseStore
from groundwire.servers.metrics import places

TODAY = date(2026, 11, 23)
HALVES = ("seen", "held_out")
_FOLDER = Path(__file__).with_suffix("")
OUTCOMES = ("right", "refused fairly", "asked back", "wrong")
Row = Sequence[object]

LABELS = {
    "star": {
        "i_brand": ("Brand", "Marke", "品牌"),
        "i_category": ("Category", "Kategorie", "品类"),
        "s_state": ("State", "Bundesstaat", "州"),
        "s_store_name": ("Store", "Filiale", "门店"),
        "total_sales": ("Total sales", "Verkäufe", "销售总额"),
        "total_profit": ("Profit", "Gewinn", "利润"),
        "margin": ("Profit margin", "Gewinnmarge", "利润率"),
        "returned": ("Returned amount", "Retouren", "退货额"),
    },
    "insurer": {
        "product_line.title": ("Product line", "Sparte", "险种"),
        "channel.title": ("Sales channel", "Vertriebsweg", "渠道"),
        "cause.title": ("Cause", "Schadenursache", "原因"),
        "region.title": ("Region", "Gebiet", "地区"),
        "customer.segment": ("Segment", "Kundensegment", "客户类型"),
        "paid": ("Claims paid", "Schadenzahlungen", "赔款"),
        "claims": ("Number of claims", "Zahl der Schäden", "案件数"),
        "premiums": ("Premiums", "Prämien", "保费"),
        "policies": ("Number of policies", "Zahl der Verträge", "保单数"),
        "loss_ratio": ("Loss ratio", "Schadenquote", "赔付率"),
    },
}
VIEWS = {
    "shops": """
CREATE VIEW v_sales AS SELECT s.month, h.name AS shop, h.district, p.name AS product, p.category,
  p.supplier_country, s.units, s.net_sales, s.cost
  FROM sales s JOIN shops h USING (shop_id) JOIN products p USING (product_id);
CREATE VIEW v_returns AS SELECT r.*, h.name AS shop, h.district, p.category
  FROM returns r JOIN shops h USING (shop_id) JOIN products p USING (product_id);
CREATE VIEW v_months AS SELECT m.month, h.name AS shop, h.district, m.visitors, m.rent
  FROM shop_months m JOIN shops h USING (shop_id);
CREATE VIEW v_both AS SELECT m.*, s.net_sales FROM v_months m
  JOIN (SELECT month, shop, sum(net_sales) AS net_sales FROM v_sales GROUP BY ALL) s
  USING (month, shop);
CREATE VIEW v_stock AS SELECT t.day, t.units, h.name AS shop, p.category
  FROM stock t JOIN shops h USING (shop_id) JOIN products p USING (product_id);
""",
    "star": """
CREATE VIEW w_sales AS SELECT d.d_date AS sold, i.i_brand AS brand, i.i_category AS category,
  s.ss_ext_sales_price AS price, s.ss_net_profit AS profit FROM store_sales s
  LEFT JOIN date_dim d ON s.ss_sold_date_sk = d.d_date_sk
  LEFT JOIN item i ON s.ss_item_sk = i.i_item_sk;
""",
    "insurer": """
CREATE VIEW x_policy AS SELECT p.*, l.title AS line, c.title AS channel FROM policy p
  LEFT JOIN product USING (product_id)
  LEFT JOIN product_line l USING (product_line_id) LEFT JOIN channel c USING (channel_id);
CREATE VIEW x_paid AS SELECT p.paid_on, p.amount, c.title AS cause, y.line, y.channel FROM payment p
  LEFT JOIN claim k USING (claim_id) LEFT JOIN cause c USING (cause_id)
  LEFT JOIN x_policy y USING (policy_id);
CREATE VIEW x_premium AS SELECT p.due_on, p.amount, y.line, y.channel, r.title AS region
  FROM premium p LEFT JOIN x_policy y USING (policy_id)
  LEFT JOIN customer c USING (customer_id) LEFT JOIN region r USING (region_id);
""",
}


def questions(half: str) -> list[dict[str, Any]]:
    """Read the questions of a half."""
    return tomllib.loads((_FOLDER / f"{half}.toml").read_text("utf-8"))["question"]


def labelled(world: World, name: str) -> dict[str, Any]:
    """Return a world's model with the labels and synonyms that its owner would have written."""
    found = ossie(world)
    labels = LABELS[name]
    model = found["semantic_model"][0]
    for dataset in model["datasets"]:
        for field in dataset["fields"]:
            own = labels.get(field["name"]) or labels.get(f"{dataset['name']}.{field['name']}")
            if own:
                field |= {"label": own[0], "ai_context": {"synonyms": list(own[1:])}}
    for metric in model["metrics"]:
        if own := labels.get(metric["name"]):
            data = json.loads(metric["custom_extensions"][0]["data"]) | {"label": own[0]}
            metric |= {
                "ai_context": {"synonyms": list(own[1:])},
                "custom_extensions": extension(data),
            }
    return found


def drawn_world(state: State, world: World, name: str) -> tuple[State, DuckEngine]:
    engine = DuckEngine()
    for statement in statements(world):
        engine.connection.execute(statement)
    written = json.dumps(labelled(world, name)).encode()
    model = checked(read_model(written, f"{name}.json"))
    return replace(state, warehouse=WarehouseStore(model, engine)), engine


@contextmanager
def worlds(folder: Path) -> Iterator[dict[str, tuple[State, duckdb.DuckDBPyConnection]]]:
    """Open each world with the connection that its right answers are computed over."""
    base = FactBase(places(Settings(home=folder)), today=lambda: TODAY)
    state = base.state()
    shops = duckdb.connect()
    tables = profiles.metrics_profile().parent / "tolvarne_shops"
    for one in tables.glob("*.parquet"):
        shops.execute(f"CREATE VIEW {one.stem} AS SELECT * FROM read_parquet('{one}')")
    opened = {"shops": (state, shops)}
    for name, make in (("star", star), ("insurer", insurance)):
        own, engine = drawn_world(state, make(random.Random(11)), name)
        opened[name] = (own, engine.connection)
    for name, (_, connection) in opened.items():
        connection.execute(VIEWS[name])
    yield opened
    base.close()


def number(value: object) -> Decimal | None:
    if value is None or isinstance(value, bool):
        return None
    try:
        return Decimal(str(value).replace(",", ""))
    except InvalidOperation:
        return None


def same(wanted: object, given: object) -> bool:
    if wanted is None or given is None:
        return wanted is given
    left, right = number(wanted), number(given)
    if left is None or right is None:
        return str(wanted).casefold() == str(given).casefold()
    return abs(left - right) <= max(abs(left) * Decimal("1e-6"), Decimal("0.005"))


def rows_of(answered: Answered) -> list[Row]:
    """The rows of an answer: those of its table, or its single values in one."""
    if answered.table is not None:
        return [tuple(one) for one in answered.table[1].rows or ()]
    if len(answered.derived) > 2:
        return [(one.operands[0].entity, one.value) for one in answered.derived]
    values = [one.value_text for one in answered.cells if one.status == "found"]
    return [(*values, *(one.value for one in answered.derived))]


def is_right(wanted: Sequence[Row], given: Sequence[Row], ordered: bool) -> bool:
    """Whether each row that is right stands in the answer, in its order, and none beside them."""
    if len(wanted) != len(given):
        return False

    def holds(row: Row, other: Row) -> bool:
        return all(any(same(one, cell) for cell in other) for one in row)

    if ordered:
        return all(map(holds, wanted, given))
    return all(any(holds(row, other) for other in given) for row in wanted)


def outcome_of(
    asked: Mapping[str, Any], answered: Answered, connection: duckdb.DuckDBPyConnection
) -> str:
    """Judge the answer to a question."""
    # A change whose values are not all held is no answer.
    given = answered.ending == "found" and not (answered.not_derived and not answered.derived)
    if "refuses" in asked:
        if given:
            return "wrong"
        told = answered.text.casefold()
        fair = any(one.casefold() in told for one in asked["refuses"]) or any(
            one.value in asked["refuses"] for one in answered.options
        )
        return "refused fairly" if fair else "asked back"
    if not given:
        return "asked back"
    for sql in filter(None, (asked["sql"], asked.get("sql_too"))):
        if is_right(connection.execute(sql).fetchall(), rows_of(answered), "ORDER BY" in sql):
            return "right"
    return "wrong"


def main() -> int:
    options, halves, drawn = drawn_halves(__doc__, HALVES, questions)
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as name, worlds(Path(name)) as opened:
        for half, asked in drawn:
            state, connection = opened[asked["world"]]
            answered = ask(state, asked["text"], TODAY)
            found = outcome_of(asked, answered, connection)
            counted[half][found] += 1
            if found == "wrong" or (options.show and found == "asked back"):
                print(f"{found}: [{half}, {asked['kind']}] {asked['text']}\n    {answered.text}")
                if answered.table:
                    print(f"    {dict(answered.table[0])}")
    print(
        table(
            ("half", *OUTCOMES),
            ([one, *(counted[one][what] for what in OUTCOMES)] for one in halves),
        )
    )
    figures = {
        half: {
            "wrong": counted[half]["wrong"],
            "fair_percent": 100
            * (counted[half]["right"] + counted[half]["refused fairly"])
            / max(1, sum(counted[half].values())),
        }
        for half in halves
    }
    return Ratchet(__file__, lower={"wrong"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
