"""Whose unit is whose: which column of units is about which values of an undescribed table.

A unit is given to a column of values by its own heading or cells, or by a column of units that is
about it. A count has no currency. What cannot be known is left open and noted, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.metrics.importing.cells import UnitText, read_unit
from groundwire.metrics.importing.draft_columns import Column
from groundwire.quantities import resolve_unit

_COUNTED = re.compile(
    r"\b(?:units?(?! (?:cost|price))|items?|pieces?|orders?|customers?|clients?|visitors?|visits?|"
    r"employees?|staff|headcount|workers?|pupils?|students?|members?|tickets?|beds?|rooms?|"
    r"polic(?:y|ies)|contracts?|flats?|projects?|stores?|shops?|branch(?:es)?|"
    r"ports?|airports?|machines?|plants?|hotels?|hospitals?|schools?|desks?|seats?|passengers?|"
    r"guests?|fte|full[- ]time equivalents?|häfen|filialen|läden|fahrzeuge|absatz|outlets?|users?|"
    r"subscribers?|transactions?|shipments?|parcels?|pallets?|vehicles?|cars?|trips?|calls?|"
    r"complaints?|claims count|downloads?|patients?|households?|people|persons?|population|"
    r"inhabitants?|residents?|number|no\.?|nr\.?|count|counts|quantity|qty|volume sold|sold|"
    r"anzahl|stück(?:zahl)?|menge|mitarbeiter|kunden|einwohner|besucher|bestellungen)\b"
    "|数量|件数|人数|户数|台数|次数|个数|销量|员工|人口|客户数|订单数|门店数|家数|笔数",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"\b(?:revenues?|turnover|sales|income|costs?|expenses?|expenditures?|spend|spending|profits?|"
    r"earnings|prices?|fees?|wages?|salar(?:y|ies)|budgets?|rents?|premiums?|donations?|grants?|"
    r"tax|taxes|taxation|payments?|amounts?|ebit|ebitda|ebita|cash|debts?|loans?|assets?|equity|"
    r"liabilities|capital|dividends?|gdp|gnp|gni|investments?|borrowings?|receivables?|payables?|"
    r"provisions?|goodwill|deposits?|exports?|imports?|order intake|results?|loss|losses|"
    r"depreciation|amorti[sz]ation|interest|proceeds|takings|receipts|royalt(?:y|ies)|"
    r"subsid(?:y|ies)|commissions?|bonus(?:es)?|funding|reserves?|inventory|inventories|capex|opex|"
    r"einfuhren|ausfuhren|ergebnis|ertrag|erträge|miete|mieten|"
    r"\w*(?:umsatz|umsätze|kosten|erlöse?|gewinne?|preise?|aufwand|aufwendungen|überschuss|kapital|"
    r"schulden|vermögen|bilanzsumme|steuern|zinsen))\b"
    "|(?:收入|营收|利润|成本|费用|金额|销售额|支出|价格|单价|工资|资产|负债|现金|投资|税金|税额)"
    "(?:总额|合计|净额|总计)?$",
    re.IGNORECASE,
)
# The noun that a name is of stands before these words: "loans to customers" are loans.
_AFTER_HEAD = re.compile(
    r"\b(?:of|with|to|from|in|by|for|without|before|after|on|at|attributable|due|per|held|sold|"
    r"von|aus|mit|für|nach|vor|an|im|ohne)\b|(?<=\w )(?:der|des)\b|,",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"[(（\[][^()（）\[\]]*[)）\]]")
_WORD_LIKE = re.compile(r"[^\W\d_]{2,}|[\u4e00-\u9fff]+")
_QUALIFIES = frozenset(("total", "net", "gross", "adjusted", "reported", "group", "gesamt"))
_RATE = re.compile(
    r"\b(?:rates?|ratio|share(?! capital| premium)|margins?|percent\w*|index|occupancy|"
    r"growth|return on|\w*quote|\w*marge|anteil)\b|%|率|占比|比例|指数|人均",
    re.IGNORECASE,
)
_PER = re.compile(r"\b(?:per|pro|je)\b|每|人均", re.IGNORECASE)
_NUMBER_OF = re.compile(
    r"\b(?:numbers? of|no\. of|count of|# of|anzahl|average number)\b|数量|件数|笔数|次数",
    re.IGNORECASE,
)
_GENERIC = re.compile(r"value|amount|val|figure|wert|betrag|obs value|金额|数额|值|数值")
_SAYS_UNIT = re.compile(
    r"\b(?:units?|currency|currencies|uom|measure|of|the|for|währung|einheit)\b|单位|币种|货币|[_()\[\]]",
    re.IGNORECASE,
)


def is_currency(unit: UnitText) -> bool:
    """Whether a unit is money, for certain."""
    found = resolve_unit(unit.symbol) if unit.symbol else None
    return found is not None and found.dimension.startswith("currency")


def is_money(name: str) -> bool:
    """Whether a name is of amounts of money for certain; nothing else is given a currency.

    Its head noun is of money: "staff costs" are, "sales staff", "sales (units)" and "customers
    with loans" are counts.
    """
    flat = re.sub(r"[_\s]+", " ", name)
    if _RATE.search(flat) or _NUMBER_OF.search(flat):
        return False
    if any(_COUNTED.search(part) for part in _IN_BRACKETS.findall(flat)):
        return False
    words = _WORD_LIKE.findall(
        _AFTER_HEAD.split(_IN_BRACKETS.sub(" ", flat).strip(), maxsplit=1)[0]
    )
    words = [word for word in words if word.lower() not in _QUALIFIES]
    return bool(words) and (
        _MONEY.fullmatch(words[-1]) is not None
        or (_MONEY.search(words[-1]) is not None and not words[-1].isascii())
        or _MONEY.fullmatch(" ".join(words[-2:])) is not None
    )


def names_a_metric(name: str) -> bool:
    """Whether a name is of something that is measured, no entity."""
    return any(pattern.search(name) for pattern in (_MONEY, _COUNTED, _RATE))


def takes_told_unit(name: str, unit: UnitText) -> bool:
    """Whether a unit that is told for a whole table can be that of a metric with this name."""
    if is_currency(unit):
        return is_money(name) and not _PER.search(name)
    return not is_money(name) and not _COUNTED.search(name) and not _RATE.search(name)


def may_take_told_unit(name: str, unit: UnitText) -> bool:
    """Whether a person must say if a unit that is told for a whole table is that of a metric."""
    return is_currency(unit) and not _COUNTED.search(name) and not _RATE.search(name)


def is_of_all(unit: UnitText, names: Sequence[str]) -> bool:
    """Whether the unit that one heading names can be of all metrics that stand under it."""
    return not is_currency(unit) or len(names) < 2 or all(is_money(name) for name in names)


def units_of_columns(
    values: Sequence[Column], units: Sequence[Column], notes: list[str]
) -> dict[int, Column]:
    """The column of units that is about each column of values, by the index of the latter.

    It is the one that its heading names, else the one that stands beside it. A column of
    currencies is about other columns too where their headings speak of money: that is noted.

    Args:
        values: columns of values.
        units: columns of units.
        notes: guesses that a person should look at.
    """
    found: dict[int, Column] = {}
    for unit in units:
        money = sum(is_currency(read_unit(cell)) for cell in unit.sample) > len(unit.sample) / 2
        fitting = [one for one in values if one.unit is None and one.index not in found]
        named = [
            one
            for one in fitting
            if _is_named(one, unit) and not (money and _COUNTED.search(one.label))
        ]
        open_ = [one for one in fitting if money and one not in named and not _is_amount(one)]
        fitting = [one for one in fitting if one not in open_]
        if open_:
            shown = ", ".join(repr(one.label) for one in open_[:5])
            notes.append(f"column {unit.heading!r} was not taken for the unit of {shown}")
        own = named or _beside(fitting, unit)
        found |= {one.index: unit for one in own}
        if not money or named:
            continue
        for one in fitting:
            if one.index not in found and _MONEY.search(one.label):
                found[one.index] = unit
                notes.append(
                    f"column {unit.heading!r} was taken for the unit of {one.heading!r} too: both "
                    "speak of money"
                )
    return found


def _is_amount(column: Column) -> bool:
    return is_money(column.label) or _GENERIC.fullmatch(column.words) is not None


def _is_named(value: Column, unit: Column) -> bool:
    """Whether the heading of a column of units names a column of values: "Revenue currency"."""
    words = set(_SAYS_UNIT.sub(" ", unit.words).split())
    return bool(words) and words <= set(value.words.split())


def _beside(values: Sequence[Column], unit: Column) -> list[Column]:
    """The column of values before a column of units, else the one after it."""
    before = [one for one in values if one.index < unit.index]
    after = [one for one in values if one.index > unit.index]
    return before[-1:] or after[:1]
