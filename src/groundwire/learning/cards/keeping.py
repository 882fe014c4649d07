"""Whether a card keeps the negation, the reason and the referent of a pronoun of its quote.

"Hooke rebuilt London with Wren. He died in 1703": of Wren this says nothing. A pronoun stands for
what the sentence before begins with, if they agree; a card that names another thing of the passage
is in doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundwire.language import Reading, Span, Token, clauses
from groundwire.learning.cards.arguments import BARE, THINGS, Argument, arguments, known_words
from groundwire.learning.cards.bearing import names_kind
from groundwire.learning.cards.matching import denies, is_token, is_word, keys, read
from groundwire.learning.cards.reversal import asks
from groundwire.learning.cards.roles import asked_verbs
from groundwire.learning.cards.segments import Segment, segments
from groundwire.learning.cards.types import Gap, GapReason, Passage

_COMMAS = frozenset(",，、;；")
# Roles of the first words of clauses that depend on another: when, because, if, after.
_DEPENDING = frozenset(("question", "cause", "forecast", "time", "order"))


def polarity_gaps(
    asked: Reading,
    said: Reading,
    own: Sequence[Segment],
    quote: str,
    *,
    is_whole: bool = True,
    beside: Sequence[Segment] = (),
) -> list[Gap]:
    """Return the gap of a denial that only one of a card and the part that answers it has.

    Args:
        asked: the question.
        said: the back.
        own: the segments that hold the answer.
        quote: the quote.
        is_whole: whether no other part of their sentence has the verb of the question.
        beside: the other segments of their sentences.
    """
    contrary = _contrary_part(said, own)
    if contrary is not None:
        text = " ".join(span.text for span in contrary.spans)
        detail = f"Of {text[:80]!r} the quote says the opposite: keep its negation as it is."
        return [Gap("attachment", detail, (quote[:200],))]
    first = said.spans[0] if said.spans else None
    spans: Iterable[Span] = said.spans
    if first is not None and is_word(first, "denying") and len(said.spans) > 1:
        spans = said.spans[1:] if said.spans[1].text in _COMMAS else said.spans
    spans = list(spans)
    begins = spans[0].role if spans else None
    # "When it is imported" answers a question, and states nothing by itself.
    depends = begins is not None and begins.role in _DEPENDING
    states = not asked.spans or (
        not depends
        and any(t.tag == "verb" for s in spans[1:] for t in s.tokens)
        and any(c.predicate is not None for c in clauses(said))
    )
    denied = sum(map(denies, spans))
    wanted = asked_verbs(asked)
    same = is_whole or not wanted or any(wanted & part.words for part in own)
    if not states and not depends and same:
        denied += sum(map(denies, asked.spans))
    held = sum(max(sum(map(denies, part.spans)), part.negated) for part in own)
    if denied == held or (denied and held and not states):
        return []
    said_so = "denies" if held else "does not deny"
    detail = f"The quote {said_so} what the card says: keep its negation as it is."
    return [Gap(_reason(asked, said, (*own, *beside), held), detail, (quote[:200],))]


def _reason(asked: Reading, said: Reading, own: Sequence[Segment], held: int) -> GapReason:
    """Return that a card is wrong where one of both denies, and that it is open where both do.

    Of two denials the scope decides, which may be misread: "cannot multiply", "what can it not do".
    An exception or a lack may be the denial in other words: "without oxygen", "if there is none".
    """
    both = held and any(map(denies, (*asked.spans, *said.spans)))
    spans = (*asked.spans, *said.spans, *(span for part in own for span in part.spans))
    return "attachment" if both or any(map(_excepts, spans)) else "negation"


def _excepts(span: Span) -> bool:
    return any(is_token(t, one) for t in span.tokens for one in ("excepting", "other"))


def privation_gap(asked: Reading, said: Reading, parts: Sequence[Segment]) -> Gap | None:
    """Return the gap of a card about a thing that its quote says not to be there, or None.

    "Without oxygen yeast makes alcohol" does not say what it makes where there is oxygen.

    Args:
        asked: the question.
        said: the back.
        parts: the segments of the sentences that hold the answer.
    """
    card = (*asked.spans, *said.spans)
    if any(denies(span) or _is_absence(span) or _lacks(span) for span in card):
        return None
    named = {key for span in asked.spans if not span.is_silent for key in keys(span)}
    lacked: list[tuple[Span, Span]] = []
    there: set[str] = set()
    for part in parts:
        # "The absence of light", "no light".
        before: Span | None = None
        for span in part.spans:
            if span.is_silent and not denies(span):
                continue
            if before is not None and not denies(span) and (denies(before) or _is_absence(before)):
                lacked.append((before, span))
            else:
                there |= set(keys(span))
            before = span
    for before, thing in lacked:
        # "It cannot turn its eyes, but it can turn its head" says of turning both.
        if named.intersection(keys(thing)) and not there.intersection(keys(thing)):
            text = f"{before.text} {thing.text}"
            return Gap("attachment", f"The quote says {text[:60]!r}: keep that on the card.")
    return None


def _is_absence(span: Span) -> bool:
    return any(token.tag == "noun" and is_token(token, "absence") for token in span.tokens)


def _lacks(span: Span) -> bool:
    return any(is_token(token, "lacking") for token in span.tokens)


def _contrary_part(said: Reading, own: Sequence[Segment]) -> Segment | None:
    """Return the part of a back that denies some of it which the quote denies otherwise, or None.

    "A fleet, but no army" of "neither a fleet nor an army": as many negations, and another fact.
    """
    parts = segments(said)
    if len({part.negated for part in parts}) < 2:
        return None
    for part in parts:
        telling = [span for span in part.spans if not span.is_silent and not denies(span)]
        if not telling or is_word(telling[0], "affirming") or is_word(telling[0], "denying"):
            continue
        holding = [one for one in own if all(one.words & set(keys(span)) for span in telling)]
        if holding and all(one.negated != part.negated for one in holding):
            return part
    return None


def asked_polarity_gaps(
    asked: Reading, said: Reading, own: Sequence[Segment], parts: Sequence[Segment], quote: str
) -> list[Gap]:
    """Return the gap of a question that denies a verb of another part, or does not, unlike it.

    Args:
        asked: the question.
        said: the back.
        own: the segments that hold the answer.
        parts: all segments of the quote.
        quote: the quote.
    """
    wanted = asked_verbs(asked)
    begun = {part.sentence for part in own}
    if not wanted or any(wanted & part.words for part in own):
        return []
    others = [part for part in parts if part.sentence in begun and wanted & part.words]
    if not others or any(map(denies, asked.spans)) == any(part.negated for part in others):
        return []
    held = sum(part.negated for part in others)
    told = "The question and the quote do not agree in what is denied: keep the negation as it is."
    return [Gap(_reason(asked, said, own, held), told, (quote[:200],))]


_WHY = frozenset(("why", "reason"))


def reason_gaps(
    asked: Reading,
    said: Reading,
    own: Sequence[Segment],
    parts: Sequence[Segment],
    found: Sequence[Sequence[Span]],
) -> list[Gap]:
    """Return the gap of a "why" whose quote tells facts, and none as the reason of another.

    Args:
        asked: the question.
        said: the back, which may be a purpose: "to keep warm".
        own: the segments of the quote that hold the answer.
        parts: all of its segments.
        found: for each span of the back, where the quote has it.
    """
    asks = any(
        span.role is not None and span.role.role == "question" and span.role.sense in _WHY
        for span in asked.spans
    )
    if not asks or not own:
        return []
    begun = {part.sentence for part in own}
    spans = [span for part in parts if part.sentence in begun for span in part.spans]
    follows = next((span for span in spans if _concludes(span)), None)
    # Some words of the back may stand on both sides of "so", and none on the first alone.
    behind = [[follows is not None and p.start > follows.start for p in one] for one in found]
    if follows is not None and all(map(any, behind)) and any(map(all, behind)):
        detail = f"The quote says that as what follows ({follows.text[:40]!r}), not as reason."
        return [Gap("attachment", detail)]
    told = {key for part in parts for span in part.spans for key in keys(span)}
    explained = [s for s in asked.spans if s.kind == "leftover" and not is_word(s, "asking")]
    if explained and not any(told.intersection(keys(span)) for span in explained):
        return [Gap("off_topic", "The quote does not speak of what the question has explained.")]
    begins = {part.spans[0].start for part in parts if part.spans}
    if any(_reasons(span, span.start in begins) for span in spans) or _is_purpose(said):
        return []
    return [
        Gap("attachment", "The quote states this, and does not give it as the reason: quote why.")
    ]


def _concludes(span: Span) -> bool:
    is_cause = span.role is not None and span.role.role == "cause"
    # "So that" is what something is done for, which is its reason.
    purpose = span.tokens[-1].key == "that"
    return is_cause and not purpose and any(is_token(t, "therefore") for t in span.tokens)


def _reasons(span: Span, begins: bool) -> bool:
    role = span.role
    if role is not None and role.role == "cause":
        return True
    if any(is_token(token, "opening") for token in span.tokens):
        # "As" gives a reason where it begins a clause, and not in "stored as acid".
        return begins
    return any(is_token(token, "reasoning") for token in span.tokens)


def _is_purpose(said: Reading) -> bool:
    """Whether a back begins as a purpose does: "to ...", "um ... zu"."""
    return bool(said.tokens) and said.tokens[0].key in ("to", "um", "damit", "为了", "以")


_TABLES = ("pointing", "of_persons", "of_several", "of_places", "masculine", "feminine", "neuter")
_GENDERS = {"masculine": "m", "feminine": "f", "neuter": "n"}


def reference_gap(asked: Reading, said: Reading, passage: Passage, start: int) -> Gap | None:
    """Return the gap of a question about another thing than its sentence's pronoun, or None.

    Args:
        asked: the question.
        said: the back.
        passage: the passage.
        start: where the answer's sentence begins in it.
    """
    whole = read(passage.text)
    number = max((n for n, one in enumerate(whole.sentences) if one.start <= start), default=0)
    if not number:
        return None
    found = [arguments(whole.within(one.start, one.end)) for one in whole.sentences[: number + 1]]
    sentence = whole.sentences[number]
    spans = whole.within(sentence.start, sentence.end)
    pronoun = _pronoun([token for span in spans for token in span.tokens], found[-1])
    here = frozenset(key for span in spans for key in keys(span)) | known_words(said)
    here |= known_words(read(f"{passage.source}. {passage.locator}"))
    if pronoun is None:
        return _own_subject_gap(asked, said, found, here)
    card = known_words(asked) | known_words(said)
    topic = next((one for each in reversed(found[:-1]) if (one := _topic(each))), list[Argument]())
    heads = [one for one in topic if "of" not in one.leads]
    if not heads or not any(_may_stand_for(pronoun, one) for one in heads):
        return None
    for n, span in enumerate(asked.spans):
        words = frozenset(keys(span))
        if asks(span) or names_kind(asked.spans, n) or words & here:
            continue
        same = [one for each in found[:-1] for one in each if one.keys & words]
        same = [one for one in same if one.token.tag in THINGS and not one.is_figure]
        if not same or any(one.keys & words for one in heads):
            continue
        if any(one.keys & words for one in topic) and any(one.keys & card for one in heads):
            continue
        if any(one.keys & card for one in heads):
            # Both are named: which of them is meant, the other rules tell.
            continue
        detail = f"{pronoun.text[:20]!r} stands for {heads[0].token.text[:60]!r} in the passage, "
        return Gap(
            "attachment", f"{detail}not clearly for {span.text[:60]!r}: quote what names it."
        )
    return None


def _own_subject_gap(
    asked: Reading, said: Reading, found: Sequence[Sequence[Argument]], here: frozenset[str]
) -> Gap | None:
    """The gap of a thing of an earlier sentence in the place of what a sentence is about itself.

    "The lock is near the mill. The weir was finished in 1904" says nothing of the lock; "the gates
    are opened" behind it may be asked of the gates of the lock.
    """
    wanted, answer = known_words(asked), known_words(said)
    things = [one for one in found[-1] if one.token.tag in THINGS and not one.is_figure]
    others = [one for one in things if not one.keys & answer]
    heads = [one for one in _topic(found[-1]) if "of" not in one.leads]
    told = any(one.keys & (wanted | answer) for one in heads)
    if not heads or (told and (not others or any(one.keys & wanted for one in others))):
        return None
    for n, span in enumerate(asked.spans):
        words = frozenset(keys(span))
        if asks(span) or names_kind(asked.spans, n) or words & here:
            continue
        earlier = [one for each in found[:-1] for one in each if one.keys & words]
        if any(one.token.tag in THINGS and not one.is_figure for one in earlier):
            detail = f"The sentence of the answer is about {heads[0].token.text[:60]!r}, and not "
            return Gap("attachment", f"{detail}clearly about {span.text[:60]!r}: quote what is.")
    return None


def _pronoun(tokens: Sequence[Token], found: Sequence[Argument]) -> Token | None:
    """The first pronoun of a sentence before which nothing stands that it might stand for."""
    for token in tokens:
        if any(is_token(token, table) for table in _TABLES):
            before = [one for one in found if one.token.start < token.start]
            named = any(one.token.tag in THINGS and "" in one.leads for one in before)
            return None if named else token
    return None


def _topic(found: Sequence[Argument]) -> list[Argument]:
    """The phrase that a sentence begins with, or that stands behind its verb where none does."""
    at = next((n for n, one in enumerate(found) if one.token.tag == "verb"), len(found))
    before = _phrase(found[:at])
    return before or _phrase(found[at:])


def _phrase(found: Sequence[Argument]) -> list[Argument]:
    """The first bare thing, with the words of its phrase behind it."""
    things = [one for one in found if not one.is_figure and one.token.tag in THINGS]
    at = next((n for n, one in enumerate(things) if one.leads == BARE), None)
    if at is None:
        return []
    phrase = [things[at]]
    for one in things[at + 1 :]:
        if one.place - phrase[-1].place > 2 or ("" not in one.leads and "of" not in one.leads):
            break
        phrase.append(one)
    return phrase


def _may_stand_for(pronoun: Token, one: Argument) -> bool:
    """Whether a pronoun agrees with a thing as far as its form tells."""
    genders = {case[0] for case in one.cases if case[1] == "n"}
    if pronoun.language == "de" and genders:
        wanted = {letter for table, letter in _GENDERS.items() if is_token(pronoun, table)}
        wanted |= {"p"} if "f" in wanted or is_token(pronoun, "of_several") else set()
        return not wanted or bool(wanted & genders)
    if pronoun.language != "en":
        return True
    token = one.token
    plural = token.tag == "noun" and token.lemma != token.key
    if is_token(pronoun, "of_several"):
        return plural or token.tag != "noun"
    if is_token(pronoun, "of_persons"):
        return token.tag != "noun"
    return not plural
