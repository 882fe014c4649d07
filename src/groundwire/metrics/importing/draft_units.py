"""Whose unit is whose: which column of units is about which values of an undescribed table.

A unit is given to a column of values by its own heading or cells, or by a column of units that is
about it. A count has no currency. What cannot be known is left open and noted, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.metrics.importing.draft_columns import Column
from groundwire.metrics.importing.unit_text import UnitText, read_unit
from groundwire.quantities import resolve_unit

_COUNTED = re.compile(
    r"\b(?:units?(?! (?:cost|price))|items?|pieces?|orders?|customers?|clients?|visitors?|visits?|"
    r"employees?|staff|headcount|workers?|pupils?|students?|members?|tickets?|beds?|rooms?|"
    r"polic(?:y|ies)|contracts?|flats?|projects?|stores?|shops?|branches|outlets?|users?|"
    r"subscribers?|transactions?|shipments?|parcels?|pallets?|vehicles?|cars?|trips?|calls?|"
    r"complaints?|claims count|downloads?|patients?|households?|people|persons?|population|"
    r"inhabitants?|residents?|number|no\.?|nr\.?|count|counts|quantity|qty|volume sold|sold|"
    r"anzahl|stück(?:zahl)?|menge|mitarbeiter|kunden|einwohner|besucher|bestellungen)\b"
    "|数量|件数|人数|户数|台数|次数|个数|销量|员工|人口|客户数|订单数|门店数|家数|笔数",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"\b(?:revenues?|turnover|sales|income|costs?|expens\w+|expenditure|spend\w*|profits?|"
    r"earnings|prices?|fees?|wages?|salar\w+|budgets?|rents?|premiums?|donations?|grants?|tax\w*|"
    r"payments?|amounts?|ebit(?:da)?|cash|debts?|loans?|assets?|liabilities|equity|capital|"
    r"dividends?|gdp|investments?|umsatz\w*|erlös\w*|kosten|gewinn\w*|preis\w*|aufwand|ertrag)\b"
    "|收入|营收|利润|成本|费用|金额|销售额|支出|价格|单价|工资|资产|负债|现金|投资|税",
    re.IGNORECASE,
)
_RATE = re.compile(r"\b(?:rate|ratio|share|margin|percent\w*|index)\b|%|率|占比|比例|指数", re.I)
_SAYS_UNIT = re.compile(
    r"\b(?:units?|currency|currencies|uom|measure|of|the|for|währung|einheit)\b|单位|币种|货币|[_()\[\]]",
    re.IGNORECASE,
)


def is_currency(unit: UnitText) -> bool:
    """Whether a unit is money, for certain."""
    found = resolve_unit(unit.symbol) if unit.symbol else None
    return found is not None and found.dimension.startswith("currency")


def may_be_money(name: str) -> bool:
    """Whether values of a name may be in a currency: those of counts and rates are not."""
    if _MONEY.search(name):
        return True
    return not _COUNTED.search(name) and not _RATE.search(name)


def is_of_all(unit: UnitText, names: Sequence[str]) -> bool:
    """Whether the unit that one heading names can be of all metrics that stand under it."""
    return not is_currency(unit) or len(names) < 2 or all(may_be_money(name) for name in names)


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
        fitting = [one for one in fitting if not money or may_be_money(one.label)]
        named = [one for one in fitting if _is_named(one, unit)]
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


def _is_named(value: Column, unit: Column) -> bool:
    """Whether the heading of a column of units names a column of values: "Revenue currency"."""
    words = set(_SAYS_UNIT.sub(" ", unit.words).split())
    return bool(words) and words <= set(value.words.split())


def _beside(values: Sequence[Column], unit: Column) -> list[Column]:
    """The column of values before a column of units, else the one after it."""
    before = [one for one in values if one.index < unit.index]
    after = [one for one in values if one.index > unit.index]
    return before[-1:] or after[:1]
