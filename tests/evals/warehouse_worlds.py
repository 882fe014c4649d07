"""Worlds that table queries are asked of: a star of a shop, an insurer of twenty tables, and
schemas drawn at random."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal

from warehouse_brute import Agg, Link, Spec, Test, World

FIRST = date(2022, 11, 14)


def money(rng: random.Random, least: int = -2_000, most: int = 90_000) -> Decimal:
    return Decimal(rng.randint(least, most)).scaleb(-2)


def maybe(rng: random.Random, value: object, share: float = 0.06) -> object:
    return None if rng.random() < share else value


def some_day(rng: random.Random, days: int = 560) -> date:
    return FIRST + timedelta(days=rng.randrange(days))


def total(table: str, column: str, *more: tuple[tuple[str, ...], str], **kind: object) -> tuple:
    return ("agg", Agg(kind.pop("func", "sum"), table, (((), column), *more), **kind))


def rows_of(table: str, **kind: object) -> tuple:
    return ("agg", Agg("count", table, (), **kind))


def by_name(specs: Sequence[Spec]) -> dict[str, Spec]:
    return {spec.name: spec for spec in specs}


def named(name: str, offset: tuple[int, str] | None = None, tests: tuple = ()) -> tuple:
    return ("metric", name, offset, tests)


def star(rng: random.Random) -> World:
    """A shop's star in the names of TPC-DS: sales, returns and stock of stores."""
    dates = [{"d_date_sk": 100 + n, "d_date": FIRST + timedelta(days=n)} for n in range(0, 560, 1)]
    for row in dates:
        day = row["d_date"]
        row["d_year"] = day.year
        row["d_quarter_name"] = f"{day.year}Q{(day.month + 2) // 3}"
        row["d_weekend"] = day.weekday() > 4
    brands = ["Ostrel", "Vantor", "Quill & Co", "O'Marra", "Bräu", "Ōtori"]
    items = [
        {
            "i_item_sk": n,
            "i_item_id": f"I{n:04}",
            "i_brand": maybe(rng, rng.choice(brands)),
            "i_category": rng.choice(["Books", "Music", "Sports", "Home"]),
            "i_current_price": money(rng, 100, 9000),
        }
        for n in range(1, 25)
    ]
    stores = [
        {
            "s_store_sk": n,
            "s_store_name": f"Store {n}",
            "s_city": rng.choice(["Fairview", "Midway", "Oak Grove"]),
            "s_state": rng.choice(["TN", "CA", "NY", None]),
            "s_number_employees": maybe(rng, rng.randint(3, 60), 0.1),
            "s_open": rng.random() < 0.9,
        }
        for n in range(1, 9)
    ]
    customers = [
        {
            "c_customer_sk": n,
            "c_last_name": rng.choice(["Ng", "Ruiz", "Okoro", "Müller", "Sato"]),
            "c_birth_year": maybe(rng, rng.randint(1940, 2004), 0.1),
        }
        for n in range(1, 41)
    ]
    keys = [row["d_date_sk"] for row in dates]
    sales = [
        {
            "ss_sold_date_sk": maybe(rng, rng.choice(keys), 0.03),
            "ss_ship_date_sk": maybe(rng, rng.choice(keys), 0.1),
            "ss_item_sk": rng.choice([row["i_item_sk"] for row in items] + [999]),
            "ss_customer_sk": maybe(rng, rng.randint(1, 40), 0.05),
            "ss_store_sk": maybe(rng, rng.randint(1, 8), 0.04),
            "ss_ticket_number": n // 3,
            "ss_quantity": maybe(rng, rng.randint(1, 12)),
            "ss_ext_sales_price": maybe(rng, money(rng, 0)),
            "ss_net_profit": maybe(rng, money(rng, -20_000, 20_000)),
        }
        for n in range(420)
    ]
    returns = [
        {
            "sr_returned_date_sk": maybe(rng, rng.choice(keys), 0.03),
            "sr_item_sk": rng.randint(1, 24),
            "sr_store_sk": maybe(rng, rng.randint(1, 8), 0.04),
            "sr_return_amt": maybe(rng, money(rng, 0, 9000)),
        }
        for _ in range(130)
    ]
    stock = [
        {
            "inv_day": FIRST + timedelta(days=7 * week),
            "inv_item_sk": item,
            "inv_store_sk": rng.randint(1, 8),
            "inv_quantity": maybe(rng, rng.randint(0, 40)),
        }
        for week in range(0, 80, 2)
        for item in rng.sample(range(1, 25), 4)
    ]
    links = [
        Link(
            "sold_on", "store_sales", "date_dim", (("ss_sold_date_sk", "d_date_sk"),), "sold date"
        ),
        Link(
            "ship_on", "store_sales", "date_dim", (("ss_ship_date_sk", "d_date_sk"),), "ship date"
        ),
        Link("sales_item", "store_sales", "item", (("ss_item_sk", "i_item_sk"),)),
        Link("sales_store", "store_sales", "store", (("ss_store_sk", "s_store_sk"),)),
        Link("sales_buyer", "store_sales", "customer", (("ss_customer_sk", "c_customer_sk"),)),
        Link("returned_on", "store_returns", "date_dim", (("sr_returned_date_sk", "d_date_sk"),)),
        Link("returns_item", "store_returns", "item", (("sr_item_sk", "i_item_sk"),)),
        Link("returns_store", "store_returns", "store", (("sr_store_sk", "s_store_sk"),)),
        Link("stock_item", "inventory", "item", (("inv_item_sk", "i_item_sk"),)),
        Link("stock_store", "inventory", "store", (("inv_store_sk", "s_store_sk"),)),
    ]
    sold = (("sold_on",), "d_date")
    back = (("returned_on",), "d_date")
    price = (("sales_item",), "i_current_price")
    dear = Test(("sales_item",), "i_current_price", ">", Decimal("40.00"))
    books = Test(("sales_item",), "i_category", "=", "Books")
    specs = [
        Spec("total_sales", total("store_sales", "ss_ext_sales_price"), sold),
        Spec("total_profit", total("store_sales", "ss_net_profit"), sold),
        Spec("sales_lines", rows_of("store_sales"), sold),
        Spec("average_sale", total("store_sales", "ss_ext_sales_price", func="avg"), sold),
        Spec("dearest_sale", total("store_sales", "ss_ext_sales_price", func="max"), sold),
        Spec("least_profit", total("store_sales", "ss_net_profit", func="min"), sold),
        Spec("buyers", total("store_sales", "ss_customer_sk", func="count_distinct"), sold),
        Spec("tickets", total("store_sales", "ss_ticket_number", func="count_distinct"), sold),
        Spec("list_value", total("store_sales", "ss_quantity", price), sold),
        Spec("book_sales", total("store_sales", "ss_ext_sales_price", tests=(books,)), sold),
        Spec("dear_sales", total("store_sales", "ss_ext_sales_price", case=dear), sold),
        Spec("book_lines", rows_of("store_sales", case=books), sold),
        Spec(
            "margin",
            (
                "/",
                total("store_sales", "ss_net_profit"),
                total("store_sales", "ss_ext_sales_price"),
            ),
            sold,
        ),
        Spec("shipped_sales", total("store_sales", "ss_ext_sales_price"), (("ship_on",), "d_date")),
        Spec("returned", total("store_returns", "sr_return_amt"), back),
        Spec("returns_count", rows_of("store_returns"), back),
        Spec("staff", total("store", "s_number_employees")),
        Spec("stores", rows_of("store")),
        Spec("stock", total("inventory", "inv_quantity"), ((), "inv_day"), "last"),
        Spec("opening_stock", total("inventory", "inv_quantity"), ((), "inv_day"), "first"),
        Spec("net_sales", ("-", named("total_sales"), named("returned"))),
        Spec("return_rate", ("/", named("returned"), named("total_sales"))),
        Spec("staff_productivity", ("/", named("total_sales"), named("staff"))),
        Spec("profit_per_buyer", ("/", named("total_profit"), named("buyers"))),
        Spec(
            "sales_change",
            ("-", named("total_sales"), named("total_sales", (1, "month"))),
        ),
        Spec("book_share", ("/", named("total_sales", None, (books,)), named("total_sales"))),
        Spec("sales_so_far", named("total_sales"), cumulative=True),
        Spec("sales_7_days", named("total_sales"), cumulative=True, window=(7, "day")),
        Spec("sales_2_months", named("total_sales"), cumulative=True, window=(2, "month")),
        Spec("month_to_date", named("total_sales"), cumulative=True, to_date="month"),
        Spec("year_to_date_margin", named("margin"), cumulative=True, to_date="year"),
        Spec("buyers_28_days", named("buyers"), cumulative=True, window=(28, "day")),
    ]
    types = {
        "store_sales": {
            "ss_sold_date_sk": "integer",
            "ss_ship_date_sk": "integer",
            "ss_item_sk": "integer",
            "ss_customer_sk": "integer",
            "ss_store_sk": "integer",
            "ss_ticket_number": "integer",
            "ss_quantity": "integer",
            "ss_ext_sales_price": "decimal",
            "ss_net_profit": "decimal",
        },
        "store_returns": {
            "sr_returned_date_sk": "integer",
            "sr_item_sk": "integer",
            "sr_store_sk": "integer",
            "sr_return_amt": "decimal",
        },
        "inventory": {
            "inv_day": "date",
            "inv_item_sk": "integer",
            "inv_store_sk": "integer",
            "inv_quantity": "integer",
        },
        "date_dim": {
            "d_date_sk": "integer",
            "d_date": "date",
            "d_year": "integer",
            "d_quarter_name": "string",
            "d_weekend": "boolean",
        },
        "item": {
            "i_item_sk": "integer",
            "i_item_id": "string",
            "i_brand": "string",
            "i_category": "string",
            "i_current_price": "decimal",
        },
        "store": {
            "s_store_sk": "integer",
            "s_store_name": "string",
            "s_city": "string",
            "s_state": "string",
            "s_number_employees": "integer",
            "s_open": "boolean",
        },
        "customer": {
            "c_customer_sk": "integer",
            "c_last_name": "string",
            "c_birth_year": "integer",
        },
    }
    tables = {
        "store_sales": sales,
        "store_returns": returns,
        "inventory": stock,
        "date_dim": dates,
        "item": items,
        "store": stores,
        "customer": customers,
    }
    return World(
        "shop",
        tables,
        types,
        {link.name: link for link in links},
        by_name(specs),
        keep={"store": Test((), "s_open", "=", True)},
        week_start=6,
        fiscal=(4, 1),
    )


_LOOKUPS = {
    "region": ["North", "South", "Isles"],
    "product_line": ["Motor", "Home", "Travel"],
    "channel": ["Broker", "Direct", "Bank"],
    "currency": ["EUR", "CHF"],
    "cause": ["Storm", "Theft", "Fire", "Collision"],
    "vehicle_class": ["Car", "Van", "Lorry"],
    "adjuster_team": ["Red", "Blue"],
    "payment_kind": ["Indemnity", "Costs"],
    "provider_kind": ["Garage", "Clinic", "Court"],
}


def insurance(rng: random.Random) -> World:
    """An insurer: twenty tables, chains of five, three roles of regions, four tables of facts."""
    tables: dict[str, list[dict[str, object]]] = {}
    types: dict[str, dict[str, str]] = {}
    links: list[Link] = []

    def table(name: str, columns: dict[str, str], rows: list[dict[str, object]]) -> None:
        types[name] = columns
        tables[name] = rows

    def link(name: str, many: str, column: str, one: str, label: str = "") -> None:
        links.append(Link(name, many, one, ((column, f"{one}_id"),), label))

    for name, values in _LOOKUPS.items():
        table(
            name,
            {f"{name}_id": "integer", "title": "string"},
            [{f"{name}_id": n, "title": value} for n, value in enumerate(values, 1)],
        )

    def ref(name: str, share: float = 0.05) -> object:
        return maybe(rng, rng.choice(tables[name])[f"{name}_id"], share)

    def many(name: str, count: int, columns: dict[str, str], make: object) -> None:
        rows = [{f"{name}_id": n, **make(n)} for n in range(1, count + 1)]
        table(name, {f"{name}_id": "integer", **columns}, rows)

    many(
        "office",
        6,
        {"region_id": "integer", "city": "string"},
        lambda n: {"region_id": ref("region"), "city": f"City {n}"},
    )
    many(
        "agent",
        14,
        {"office_id": "integer", "grade": "integer"},
        lambda n: {"office_id": ref("office"), "grade": rng.randint(1, 4)},
    )
    many(
        "customer",
        40,
        {"region_id": "integer", "segment": "string", "joined": "date"},
        lambda n: {
            "region_id": ref("region"),
            "segment": maybe(rng, rng.choice(["Private", "Firm"])),
            "joined": some_day(rng),
        },
    )
    many(
        "product",
        8,
        {"product_line_id": "integer", "name": "string"},
        lambda n: {"product_line_id": ref("product_line", 0), "name": f"Product {n % 6}"},
    )
    many(
        "policy",
        90,
        {
            "customer_id": "integer",
            "agent_id": "integer",
            "product_id": "integer",
            "channel_id": "integer",
            "start_day": "date",
            "sum_insured": "decimal",
            "discount": "decimal",
        },
        lambda n: {
            "customer_id": ref("customer"),
            "agent_id": ref("agent", 0.2),
            "product_id": ref("product", 0),
            "channel_id": ref("channel"),
            "start_day": maybe(rng, some_day(rng), 0.03),
            "sum_insured": maybe(rng, money(rng, 10_000, 9_000_000)),
            "discount": Decimal(rng.randint(0, 30)).scaleb(-2),
        },
    )
    many(
        "vehicle",
        30,
        {"vehicle_class_id": "integer", "built": "integer"},
        lambda n: {"vehicle_class_id": ref("vehicle_class"), "built": rng.randint(1999, 2023)},
    )
    many(
        "adjuster",
        7,
        {"adjuster_team_id": "integer", "senior": "boolean"},
        lambda n: {"adjuster_team_id": ref("adjuster_team"), "senior": maybe(rng, n % 2 == 0)},
    )
    many(
        "claim",
        130,
        {
            "policy_id": "integer",
            "vehicle_id": "integer",
            "cause_id": "integer",
            "adjuster_id": "integer",
            "region_id": "integer",
            "reported": "timestamp",
            "reserve": "decimal",
        },
        lambda n: {
            "policy_id": ref("policy"),
            "vehicle_id": ref("vehicle", 0.3),
            "cause_id": ref("cause"),
            "adjuster_id": ref("adjuster", 0.1),
            "region_id": ref("region"),
            "reported": maybe(
                rng,
                datetime(2023, 3, 24, 21)
                + timedelta(minutes=rng.choice([rng.randrange(500_000), rng.randrange(7_000)])),
                0.03,
            ),
            "reserve": maybe(rng, money(rng, 0, 900_000)),
        },
    )
    many(
        "provider",
        9,
        {"provider_kind_id": "integer", "region_id": "integer"},
        lambda n: {"provider_kind_id": ref("provider_kind"), "region_id": ref("region")},
    )
    many(
        "payment",
        260,
        {
            "claim_id": "integer",
            "payment_kind_id": "integer",
            "currency_id": "integer",
            "paid_on": "date",
            "amount": "decimal",
        },
        lambda n: {
            "claim_id": ref("claim"),
            "payment_kind_id": ref("payment_kind"),
            "currency_id": ref("currency", 0),
            "paid_on": maybe(rng, some_day(rng), 0.02),
            "amount": maybe(rng, money(rng, -5_000, 400_000)),
        },
    )
    many(
        "premium",
        300,
        {
            "policy_id": "integer",
            "currency_id": "integer",
            "due_on": "date",
            "amount": "decimal",
            "rate": "float",
        },
        lambda n: {
            "policy_id": ref("policy"),
            "currency_id": ref("currency", 0),
            "due_on": some_day(rng),
            "amount": maybe(rng, money(rng, 0, 120_000)),
            "rate": maybe(rng, rng.randint(1, 64) / 8),
        },
    )
    for one in [
        ("office_region", "office", "region_id", "region"),
        ("agent_office", "agent", "office_id", "office"),
        ("customer_region", "customer", "region_id", "region"),
        ("product_line_of", "product", "product_line_id", "product_line"),
        ("policy_holder", "policy", "customer_id", "customer"),
        ("policy_agent", "policy", "agent_id", "agent"),
        ("policy_product", "policy", "product_id", "product"),
        ("policy_channel", "policy", "channel_id", "channel"),
        ("vehicle_kind", "vehicle", "vehicle_class_id", "vehicle_class"),
        ("adjuster_of", "adjuster", "adjuster_team_id", "adjuster_team"),
        ("claim_policy", "claim", "policy_id", "policy"),
        ("claim_vehicle", "claim", "vehicle_id", "vehicle"),
        ("claim_cause", "claim", "cause_id", "cause"),
        ("claim_adjuster", "claim", "adjuster_id", "adjuster"),
        ("claim_place", "claim", "region_id", "region", "place"),
        ("provider_of", "provider", "provider_kind_id", "provider_kind"),
        ("provider_region", "provider", "region_id", "region"),
        ("payment_claim", "payment", "claim_id", "claim"),
        ("payment_kind_of", "payment", "payment_kind_id", "payment_kind"),
        ("payment_currency", "payment", "currency_id", "currency"),
        ("premium_policy", "premium", "policy_id", "policy"),
        ("premium_currency", "premium", "currency_id", "currency"),
    ]:
        link(*one)
    paid, due = ((), "paid_on"), ((), "due_on")
    reported, started = ((), "reported"), ((), "start_day")
    costs = Test(("payment_kind_of",), "title", "=", "Costs")
    euro = Test(("payment_currency",), "title", "=", "EUR")
    insured = (("premium_policy",), "discount")
    specs = [
        Spec("paid", total("payment", "amount"), paid),
        Spec("paid_euro", total("payment", "amount", tests=(euro,)), paid),
        Spec("costs_paid", total("payment", "amount", case=costs), paid),
        Spec("payments", rows_of("payment"), paid),
        Spec("claims", rows_of("claim"), reported),
        Spec("reserves", total("claim", "reserve"), reported),
        Spec("mean_reserve", total("claim", "reserve", func="avg"), reported),
        Spec("claimed_policies", total("claim", "policy_id", func="count_distinct"), reported),
        Spec("premiums", total("premium", "amount"), due),
        Spec("discounted", total("premium", "amount", insured), due),
        Spec("rate_total", total("premium", "rate"), due),
        Spec("rate_mean", total("premium", "rate", func="avg"), due),
        Spec("policies", rows_of("policy"), started),
        Spec("insured", total("policy", "sum_insured"), started),
        Spec("least_insured", total("policy", "sum_insured", func="min"), started),
        Spec("customers", rows_of("customer"), ((), "joined")),
        Spec("agents", rows_of("agent")),
        Spec("loss_ratio", ("/", named("paid"), named("premiums"))),
        Spec("frequency", ("/", named("claims"), named("policies"))),
        Spec("mean_claim", ("/", named("paid"), named("claims"))),
        Spec("premium_per_customer", ("/", named("premiums"), named("customers"))),
        Spec(
            "result",
            ("-", ("-", named("premiums"), named("paid")), named("reserves")),
        ),
        Spec("per_agent", ("/", named("insured"), named("agents"))),
        Spec("paid_growth", ("/", named("paid"), named("paid", (1, "quarter")))),
        Spec(
            "premiums_year_change",
            ("-", named("premiums"), named("premiums", (1, "year"))),
        ),
        Spec("paid_so_far", named("paid"), cumulative=True),
        Spec("claims_30_days", named("claims"), cumulative=True, window=(30, "day")),
        Spec("premiums_quarter", named("premiums"), cumulative=True, to_date="quarter"),
        Spec("loss_so_far", named("loss_ratio"), cumulative=True),
    ]
    return World(
        "insurer",
        tables,
        types,
        {one.name: one for one in links},
        by_name(specs),
        zones={("claim", "reported"): "Europe/Berlin"},
        week_start=0,
        fiscal=(7, 1),
    )


def drawn(rng: random.Random, number: int) -> World:  # noqa: C901
    """A schema drawn at random: links only go to tables of higher numbers, so none goes round."""
    tables: dict[str, list[dict[str, object]]] = {}
    types: dict[str, dict[str, str]] = {}
    links: list[Link] = []
    facts = rng.randint(1, 3)
    count = facts + rng.randint(2, 5)
    names = [f"t{n}" for n in range(count)]
    for at in reversed(range(count)):
        name = names[at]
        columns = {"id": "integer", "code": "string", "flag": "boolean"}
        referring: list[tuple[str, str]] = []
        higher = [other for other in names[at + 1 :] if names.index(other) >= facts]
        for other in higher:
            if rng.random() < (0.6 if at < facts else 0.25):
                twice = rng.random() < 0.15
                for again in range(2 if twice else 1):
                    column = f"{other}_ref{again}"
                    columns[column] = "integer"
                    referring.append((column, other))
                    label = f"role {again} of {other}" if twice else ""
                    links.append(Link(f"{name}_{column}", name, other, ((column, "id"),), label))
        if at < facts:
            columns |= {"day": "date", "amount": "decimal", "pieces": "integer"}
            if rng.random() < 0.3:
                columns["seen"] = "timestamp"
        types[name] = columns
        rows = []
        for n in range(rng.randint(0, 160) if at < facts else rng.randint(1, 9)):
            row: dict[str, object] = {
                "id": n,
                "code": maybe(rng, rng.choice(["a", "B", "it's", "x\\y", "ü", ""]), 0.1),
                "flag": maybe(rng, rng.random() < 0.5, 0.1),
            }
            for column, other in referring:
                size = len(tables[other])
                row[column] = maybe(rng, rng.randrange(size + 1), 0.08)
            if at < facts:
                row["day"] = maybe(rng, some_day(rng, rng.choice([40, 500])), 0.05)
                row["amount"] = maybe(rng, money(rng, -500, 5_000), 0.1)
                row["pieces"] = maybe(rng, rng.randint(-2, 9), 0.1)
                if "seen" in columns:
                    row["seen"] = maybe(
                        rng,
                        datetime(2023, 10, 27) + timedelta(minutes=rng.randrange(30 * 24 * 60)),
                        0.05,
                    )
            rows.append(row)
        tables[name] = rows
    specs: list[Spec] = []
    world_links = {link.name: link for link in links}
    for name in names[:facts]:
        time = ((), "seen" if "seen" in types[name] and rng.random() < 0.5 else "day")
        for func in rng.sample(["sum", "avg", "min", "max", "count_distinct", "median"], 3):
            column = rng.choice(["amount", "pieces"])
            specs.append(Spec(f"{func}_{name}", total(name, column, func=func), time))
        flagged = Test((), "flag", "=", True)
        specs.append(Spec(f"rows_{name}", rows_of(name), time))
        specs.append(Spec(f"flagged_{name}", total(name, "amount", tests=(flagged,)), time))
        specs.append(
            Spec(f"end_{name}", total(name, "pieces"), time, rng.choice(["first", "last"]))
        )
        specs.append(Spec(f"run_{name}", named(f"rows_{name}"), cumulative=True))
        specs.append(
            Spec(
                f"run_some_{name}",
                named(f"flagged_{name}"),
                cumulative=True,
                window=(rng.randint(1, 40), rng.choice(["day", "week", "month"])),
            )
        )
        specs.append(
            Spec(
                f"change_{name}",
                ("-", named(f"flagged_{name}"), named(f"flagged_{name}", (1, "year"))),
            )
        )
    for at in range(facts):
        other = names[(at + 1) % facts]
        specs.append(
            Spec(f"per_{at}", ("/", named(f"flagged_{names[at]}"), named(f"rows_{other}")))
        )
    zones = {
        (name, "seen"): rng.choice(["America/New_York", "Asia/Kolkata", "Europe/London"])
        for name in names
        if "seen" in types[name] and rng.random() < 0.6
    }
    keep = {}
    if rng.random() < 0.4:
        keep[rng.choice(names)] = Test((), "flag", "=", True)
    return World(
        f"drawn_{number}",
        tables,
        types,
        world_links,
        by_name(specs),
        keep=keep,
        zones=zones,
        week_start=rng.randrange(7),
        fiscal=(rng.randint(1, 12), rng.choice([1, 1, 6])),
    )
