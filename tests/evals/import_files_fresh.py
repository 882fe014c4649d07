"""Messy files of the import eval, written after the reader and run once before any look."""

from __future__ import annotations

from datetime import date

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


def fresh() -> list[Case]:
    """Every case, in the order of the report."""
    return [
        Case(
            "bakeries: three currencies and loaves",
            "csv",
            text_file(
                "bakeries.csv",
                "Bakery,FY,Takings (DKK),Flour costs (EUR k),Loaves,Ovens\n"
                "Torvet,2021,910000,41.5,120400,3\nTorvet,2022,935000,44,121900,3\n"
                "Havnen,2021,410000,20,52000,2\nHavnen,2022,405000,21.5,50100,2\n",
            ),
            joined(
                cells("Takings", "DKK", 1, {"Torvet": {"2021": 910000, "2022": 935000},
                                            "Havnen": {"2021": 410000, "2022": 405000}}),
                cells("Flour costs", "EUR", 1000, {"Torvet": {"2021": "41.5", "2022": "44"},
                                                   "Havnen": {"2021": "20", "2022": "21.5"}}),
                cells("Loaves", "", 1, {"Torvet": {"2021": 120400, "2022": 121900},
                                        "Havnen": {"2021": 52000, "2022": 50100}}),
                cells("Ovens", "", 1, {"Torvet": {"2021": 3, "2022": 3},
                                       "Havnen": {"2021": 2, "2022": 2}}),
            ),
        ),
        Case(
            "ships in a table of money",
            "csv",
            text_file(
                "fleet.csv",
                "Amounts in NOK million unless stated otherwise\nLine,Year,Freight income,Vessels,"
                "Voyages,Fuel expenses,Utilisation rate\nNorth,2022,410,12,880,101,0.91\n"
                "North,2023,420,13,901,120,0.93\nSouth,2022,210,5,410,55,0.85\n"
                "South,2023,215,5,400,60,0.81\n",
            ),
            joined(
                cells("Freight income", "NOK", 1000000,
                      {"North": {"2022": 410, "2023": 420}, "South": {"2022": 210, "2023": 215}}),
                cells("Vessels", "", 1, {"North": {"2022": 12, "2023": 13},
                                         "South": {"2022": 5, "2023": 5}}),
                cells("Voyages", "", 1, {"North": {"2022": 880, "2023": 901},
                                         "South": {"2022": 410, "2023": 400}}),
                cells("Fuel expenses", "NOK", 1000000,
                      {"North": {"2022": 101, "2023": 120}, "South": {"2022": 55, "2023": 60}}),
            ),
        ),
        Case(
            "french, cp1252, semicolons",
            "csv",
            text_file(
                "resultats.csv",
                "Société;Année;Chiffre d'affaires (k€);Effectif\nÉtoile;2022;1 250,5;41\n"
                "Étoile;2023;1 310,0;43\nBrise;2022;805,0;20\nBrise;2023;790,25;19\n",
                "cp1252",
            ),
            joined(
                cells("Chiffre d'affaires", "EUR", 1000,
                      {"Étoile": {"2022": "1250.5", "2023": "1310"},
                       "Brise": {"2022": "805", "2023": "790.25"}}),
                cells("Effectif", "", 1, {"Étoile": {"2022": 41, "2023": 43},
                                          "Brise": {"2022": 20, "2023": 19}}),
            ),
        ),
        Case(
            "years down, countries across",
            "csv",
            text_file(
                "across.csv",
                "Wheat harvest (t)\nYear,Poland,Latvia,Spain\n2021,1210,300,840\n"
                "2022,1300,310,650\n"
                "2023,1275,290,410\n",
            ),
            cells("Wheat harvest", "t", 1, {"Poland": {"2021": 1210, "2022": 1300, "2023": 1275},
                                            "Latvia": {"2021": 300, "2022": 310, "2023": 290},
                                            "Spain": {"2021": 840, "2022": 650, "2023": 410}}),
        ),
        Case(
            "repeated header, subtotals and a note",
            "csv",
            text_file(
                "pages.csv",
                "Depot,Year,Parcels,Fees (PLN)\n"
                "Lodz,2022,1200,5100\nLodz,2023,1250,5300\n"
                "Subtotal,2023,2450,10400\nDepot,Year,Parcels,Fees (PLN)\nPoznan,2022,900,3900\n"
                "Poznan,2023,905,4000\nGrand total,2023,4255,18300\nPrepared by accounts\n",
            ),
            joined(
                cells("Parcels", "", 1, {"Lodz": {"2022": 1200, "2023": 1250},
                                         "Poznan": {"2022": 900, "2023": 905}}),
                cells("Fees", "PLN", 1, {"Lodz": {"2022": 5100, "2023": 5300},
                                         "Poznan": {"2022": 3900, "2023": 4000}}),
            ),
        ),
        Case(
            "quarterly board pack",
            "xlsx",
            workbook(
                "pack.xlsx",
                {
                    "Cover": [["Board pack"], [date(2024, 5, 2)]],
                    "KPIs": [
                        ["Key indicators"], [],
                        ["", "Q1 2024", "Q2 2024"],
                        ["Revenue (USD m)", 12.5, 13],
                        ["Gross margin (%)", 41.5, 42],
                        ["Active users", 51200, 53100],
                    ],
                },
            ),
            joined(
                cells("Revenue", "USD", 1000000, {"*": {"2024Q1": "12.5", "2024Q2": 13}}),
                cells("Gross margin", "%", 1, {"*": {"2024Q1": "41.5", "2024Q2": 42}}),
                cells("Active users", "", 1, {"*": {"2024Q1": 51200, "2024Q2": 53100}}),
            ),
        ),
        Case(
            "merged years over measures",
            "xlsx",
            workbook(
                "wards.xlsx",
                {"Wards": [
                    ["Clinic", 2022, None, 2023, None],
                    [None, "Beds", "Costs (GBP k)", "Beds", "Costs (GBP k)"],
                    ["Ely", 40, 910, 42, 950.5], ["Kew", 12, 300, 12, 310],
                ]},
                merges={"Wards": ["B1:C1", "D1:E1"]},
            ),
            joined(
                cells("Beds", "", 1, {"Ely": {"2022": 40, "2023": 42},
                                      "Kew": {"2022": 12, "2023": 12}}),
                cells("Costs", "GBP", 1000, {"Ely": {"2022": 910, "2023": "950.5"},
                                             "Kew": {"2022": 300, "2023": 310}}),
            ),
        ),
        Case(
            "a memo with a grant table",
            "docx",
            word("memo.docx", [
                "To the trustees", "All figures in thousands of Swiss francs.",
                [["Programme", "2022", "2023"], ["Libraries", "410.5", "420"],
                 ["Museums", "300", "(25)"], ["Total", "710.5", "395"]],
                "Signed in Bern.",
            ]),
            cells("*", "CHF", 1000, {"Libraries": {"2022": "410.5", "2023": "420"},
                                     "Museums": {"2022": "300", "2023": "-25"}}),
            undecidable=True,
        ),
        Case(
            "printed half-year figures",
            "pdf",
            printed("half.pdf", [
                "Interim report", "EUR million",
                [["", "H1 2024", "H1 2023"], ["Net sales", "1,210.4", "1,150.0"],
                 ["Operating expenses", "(1,010.2)", "(990.0)"],
                 ["Employees at period end", "5,120", "5,004"]],
                "Unaudited.",
            ]),
            tuple(
                cell._replace(start=date(year, 1, 1), end=date(year, 6, 30))
                for year in (2024, 2023)
                for cell in joined(
                    cells("Net sales", "EUR", 1000000,
                          {"*": {str(year): {2024: "1210.4", 2023: "1150"}[year]}}),
                    cells("Operating expenses", "EUR", 1000000,
                          {"*": {str(year): {2024: "-1010.2", 2023: "-990"}[year]}}),
                    cells("Employees at period end", "", 1,
                          {"*": {str(year): {2024: 5120, 2023: 5004}[year]}}),
                )
            ),
        ),
        Case(
            "html with a unit in the caption",
            "html",
            text_file(
                "harbours.html",
                "<table><caption>Dues collected (in thousands of EUR)</caption><thead><tr>"
                "<th>Harbour<th>2022<th>2023</tr></thead><tr><td>Kiel<td>1.210,5<td>1.300,0</tr>"
                "<tr><td>Emden<td>810,0<td>790,5</tr><tr><td>Summe<td>2.020,5<td>2.090,5</tr>"
                "</table>",
            ),
            cells("*", "EUR", 1000, {"Kiel": {"2022": "1210.5", "2023": "1300"},
                                     "Emden": {"2022": "810", "2023": "790.5"}}),
            undecidable=True,
        ),
        Case(
            "parquet, long with currencies",
            "parquet",
            parquet(
                "long.parquet",
                "SELECT * FROM (VALUES ('Ulm', 2022, 'Revenue', 10.5::DECIMAL(9,2), 'EUR'), "
                "('Ulm', 2022, 'Visitors', 310, NULL), ('Jena', 2022, 'Revenue', 7.25, 'EUR'), "
                "('Jena', 2022, 'Visitors', 120, NULL)) AS t(site, year, metric, value, currency)",
            ),
            joined(
                cells("Revenue", "EUR", 1, {"Ulm": {"2022": "10.5"}, "Jena": {"2022": "7.25"}}),
                cells("Visitors", "", 1, {"Ulm": {"2022": 310}, "Jena": {"2022": 120}}),
            ),
        ),
    ]  # fmt: skip
