"""What verify_answer says to do with a draft, by the status of its claims."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.claims.claim import POSSIBLE, Check, Claim, Status, verdict_of
from groundwire.serving.claim_advice import MOST_LINES, Advice, advice_on

EAST = "East Germany had 83.2 million people in 2020."


def advised(draft: str, *claims: tuple[str, Status, str], beyond: Sequence[str] = ()) -> Advice:
    made = tuple(
        Claim(
            text, "number", status, None, detail, draft.index(text), draft.index(text) + len(text)
        )
        for text, status, detail in claims
    )
    left = tuple(f"{c.text}: {c.detail}" for c in made if c.status == "not_judged")
    return advice_on(draft, Check(made, verdict_of(made), (*beyond, *left)))


def test_what_holds_needs_no_line() -> None:
    advice = advised(EAST, ("83.2 million", "supported", "population of Germany"))
    assert (advice.lines, advice.not_judged, advice.left_out) == ((), (), 0)
    assert advice.claims[0].detail == "population of Germany"


def test_of_a_contradicted_figure_the_record_is_named_last() -> None:
    advice = advised(EAST, ("83.2 million", "contradicted", "the record has 16.1 million people"))
    assert advice.lines == ('"83.2 million" is contradicted: the record has 16.1 million people',)
    assert advice.claims[0].detail.endswith("the record has 16.1 million people")


def test_what_no_record_says_is_to_be_looked_up_or_dropped() -> None:
    advice = advised(EAST, ("83.2 million", "unsupported", "no record has this value"))
    assert "look it up or drop it" in advice.lines[0]
    assert advice.claims[0].detail == "no record has this value: look it up or drop it"


def test_a_figure_that_follows_from_others_is_to_be_told_with_them() -> None:
    told = f"{POSSIBLE}: 85 − 1.8"
    advice = advised(EAST, ("83.2 million", "unsupported", told))
    assert "if it is computed, say in the same sentence what from" in advice.lines[0]
    assert "85 − 1.8" in advice.lines[0]
    assert EAST in advice.lines[0]


def test_words_that_nothing_proves_are_named_once_for_a_sentence() -> None:
    told = "recorded; not understood or not proven: 'East'"
    advice = advised(EAST, ("83.2 million", "not_judged", told), ("2020", "not_judged", told))
    assert [one.words for one in advice.claims] == [("East",), ("East",)]
    assert advice.lines == (f"\"{EAST}\": drop or rephrase 'East', which nothing proves",)
    assert advice.not_judged == advice.lines
    assert advice.claims[0].detail.endswith("drop or rephrase them: 'East'")


def test_a_sentence_is_dropped_where_it_says_nothing_without_the_words() -> None:
    for draft, word in (
        ("Auditors confirmed 83.2 million people.", "Auditors"),
        ("Germany conquered 83.2 million people.", "conquered"),
    ):
        told = f"recorded; not understood or not proven: {word!r}"
        advice = advised(draft, ("83.2 million", "not_judged", told))
        assert advice.claims[0].words == (draft,)
        assert "drop the sentence" in advice.lines[0]


def test_neighbours_are_one_phrase_and_words_with_apostrophes_are_read() -> None:
    draft = "In 2020 the people's own urban census of the realm had 83.2 million people in Germany."
    told = "recorded; not understood or not proven: \"people's\", 'own', 'urban', 'census', 'realm'"
    (claim,) = advised(draft, ("83.2 million", "not_judged", told)).claims
    assert "own urban census of the realm" in claim.detail


def test_a_wrong_figure_beside_words_that_nothing_proves_is_one_line() -> None:
    but = "the record has 16.1 million people; but the text also says 'East'"
    told = "a recorded period; not understood or not proven: 'East'"
    advice = advised(EAST, ("83.2 million", "not_judged", but), ("2020", "not_judged", told))
    assert len(advice.lines) == 1
    assert "the record has 16.1 million people" in advice.lines[0]
    assert "correct it or drop the sentence" in advice.lines[0]
    assert {one.words for one in advice.claims} == {(EAST,)}


def test_the_worst_come_first_and_the_rest_is_counted() -> None:
    draft = " ".join(f"Number {at} is {at}00." for at in range(1, 21))
    claims: list[tuple[str, Status, str]] = [
        (f"{at}00", "unsupported", "no record has this value") for at in range(1, 20)
    ]
    advice = advised(draft, *claims, ("2000", "contradicted", "the record has 7"), beyond=["times"])
    assert advice.lines[0].startswith('"2000" is contradicted')
    assert (len(advice.lines), advice.left_out) == (MOST_LINES, 21 - MOST_LINES)
    assert advice.not_judged == ("times",)


def tried(draft: str, claims: Sequence[tuple[str, Status, str]], left: str, *bad: str) -> Advice:
    """Advice on a draft of which a second check sees `left` and refuses the words in `bad`."""

    def again(text: str) -> Check:
        seen.append(text)
        refused = [one for one in bad if one in text]
        made = tuple(
            Claim(one, "name", "unsupported", None, "", text.index(one), text.index(one) + 1)
            for one in refused
        )
        return Check(made, verdict_of(made), ())

    seen: list[str] = []
    made = tuple(
        Claim(
            text, "number", status, None, detail, draft.index(text), draft.index(text) + len(text)
        )
        for text, status, detail in claims
    )
    advice = advice_on(draft, Check(made, verdict_of(made), ()), again)
    assert seen[0].strip() == left
    return advice


UNPROVEN = "recorded; not understood or not proven: 'East'"


def test_words_are_dropped_alone_where_the_sentence_holds_without_them() -> None:
    left = "Germany had 83.2 million people in 2020."
    advice = tried(EAST, [("83.2 million", "not_judged", UNPROVEN)], left)
    assert advice.claims[0].words == ("East",)


def test_a_sentence_goes_whole_where_it_does_not_hold_without_its_words() -> None:
    left = "Germany had 83.2 million people in 2020."
    advice = tried(EAST, [("83.2 million", "not_judged", UNPROVEN)], left, "Germany")
    assert advice.claims[0].words == (EAST,)
    assert advice.lines == (
        f"\"{EAST}\": drop the sentence or say it without 'East', which nothing proves",
    )


def test_a_sentence_that_holds_only_beside_a_dropped_one_is_named() -> None:
    draft = "Peru has six neighbours. Their capitals are Quito and Lima."
    claims: list[tuple[str, Status, str]] = [
        ("six", "unsupported", "no record has this value"),
        ("Quito", "supported", "recorded"),
    ]
    advice = tried(draft, claims, "Their capitals are Quito and Lima.", "Quito")
    assert advice.lines[1].startswith('"Their capitals are Quito and Lima.": this does not hold')
    assert advice.claims[1].words == ("Their capitals are Quito and Lima.",)
    assert advice.not_judged == ()


def test_what_stands_beside_a_contradicted_figure_is_kept() -> None:
    draft = "Peru has six neighbours. Their capitals are Quito and Lima."
    claims: list[tuple[str, Status, str]] = [
        ("six", "contradicted", "the record has 5"),
        ("Quito", "supported", "recorded"),
    ]
    advice = tried(draft, claims, draft, "six")
    assert [one.words for one in advice.claims] == [(), ()]
