"""The one reader of human language: a text to typed spans, of which nothing is lost."""

from groundwire.language.annotate import Figures, Reading, Span, SpanKind, annotate
from groundwire.language.clauses import Clause, ClauseKind, clauses
from groundwire.language.lexicon import LANGUAGES, Entry, Language, Lexicon, Role, lexicon
from groundwire.language.names import Hit, NameIndex
from groundwire.language.text import (
    Sentence,
    SentenceKind,
    Tag,
    Token,
    language_of,
    tokens,
)

__all__ = [
    "LANGUAGES",
    "Clause",
    "ClauseKind",
    "Entry",
    "Figures",
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
    "clauses",
    "language_of",
    "lexicon",
    "tokens",
]
