"""The one reader of human language: a text to typed spans, of which nothing is lost."""

from groundwire.language.annotate import Reading, Span, SpanKind, annotate
from groundwire.language.lexicon import LANGUAGES, Entry, Language, Lexicon, Role, lexicon
from groundwire.language.names import Hit, NameIndex
from groundwire.language.text import (
    Sentence,
    SentenceKind,
    Tag,
    Token,
    language_of,
    sentences,
    tokens,
)

__all__ = [
    "LANGUAGES",
    "Entry",
    "Hit",
    "Language",
    "Lexicon",
    "NameIndex",
    "Reading",
    "Role",
    "Sentence",
    "SentenceKind",
    "Span",
    "SpanKind",
    "Tag",
    "Token",
    "annotate",
    "language_of",
    "lexicon",
    "sentences",
    "tokens",
]
