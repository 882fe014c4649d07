"""German separable verbs, put together again: "nahm um 3 % zu" is "zunehmen"."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.language.lexicon import Lexicon
from groundwire.language.text import Sentence, Token

_PARTICLES = frozenset(
    (
        "ab an auf aus bei ein fest fort her herab herauf heraus hervor hin hinauf hinaus hinter "
        "hinzu los mit nach nieder statt teil um vor voran voraus vorbei weg weiter wieder zu "
        "zurück zusammen über durch dar empor entgegen herunter hinunter runter rauf hoch gleich "
        "bereit vorwärts rückwärts zurueck"
    ).split()
)
_CLOSE = frozenset((",", ";", ":", ".", "!", "?", "(", ")", "–", "—", "und", "oder", "aber"))


def separable_verbs(
    words: Sequence[Token], parts: Sequence[Sentence], german: Lexicon | None
) -> dict[int, str]:
    """Return the lemma of each verb, by its number, whose particle ends its clause.

    The particle has the same lemma as its verb, so both are read as one word. Only verbs of the
    lexicon are put together.
    """
    if german is None:
        return {}
    found: dict[int, str] = {}
    verb = -1
    for index, word in enumerate(words):
        if word.language != "de":
            verb = -1
        elif word.tag == "verb" and word.key not in _PARTICLES:
            verb = index
        elif verb >= 0 and word.key in _PARTICLES and _closes(words, index):
            lemma = word.key + words[verb].lemma
            if lemma in german.entries:
                found[verb] = found[index] = lemma
                verb = -1
        elif word.key in _CLOSE and word.key not in ("und", "oder", ","):
            verb = -1
    return found


def _closes(words: Sequence[Token], index: int) -> bool:
    """Whether a clause ends after a token."""
    return index + 1 == len(words) or words[index + 1].key in _CLOSE
