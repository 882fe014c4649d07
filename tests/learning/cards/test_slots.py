"""An answer stands in the very place of its quote that its question leaves open."""

from __future__ import annotations

import pytest

from groundwire.learning.cards.checks import check_card
from groundwire.learning.cards.types import CardDraft, Gap, Passage, leaves_open


def gaps(front: str, back: str, quote: str) -> list[Gap]:
    return check_card(CardDraft("atomic", front, back, quote), Passage("p", quote, "Text", ""))


@pytest.mark.parametrize(
    ("front", "right", "wrong", "quote"),
    [
        ("Which gas do plants release?", "Oxygen", "Carbon dioxide",
         "Plants take up carbon dioxide and release oxygen."),
        ("Which hormone raises blood sugar?", "", "Insulin",
         "Insulin lowers blood sugar; glucagon raises it."),
        ("What melts at 1064 °C?", "", "Silver", "Silver melts at 962 °C and gold at 1064 °C."),
        ("What do antibodies attack?", "Germs", "The body",
         "Antibodies attack germs that enter the body."),
        ("Whom did Plato teach?", "Aristotle", "Alexander",
         "Plato taught Aristotle, who taught Alexander."),
        ("What is faster than sound?", "Light", "", "Light is faster than sound."),
        ("What is faster than light?", "", "Sound", "Light is faster than sound."),
        ("When is deep sleep deepest?", "In the first third of the night",
         "In the last third of the night",
         "Deep sleep is deepest in the first third of the night, dreaming sleep in the last."),
        ("Why did the bridge collapse?", "Because its bolts had rusted",
         "Because it was built in 1900",
         "The bridge, built in 1900, collapsed because its bolts had rusted."),
        ("Who paid whom?", "Ann paid Bob", "Bob paid Ann", "Ann paid Bob."),
        ("What is stored in the liver?", "", "Insulin", "Insulin makes the liver store sugar."),
        ("What percentage of the workers are women?", "60 %", "40 %",
         "60 % of the workers are women and 40 % men."),
        ("Wo mündet die Donau?", "In Rumänien", "In Deutschland",
         "Die Donau entspringt in Deutschland und mündet in Rumänien."),
        ("Wie lange leben die Bienen im Winter?", "", "Rund sechs Wochen",
         "Die Bienen leben im Sommer nur rund sechs Wochen, im Winter dagegen mehrere Monate."),
        ("北京比哪里热？", "", "上海", "上海比北京热。"),
        ("Did he write the letter?", "", "Yes", "He claimed to have written the letter."),
    ],
)  # fmt: skip
def test_an_answer_stands_where_its_question_asks(
    front: str, right: str, wrong: str, quote: str
) -> None:
    assert not right or not gaps(front, right, quote)
    found = gaps(front, wrong, quote) if wrong else []
    assert not wrong or (found and found[0].reason in ("attachment", "negation"))


@pytest.mark.parametrize(
    ("front", "back", "quote"),
    [
        ("For how long did the war last?", "30 years", "The war lasted from 1618 to 1648."),
        ("What can a virus not do without a host?", "Multiply",
         "A virus cannot multiply without a host."),
        ("Are spiders insects?", "No, they are arachnids",
         "Spiders are arachnids rather than insects."),
    ],
)  # fmt: skip
def test_what_may_be_right_is_a_draft_and_not_refused(front: str, back: str, quote: str) -> None:
    assert leaves_open(gaps(front, back, quote))


def test_a_draft_is_offered_as_a_cloze_that_its_quote_proves() -> None:
    quote = "Cacti open their pores at night and store carbon dioxide as malic acid until morning."
    found = gaps("As what do cacti keep carbon dioxide overnight?", "Malic acid", quote)
    offered = found[0].suggestions[0]
    assert offered == quote.replace("malic acid", "{{c1::malic acid}}")
    assert not check_card(CardDraft("cloze", offered, "", quote), Passage("p", quote, "Text", ""))
