"""Codes and labels for what a file only names, and what a name says of a metric."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Literal

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
_RATE = re.compile(
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
    if unit in ("%", "‰", "pp", "bp") or _RATE.search(label) or "/" in unit:
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
