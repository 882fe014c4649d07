"""The other way: sentences and numbers in the words of a language.

Sentences are data: one TOML file a language with the same keys. Numbers are written with all
their digits, since a rounded figure is another figure.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Formatter

from groundwire.language.lexicon import LANGUAGES, Language

_GERMAN_MARKS = str.maketrans(",.", ".,")


def number_text(value: Decimal | int, language: Language) -> str:
    """Write a number with all of its digits and the marks of the language: 1.234,50 in German."""
    written = f"{Decimal(value):,f}"
    return written.translate(_GERMAN_MARKS) if language == "de" else written


class Catalogue:
    """Sentences with named gaps, by key, in every language of a folder.

    Attributes:
        sentences: the sentences of each language by key.
    """

    def __init__(self, sentences: Mapping[Language, Mapping[str, str]]) -> None:
        """Take the sentences; refuse a catalogue whose languages have other keys or gaps."""
        self.sentences = sentences
        shapes = {
            language: {key: gaps(sentence) for key, sentence in by_key.items()}
            for language, by_key in sentences.items()
        }
        for language, shape in shapes.items():
            for other, keys in shapes.items():
                if keys != shape:
                    odd = sorted(set(shape.items() ^ keys.items()))[0][0]
                    raise ValueError(f"{language} and {other} do not both have {odd} with its gaps")

    def say(self, key: str, language: Language, **parts: str) -> str:
        """Return a sentence with its gaps filled; English stands for an unknown language.

        Raises:
            KeyError: the key, or a part of the sentence, is missing.
        """
        spoken = self.sentences.get(language) or self.sentences["en"]
        return spoken[key].format_map(parts)


def gaps(sentence: str) -> frozenset[str]:
    """Return the names of the gaps of a sentence."""
    return frozenset(name for _, name, _, _ in Formatter().parse(sentence) if name)


def read_catalogue(folder: Traversable) -> Catalogue:
    """Read the catalogue of a folder, one file `sentences_<language>.toml` a language.

    A language without a file is spoken to in English.
    """
    found: dict[Language, dict[str, str]] = {}
    for language in LANGUAGES:
        file = folder / f"sentences_{language}.toml"
        if file.is_file():
            found[language] = tomllib.loads(file.read_text("utf-8"))
    return Catalogue(found)


@cache
def catalogue() -> Catalogue:
    """Return the sentences about the requests of a question, which every agent may have to say."""
    return read_catalogue(files("groundwire.language"))
