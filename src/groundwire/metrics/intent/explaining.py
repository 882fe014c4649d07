"""The role of each word of a question: a term, a period, a cue, grammar, or nothing known.

The label of a kind beside an entity ("the north region", "the country Germany") says which entity
of that name is meant. Where the metrics that are asked for have another kind, it has to be asked
about: the revenue of "the country HK" is not a company's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from groundwire.metrics.intent import chinese_words as chinese
from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.beside_periods import explain_beside_periods
from groundwire.metrics.intent.forms import Asked, strangers, tails
from groundwire.metrics.intent.german_words import explain_german, german_words
from groundwire.metrics.intent.leftovers import is_unit, unit_after
from groundwire.metrics.intent.mentions import Mention
from groundwire.metrics.intent.parsed import Span
from groundwire.metrics.intent.shares import explain_comparisons, explain_shares
from groundwire.metrics.intent.tokens import (
    DERIVED_IN_CHINESE,
    Explained,
    Operation,
    Role,
    Token,
    inside,
    longest_phrase,
    simplified,
)
from groundwire.quantities import PeriodExpression

Labels = Mapping[str, Sequence[Sequence[str]]]
"""Of each kind of entity the words that it is called by, in lower case."""


_FREE = frozenset(["loose", "qualifier", "function", "own"])

_CHINESE: tuple[tuple[Sequence[str], Role], ...] = (
    (chinese.NARRATIVE, "cue"),
    (sorted(DERIVED_IN_CHINESE, key=len, reverse=True), "derivation"),
    (chinese.QUALIFIERS, "qualifier"),
    (chinese.GRAMMAR, "function"),
    (chinese.YEARLY, "time"),
    (chinese.MOVEMENTS, "movement"),
)

_PHRASES = cast("dict[tuple[str, ...], Role]", english.PHRASES)
_BEFORE_HOME = frozenset(["the", "our", "my", "whole", "entire", "this", "s"])
_CONTRACTED = frozenset(["what", "that", "it", "there", "here", "how", "let", "where", "who"])
_BEFORE_TITLES = frozenset(
    ["of", "for", "by", "at", "in", "from", "vs", "and", "with", "did", "does", "has", "is", "was"]
)
_DETERMINERS = frozenset(["the", "a", "s", "of", "in", "for", "was", "is"])


def explain(
    tokens: Sequence[Token],
    mentions: Sequence[Mention],
    periods: Sequence[PeriodExpression],
    times: Sequence[Span],
    units: frozenset[str] = frozenset(),
    said: Sequence[Span] = (),
    asked: Sequence[Asked] = (),
    labels: Labels | None = None,
    language: str = "en",
) -> Explained:
    """Find what each token is there for.

    Args:
        tokens: the tokens of a cleaned question.
        mentions: the terms in it, spans of the same text.
        periods: the periods in it.
        times: spans of time words that no period explains.
        units: units of the metrics that are asked for.
        said: spans of phrases that ask for such a unit, and so for nothing else.
        asked: ways to ask for a metric without its name.
        labels: of each kind of entity the words that it is called by.
        language: in which the question is asked.
    """
    explained = Explained(tokens, ["loose"] * len(tokens), [()] * len(tokens))
    _mark(explained, times, "time")
    _mark(explained, [period.span for period in periods], "period")
    for number, mention in enumerate(mentions):
        for at in inside(tokens, *mention.span):
            explained.roles[at] = "term"
            explained.terms[at] += (number,)
    if language == "de":
        explain_german(explained)
    _explain_phrases(explained)
    _explain_words(explained, units)
    _explain_future(explained, bool(periods), language)
    _doubt_names(explained)
    _mark(explained, [*said, *tails(asked, tokens)], "function")
    _explain_beside_entities(explained, mentions)
    _explain_kinds(explained, mentions, labels or {})
    explain_beside_periods(explained, periods)
    _explain_subsidiaries(explained, mentions)
    _explain_runs(explained, units)
    explain_shares(explained)
    for at in strangers(asked, tokens):
        if explained.roles[at] == "function":
            explained.roles[at] = "loose"
    explain_comparisons(explained, mentions, periods)
    _qualify_metrics(explained, mentions)
    _split_compounds(explained)
    return explained


def _mark(explained: Explained, spans: Sequence[Span], role: Role) -> None:
    for span in spans:
        for at in inside(explained.tokens, *span):
            explained.roles[at] = role


def _free(explained: Explained, first: int, last: int) -> bool:
    return last <= len(explained.tokens) and all(
        role in ("loose", "time") for role in explained.roles[first:last]
    )


def _explain_phrases(explained: Explained) -> None:
    """Phrases of several words, and words that ask for a derivation."""
    tokens = explained.tokens
    at = 0
    while at < len(tokens):
        following = [token.plain for token in tokens[at : at + 3]]
        length = 1
        for size in (3, 2):
            role = _PHRASES.get(tuple(following[:size]))
            if role is not None and _free(explained, at, at + size):
                explained.give(at, at + size, role)
                length = size
                break
        else:
            found = longest_phrase(following)
            if found is not None and _free(explained, at, at + found[1]):
                operation, length = found
                explained.give(at, at + length, "derivation")
                explained.operations.append((operation, at, at + length))
        at += length


def _explain_words(explained: Explained, units: frozenset[str]) -> None:
    """Single words of English."""
    tokens = explained.tokens
    for at, token in enumerate(tokens):
        if explained.roles[at] != "loose" or token.kind not in ("word", "mark"):
            continue
        before = tokens[at - 1].plain if at else ""
        word = token.plain
        either = {word, token.singular}
        if word in english.NARRATIVE:
            explained.roles[at] = "cue"
        elif either & english.QUALIFIERS:
            explained.roles[at] = "qualifier"
        elif _looks_like_a_code(explained, at):
            continue
        elif either & english.GRAMMAR or (word == "us" and before in english.BEFORE_US):
            explained.roles[at] = "function"
        elif (word in english.OWN and token.text != "US" and word != "us") or (
            word in english.HOME
            and (before in _BEFORE_HOME or _stands_before_term(explained, at))
            and not token.text.isupper()
        ):
            explained.roles[at] = "own"
        elif before == "many" and is_unit(token.text, units):
            explained.roles[at] = "function"
        elif word in english.MOVEMENTS:
            explained.roles[at] = "movement"


def _stands_before_term(explained: Explained, at: int) -> bool:
    """Whether a word stands alone before a name: "group revenue", and no "China Group revenue"."""
    is_first = at == 0 or explained.role(at - 1) != "term"
    return is_first and explained.role(at + 1) == "term"


def _explain_future(explained: Explained, has_period: bool, language: str) -> None:
    """Words for a time to come say nothing beside a period, and are no period themselves."""
    words = german_words()["future"] if language == "de" else english.FUTURE
    for at, token in enumerate(explained.tokens):
        if explained.roles[at] == "loose" and token.text.lower() in words and token.text.islower():
            explained.roles[at] = "function" if has_period else "time"


def _explain_beside_entities(explained: Explained, mentions: Sequence[Mention]) -> None:
    """Words that say nothing beside an entity or channel: "sales by HK", "the HK business"."""
    tokens, roles = explained.tokens, explained.roles
    for at, token in enumerate(tokens):
        if roles[at] not in ("loose", "qualifier"):
            continue
        if token.plain in ("by", "through", "via"):
            after = at + 1
            while after < len(tokens) and tokens[after].plain == "the":
                after += 1
            kinds = _kinds(explained, mentions, after)
            # "Sold by stores" is of the stores; "sales by store" is told for each of them.
            each = token.plain == "by" and "metric" in _kinds(explained, mentions, at - 1)
            said = bool(kinds) and "metric" not in kinds and ("entity" in kinds or not each)
        elif token.plain == "which":
            said = "metric" in _kinds(explained, mentions, at + 1)
        else:
            said = (
                token.text in english.AFTER_ENTITY
                and not token.broken
                and "entity" in _kinds(explained, mentions, at - 1)
            )
        if said:
            roles[at] = "function"


def _explain_subsidiaries(explained: Explained, mentions: Sequence[Mention]) -> None:
    """Explain 子公司 right behind an entity: 日本子公司."""
    for at in range(1, len(explained.tokens)):
        if "entity" not in _kinds(explained, mentions, at - 1):
            continue
        run = simplified("".join(one.text for one in explained.tokens[at : at + 3]))
        word = next(filter(run.startswith, chinese.AFTER_ENTITY), "")
        if word and set(explained.roles[at : at + len(word)]) == {"loose"}:
            explained.give(at, at + len(word), "function")


def _kinds(explained: Explained, mentions: Sequence[Mention], at: int) -> set[str]:
    """The dimensions of the terms that a token is part of."""
    inside = 0 <= at < len(explained.tokens)
    return {mentions[number].kind for number in explained.terms[at]} if inside else set()


def _doubt_names(explained: Explained) -> None:
    """Words of grammar that are written as names: "Check Point's", "revenue of Reach"."""
    tokens, roles = explained.tokens, explained.roles
    for at in range(1, len(tokens)):
        token, before = tokens[at], tokens[at - 1]
        if roles[at] != "function" or token.broken:
            continue
        if token.plain == "s" and token.hyphenated:
            if roles[at - 1] == "function" and before.plain not in _CONTRACTED:
                explained.give(at - 1, at + 1, "loose")
        elif token.text.istitle() and len(token.text) > 1:
            named = before.capitalised and roles[at - 1] == "loose"
            if named or before.text in _BEFORE_TITLES:
                roles[at] = "loose"


def _qualify_metrics(explained: Explained, mentions: Sequence[Mention]) -> None:
    """Words of grammar that stand before a term as its adjectives: "the search revenue"."""
    tokens = explained.tokens
    for at in range(len(tokens) - 1):
        word = tokens[at].plain
        if explained.roles[at] != "function" or tokens[at + 1].broken:
            continue
        kinds = _kinds(explained, mentions, at + 1)
        if tokens[at].kind == "cjk":
            pair = tokens[at - 1].text + word if at else ""
            if pair in chinese.NOUNS and ("metric" in kinds or tokens[at + 1].text in "公集"):
                explained.give(at - 1, at + 1, "qualifier")
            continue
        if not kinds or word not in english.NOUNS | english.ALWAYS:
            continue
        before = tokens[at - 1].plain if at else ""
        named = before in _DETERMINERS or explained.role(at - 1) == "term"
        if named or word in english.ALWAYS | english.NAMES_OF_VALUES:
            explained.roles[at] = "qualifier"


def _looks_like_a_code(explained: Explained, at: int) -> bool:
    """Whether a word of grammar is in capitals as no other word is, and joins no two terms."""
    token = explained.tokens[at]
    if token.plain not in english.CONNECTIVES or not (
        len(token.text) == 3 and token.text.isupper()
    ):
        return False
    if "term" == explained.role(at - 1) == explained.role(at + 1):
        return False
    return any(one.kind == "cjk" or one.text.islower() for one in explained.tokens)


def _split_compounds(explained: Explained) -> None:
    """A word that a hyphen joins to an unknown one is a part of that: "so-called"."""
    for at in range(1, len(explained.tokens)):
        if not explained.tokens[at].hyphenated or explained.tokens[at].before not in ("-", "_"):
            continue
        pair = explained.roles[at - 1 : at + 1]
        if "loose" in pair or "qualifier" in pair:
            for place in (at - 1, at):
                if explained.roles[place] in ("function", "cue", "movement", "own"):
                    explained.roles[place] = "loose"


def settle(explained: Explained, keep: Callable[[Operation], bool]) -> tuple[Operation, ...]:
    """Accept the derivations whose operands are listed; the others stay as they are.

    Args:
        explained: the question; tokens of what is accepted become grammar.
        keep: whether the operands of an operation are listed.

    Returns:
        the operations that are asked for, each once.
    """
    accepted: dict[Operation, None] = {}
    for operation, first, last in explained.operations:
        if keep(operation):
            accepted[operation] = None
            explained.give(first, last, "function")
    for at, token in enumerate(explained.tokens):
        if accepted and token.plain in ("to", "from") and explained.roles[at] in ("loose", "time"):
            explained.roles[at] = "function"
    return tuple(accepted)


def _explain_runs(explained: Explained, units: frozenset[str]) -> None:
    """Explain the runs of characters that are no term and no period.

    Args:
        explained: the question; the tokens of what is known get its role.
        units: units of the metrics that are asked for.
    """
    tokens = explained.tokens
    at = 0
    while at < len(tokens):
        if tokens[at].kind != "cjk" or explained.roles[at] not in ("loose", "time"):
            at += 1
            continue
        end = at + 1
        while (
            end < len(tokens)
            and tokens[end].kind == "cjk"
            and not tokens[end].broken
            and explained.roles[end] in ("loose", "time")
        ):
            end += 1
        _explain_run(explained, at, end, units)
        at = end


def _explain_run(explained: Explained, first: int, last: int, units: frozenset[str]) -> None:
    run = simplified("".join(token.text for token in explained.tokens[first:last]))
    at = 0
    single = False
    while at < len(run):
        word, role = _chinese_word(run, at)
        place = first + at
        if role == "function" and not _allowed(explained, place, word, single):
            role = "loose"
            if len(word) == 1 and single:
                explained.roles[place - 1] = "loose"
        if role == "function" and word.endswith("多少"):
            word += unit_after(run[at + len(word) :], units)
        if role != "loose":
            explained.give(place, place + len(word), role)
        if role == "derivation":
            explained.operations.append((DERIVED_IN_CHINESE[word], place, place + len(word)))
        single = len(word) == 1 and role == "function" and word not in chinese.SOFT_SINGLES
        at += len(word)
    for place in range(first + 1, last - 1):
        _cue_in_name(explained, place, last)


def _cue_in_name(explained: Explained, first: int, end: int) -> None:
    """A cue between unexplained characters is a part of what they name (受影响地区)."""
    last = first
    while last < end and explained.roles[last] == "cue":
        last += 1
    if first < last < end and explained.roles[first - 1] == explained.roles[last] == "loose":
        explained.give(first, last, "loose")


def _chinese_word(run: str, at: int) -> tuple[str, Role]:
    """The longest known word at a place in a run of characters, with its role."""
    best, role = run[at], "loose"
    for known, named in _CHINESE:
        for word in known:
            if len(word) >= len(best) + (role != "loose") and run.startswith(word, at):
                best, role = word, named
                break
    return best, role


def _allowed(explained: Explained, place: int, word: str, single: bool) -> bool:
    """Whether a word of grammar can be one here, rather than a part of a name."""
    if word == "总":
        # It says nothing before a metric; after one it may be a part of a name that is misspelt.
        following = explained.tokens[place + 1].text if place + 1 < len(explained.tokens) else ""
        return following == "的" or explained.role(place + 1) == "term"
    if word == "集团" and place and explained.roles[place - 1] == "term":
        return False
    return not (len(word) == 1 and single and word not in chinese.SOFT_SINGLES)


def _explain_kinds(explained: Explained, mentions: Sequence[Mention], labels: Labels) -> None:
    """Explain labels of kinds beside entities; those of other kinds than asked of qualify them."""
    asked = {kind for one in mentions if one.kind == "metric" for _, kind in one.candidates}
    for number, mention in enumerate(mentions):
        places = [at for at, terms in enumerate(explained.terms) if number in terms]
        if mention.kind != "entity" or not places:
            continue
        first, last = places[0], places[-1] + 1
        own = asked & {kind for _, kind in mention.candidates}
        for kind, names in labels.items():
            role: Role = "function" if kind in own else "qualifier"
            for words in names if asked else ():
                for start, joint in ((last, last), (first - len(words), first)):
                    if _stands(explained, start, words, joint):
                        explained.give(start, start + len(words), role)


def _stands(explained: Explained, start: int, words: Sequence[str], joint: int) -> bool:
    """Whether the words of a label stand at a place, with no mark between them and the name.

    With capitals they may be a part of a longer name: "Georgia Country Club".
    """
    tokens, end = explained.tokens, start + len(words)
    if start < 0 or [token.text for token in tokens[start:end]] != list(words):
        return False
    joined = [*tokens[start + 1 : end], tokens[joint]]
    spoken = not any(token.broken or token.hyphenated or token.glued for token in joined)
    return spoken and all(role in _FREE for role in explained.roles[start:end])
