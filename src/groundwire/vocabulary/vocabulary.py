"""The one scorer: a raw term to a controlled term, or to candidates.

The steps are exact, folded, alias, near. The vocabulary scores; the caller's policy decides
whether a near match may be used.

Which written forms of a vocabulary are alike a raw term, best first. Everything found here is a
candidate. Likeness is the share of letters that two forms have in common, whatever they share them
by: few edits, whole words, or one inside the other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, islice

from groundwire.vocabulary.fold import (
    CJK_RUN,
    Words,
    fold,
    fold_plain,
    is_code,
    joined,
    split_words,
)
from groundwire.vocabulary.known_words import KnownWords, Respelling, WordRule, digits
from groundwire.vocabulary.terms import Candidate, How, Policy, Resolution, Term

_MOST_EDITS = 4
# How many forms one way of looking may bring in: what is alike hundreds of forms tells nothing.
_MOST_FORMS = 96
_MOST_MISSPELT = 3
_LONGEST_INSIDE = 32
_SHORTEST_INSIDE = 3
# Letters shared as part of a word count for less than those of whole words.
_PART_OF_WORD = 0.9


class _ByLength:
    """Strings in the order of their length, so that a search reads only the lengths in reach."""

    def __init__(self, strings: Sequence[str]) -> None:
        self._order = sorted(range(len(strings)), key=lambda number: len(strings[number]))
        self._strings = [strings[number] for number in self._order]
        self._lengths = [len(text) for text in self._strings]

    def within(self, text: str, edits: int, most: int) -> list[tuple[int, int]]:
        """The nearest strings, as (position, edits by optimal string alignment)."""
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        low = bisect_left(self._lengths, len(text) - edits)
        high = bisect_right(self._lengths, len(text) + edits)
        found = extract(
            text,
            self._strings[low:high],
            scorer=OSA.distance,
            processor=None,
            score_cutoff=edits,
            limit=most,
        )
        return [(self._order[low + at], int(away)) for _, away, at in found]


class FormIndex:
    """All written forms of a vocabulary, laid out to be searched in well under a millisecond."""

    def __init__(self, forms: Sequence[Words]) -> None:
        """Lay out the forms; form numbers below are positions in this sequence.

        Args:
            forms: the words of each written form.
        """
        self.keys: list[str] = [joined(form.singular) for form in forms]
        self._nearest = _ByLength(self.keys)
        # Plurals as they are written: "texties" is far from "textile", and near to "textiles".
        self._plurals = [number for number, form in enumerate(forms) if form.plain != form.singular]
        self._nearest_plurals = _ByLength([joined(forms[at].plain) for at in self._plurals])
        # Dictionaries for their order and for a fast "in"; the values say nothing.
        self._by_unit: dict[str, dict[int, None]] = {}
        self._by_key: dict[str, list[int]] = {}
        for number, form in enumerate(forms):
            self._by_key.setdefault(self.keys[number], []).append(number)
            for unit in _units(form.singular):
                self._by_unit.setdefault(unit, {})[number] = None
        self._units = list(self._by_unit)
        self._nearest_units = _ByLength(self._units)
        # One text of all keys: str.find looks inside of five thousand of them in 20 us.
        self._text = "\n" + "\n".join(self.keys) + "\n"
        self._starts = list(accumulate((len(key) + 1 for key in self.keys), initial=1))[:-1]

    def uses(self, word: str) -> int:
        """How many forms have a word (singular, no CJK) among theirs."""
        return len(self._by_unit.get(word, ()))

    def within_edits(self, sent: Words) -> list[tuple[int, int]]:
        """Forms within the edit limit of what was sent, as (form number, edits), nearest first.

        Edits are those of optimal string alignment: insertion, deletion, substitution,
        transposition of neighbours.
        """
        key = joined(sent.singular)
        limit = _edit_limit(len(key))
        return self._nearest.within(key, limit, _MOST_FORMS) if limit else []

    def likeness(self, sent: Words, near: Iterable[tuple[int, int]]) -> dict[int, float]:
        """Forms that share letters with what was sent.

        Args:
            sent: the words that were sent.
            near: what `within_edits` found for them.

        Returns:
            likeness in (0, 1] by form number, in no order.
        """
        key = joined(sent.singular)
        found: dict[int, float] = {}
        for number, edits in near:
            found[number] = 1 - edits / max(len(key), len(self.keys[number]))
        if sent.plain != sent.singular:
            plural = joined(sent.plain)
            limit = _edit_limit(len(plural))
            for at, edits in self._nearest_plurals.within(plural, limit, _MOST_FORMS):
                number, share = self._plurals[at], 1 - edits / (len(plural) + 1)
                found[number] = max(found.get(number, 0.0), share)
        for number, letters in self._shared_words(sent).items():
            share = 2 * letters / (len(key) + len(self.keys[number]))
            found[number] = max(found.get(number, 0.0), min(share, 1.0))
        for number in self._inside(key):
            other = len(self.keys[number])
            share = _PART_OF_WORD * 2 * min(other, len(key)) / (other + len(key))
            found[number] = max(found.get(number, 0.0), share)
        return found

    def _shared_words(self, sent: Words) -> dict[int, float]:
        """Letters in words that are shared, or shared but for a typo, by form number."""
        letters: dict[int, float] = {}
        misspelt: list[str] = []
        postings: list[tuple[float, dict[int, None]]] = []
        for unit in dict.fromkeys(_units(sent.singular)):
            numbers = self._by_unit.get(unit)
            if numbers is not None:
                postings.append((len(unit), numbers))
            elif len(unit) > _SHORTEST_INSIDE:
                misspelt.append(unit)
        for unit in sorted(misspelt, key=len, reverse=True)[:_MOST_MISSPELT]:
            for at, edits in self._nearest_units.within(unit, 2 if len(unit) > 5 else 1, 4):
                postings.append((len(unit) - edits, self._by_unit[self._units[at]]))
        # Rare words first: they say which form was meant, frequent ones only add to those.
        postings.sort(key=lambda posting: len(posting[1]))
        for weight, numbers in postings:
            for number in letters:
                if number in numbers:
                    letters[number] += weight
            room = max(0, _MOST_FORMS - len(letters))
            for number in islice((n for n in numbers if n not in letters), room):
                letters[number] = weight
        return letters

    def _inside(self, key: str) -> set[int]:
        """Forms that hold the key, or that the key holds."""
        cjk = CJK_RUN.search(key) is not None
        shortest = 1 if cjk else _SHORTEST_INSIDE
        found: set[int] = set()
        at = self._text.find(key) if len(key) >= shortest else -1
        while at >= 0 and len(found) < _MOST_FORMS:
            number = bisect_right(self._starts, at) - 1
            found.add(number)
            at = self._text.find(key, self._starts[number] + len(self.keys[number]))
        if len(key) <= _LONGEST_INSIDE:
            least = shortest if cjk else _SHORTEST_INSIDE + 1
            for start in range(len(key) - least + 1):
                for end in range(start + least, len(key) + 1):
                    found.update(self._by_key.get(key[start:end], ()))
        return found


# Past this many characters a raw term is looked up as it is written, and never searched for.
LONGEST_RAW = 256
# Names of fewer letters are one edit from too many others.
_SHORTEST_NAME = 4
# Another name within these edits means that the nearest one is not alone.
_ALONE_WITHIN = 2

# How like a code a longer word can be at most.
_LIKE_A_CODE = 0.9

# What within_edits finds, by term: the term's id, its nearest form's number, the edits.
_Near = list[tuple[str, int, int]]


def _is_address(identifier: str) -> bool:
    return "://" in identifier or identifier.startswith("urn:")


class _Lookup:
    """Ids of terms by their written forms: as written, folded, and folded but for plurals.

    A code has no plural: "Mars" is not MAR.
    """

    def __init__(self, forms: Iterable[tuple[str, str]]) -> None:
        self._written: dict[str, dict[str, str]] = {}
        self._folded: dict[str, dict[str, str]] = {}
        self._plain: dict[str, dict[str, str]] = {}
        for identifier, form in forms:
            self._written.setdefault(form, {}).setdefault(identifier, form)
            if not is_code(form):
                self._folded.setdefault(fold(form), {}).setdefault(identifier, form)
            self._plain.setdefault(fold_plain(form), {}).setdefault(identifier, form)

    def written(self, raw: str) -> dict[str, str]:
        """Terms that are written so, with the form."""
        return self._written.get(raw, {})

    def folded(self, raw: str) -> dict[str, str]:
        """Terms that fold alike, with the form.

        The key without plurals is asked too: "adas" is ADAS, though it looks like a plural.
        """
        return self._plain.get(fold_plain(raw), {}) | self._folded.get(fold(raw), {})


class Vocabulary:
    """A controlled vocabulary. Its indexes are made on first use."""

    def __init__(self, terms: Iterable[Term], known_words: KnownWords | None = None) -> None:
        """Take the terms.

        Args:
            terms: the controlled terms; two with one id are one term with the forms of both.
            known_words: the words that exist, shared by all vocabularies of a server. The forms
                of these terms are added to them. Without it, the words of these terms and of
                the language are known.
        """
        self._given = tuple(terms)
        self._terms: dict[str, Term] = {}
        for term in self._given:
            self._terms.setdefault(term.id, term)
        self.known_words = KnownWords() if known_words is None else known_words
        self.known_words.add(form for _, form in self._written_forms())

    def __len__(self) -> int:
        return len(self._terms)

    def __iter__(self) -> Iterator[Term]:
        return iter(self._terms.values())

    def _main_forms(self) -> Iterator[tuple[str, str]]:
        """Labels, and ids that are codes or names rather than addresses."""
        for term in self._given:
            yield term.id, term.label
            if term.id != term.label and not _is_address(term.id):
                yield term.id, term.id

    def _other_forms(self) -> Iterator[tuple[str, str]]:
        return ((term.id, alias) for term in self._given for alias in term.aliases)

    def _written_forms(self) -> Iterator[tuple[str, str]]:
        yield from self._main_forms()
        yield from self._other_forms()

    @cached_property
    def _labels(self) -> _Lookup:
        return _Lookup(self._main_forms())

    @cached_property
    def _aliases(self) -> _Lookup:
        return _Lookup(self._other_forms())

    @cached_property
    def _forms(self) -> list[tuple[str, str]]:
        return list(dict.fromkeys(self._written_forms()))

    @cached_property
    def _index(self) -> FormIndex:
        return FormIndex([split_words(form) for _, form in self._forms])

    @cached_property
    def _rule(self) -> WordRule:
        from rapidfuzz.distance import OSA

        return WordRule(self.known_words, OSA.distance, self._index.uses)

    def resolve(self, raw: str, policy: Policy, limit: int = 5) -> Resolution:
        """Find the term that a raw term stands for.

        Args:
            raw: what was sent.
            policy: when a near match may be used.
            limit: how many candidates an ambiguous or unknown term gets.

        Returns:
            the resolution; an `unknown` or `ambiguous` one has no term.

        Raises:
            ConfigurationError: the word lists that a correction needs cannot be read.
        """
        sent = raw.strip()
        if sent in self._terms:
            return Resolution(raw, "exact", self._terms[sent], 1.0)
        for how, hits in self._lookups(sent):
            if len(hits) == 1:
                return Resolution(raw, how, self._terms[next(iter(hits))], 1.0)
            if hits:
                tied = [Candidate(self._terms[id_], 1.0, form) for id_, form in hits.items()]
                return Resolution(raw, "ambiguous", candidates=tuple(tied[:limit]))
        if not sent or len(sent) > LONGEST_RAW:
            return Resolution(raw, "unknown")
        return self._resolve_near(raw, split_words(sent), policy, limit)

    def suggest(self, raw: str, limit: int = 5) -> list[Candidate]:
        """Terms that may have been meant, best first; only ever candidates.

        Shared words, words shared but for a typo, substrings, and whole forms up to four edits
        away all count, by the share of letters in common.
        """
        sent = raw.strip()
        if not sent or len(sent) > LONGEST_RAW:
            return []
        words = split_words(sent)
        return self._candidates(words, self._index.within_edits(words), limit)

    def _lookups(self, sent: str) -> Iterator[tuple[How, dict[str, str]]]:
        """The steps before the near match, each made only when those before it found nothing."""
        yield "exact", self._labels.written(sent)
        foldable = len(sent) <= LONGEST_RAW
        if foldable:
            yield "folded", self._labels.folded(sent)
        yield "alias", self._aliases.written(sent)
        if foldable:
            yield "alias", self._aliases.folded(sent)

    def _resolve_near(self, raw: str, words: Words, policy: Policy, limit: int) -> Resolution:
        found = self._index.within_edits(words)
        near: _Near = []
        seen: set[str] = set()
        for number, edits in found:
            identifier = self._forms[number][0]
            if identifier not in seen:
                seen.add(identifier)
                near.append((identifier, number, edits))
        how: How = "unknown"
        if policy is Policy.WORDWISE:
            how, best, respelling = self._wordwise(words, found, near)
        elif policy is Policy.SINGLE_EDIT:
            how, best, respelling = self._single_edit(raw, words, near)
        else:
            best, respelling = -1, None
        if respelling is not None:
            identifier = self._forms[best][0]
            size = max(len(self._index.keys[best]), 1)
            score = round(max(0.0, 1 - respelling.edits / size), 3)
            return Resolution(
                raw, "corrected", self._terms[identifier], score, changed=respelling.changes
            )
        return Resolution(raw, how, candidates=tuple(self._candidates(words, found, limit)))

    def _wordwise(
        self, words: Words, found: list[tuple[int, int]], near: _Near
    ) -> tuple[How, int, Respelling | None]:
        """The one form that the word rule allows, ahead of every other term."""
        allowed: list[tuple[int, int, Respelling]] = []
        for number, _ in found:
            respelling = self._rule.respell(words, split_words(self._forms[number][1]))
            if respelling is not None:
                allowed.append((respelling.edits, number, respelling))
        if not allowed:
            return "unknown", -1, None
        edits, number, respelling = min(allowed, key=lambda entry: entry[:2])
        identifier = self._forms[number][0]
        if any(other != identifier and away <= edits for other, _, away in near):
            return "ambiguous", -1, None
        return "corrected", number, respelling

    def _single_edit(
        self, raw: str, words: Words, near: _Near
    ) -> tuple[How, int, Respelling | None]:
        """The one form that is one edit away, if no other term is about as near."""
        sent = "".join(words.plain)
        if digits(sent):
            # "Heatrow Terminal 2" is about as near to Terminal 4, which nobody writes for it.
            near = [one for one in near if digits(self._index.keys[one[1]]) == digits(sent)]
        if not near or near[0][2] != 1:
            return "unknown", -1, None
        _, number, _ = near[0]
        if len(near) > 1 and near[1][2] <= _ALONE_WITHIN:
            return "ambiguous" if near[1][2] == 1 else "unknown", -1, None
        form = self._forms[number][1]
        key = self._index.keys[number]
        if min(len(key), len(sent)) < _SHORTEST_NAME or CJK_RUN.search(sent):
            return "unknown", -1, None
        meant = split_words(form).plain
        # A name without its number is no typo ("Terminal" for "Terminal 5"), and neither is a word
        # that exists and that the name does not have.
        if digits(sent) != digits(key) or any(
            self.known_words.of_texts(word) for word in words.plain if word not in meant
        ):
            return "unknown", -1, None
        return "corrected", number, Respelling(1, ((raw.strip(), form),))

    def _candidates(self, words: Words, near: list[tuple[int, int]], limit: int) -> list[Candidate]:
        ranked = sorted(
            self._index.likeness(words, near).items(),
            key=lambda item: (-item[1], len(self._forms[item[0]][1]), item[0]),
        )
        best: dict[str, Candidate] = {}
        for number, score in ranked:
            identifier, form = self._forms[number]
            if is_code(form) and fold_plain(form) != joined(words.plain):
                score = min(score, _LIKE_A_CODE)
            if identifier not in best:
                best[identifier] = Candidate(self._terms[identifier], round(score, 3), form)
                if len(best) == limit:
                    break
        return list(best.values())


def _edit_limit(length: int) -> int:
    """Edits up to which two forms are alike: never more than half of the letters."""
    return min(_MOST_EDITS, length // 2)


def _units(words: Sequence[str]) -> Iterator[str]:
    """The words by which forms are found; a CJK run by its pairs of characters."""
    for word in words:
        if len(word) > 2 and CJK_RUN.fullmatch(word):
            yield from (word[at : at + 2] for at in range(len(word) - 1))
        else:
            yield word
