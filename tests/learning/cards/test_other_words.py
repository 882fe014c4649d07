"""Cards in other words than their quotes: which are proven, and which are left open."""

from __future__ import annotations

import pytest

from groundwire.learning.cards.checks import check_card
from groundwire.learning.cards.types import CardDraft, Passage

TRUE = (
    ("How many things can the shelf carry?", "Roughly 40",
     "The shelf can carry about 40 items at a time."),
    ("How much does demand fall in the second year?", "By a third",
     "Demand falls by a half in the first year, and by a third in the second year."),
    ("How is money moved into savings?", "By standing orders",
     "Standing orders move money from checking into savings."),
    ("What do we call it when bread rises?", "Proofing",
     "The rising of bread is called proofing, the falling is called collapse."),
    ("At what temperature does mercury boil?", "357 °C",
     "Iron boils at 2,862 °C, mercury at 357 °C."),
    ("What do plants release at night?", "Carbon dioxide",
     "Plants release oxygen by day and carbon dioxide at night."),
    ("Who taught Plato?", "Socrates", "Plato taught Aristotle, and Socrates taught Plato."),
    ("Wie viel Prozent der Fläche werden von Wald bedeckt?", "Etwa 30 %",
     "Wald bedeckt rund 30 % der Fläche, Wiesen bedecken nur 12 %."),
    ("Wie viele aktive Quellen gibt es hier ungefähr?", "Rund 1500",
     "Etwa 1500 Quellen gelten hier als aktiv."),
    ("Wer besiegte die Karthager?", "Die Römer",
     "Die Römer besiegten die Karthager im Jahr 202 bei Zama."),
    ("水为什么看上去是蓝色的？", "因为水几乎不吸收蓝光",
     "水几乎不吸收蓝光，所以水看起来是蓝色的。"),
    ("谁打败了项羽？", "刘邦", "刘邦打败了项羽。"),
    ("《茶经》是谁写的？", "陆羽", "陆羽写成《茶经》，共三卷。"),
    ("Wer schrieb der Königin einen Brief?", "Der Minister",
     "Der Minister schrieb der Königin einen Brief."),
    ("Which organ stores bile?", "The gallbladder",
     "The liver produces bile, and the gallbladder stores it."),
)  # fmt: skip
FALSE = (
    ("How much does demand fall in the first year?", "By a third",
     "Demand falls by a half in the first year, and by a third in the second year."),
    ("What do we call it when bread falls?", "Proofing",
     "The rising of bread is called proofing, the falling is called collapse."),
    ("Which is the last planet?", "Mercury",
     "Mercury is the first planet. Neptune is the last."),
    ("How many grams are there in a pound?", "28",
     "A pound is 454 grams. An ounce is 28 grams."),
    ("At what temperature does iron boil?", "357 °C",
     "Iron boils at 2,862 °C, mercury at 357 °C."),
    ("What does the smoke keep out of the hall?", "A curtain",
     "A curtain keeps the smoke out of the hall."),
    ("What eats the fox?", "The rabbit", "The fox eats the rabbit in winter."),
    ("What caused the strike?", "The closing of the mine",
     "The strike caused the closing of the mine in 1984."),
    ("What do plants release at night?", "Oxygen",
     "Plants release oxygen by day and carbon dioxide at night."),
    ("How many students failed?", "30", "Of about 30 students 4 failed."),
    ("Why is the harvest poor?", "Because only a tenth of it is stored as starch",
     "Only a tenth of the sugar is stored as starch in the root."),
    ("What colour is the left lamp?", "Green",
     "The left lamp is red. The right lamp stands on the pier, and its colour is green."),
    ("Where does the road from Rome lead?", "Pisa", "The road leads from Pisa to Rome."),
    ("How many items does permanent memory hold?", "About four",
     "Working memory holds about four items. Practice moves them into permanent memory."),
    ("Wer schrieb den Brief?", "Die Königin", "Der Minister schrieb der Königin einen Brief."),
    ("皇帝派谁去北方？", "使者", "使者请皇帝派将军去北方。"),
    ("谁写信给李白？", "杜甫", "李白写信给杜甫。"),
    ("Wer besiegte die Römer?", "Hannibal",
     "Die Römer besiegten Hannibal im Jahr 202 bei Zama."),
    ("Wen besiegten die Karthager?", "Die Römer",
     "Die Römer besiegten die Karthager im Jahr 202 bei Zama."),
    ("Wie nennt man Eis, wenn es geschmolzen ist?", "Gletscher",
     "Gletscher, der geschmolzen ist, heißt Eis."),
    ("Wie viele Quellen gelten hier nicht als aktiv?", "Rund 1500",
     "Etwa 1500 Quellen gelten hier als aktiv."),
    ("谁命令皇帝修建长城？", "蒙恬", "蒙恬奉皇帝之命修建长城。"),
    ("水为什么几乎不吸收蓝光？", "因为水看起来是蓝色的",
     "水几乎不吸收蓝光，所以水看起来是蓝色的。"),
)  # fmt: skip


def gaps(front: str, back: str, text: str) -> list[str]:
    passage = Passage("p1", text, "A source", "section 1")
    return [gap.reason for gap in check_card(CardDraft("atomic", front, back, text, "p1"), passage)]


@pytest.mark.parametrize(("front", "back", "text"), TRUE)
def test_other_words_may_say_the_same(front: str, back: str, text: str) -> None:
    assert gaps(front, back, text) == []


@pytest.mark.parametrize(("front", "back", "text"), FALSE)
def test_the_words_of_a_quote_may_say_something_else(front: str, back: str, text: str) -> None:
    assert gaps(front, back, text)


def test_words_in_pieces_leave_a_card_open() -> None:
    text = "A lock lets boats pass between two levels of water."
    front = "Boats pass between two water levels through a {{c1::lock}}."
    passage = Passage("p1", text, "A source", "section 1")
    found = check_card(CardDraft("cloze", front, "lock", text, "p1"), passage)
    assert found and all(gap.reason in ("word", "attachment") for gap in found)
