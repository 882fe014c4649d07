"""Passages, and questions that one of them answers: by its words, by others, in another language.

A query is (words, number of the passage that answers it). `SEEN` was open while the channel was
built, `HELD_OUT` was not read before the end.
"""

from __future__ import annotations

PASSAGES = (
    "Freight rates on the northern route rose by a fifth after the canal closed.",
    "The group hired 240 engineers for its new laboratory in Ulm.",
    "Management expects turnover to grow slowly, since households save more.",
    "A fire destroyed the warehouse at Kirkwall; insurers paid for most of the damage.",
    "The dividend was cut to keep cash for the purchase of a rival.",
    "Energy prices doubled in winter and cost the smelter its margin.",
    "Employees are paid a bonus when accidents stay below the target.",
    "Customers abroad now buy more by telephone application than in shops.",
    "The regulator fined the bank for late reports about money laundering.",
    "Drought reduced the harvest, so that imports of grain had to rise.",
    "The board appointed a new chief executive after the summer recess.",
    "Emissions of the fleet fell, because half of the lorries are electric.",
    "The contract for the harbour was lost to a cheaper bidder.",
    "Research into batteries takes a tenth of all expenditure.",
    "A strike stopped the assembly line for nine days in spring.",
    "The auditors doubt that the subsidiary can repay its loans.",
    "由于原材料涨价，公司的毛利率下降了两个百分点。",
    "公司计划明年在香港开设三家新门店。",
    "Die Mieten in der Innenstadt zwangen zwei Filialen zur Schliessung.",
    "Der Umsatz stieg, weil mehr Reisende die Flughäfen nutzten.",
    "Software outages kept passengers waiting at every airport for hours.",
    "The pension scheme is short of funds after life expectancy rose.",
    "Tourists returned to the islands and hotels were full in autumn.",
    "Interest on the bonds is fixed until the end of the decade.",
    "A patent dispute with a maker of sensors was settled out of court.",
)

SEEN = (
    ("freight rates northern route", 0),
    ("dividend cut", 4),
    ("assembly line strike", 14),
    ("new chief executive", 10),
    ("shipping became more expensive", 0),
    ("workers recruited for research site", 1),
    ("how did revenue develop according to managers", 2),
    ("blaze at a storehouse", 3),
    ("electricity became dearer", 5),
    ("staff injuries reward", 6),
    ("mobile purchases by clients overseas", 7),
    ("penalty from the supervisor", 8),
    ("raw material inflation hurt gross margin", 16),
    ("new stores in Hong Kong", 17),
)

HELD_OUT = (
    ("emissions of the fleet", 11),
    ("pension scheme funds", 21),
    ("patent dispute sensors", 24),
    ("bonds interest fixed", 23),
    ("crop failure because of dry weather", 9),
    ("trucks without diesel pollution", 11),
    ("port agreement went to a competitor", 12),
    ("spending on development of accumulators", 13),
    ("walkout halted production", 14),
    ("accountants question whether debt is paid back", 15),
    ("expensive rents closed branches", 18),
    ("computer failures delayed travellers", 20),
    ("holidaymakers filled accommodation", 22),
    ("lawsuit about inventions ended", 24),
)

# Questions that no passage answers: nothing should be found.
UNANSWERABLE = (
    "recipe for apple pie",
    "who won the football championship",
    "distance between the moon and mars",
    "grammar of ancient languages",
    "how to knit a scarf",
    "painting techniques of the baroque",
)

# What the loopback embedder knows: words of one meaning stand in one line. It stands for a model
# of embeddings, which knows more; nothing here names a passage or a query as a whole.
MEANINGS = """
freight shipping cargo transport 货运
expensive dearer costly rose doubled inflation price prices rates increase 涨价 teuer
worker workers staff employee employees engineer engineers labour personnel
hire hired recruited recruit appointed appoint
laboratory research development science site
turnover revenue sales revenues umsatz 收入
manager managers management board executives executive chief
fire blaze burnt destroyed
warehouse storehouse depot
dividend payout
energy electricity power fuel
accident accidents injury injuries safety
bonus reward
customer customers client clients buyer buyers households
abroad overseas foreign
telephone mobile phone application
buy purchase purchases
regulator supervisor authority
fine fined penalty
drought dry weather
harvest crop crops grain
emission emissions pollution exhaust
lorry lorries truck trucks fleet diesel vehicles
contract agreement deal
harbour port docks
competitor competitors rival bidder
lost went failure outages failures
battery batteries accumulator accumulators
expenditure spending spend outlay
strike walkout stoppage
assembly production manufacturing
stopped halted halt
auditor auditors accountant accountants
doubt question doubts
loan loans debt debts credit
repay paid pay
material materials 原材料
margin 毛利率
store stores shop shops branch branches filiale filialen 门店
hongkong kong 香港
rent rents mieten miete
closed closing schliessung
software computer systems
passenger passengers traveller travellers tourist tourists holidaymakers reisende
waiting delayed delay
airport airports flughäfen
hotel hotels accommodation
full filled
pension retirement
patent inventions invention
dispute lawsuit court
settled ended
"""
