"""Everyday names of the concepts that people ask about most, for drafts of SEC company facts.

The labels of the US GAAP taxonomy are the accountant's ("Revenue from Contract with Customer,
Excluding Assessed Tax"). A name is given only where one of its concepts stands in the file; where
several do, to none of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

# Names, then the concepts that may be meant by them. A concept that a company uses beside another
# one (with and without noncontrolling interests) is listed only where the statement's line is it.
_NAMES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        ("revenue", "total revenue", "sales", "营业收入", "营收", "收入"),
        (
            "Revenues",
            "RevenueFromContractWithCustomerExcludingAssessedTax",
            "RevenueFromContractWithCustomerIncludingAssessedTax",
            "SalesRevenueNet",
        ),
    ),
    (
        ("net income", "net loss", "net profit", "net earnings", "净利润", "净亏损"),
        ("NetIncomeLoss",),
    ),
    (("comprehensive income", "comprehensive loss", "综合收益"), ("ComprehensiveIncomeNetOfTax",)),
    (("operating income", "operating loss", "营业利润"), ("OperatingIncomeLoss",)),
    (
        ("cost of revenue", "cost of sales", "营业成本"),
        ("CostOfRevenue", "CostOfGoodsAndServicesSold"),
    ),
    (("gross profit", "毛利"), ("GrossProfit",)),
    (
        ("research and development", "R&D", "R&D expense", "研发费用"),
        ("ResearchAndDevelopmentExpense",),
    ),
    (("sales and marketing", "销售费用"), ("SellingAndMarketingExpense",)),
    (("general and administrative", "G&A", "管理费用"), ("GeneralAndAdministrativeExpense",)),
    (
        ("cash and cash equivalents", "现金及现金等价物"),
        ("CashAndCashEquivalentsAtCarryingValue",),
    ),
    (("total assets", "总资产", "资产总计"), ("Assets",)),
    (("total liabilities", "总负债", "负债合计"), ("Liabilities",)),
    (
        ("equity", "stockholders' equity", "shareholders' equity", "股东权益"),
        ("StockholdersEquity",),
    ),
    (
        ("operating cash flow", "cash flow from operations", "经营现金流"),
        ("NetCashProvidedByUsedInOperatingActivities",),
    ),
    (
        ("capital expenditure", "capex", "资本支出"),
        ("PaymentsToAcquirePropertyPlantAndEquipment",),
    ),
    (("basic EPS", "basic earnings per share", "基本每股收益"), ("EarningsPerShareBasic",)),
    (("diluted EPS", "diluted earnings per share", "稀释每股收益"), ("EarningsPerShareDiluted",)),
    (
        ("remaining performance obligations", "RPO", "剩余履约义务"),
        ("RevenueRemainingPerformanceObligation",),
    ),
    (("stock-based compensation", "share-based compensation"), ("ShareBasedCompensation",)),
)


def everyday_names(concepts: Collection[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The everyday names that each of some concepts has, as (concept, names)."""
    for names, meant in _NAMES:
        held = [concept for concept in meant if concept in concepts]
        if len(held) == 1:
            yield held[0], names
