"""The one scorer: a raw term to a controlled term, or to candidates."""

from groundwire.vocabulary.fold import fold
from groundwire.vocabulary.known_words import KnownWords
from groundwire.vocabulary.terms import Candidate, Confidence, How, Policy, Resolution, Term
from groundwire.vocabulary.vocabulary import LONGEST_RAW, Vocabulary

__all__ = [
    "LONGEST_RAW",
    "Candidate",
    "Confidence",
    "How",
    "KnownWords",
    "Policy",
    "Resolution",
    "Term",
    "Vocabulary",
    "fold",
]
