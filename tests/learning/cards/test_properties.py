"""What holds for any text: quotes are found, holes are filled, HTML loses its tags."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.learning.cards.checks import check_card
from groundwire.learning.cards.cloze import parse_cloze
from groundwire.learning.cards.quoting import locate
from groundwire.learning.cards.types import CardDraft, Passage
from groundwire.learning.packages.archive import message_fields
from groundwire.learning.packages.templates import NoteType, Template, html_text, sides

TEXT = st.text(max_size=300)
MARKED = st.lists(
    st.sampled_from(["{{c1::", "{{c2::", "}}", "::", "a", "長", " ", "{", "}", "\n", "ß", "ﬁ"]),
    max_size=40,
).map("".join)
HTML = st.lists(
    st.sampled_from(["<b>", "</b>", "<div>", "<script>", "</script>", "<", ">", "&amp;", "&#x", "a",
                     "<!--", "-->", "<img src=x>", "\n", "[sound:", "]", "<br/>", '"', "é"]),
    max_size=40,
).map("".join)  # fmt: skip


@given(TEXT, st.data())
@settings(max_examples=200, deadline=None)
def test_a_part_of_a_text_is_found_as_it_stands(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))]
    place = locate(quote, text)
    if quote.strip():
        assert place is not None
        assert text[place.start : place.stop] == quote.strip()
    else:
        assert place is None


@given(TEXT, TEXT)
@settings(max_examples=200, deadline=None)
def test_what_is_found_differs_in_no_letter(quote: str, text: str) -> None:
    place = locate(quote, f"{text} {quote.upper()} {text}")
    assert place is None or place.stop > place.start


@given(MARKED)
@settings(max_examples=500, deadline=None)
def test_holes_lie_within_their_sentence(front: str) -> None:
    cloze = parse_cloze(front)
    if cloze is None:
        return
    for hole in cloze.holes:
        assert cloze.text[hole.start : hole.stop] == hole.answer
        assert hole.answer.strip()
    for number in cloze.numbers:
        assert cloze.answer(number)
        assert "[" in cloze.masked(number)


@given(HTML)
@settings(max_examples=500, deadline=None)
def test_html_is_read_as_far_as_it_goes(source: str) -> None:
    text = html_text(source)
    assert "<b>" not in text
    assert "<div>" not in text
    assert text == text.strip()


@given(st.text(alphabet="{}#^/:Field cloze", max_size=60), st.lists(MARKED, max_size=3))
@settings(max_examples=300, deadline=None)
def test_any_template_makes_two_sides(template: str, values: list[str]) -> None:
    for is_cloze in (False, True):
        kind = NoteType("t", is_cloze, ("Field", "cloze"), (Template("c", template, template),))
        both = sides(kind, values, 0)
        assert isinstance(both.front, str)
        assert isinstance(both.back, str)


@given(st.binary(max_size=100))
@settings(max_examples=300, deadline=None)
def test_any_message_is_read_or_refused(message: bytes) -> None:
    try:
        found = list(message_fields(message))
    except ValueError:
        return
    assert all(number >= 0 for number, _ in found)


@given(TEXT, TEXT, TEXT, TEXT, st.sampled_from(["atomic", "cloze", "image_occlusion"]))
@settings(max_examples=150, deadline=None)
def test_any_card_is_judged(front: str, back: str, quote: str, text: str, kind: str) -> None:
    card = CardDraft(kind, front, back, quote)  # type: ignore[arg-type]
    gaps = check_card(card, Passage("p", f"{text} {quote}", "t", "l"))
    assert all(gap.detail for gap in gaps)
