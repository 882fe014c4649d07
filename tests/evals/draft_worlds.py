"""Recorded evidence as the ontology and metrics servers write it, made up at random."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from groundwire.evidence.records import Derivation, Draft, Record, Value

# English and Chinese names of one thing.
COUNTRIES = [
    ("Germany", "德国"),
    ("France", "法国"),
    ("Italy", "意大利"),
    ("Spain", "西班牙"),
    ("Poland", "波兰"),
    ("Japan", "日本"),
    ("China", "中国"),
    ("India", "印度"),
    ("Brazil", "巴西"),
    ("Canada", "加拿大"),
    ("United Kingdom", "英国"),
    ("United States", "美国"),
    ("South Korea", "韩国"),
    ("Viet Nam", "越南"),
]
METRICS = {
    "gdp": ("GDP", "国内生产总值", "USD"),
    "population": ("population", "人口", None),
    "gdp_growth": ("GDP growth", "国内生产总值增长率", "%"),
    "exports": ("exports", "出口额", "USD"),
    "area": ("land area", "国土面积", "km²"),
    "net_income": ("net income", "净利润", "EUR"),
}
PLACES = [
    "Munich",
    "Berlin",
    "Karlsruhe",
    "Stuttgart",
    "Hamburg",
    "Lyon",
    "Turin",
    "Gothenburg",
    "Wolfsburg",
    "Aachen",
    "Graz",
    "Ingolstadt",
    "Leipzig",
    "Dresden",
    "Bologna",
    "Utrecht",
]
KINDS = ["Ring HD Map", "Motorway Map", "Urban Loop", "Highway A9", "Test Track 2", "Parking Lot"]
HAN_PLACES = ["慕尼黑", "柏林", "卡尔斯鲁厄", "斯图加特", "汉堡", "里昂", "都灵", "哥德堡"]
HAN_KINDS = ["环线地图", "高速公路地图", "城市环路", "测试场", "停车场模型"]
ROADS = ["motorway", "rural", "urban", "town", "play_street", "distributor", "pedestrian zone"]
LICENSES = ["CC-BY-4.0", "CC-BY-SA-4.0", "MIT", "Apache-2.0", "MPL-2.0", "CC0-1.0", "EPL-2.0"]
FORMATS = ["ASAM OpenDRIVE", "Lanelet2", "OpenSCENARIO", "glTF", "MCAP", "Shapefile"]
SUPPLIERS = ["Acme Mapping GmbH", "3D Mapping Solutions", "Vectorline", "Blue Survey Ltd"]


@dataclass
class World:
    """Records, and the facts that drafts are made of."""

    records: tuple[Record, ...]
    values: list[Value]
    vocabulary: tuple[str, ...]
    kind: str
    names: dict[str, tuple[str, str]]
    derivations: list[tuple[Derivation, list[Value]]] = field(default_factory=list)

    def of(self, name: str) -> list[Value]:
        return [value for value in self.values if value.name == name]

    def stated(self) -> list[Value]:
        """The values that drafts state; labels and IRIs only name them."""
        return [value for value in self.values if value.name not in ("iri", "label")]

    def entities(self) -> list[str]:
        return sorted({value.entity for value in self.values if value.entity})


def record(
    rng: random.Random,
    tool: str,
    arguments: dict[str, object],
    values: Sequence[Value],
    vocabulary: Sequence[str],
    derivations: Sequence[Derivation] = (),
) -> Record:
    alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
    evidence_id = "ev_" + "".join(rng.choice(alphabet) for _ in range(13))
    draft = Draft(tuple(values), tuple(derivations), vocabulary=tuple(vocabulary))
    digest = hashlib.sha256(evidence_id.encode()).hexdigest()
    return Record(
        evidence_id,
        1,
        "local",
        tool,
        arguments,
        "2026-11-20T09:30:00.000Z",
        draft,
        None,
        None,
        False,
        "0" * 64,
        digest,
    )


def ontology_world(rng: random.Random, size: int, language: str) -> World:
    """What `submit_slots` records: the total, and the values of the assets on the page."""
    total = str(rng.choice([rng.randint(2, 60), rng.randint(61, 2_500)]))
    unit, nouns = rng.choice([(None, ()), ("assets", ("results", "matches", "hdmap", "HD map"))])
    values = [Value("total", total, unit=unit, labels=nouns)]
    names: dict[str, tuple[str, str]] = {}
    made: set[str] = set()
    lengths: set[int] = set()
    while len(values) < max(size, 2):
        han = language == "zh" and rng.random() < 0.5
        place = rng.choice(HAN_PLACES if han else PLACES)
        label = place + rng.choice(HAN_KINDS) if han else f"{place} {rng.choice(KINDS)}"
        if label in made:
            continue
        made.add(label)
        slug = hashlib.sha256(label.encode()).hexdigest()[:8]
        iri = f"did:web:registry.example.org:HdMap:{slug}-{rng.randint(1, 99):03d}"
        length = rng.choice([i for i in range(11, 980) if i % 10 and i not in lengths])
        lengths.add(length)
        day = f"{rng.randint(2019, 2025)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
        asset = [
            Value(
                "length", str(Decimal(length) / 10), "number", "km", label, iri, ("length", "长度")
            ),
            Value(
                "roadTypes", rng.choice(ROADS), "name", None, label, iri, ("road type", "道路类型")
            ),
            Value("license", rng.choice(LICENSES), "name", None, label, iri, ("许可证",)),
            Value("created", day, "date", None, label, iri, ("创建日期",)),
            Value(
                "laneCount",
                str(rng.randint(1, 9)),
                "number",
                None,
                label,
                iri,
                ("lanes", "lane count", "车道数", "车道"),
            ),
            Value(
                "fileSize",
                f"{rng.randint(11, 989)}",
                "number",
                "MB",
                label,
                iri,
                ("file size", "文件大小"),
            ),
            Value("formatType", rng.choice(FORMATS), "name", None, label, iri, ("format", "格式")),
        ]
        rng.shuffle(asset)
        if size == 20 and rng.random() < 0.5:
            values += [
                Value("iri", iri, "iri", None, label, iri, source=iri),
                Value("label", label, "name", None, label, iri, source=iri),
            ]
        values += asset[: rng.choice([4, 5, 6])]
    values = [values[rng.choice([0, 1])]] if size == 1 else values[:size]
    for value in values:
        if value.entity:
            names[value.entity] = (value.entity, value.entity)
    vocabulary = tuple(sorted({*ROADS, *LICENSES, *FORMATS}))
    arguments: dict[str, object] = {
        "slots": {
            "domains": ["hdmap"],
            "filters": {"country": "DE"},
            "ranges": {"length": {"min": 0}},
        }
    }
    made_record = record(rng, "submit_slots", arguments, values, vocabulary)
    return World((made_record,), values, vocabulary, "ontology", names)


def metrics_world(rng: random.Random, size: int, language: str) -> World:
    """What `query_metric` and `query_metric_grid` record: facts with entity, period, source."""
    codes = rng.sample(sorted(METRICS), k=1 if size == 1 else 2)
    chosen = rng.sample(COUNTRIES, k=1 if size == 1 else rng.choice([2, 3]) if size == 5 else 5)
    first = rng.randint(2012, 2021)
    cells = [
        (code, country, str(year))
        for code in codes
        for country in chosen
        for year in (first, first + 1)
    ]
    if size == 5:
        cells = [cell for cell in cells if cell[0] == codes[0]][:4] + [
            cell for cell in cells if cell[0] == codes[1]
        ][:1]
    cells = cells[:size]
    sizes = {country: rng.uniform(0.2, 20) for country, _ in chosen}
    values: list[Value] = []
    for code, (english, han), year in cells:
        label, han_label, unit = METRICS[code]
        value = _amount(rng, code, sizes[english])
        values.append(
            Value(
                code,
                value,
                "number",
                unit,
                english,
                None,
                (label, han_label, han),
                year,
                f"World Bank {code}.csv row {rng.randint(2, 9000)}",
            )
        )
    names = {english: (english, han) for english, han in chosen}
    vocabulary = tuple(
        sorted(
            {t for pair in COUNTRIES for t in pair} | {m for v in METRICS.values() for m in v[:2]}
        )
    )
    derivations = _changes(rng, values) if size > 1 and rng.random() < 0.5 else []
    if size == 20 and rng.random() < 0.3:
        parts = tuple(
            record(rng, "query_metric", _asked(value), [value], vocabulary) for value in values
        )
        return World(parts, values, vocabulary, "metrics", names)
    arguments: dict[str, object] = {
        "metrics": codes,
        "entities": [c for c, _ in chosen],
        "periods": [str(first)],
    }
    tool, asked = (
        ("query_metric", _asked(values[0])) if size == 1 else ("query_metric_grid", arguments)
    )
    made = record(
        rng, tool, asked, values, vocabulary, [derivation for derivation, _ in derivations]
    )
    return World((made,), values, vocabulary, "metrics", names, derivations)


def _asked(value: Value) -> dict[str, object]:
    return {"metric": value.name, "entity": value.entity, "period": value.period}


def _amount(rng: random.Random, code: str, scale: float) -> str:
    if code == "gdp_growth":
        return f"{rng.choice([-1, 1, 1]) * rng.randint(11, 129) / 10:.1f}"
    if code == "net_income":
        return str(rng.choice([-1, 1, 1]) * rng.randint(12_000_001, 989_000_000))
    if code == "area":
        return str(int(scale * rng.randint(21_000, 99_000)) + 1)
    if code == "population":
        return str(int(scale * rng.randint(3_000_000, 9_900_000)) + 7)
    amount = int(scale * rng.randint(100_000_000_000, 990_000_000_000)) + 13
    return f"{amount}.{rng.randint(1, 99):02d}" if rng.random() < 0.3 else str(amount)


def _changes(rng: random.Random, values: Sequence[Value]) -> list[tuple[Derivation, list[Value]]]:
    """Percent changes between two years, as the grid records them."""
    found: list[tuple[Derivation, list[Value]]] = []
    for i, a in enumerate(values):
        for j, b in enumerate(values):
            same = (a.name, a.entity) == (b.name, b.entity)
            if (
                same
                and (a.period or "") < (b.period or "")
                and a.name not in ("gdp_growth", "net_income")
            ):
                change = (Decimal(b.value) - Decimal(a.value)) / Decimal(a.value) * 100
                exact = str(change.quantize(Decimal("0.0001")))
                formula = f"({b.value} − {a.value}) ÷ {a.value}"
                found.append((Derivation("percent_change", (j, i), exact, "%", formula), [b, a]))
    return found
