"""Messy files of the import eval that stayed unread while the reader was built."""

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


def held_out() -> list[Case]:
    """Every case, in the order of the report."""
    return [*_separated(), *_laid_out(), *_workbooks(), *_documents()]


def _separated() -> list[Case]:
    return [
        Case(
            "symbols in the cells, by row",
            "csv",
            text_file(
                "spend.csv",
                'Office,Year,Rent,Desks\nParis,2022,"€1,200",14\nBoston,2022,$900,9\n'
                'Paris,2023,"€1,250",14\nBoston,2023,"$1,050",10\n',
            ),
            joined(
                cells("Rent", "EUR", 1, {"Paris": {"2022": 1200, "2023": 1250}}),
                cells("Rent", "USD", 1, {"Boston": {"2022": 900, "2023": 1050}}),
                cells("Desks", "", 1, {"Paris": {"2022": 14, "2023": 14},
                                       "Boston": {"2022": 9, "2023": 10}}),
            ),
        ),
        Case(
            "gb18030, ten thousands",
            "csv",
            text_file(
                "shuju.csv",
                "公司,年份,营业收入(万元),员工人数\n甲公司,2022,1200.5,35\n甲公司,2023,1300,36\n"
                "乙公司,2022,800,20\n乙公司,2023,820,21\n",
                "gb18030",
            ),
            joined(
                cells("营业收入", "CNY", 10000, {"甲公司": {"2022": "1200.5", "2023": "1300"},
                                                "乙公司": {"2022": "800", "2023": "820"}}),
                cells("员工人数", "", 1, {"甲公司": {"2022": 35, "2023": 36},
                                          "乙公司": {"2022": 20, "2023": 21}}),
            ),
        ),
        Case(
            "utf-16 big endian, semicolons",
            "csv",
            text_file(
                "be.csv",
                "\ufeffLand;Jahr;Einfuhren (Mio. €);Häfen\nDänemark;2022;98,5;24\n"
                "Dänemark;2023;94,6;25\nSchweden;2022;66,2;11\nSchweden;2023;67,5;11\n",
                "utf-16-be",
            ),
            joined(
                cells("Einfuhren", "EUR", 1000000, {"Dänemark": {"2022": "98.5", "2023": "94.6"},
                                                    "Schweden": {"2022": "66.2", "2023": "67.5"}}),
                cells("Häfen", "", 1, {"Dänemark": {"2022": 24, "2023": 25},
                                       "Schweden": {"2022": 11, "2023": 11}}),
            ),
        ),
        Case(
            "trailing minus, hard spaces",
            "csv",
            text_file(
                "konten.csv",
                "Betrieb;Jahr;Ergebnis (EUR)\nUlm;2022;1\u00a0234,00-\nUlm;2023;12\u00a0500,50\n"
                "Jena;2022;n/a\nJena;2023;980,00\n",
            ),
            cells("Ergebnis", "EUR", 1, {"Ulm": {"2022": "-1234", "2023": "12500.50"},
                                         "Jena": {"2023": "980"}}),
        ),
        Case(
            "long format, unit by row",
            "csv",
            text_file(
                "long.csv",
                "Country,Indicator,Unit,Year,Value\nChile,GDP,USD billion,2022,301\n"
                "Chile,GDP,USD billion,2023,335.5\nChile,Unemployment rate,%,2022,7.9\n"
                "Chile,Unemployment rate,%,2023,8.7\nPeru,GDP,USD billion,2022,245\n"
                "Peru,GDP,USD billion,2023,267\nPeru,Unemployment rate,%,2022,4.5\n"
                "Peru,Unemployment rate,%,2023,5\n",
            ),
            joined(
                cells("GDP", "USD", 1000000000, {"Chile": {"2022": 301, "2023": "335.5"},
                                                 "Peru": {"2022": 245, "2023": 267}}),
                cells("Unemployment rate", "%", 1, {"Chile": {"2022": "7.9", "2023": "8.7"},
                                                    "Peru": {"2022": "4.5", "2023": "5"}}),
            ),
        ),
        Case(
            "crores of rupees",
            "csv",
            text_file(
                "crore.csv",
                "Company,Year,Turnover (₹ crore),Branches\nAsha,2022,120.5,31\nAsha,2023,125,32\n"
                "Bodh,2022,80,12\nBodh,2023,81,13\n",
            ),
            joined(
                cells("Turnover", "INR", 10000000, {"Asha": {"2022": "120.5", "2023": "125"},
                                                    "Bodh": {"2022": "80", "2023": "81"}}),
                cells("Branches", "", 1, {"Asha": {"2022": 31, "2023": 32},
                                          "Bodh": {"2022": 12, "2023": 13}}),
            ),
        ),
        Case(
            "cents and grams under one title",
            "csv",
            text_file(
                "mixed.csv",
                "All amounts in thousands of pounds sterling\nSite,Year,Energy costs,Energy (MWh),"
                "Visitors,Occupancy %\nKew,2022,300,41,1200,81.5\nKew,2023,310,42,1300,82\n"
                "Ely,2022,100,11,700,61\nEly,2023,90,10,720,63.5\n",
            ),
            joined(
                cells("Energy costs", "GBP", 1000, {"Kew": {"2022": 300, "2023": 310},
                                                    "Ely": {"2022": 100, "2023": 90}}),
                cells("Energy", "MWh", 1, {"Kew": {"2022": 41, "2023": 42},
                                           "Ely": {"2022": 11, "2023": 10}}),
                cells("Visitors", "", 1, {"Kew": {"2022": 1200, "2023": 1300},
                                          "Ely": {"2022": 700, "2023": 720}}),
                cells("Occupancy", "%", 1, {"Kew": {"2022": "81.5", "2023": "82"},
                                            "Ely": {"2022": "61", "2023": "63.5"}}),
            ),
        ),
    ]  # fmt: skip


def _laid_out() -> list[Case]:
    return [
        Case(
            "units in a second heading row",
            "csv",
            text_file(
                "unitrow.csv",
                "Company,Year,Revenue,Margin,Employees\n,,USD million,%,persons\n"
                "Alba,2022,120.5,12,410\nAlba,2023,131,13.5,425\nBrink,2022,80,9,300\n"
                "Brink,2023,84,9.5,310\n",
            ),
            joined(
                cells("Revenue", "USD", 1000000, {"Alba": {"2022": "120.5", "2023": "131"},
                                                  "Brink": {"2022": "80", "2023": "84"}}),
                cells("Margin", "%", 1, {"Alba": {"2022": "12", "2023": "13.5"},
                                         "Brink": {"2022": "9", "2023": "9.5"}}),
                cells("Employees", "", 1, {"Alba": {"2022": 410, "2023": 425},
                                           "Brink": {"2022": 300, "2023": 310}}),
            ),
        ),
        Case(
            "quarters as columns",
            "csv",
            text_file(
                "quarters.csv",
                "Order intake in EUR million\n;Q1 2023;Q2 2023;Q3 2023;Q4 2023\n"
                "Pumps;10,5;11;12,25;9\nValves;8;8,5;9;7,75\nSum;18,5;19,5;21,25;16,75\n",
            ),
            cells("Order intake", "EUR", 1000000,
                  {"Pumps": {"2023Q1": "10.5", "2023Q2": "11", "2023Q3": "12.25", "2023Q4": "9"},
                   "Valves": {"2023Q1": "8", "2023Q2": "8.5", "2023Q3": "9",
                              "2023Q4": "7.75"}}),
        ),
        Case(
            "periods over metrics",
            "csv",
            text_file(
                "over.csv",
                "Company,2022,,2023,\n,Revenue (USD m),Stores,Revenue (USD m),Stores\n"
                "Alba,100,14,110,15\nBrink,200,21,220.5,22\n",
            ),
            joined(
                cells("Revenue", "USD", 1000000, {"Alba": {"2022": 100, "2023": 110},
                                                  "Brink": {"2022": 200, "2023": "220.5"}}),
                cells("Stores", "", 1, {"Alba": {"2022": 14, "2023": 15},
                                        "Brink": {"2022": 21, "2023": 22}}),
            ),
        ),
        Case(
            "german scales by row",
            "csv",
            text_file(
                "posten.csv",
                "Posten;Einheit;2022;2023\nUmsatz;Mio. EUR;120,5;131,0\n"
                "Jahresüberschuss;Tsd. EUR;9.050;8.700\nMitarbeiter;Anzahl;410;425\n"
                "Eigenkapitalquote;%;41,5;42,0\n",
            ),
            joined(
                cells("Umsatz", "EUR", 1000000, {"*": {"2022": "120.5", "2023": "131"}}),
                cells("Jahresüberschuss", "EUR", 1000, {"*": {"2022": "9050", "2023": "8700"}}),
                cells("Mitarbeiter", "", 1, {"*": {"2022": 410, "2023": 425}}),
                cells("Eigenkapitalquote", "%", 1, {"*": {"2022": "41.5", "2023": "42"}}),
            ),
        ),
        Case(
            "footnotes on names and numbers, sums",
            "csv",
            text_file(
                "anmerkungen.csv",
                "Region;Jahr;Absatz (Stück)\nNord¹;2022;1.200\nNord¹;2023;1.250\nSüd;2022;800*\n"
                "Süd;2023;820\nSumme;2022;2.000\nInsgesamt;2023;2.070\n\n¹ ohne Inseln\n"
                "* vorläufig\n",
            ),
            cells("Absatz", "", 1, {"Nord": {"2022": 1200, "2023": 1250},
                                    "Süd": {"2022": 800, "2023": 820}}),
        ),
        Case(
            "months of the year in the title",
            "csv",
            text_file(
                "passengers.csv",
                "Passengers 2024\nAirport,Jan,Feb,Mar,Apr\nKirkwall,1200,1100,1350,1400\n"
                "Lerwick,800,790,910,950\n",
            ),
            cells("Passengers", "", 1,
                  {"Kirkwall": {"2024-01": 1200, "2024-02": 1100, "2024-03": 1350,
                                "2024-04": 1400},
                   "Lerwick": {"2024-01": 800, "2024-02": 790, "2024-03": 910,
                               "2024-04": 950}}),
        ),
        Case(
            "another table beneath, another shape",
            "csv",
            text_file(
                "beneath.csv",
                "Plant,Year,Output (t)\nUlm,2022,410\nUlm,2023,415.5\nJena,2022,300\n"
                "Jena,2023,305\n\nEmissions\nPlant,2022,2023\nUlm,41,42\nJena,30,31\n",
            ),
            cells("Output", "t", 1, {"Ulm": {"2022": 410, "2023": "415.5"},
                                     "Jena": {"2022": 300, "2023": 305}}),
        ),
        Case(
            "counts of many names",
            "csv",
            text_file(
                "many.csv",
                "USD m,,,,,\nCompany,Year,Sales,Vehicles,Tickets sold,FTE\n"
                "Alba,2022,50,410,9100,77.5\nAlba,2023,52,420,9300,78\nBrink,2022,20,110,3100,21\n"
                "Brink,2023,21,120,3300,22.5\n",
            ),
            joined(
                cells("Sales", "USD", 1000000, {"Alba": {"2022": 50, "2023": 52},
                                                "Brink": {"2022": 20, "2023": 21}}),
                cells("Vehicles", "", 1, {"Alba": {"2022": 410, "2023": 420},
                                          "Brink": {"2022": 110, "2023": 120}}),
                cells("Tickets sold", "", 1, {"Alba": {"2022": 9100, "2023": 9300},
                                              "Brink": {"2022": 3100, "2023": 3300}}),
                cells("FTE", "", 1, {"Alba": {"2022": "77.5", "2023": "78"},
                                     "Brink": {"2022": "21", "2023": "22.5"}}),
            ),
        ),
    ]  # fmt: skip


def _workbooks() -> list[Case]:
    return [
        Case(
            "percent and scale by number format",
            "xlsx",
            workbook(
                "formats.xlsx",
                {"Figures": [
                    ["Company", "Year", "Margin", "Revenue", "Staff"],
                    ["Alba", 2022, 0.125, 1500, 40], ["Alba", 2023, 0.13, 1600, 41],
                    ["Brink", 2022, 0.2, 700, 12], ["Brink", 2023, 0.215, 950, 15],
                ]},
                formats={"Figures": {"C2:C5": "0.0%", "D2:D5": '#,##0.00 "€"'}},
            ),
            joined(
                cells("Margin", "%", 1, {"Alba": {"2022": "12.5", "2023": "13"},
                                         "Brink": {"2022": "20", "2023": "21.5"}}),
                cells("Revenue", "EUR", 1, {"Alba": {"2022": 1500, "2023": 1600},
                                            "Brink": {"2022": 700, "2023": 950}}),
                cells("Staff", "", 1, {"Alba": {"2022": 40, "2023": 41},
                                       "Brink": {"2022": 12, "2023": 15}}),
            ),
        ),
        Case(
            "a table that begins at C4, with empty rows",
            "xlsx",
            workbook(
                "offset.xlsx",
                {"S": [
                    ["Region", None, "Year", "Sales (kUSD)", "Shops"],
                    ["North", None, 2022, 410, 4], [], ["North", None, 2023, 420, 5],
                    ["South", None, 2022, 300, 3], [], [], ["South", None, 2023, 330, 3],
                ]},
                first=(4, 3),
            ),
            joined(
                cells("Sales", "USD", 1000, {"North": {"2022": 410, "2023": 420},
                                             "South": {"2022": 300, "2023": 330}}),
                cells("Shops", "", 1, {"North": {"2022": 4, "2023": 5},
                                       "South": {"2022": 3, "2023": 3}}),
            ),
        ),
        Case(
            "month ends as column headings",
            "xlsx",
            workbook(
                "monthends.xlsx",
                {"Cash": [
                    ["Cash (CHF)", None, None, None],
                    ["Bank", datetime(2024, 1, 31), datetime(2024, 2, 29), datetime(2024, 3, 31)],
                    ["Nord", 100, 120.5, 130], ["West", 50, 40, 45],
                ]},
            ),
            cells("Cash", "CHF", 1,
                  {"Nord": {"2024-01-31": 100, "2024-02-29": "120.5", "2024-03-31": 130},
                   "West": {"2024-01-31": 50, "2024-02-29": 40, "2024-03-31": 45}}),
        ),
        Case(
            "formulas without results",
            "xlsx",
            workbook(
                "unsaved.xlsx",
                {"S": [
                    ["Branch", "Year", "Deposits (GBP)", "Loans (GBP)"],
                    ["Leeds", 2022, 500, "=C2*2"], ["Leeds", 2023, 520, "=C3*2"],
                    ["York", 2022, 300, "=C4*2"], ["York", 2023, 310, "=C5*2"],
                ]},
            ),
            joined(
                cells("Deposits", "GBP", 1, {"Leeds": {"2022": 500, "2023": 520},
                                             "York": {"2022": 300, "2023": 310}}),
                cells("Loans", "GBP", 1, {"Leeds": {"2022": 1000, "2023": 1040},
                                          "York": {"2022": 600, "2023": 620}}),
            ),
            undecidable=True,
        ),
        Case(
            "statement with an indented breakdown",
            "xlsx",
            workbook(
                "statement.xlsx",
                {"P&L": [
                    ["Brink plc"], ["Profit and loss account"], ["£000", 2023, 2022],
                    ["Turnover", 1310, 1205], ["  of which UK", 900, 850],
                    ["Average number of employees", 52, 49], ["Profit before tax", 160, -118],
                ]},
            ),
            joined(
                cells("Turnover", "GBP", 1000, {"*": {"2023": 1310, "2022": 1205}}),
                cells("Average number of employees", "", 1, {"*": {"2023": 52, "2022": 49}}),
                cells("Profit before tax", "GBP", 1000, {"*": {"2023": 160, "2022": -118}}),
            ),
        ),
    ]  # fmt: skip


def _documents() -> list[Case]:
    balance = [
        ["in CHF million", "31.12.2023", "31.12.2022"],
        ["Total assets", "5,310.5", "5,205.0"],
        ["Borrowings", "1,100.0", "1,050.0"],
        ["Equity", "2,160.0", "2,118.4"],
    ]
    told = joined(
        cells("Total assets", "CHF", 1000000,
              {"*": {"2023-12-31": "5310.5", "2022-12-31": "5205.0"}}),
        cells("Borrowings", "CHF", 1000000, {"*": {"2023-12-31": "1100", "2022-12-31": "1050"}}),
        cells("Equity", "CHF", 1000000, {"*": {"2023-12-31": "2160", "2022-12-31": "2118.4"}}),
    )  # fmt: skip
    by_region = [
        ["Region", "Revenue (EUR million)", None, "Shops", None],
        ["", "2022", "2023", "2022", "2023"],
        ["North", "10.5", "11.5", "12", "14"],
        ["South", "8.5", "9", "5", "6"],
        ["Total", "19", "20.5", "17", "20"],
    ]
    of_regions = joined(
        cells("Revenue", "EUR", 1000000, {"North": {"2022": "10.5", "2023": "11.5"},
                                          "South": {"2022": "8.5", "2023": "9"}}),
        cells("Shops", "", 1, {"North": {"2022": 12, "2023": 14},
                               "South": {"2022": 5, "2023": 6}}),
    )  # fmt: skip
    return [
        Case("balance sheet", "docx", word("balance.docx", ["Nord Bank AG", "Balance sheet",
                                                            balance]), told),
        Case("merged headings, totals", "docx",
             word("regions.docx", ["Sales", by_region]), of_regions),
        Case("printed balance sheet", "pdf",
             printed("balance.pdf", ["Nord Bank AG", "Balance sheet", balance], ruled=True), told),
        Case(
            "printed, columns to the left",
            "pdf",
            printed(
                "plants.pdf",
                ["Output of the plants", "Unless otherwise stated, in tonnes.",
                 [["Plant", "Year", "Output", "Workers"], ["Ulm", "2022", "410", "31"],
                  ["Ulm", "2023", "415.5", "32"], ["Bad Berka", "2022", "300", "20"],
                  ["Bad Berka", "2023", "305", "21"]]],
                right=False,
            ),
            joined(
                cells("Output", "t", 1, {"Ulm": {"2022": 410, "2023": "415.5"},
                                         "Bad Berka": {"2022": 300, "2023": 305}}),
                cells("Workers", "", 1, {"Ulm": {"2022": 31, "2023": 32},
                                         "Bad Berka": {"2022": 20, "2023": 21}}),
            ),
        ),
        Case(
            "html with footnotes",
            "html",
            text_file(
                "wiki.html",
                "<html><body><table><tr><td>Home</td><td>About</td></tr></table>"
                "<table><caption>Population and GDP</caption><tr><th>Country</th><th>Year</th>"
                "<th>GDP (US$ billion)<sup>[1]</sup></th><th>Population</th></tr>"
                "<tr><td>Chile<sup>a</sup></td><td>2022</td><td>301</td><td>19,600,000</td></tr>"
                "<tr><td>Chile<sup>a</sup></td><td>2023</td><td>335.5</td><td>19,630,000</td></tr>"
                "<tr><td>Peru</td><td>2022</td><td>245</td><td>34,050,000</td></tr>"
                "<tr><td>Peru</td><td>2023</td><td>&nbsp;267</td><td>34,350,000</td></tr>"
                "<tr><td colspan=4>a Including Easter Island.</td></tr></table></body></html>",
            ),
            joined(
                cells("GDP", "USD", 1000000000, {"Chile": {"2022": 301, "2023": "335.5"},
                                                 "Peru": {"2022": 245, "2023": 267}}),
                cells("Population", "", 1, {"Chile": {"2022": 19600000, "2023": 19630000},
                                            "Peru": {"2022": 34050000, "2023": 34350000}}),
            ),
        ),
        Case(
            "parquet with dates and doubles",
            "parquet",
            parquet(
                "monthly.parquet",
                "SELECT * FROM (VALUES ('Ulm', DATE '2024-01-31', 10.5::DOUBLE, 3::INTEGER), "
                "('Ulm', DATE '2024-02-29', 11.25, 4), ('Jena', DATE '2024-01-31', 7.75, 2), "
                "('Jena', DATE '2024-02-29', 8, 2)) "
                "AS t(plant, month_end, inventory_eur_thousand, machines)",
            ),
            joined(
                cells("inventory", "EUR", 1000, {"Ulm": {"2024-01-31": "10.5",
                                                         "2024-02-29": "11.25"},
                                                 "Jena": {"2024-01-31": "7.75",
                                                          "2024-02-29": "8"}}),
                cells("machines", "", 1, {"Ulm": {"2024-01-31": 3, "2024-02-29": 4},
                                          "Jena": {"2024-01-31": 2, "2024-02-29": 2}}),
            ),
        ),
    ]  # fmt: skip
