"""Messy files of the import eval, and what they say: those that were open during development."""

from __future__ import annotations

from datetime import datetime

from tests.evals.import_writing import (
    Case,
    cells,
    joined,
    parquet,
    printed,
    text_file,
    word,
    workbook,
)


def seen() -> list[Case]:
    """Every case, in the order of the report."""
    return [*_separated(), *_laid_out(), *_workbooks(), *_documents()]


def _separated() -> list[Case]:
    stores = {"Lyon": {"2022": 12, "2023": 13}, "Porto": {"2022": 8, "2023": 9}}
    return [
        Case(
            "unit per column",
            "csv",
            text_file(
                "results.csv",
                "Region,Year,Revenue (EUR m),Operating profit (USD),Stores\n"
                "Lyon,2022,120.5,3100200,12\nLyon,2023,131.25,3300000,13\n"
                "Porto,2022,80,910000,8\nPorto,2023,84.5,935500,9\n",
            ),
            joined(
                cells("Revenue", "EUR", "1000000",
                      {"Lyon": {"2022": "120.5", "2023": "131.25"},
                       "Porto": {"2022": "80", "2023": "84.5"}}),
                cells("Operating profit", "USD", 1,
                      {"Lyon": {"2022": 3100200, "2023": 3300000},
                       "Porto": {"2022": 910000, "2023": 935500}}),
                cells("Stores", "", 1, stores),
            ),
        ),
        Case(
            "currency by row",
            "csv",
            text_file(
                "sales.csv",
                "Company,Year,Currency,Sales,Employees\nAlba,2022,EUR,1500,14\n"
                "Brink,2022,GBP,2200,21\nAlba,2023,EUR,1650,15\nBrink,2023,GBP,2400,22\n"
                "Cove,2023,USD,900,7\n",
            ),
            joined(
                cells("Sales", "EUR", 1, {"Alba": {"2022": 1500, "2023": 1650}}),
                cells("Sales", "GBP", 1, {"Brink": {"2022": 2200, "2023": 2400}}),
                cells("Sales", "USD", 1, {"Cove": {"2023": 900}}),
                cells("Employees", "", 1, {"Alba": {"2022": 14, "2023": 15},
                                           "Brink": {"2022": 21, "2023": 22}, "Cove": {"2023": 7}}),
            ),
        ),
        Case(
            "cp1252, decimal commas",
            "csv",
            text_file(
                "staedte.csv",
                "Stadt;Jahr;Umsatz (€);Mitarbeiter\nMünchen;2022;1.234,50;12\n"
                "München;2023;1.500,75;13\nKöln;2022;987,00;7\nKöln;2023;1.002,10;8\n",
                "cp1252",
            ),
            joined(
                cells("Umsatz", "EUR", 1, {"München": {"2022": "1234.50", "2023": "1500.75"},
                                           "Köln": {"2022": "987", "2023": "1002.10"}}),
                cells("Mitarbeiter", "", 1, {"München": {"2022": 12, "2023": 13},
                                             "Köln": {"2022": 7, "2023": 8}}),
            ),
        ),
        Case(
            "utf-16 with BOM, tabs",
            "csv",
            text_file(
                "export.txt.csv",
                "Country\tYear\tExports (USD)\nTürkiye\t2022\t5100\nTürkiye\t2023\t5300\n"
                "Österreich\t2022\t4100\nÖsterreich\t2023\t4250\n",
                "utf-16",
            ),
            cells("Exports", "USD", 1, {"Türkiye": {"2022": 5100, "2023": 5300},
                                        "Österreich": {"2022": 4100, "2023": 4250}}),
        ),
        Case(
            "apostrophes, parentheses, dashes",
            "csv",
            text_file(
                "kantone.csv",
                "Canton;Year;Net income (CHF)\nUri;2022;1'234'567\nUri;2023;(23'100)\n"
                "Zug;2022;–\nZug;2023;2'000\n",
            ),
            cells("Net income", "CHF", 1, {"Uri": {"2022": 1234567, "2023": -23100},
                                           "Zug": {"2023": 2000}}),
        ),
        Case(
            "percent signs",
            "csv",
            text_file(
                "margin.csv",
                "Company,Year,Gross margin,Return on equity (%)\nAlba,2022,41.5%,12.25\n"
                "Alba,2023,42.1%,11\nBrink,2022,38%,9.5\nBrink,2023,39.4%,-2.5\n",
            ),
            joined(
                cells("Gross margin", "%", 1, {"Alba": {"2022": "41.5", "2023": "42.1"},
                                               "Brink": {"2022": "38", "2023": "39.4"}}),
                cells("Return on equity", "%", 1, {"Alba": {"2022": "12.25", "2023": "11"},
                                                   "Brink": {"2022": "9.5", "2023": "-2.5"}}),
            ),
        ),
    ]  # fmt: skip


def _laid_out() -> list[Case]:
    return [
        Case(
            "years as columns, blank corner, unit above",
            "csv",
            text_file(
                "above.csv",
                "Revenue by country\n(in millions of USD)\n\n,2021,2022,2023\n"
                "Chile,10.5,11,12.25\nPeru,8,8.5,9\n",
            ),
            cells("Revenue", "USD", 1000000,
                  {"Chile": {"2021": "10.5", "2022": "11", "2023": "12.25"},
                   "Peru": {"2021": "8", "2022": "8.5", "2023": "9"}}),
        ),
        Case(
            "two-row heading",
            "csv",
            text_file(
                "twohead.csv",
                "Company,Revenue (USD),,Employees,\n,2022,2023,2022,2023\n"
                "Alba,100,110,14,15\nBrink,200,220,21,22\n",
            ),
            joined(
                cells("Revenue", "USD", 1, {"Alba": {"2022": 100, "2023": 110},
                                            "Brink": {"2022": 200, "2023": 220}}),
                cells("Employees", "", 1, {"Alba": {"2022": 14, "2023": 15},
                                           "Brink": {"2022": 21, "2023": 22}}),
            ),
        ),
        Case(
            "scale by row",
            "csv",
            text_file(
                "lines.csv",
                "Item,Unit,2022,2023\nRevenue,EUR million,120.5,131\n"
                "Net income,EUR thousand,9050,8700\nHeadcount,persons,410,425\n"
                "Equity ratio,%,41.5,42\n",
            ),
            joined(
                cells("Revenue", "EUR", 1000000, {"*": {"2022": "120.5", "2023": "131"}}),
                cells("Net income", "EUR", 1000, {"*": {"2022": "9050", "2023": "8700"}}),
                cells("Headcount", "", 1, {"*": {"2022": 410, "2023": 425}}),
                cells("Equity ratio", "%", 1, {"*": {"2022": "41.5", "2023": "42"}}),
            ),
        ),
        Case(
            "footnotes and totals",
            "csv",
            text_file(
                "notes.csv",
                "Country,2022,2023\nChile (1),10,12\nPeru,8,9*\nTotal,18,21\n\n"
                "(1) Including islands.\n* Provisional.\nSource: national accounts, USD million\n",
            ),
            cells("*", "USD", 1000000, {"Chile": {"2022": 10, "2023": 12},
                                        "Peru": {"2022": 8, "2023": 9}}),
            undecidable=True,
        ),
        Case(
            "months as columns",
            "csv",
            text_file(
                "months.csv",
                "Store,Jan 2024,Feb 2024,Mar 2024\nLyon,1200,1100,1350\n\nPorto,800,,910\n",
            ),
            cells("*", "", 1, {"Lyon": {"2024-01": 1200, "2024-02": 1100, "2024-03": 1350},
                               "Porto": {"2024-01": 800, "2024-03": 910}}),
            undecidable=True,
        ),
        Case(
            "second table below",
            "csv",
            text_file(
                "two.csv",
                "Country,Year,Imports (USD)\nChile,2022,500\nChile,2023,510\nPeru,2022,300\n"
                "Peru,2023,330\n\nCountry,Year,Tariff (%)\nChile,2022,6\nPeru,2022,7\n",
            ),
            cells("Imports", "USD", 1, {"Chile": {"2022": 500, "2023": 510},
                                        "Peru": {"2022": 300, "2023": 330}}),
        ),
        Case(
            "counts beside a currency",
            "csv",
            text_file(
                "counts.csv",
                "(in EUR million)\nSubsidiary,Year,Revenue,Stores,Headcount,Revenue per store\n"
                "Lyon,2022,120,12,340,10\nLyon,2023,130,13,350,10\nPorto,2022,80,8,210,10\n"
                "Porto,2023,90,9,220,10\n",
            ),
            joined(
                cells("Revenue", "EUR", 1000000, {"Lyon": {"2022": 120, "2023": 130},
                                                  "Porto": {"2022": 80, "2023": 90}}),
                cells("Stores", "", 1, {"Lyon": {"2022": 12, "2023": 13},
                                        "Porto": {"2022": 8, "2023": 9}}),
                cells("Headcount", "", 1, {"Lyon": {"2022": 340, "2023": 350},
                                           "Porto": {"2022": 210, "2023": 220}}),
            ),
        ),
    ]  # fmt: skip


def _workbooks() -> list[Case]:
    return [
        Case(
            "title rows, several sheets",
            "xlsx",
            workbook(
                "report.xlsx",
                {
                    "Read me": [["This workbook holds the results of Alba."], ["Version 3"]],
                    "Data": [
                        ["Alba Group"], ["Key figures, in thousands of EUR"], [],
                        ["Segment", "Year", "Revenue", "Employees"],
                        ["Retail", 2022, 1500, 40], ["Retail", 2023, 1600, 41],
                        ["Online", 2022, 700, 12], ["Online", 2023, 950, 15],
                        ["Total", 2022, 2200, 52], ["Total", 2023, 2550, 56],
                    ],
                },
            ),
            joined(
                cells("Revenue", "EUR", 1000, {"Retail": {"2022": 1500, "2023": 1600},
                                               "Online": {"2022": 700, "2023": 950}}),
                cells("Employees", "", 1, {"Retail": {"2022": 40, "2023": 41},
                                           "Online": {"2022": 12, "2023": 15}}),
            ),
        ),
        Case(
            "formulas and dates",
            "xlsx",
            workbook(
                "formulas.xlsx",
                {"Balances": [
                    ["Branch", "Date", "Deposits (GBP)", "Loans (GBP)"],
                    ["Leeds", datetime(2023, 3, 31), 500, "=C2*2"],
                    ["Leeds", datetime(2023, 6, 30), 520, "=C3*2"],
                    ["York", datetime(2023, 3, 31), 300, "=C4*2"],
                    ["York", datetime(2023, 6, 30), 310, "=C5*2"],
                ]},
                cached={"Balances": {"D2": 1000, "D3": 1040, "D4": 600, "D5": 620}},
            ),
            joined(
                cells("Deposits", "GBP", 1, {"Leeds": {"2023-03-31": 500, "2023-06-30": 520},
                                             "York": {"2023-03-31": 300, "2023-06-30": 310}}),
                cells("Loans", "GBP", 1, {"Leeds": {"2023-03-31": 1000, "2023-06-30": 1040},
                                          "York": {"2023-03-31": 600, "2023-06-30": 620}}),
            ),
        ),
        Case(
            "merged two-row heading",
            "xlsx",
            workbook(
                "merged.xlsx",
                {"Sheet1": [
                    ["Company", "Revenue (EUR million)", None, "Stores", None],
                    [None, 2022, 2023, 2022, 2023],
                    ["Alba", 100, 110, 14, 15], ["Brink", 200, 220.5, 21, 22],
                ]},
                merges={"Sheet1": ["B1:C1", "D1:E1", "A1:A2"]},
            ),
            joined(
                cells("Revenue", "EUR", 1000000, {"Alba": {"2022": 100, "2023": 110},
                                                  "Brink": {"2022": 200, "2023": "220.5"}}),
                cells("Stores", "", 1, {"Alba": {"2022": 14, "2023": 15},
                                        "Brink": {"2022": 21, "2023": 22}}),
            ),
        ),
        Case(
            "a named sheet",
            "xlsx",
            workbook(
                "sheets.xlsx",
                {
                    "2023 plan": [["Plant", "Year", "Output (t)"], ["Ulm", 2023, 1],
                                  ["Jena", 2023, 2]],
                    "Actual": [["Plant", "Year", "Output (t)"], ["Ulm", 2022, 410],
                               ["Ulm", 2023, 415.5], ["Jena", 2022, 300], ["Jena", 2023, 305]],
                },
            ),
            cells("Output", "t", 1, {"Ulm": {"2022": 410, "2023": "415.5"},
                                     "Jena": {"2022": 300, "2023": 305}}),
            options=("--sheet", "Actual"),
        ),
    ]  # fmt: skip


def _documents() -> list[Case]:
    accounts = [
        ["", "2023", "2022"],
        ["Revenue", "1,310", "1,205"],
        ["Operating costs", "(1,100)", "(1,050)"],
        ["Net income", "160", "118"],
    ]
    told = joined(
        cells("Revenue", "EUR", 1000, {"*": {"2023": 1310, "2022": 1205}}),
        cells("Operating costs", "EUR", 1000, {"*": {"2023": -1100, "2022": -1050}}),
        cells("Net income", "EUR", 1000, {"*": {"2023": 160, "2022": 118}}),
    )
    countries = [
        ["Country", "Year", "Exports (USD m)", "Ports"],
        ["Chile", "2022", "98.5", "24"], ["Chile", "2023", "94.6", "24"],
        ["Peru", "2022", "66.2", "11"], ["Peru", "2023", "67.5", "12"],
    ]  # fmt: skip
    of_countries = joined(
        cells("Exports", "USD", 1000000, {"Chile": {"2022": "98.5", "2023": "94.6"},
                                          "Peru": {"2022": "66.2", "2023": "67.5"}}),
        cells("Ports", "", 1, {"Chile": {"2022": 24, "2023": 24},
                               "Peru": {"2022": 11, "2023": 12}}),
    )  # fmt: skip
    return [
        Case(
            "accounts in a letter",
            "docx",
            word("letter.docx", ["Alba Group", "Income statement, in thousands of EUR", accounts,
                                 "The board thanks everybody who worked 12 months for this."]),
            told,
        ),
        Case("a table of countries", "docx",
             word("countries.docx", ["Trade grew in 2023.", countries]), of_countries),
        Case(
            "printed accounts",
            "pdf",
            printed("accounts.pdf", ["Alba Group", "Income statement (in thousands of EUR)",
                                     accounts, "The notes are part of these accounts."]),
            told,
        ),
        Case("printed table of countries", "pdf",
             printed("countries.pdf", ["Trade", countries], ruled=True), of_countries),
        Case(
            "html with spans",
            "html",
            text_file(
                "page.html",
                "<html><head><title>Figures</title></head><body><p>Menu</p>"
                "<h1>Key figures</h1><table><thead><tr><th rowspan=2>Company</th>"
                "<th colspan=2>Revenue (EUR million)</th><th colspan=2>Employees</th></tr>"
                "<tr><th>2022</th><th>2023</th><th>2022</th><th>2023</th></tr></thead>"
                "<tbody><tr><td>Alba</td><td>100</td><td>110</td><td>1,400</td><td>1,500</td></tr>"
                "<tr><td>Brink</td><td>200</td><td>220.5</td><td>2,100</td><td>2,200</td></tr>"
                "</tbody></table></body></html>",
            ),
            joined(
                cells("Revenue", "EUR", 1000000, {"Alba": {"2022": 100, "2023": 110},
                                                  "Brink": {"2022": 200, "2023": "220.5"}}),
                cells("Employees", "", 1, {"Alba": {"2022": 1400, "2023": 1500},
                                           "Brink": {"2022": 2100, "2023": 2200}}),
            ),
        ),
        Case(
            "parquet with decimals",
            "parquet",
            parquet(
                "facts.parquet",
                "SELECT * FROM (VALUES ('Chile', 2022, 1234567890.12::DECIMAL(18,2), 12), "
                "('Chile', 2023, 1334567890.99::DECIMAL(18,2), 13), "
                "('Peru', 2022, 0.10::DECIMAL(18,2), 4), ('Peru', 2023, 7.25::DECIMAL(18,2), 5)) "
                "AS t(country, year, revenue_usd, stores)",
            ),
            joined(
                cells("revenue", "USD", 1, {"Chile": {"2022": "1234567890.12",
                                                      "2023": "1334567890.99"},
                                            "Peru": {"2022": "0.10", "2023": "7.25"}}),
                cells("stores", "", 1, {"Chile": {"2022": 12, "2023": 13},
                                        "Peru": {"2022": 4, "2023": 5}}),
            ),
        ),
    ]  # fmt: skip
