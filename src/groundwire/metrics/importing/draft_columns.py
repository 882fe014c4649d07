"""The columns of an undescribed table: cells, names, periods, and whose unit is whose.

A unit is given to a column of values by its own heading or cells, or by a column of units that is
about it. A count has no currency. What cannot be known is left open and noted, never guessed.
What a file only names is given a code and a label.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from groundwire.metrics.importing.cells import BadCell, UnitText, read_amount, read_unit
from groundwire.metrics.importing.heading_text import (
    DatedHeading,
    is_currency,
    is_known,
    period_of,
    period_of_rows,
    split_unit,
)
from groundwire.metrics.importing.mapping import MISSING
from groundwire.metrics.importing.resolving import YEAR_LAST
from groundwire.metrics.importing.table import BETWEEN, Table, Unreadable

Measure = Literal["flow", "stock", "rate"]

# Names of common metrics in both languages, so that either asks for it.
_BOTH = (
    ("POPULATION", "Population", "人口", "总人口", "人口总数"),
    ("GDP", "GDP", "国内生产总值", "gross domestic product"),
    ("REVENUE", "Revenue", "营业收入", "收入", "营收", "revenues"),
    ("SALES", "Sales", "销售额", "销售收入"),
    ("NET_PROFIT", "Net profit", "净利润", "net income"),
    ("PROFIT", "Profit", "利润", "利润总额"),
    ("COST", "Cost", "成本", "营业成本"),
    ("HEADCOUNT", "Headcount", "员工人数", "员工数", "人数"),
    ("ASSETS", "Total assets", "总资产", "资产总额"),
    ("GROSS_MARGIN", "Gross margin", "毛利率"),
)
_STOCK = re.compile(
    r"\b(?:population|headcount|employees|staff|workforce|assets?|liabilit\w+|equity|debt|cash|"
    r"inventor\w+|balance|stores|users|customers|subscribers|shares outstanding|reserves|stock)\b"
    "|人口|资产|负债|员工|人数|余额|库存|存货|用户|门店数|权益|现金$|储备",
    re.IGNORECASE,
)
_RATIO = re.compile(
    r"\b(?:rate|ratio|share|margin|growth|index|percent\w*|average|per|price|yield)\b|%"
    "|率|占比|比例|比重|增速|指数|均价|人均|单价",
    re.IGNORECASE,
)
_CODE_PART = re.compile(r"[^A-Za-z0-9]+")


class Codes:
    """Gives every name a code of its own."""

    def __init__(self, prefix: str) -> None:
        """Name what stands before the number of a code that no letters make.

        Args:
            prefix: such as "ENTITY".
        """
        self._prefix = prefix
        self._given: set[str] = set()

    def give(self, *names: str) -> str:
        """A code by the first of the names that has letters for one."""
        base = next((code for name in names if (code := code_of(name))), "")
        code, number = base or f"{self._prefix}_1", 1
        while code.casefold() in self._given:
            number += 1
            code = f"{base[:74] or self._prefix}_{number}"
        self._given.add(code.casefold())
        return code

    def keep(self, code: str) -> bool:
        """Take a code unchanged, and return whether it was free."""
        if code.casefold() in self._given:
            return False
        self._given.add(code.casefold())
        return True


def code_of(name: str) -> str:
    """A code made of the letters and digits of a name, or "" where it has none of ASCII."""
    known = common_metric(name)
    if known:
        return known[0]
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    if sum(c.isalpha() and not c.isascii() for c in plain) > 0.3 * len(plain):
        return ""
    return _CODE_PART.sub("_", plain.encode("ascii", "ignore").decode()).strip("_").upper()[:70]


def common_metric(name: str) -> tuple[str, ...]:
    """Code and names of a common metric, or nothing."""
    wanted = " ".join(re.split(r"[\s_-]+", name)).casefold().strip()
    for names in _BOTH:
        if wanted in (one.casefold() for one in (names[0].replace("_", " "), *names[1:])):
            return names
    return ()


def readable(stem: str) -> str:
    """The name of a file as people would write it."""
    words = re.sub(r"[\s_\-]+", " ", stem).strip()
    if not words or not words.isascii():
        return words or "Facts"
    return words.upper() if len(words) <= 4 and words.isalpha() else words[:1].upper() + words[1:]


def short_name(stem: str) -> str:
    """A name for a profile: lower case letters, digits, dashes."""
    name = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:40].strip("-")
    return name or "facts"


def measure_of(label: str, unit: str) -> Measure:
    """Whether a metric adds up over time, by its name and unit."""
    if unit in ("%", "‰", "pp", "bp") or _RATIO.search(label) or "/" in unit:
        return "rate"
    if unit in ("people", "employees", "households") or _STOCK.search(label):
        return "stock"
    return "flow"


def derivations_of(measure: Measure) -> tuple[str, ...]:
    """Return the derivations of such a metric; empty takes the profile's default."""
    return ("delta",) if measure == "rate" else ()


def ordered_grains(grains: Iterable[str]) -> tuple[str, ...]:
    """Grains that a profile knows, the usual one first."""
    usual = ("year", "quarter", "month", "half", "nine_months", "day")
    found = set(grains)
    return tuple(grain for grain in usual if grain in found)


MOST_ROWS = 2_000_000
"""Rows that a draft reads of a file; later ones may name what the draft does not."""

_MOST_DISTINCT = 100_000
_SAMPLE = 500
_MOST_MARKERS = 3
_LONGEST_MARKER = 12

TOTALS = re.compile(
    r"(?:grand |sub-?)?totals?(?: \([a-z ]{1,20}\))?:?|sum(?:me|ma)?:?|insgesamt:?|"
    r"gesamt:?|zusammen:?|zwischensumme:?|totaux|ensemble|合计|总计|總計|小计|合計|overall|"
    r"all (?:countries|regions|stores)",
    re.IGNORECASE,
)
"""Names of rows that add up others."""


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes:
        index: where it stands.
        heading: its heading.
        seen: its cells without the empty ones, with how often each stands there.
        is_whole: whether `seen` holds all of them.
        dated: the heading with its period taken out, where the table has its periods there.
    """

    index: int
    heading: str
    seen: Counter[str]
    is_whole: bool
    dated: DatedHeading | None = None

    @cached_property
    def when(self) -> str:
        """The period that its heading names beside something else: "Revenue 2023"; or ""."""
        if self.dated is not None:
            return self.dated.when
        parts = self.heading.split(BETWEEN)
        return period_of_rows(parts)[0] if len(parts) > 1 else ""

    @cached_property
    def filled(self) -> int:
        """How many cells are not empty."""
        return self.seen.total()

    @cached_property
    def words(self) -> str:
        """The heading without its unit, in lower case, words apart."""
        return " ".join(re.split(r"[\s_\-./]+", self.label)).casefold()

    @cached_property
    def _label_and_unit(self) -> tuple[str, UnitText | None]:
        if self.dated is not None:
            return self.dated.name, self.dated.unit
        return split_unit(self.heading)

    @property
    def label(self) -> str:
        """The heading without its unit."""
        return self._label_and_unit[0]

    @property
    def unit(self) -> UnitText | None:
        """The unit that the heading names."""
        return self._label_and_unit[1]

    @cached_property
    def sample(self) -> list[str]:
        """Some of its cells that are values, the frequent ones first."""
        cells = (cell for cell, _ in self.seen.most_common(_SAMPLE + len(MISSING)))
        return [cell for cell in cells if cell not in MISSING][:_SAMPLE]

    @cached_property
    def numeric(self) -> float:
        """The share of cells that are numbers, however the decimal mark is written.

        A few different words among more numbers are markers of empty cells and do not count.
        """
        words = [cell for cell in self.sample if not is_number(cell)]
        numbers = len(self.sample) - len(words)
        markers = [word for word in words if may_be_missing(word)]
        if len(markers) == len(words) <= min(_MOST_MARKERS, numbers):
            return 1.0 if numbers else 0.0
        return numbers / len(self.sample)

    @cached_property
    def periodic(self) -> float:
        """The share of cells that are single periods or days."""
        return _share(
            [cell for cell in self.sample if not TOTALS.fullmatch(cell)],
            lambda cell: period_of(cell) is not None or YEAR_LAST.fullmatch(cell) is not None,
        )

    @cached_property
    def order(self) -> tuple[str, bool]:
        """Which number of dates with the year last is the day, and whether any cell proves it."""
        found = [match for cell in self.seen if (match := YEAR_LAST.fullmatch(cell))]
        if not found:
            return "iso", True
        if any(int(match[2]) > 12 for match in found):
            return "month_first", True
        return "day_first", any(int(match[1]) > 12 for match in found)

    @cached_property
    def units(self) -> float:
        """The share of cells that are units."""
        return _share(self.sample, lambda cell: is_known(read_unit(cell)))

    @property
    def is_year(self) -> bool:
        """Whether all cells are four digits that may be years."""
        years = [cell for cell in self.sample if re.fullmatch(r"(?:1[6-9]|20|21)\d\d(\.0)?", cell)]
        return bool(self.sample) and len(years) == len(self.sample)

    @property
    def is_padded(self) -> bool:
        """Whether its cells are digits of one length that begin with 0: codes, no amounts."""
        return (
            bool(self.sample)
            and len({len(cell) for cell in self.sample}) == 1
            and all(re.fullmatch(r"0[0-9]+", cell) for cell in self.sample)
        )

    def reads(self, decimal_comma: bool) -> int:
        """How many of the sampled cells are numbers with this decimal mark."""
        return sum(_reads(cell, decimal_comma) for cell in self.sample)


def read_columns(table: Table) -> tuple[list[Column], int]:
    """The columns of a table, and how many rows were read."""
    counts: list[Counter[str]] = [Counter() for _ in table.headings]
    rows = 0
    for _, cells in table.records:
        if isinstance(cells, Unreadable):
            continue
        rows += 1
        for count, cell in zip(counts, cells, strict=False):
            text = cell.strip()
            if text and (text in count or len(count) < _MOST_DISTINCT):
                count[text] += 1
        if rows >= MOST_ROWS:
            break
    return [
        Column(index, heading, count, len(count) < _MOST_DISTINCT)
        for index, (heading, count) in enumerate(zip(table.headings, counts, strict=True))
    ], rows


def is_number(cell: str) -> bool:
    """Whether a cell is a number with either decimal mark."""
    return _reads(cell, False) or _reads(cell, True)


def may_be_missing(cell: str) -> bool:
    """Whether a cell of words may mark a missing number."""
    return (
        len(cell) <= _LONGEST_MARKER
        and not any(character.isdigit() for character in cell)
        and not cell.startswith(("=", "#"))
    )


def _reads(cell: str, decimal_comma: bool) -> bool:
    try:
        read_amount(cell, decimal_comma)
    except BadCell:
        return False
    return True


def _share(cells: list[str], holds: Callable[[str], bool]) -> float:
    return sum(holds(cell) for cell in cells) / len(cells) if cells else 0.0


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
