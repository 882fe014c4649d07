"""SPARQL text as tokens, and tokens as one canonical text.

Two parsers that split a text differently can be played off against each other: a comment that
ends at a carriage return for one and not for the other hides a SERVICE from the first. So the
gate reads the text once, here, and both parsers only ever see what is written from the tokens:
without comments, escapes outside strings, or odd white space, every string in one notation.

Rules: SPARQL 1.1 Query Language, sections 19.2 (codepoint escapes) and 19.8 (terminals).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.errors import InputError
from groundwire.graph.terms import literal_n3


class Token(NamedTuple):
    """One terminal.

    Attributes:
        kind: iri, string, language, number, decimal, blank, name (prefixed), variable, word or
            mark.
        text: what is written for it; a string is in its canonical notation.
        spaced: whether white space or a comment stood before it.
    """

    kind: str
    text: str
    spaced: bool

    def is_word(self, *words: str) -> bool:
        """Whether it is one of these keywords, whatever its case."""
        return self.kind == "word" and self.text.upper() in words

    @property
    def prefix(self) -> str:
        """The prefix of a prefixed name."""
        return self.text.partition(":")[0]


# Rules [164] and [165], and what follows them. Code points beyond the first plane are letters.
_BASE = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_LETTER = _BASE + "_"
_WORD = _LETTER + "0-9\u00b7\u0300-\u036f\u203f-\u2040"
_CHAR = _WORD + "-"
_PLX = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"
_PREFIX = f"(?:[{_BASE}](?:[{_CHAR}.]*[{_CHAR}])?)?"
_LOCAL = f"(?:[{_LETTER}:0-9]|{_PLX})(?:(?:[{_CHAR}.:]|{_PLX})*(?:[{_CHAR}:]|{_PLX}))?"
_EXPONENT = r"[eE][+-]?[0-9]+"

_TOKEN = re.compile(
    "|".join(
        f"(?P<{kind}>{pattern})"
        for kind, pattern in (
            ("space", r"[ \t\n]+|#[^\n]*"),
            ("iri", r'<[^<>"{}|^`\\\x00-\x20]*>'),
            (
                "string",
                r'"""(?:"{0,2}(?:[^"\\]|\\.))*"""|'
                r"'''(?:'{0,2}(?:[^'\\]|\\.))*'''|"
                r'"(?:[^"\\\n]|\\.)*"|'
                r"'(?:[^'\\\n]|\\.)*'",
            ),
            ("language", r"@[A-Za-z]+(?:-[A-Za-z0-9]+)*(?:--[A-Za-z]+)?"),
            ("blank", f"_:[{_LETTER}0-9](?:[{_CHAR}.]*[{_CHAR}])?"),
            ("name", f"{_PREFIX}:(?:{_LOCAL})?"),
            ("variable", f"[?$][{_LETTER}0-9][{_WORD}]*"),
            (
                "number",
                rf"[0-9]+\.[0-9]*{_EXPONENT}|\.[0-9]+{_EXPONENT}|[0-9]+{_EXPONENT}",
            ),
            ("decimal", r"[0-9]*\.[0-9]+"),
            ("integer", r"[0-9]+"),
            ("word", r"[A-Za-z][A-Za-z0-9_]*"),
            (
                "mark",
                # The first of these are of SPARQL 1.2: triple terms, annotations and reifiers.
                r"<<\(|\)>>|<<|>>|\{\||\|\}|~|"
                r"\^\^|\|\||&&|!=|<=|>=|[\^|&!=<>+\-*/?(){}\[\],;.]",
            ),
        )
    ),
    re.DOTALL,
)
_LONG = ('"""', "'''")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
# With those that turn the direction of writing: a text would not be what it looks like.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069"
    r"\ufeff\ufffe\uffff\ud800-\udfff]"
)
# A string that does not end is taken to its end all the same, so that no place is read twice.
_ESCAPED = re.compile(
    r'#[^\n\r]*|"""(?:"{0,2}(?:[^"\\]|\\.))*(?:""")?|'
    r"'''(?:'{0,2}(?:[^'\\]|\\.))*(?:''')?|"
    r'"(?:[^"\\\n]|\\.)*"?|'
    r"'(?:[^'\\\n]|\\.)*'?|"
    r'<[^<>"{}|^`\x00-\x20]*>|'
    r"(?P<escape>\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})",
    re.DOTALL,
)
_ECHAR = re.compile(r"\\(.)", re.DOTALL)
_ECHARS = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", "\\": "\\", '"': '"', "'": "'"}


def tokenize(text: str) -> list[Token]:
    """The terminals of a query.

    Raises:
        InputError: SPARQL has no terminal for a part of the text, or parsers differ on which it is.
    """
    text = _plain(text)
    tokens: list[Token] = []
    position, spaced = 0, False
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            line = text.count("\n", 0, position) + 1
            excerpt = text[position : position + 20].split("\n")[0]
            raise InputError(f"Line {line} of the query is no SPARQL at {excerpt!r}: mend it.")
        kind, found = str(match.lastgroup), match.group()
        position = match.end()
        if kind == "space":
            spaced = True
            continue
        if kind == "iri" and "&&" in found:
            raise InputError(f"{found!r} reads as an IRI: write spaces around < and >.")
        if kind == "string":
            if found[:3] in _LONG and tokens and tokens[-1].is_word("VERSION"):
                raise InputError('VERSION takes a plain string, such as "1.2".')
            found = _canonical_string(found)
        tokens.append(Token(kind, found, spaced))
        spaced = False
    return tokens


def refuse_escapes(text: str) -> None:
    """Refuse codepoint escapes outside strings and IRIs (SPARQL 1.2, section 19.2).

    SPARQL 1.1 let them stand anywhere, where servers read them in two ways.

    Raises:
        InputError: one stands elsewhere.
    """
    for match in _ESCAPED.finditer(text):
        if match.lastgroup == "escape":
            raise InputError(
                f"{match.group()} stands outside strings and IRIs: write the character."
            )


def write(tokens: Sequence[Token]) -> str:
    """Tokens as text: one space where there was any, none where there was none."""
    return "".join(f" {text}" if spaced else text for _, text, spaced in tokens).strip()


def _plain(text: str) -> str:
    """`text` with codepoint escapes decoded and line ends made one.

    Raises:
        InputError: control characters, or an escape that stands for one or hides another.
    """
    # A file that was saved with a byte order mark is the same query.
    text = text.removeprefix("\ufeff")
    if "\\" in text:
        text = _ESCAPE.sub(_decoded, text)
        if _ESCAPE.search(text):
            raise InputError("An escape in the query hides another: write the characters.")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _CONTROL.search(text):
        raise InputError("The query holds control characters: leave them out.")
    return text


def _decoded(match: re.Match[str]) -> str:
    code = int(match.group(1) or match.group(2), 16)
    if code > 0x10FFFF:
        raise InputError(f"{match.group()} is no character: leave it out.")
    return chr(code)


def _canonical_string(found: str) -> str:
    width = 3 if found[:3] in _LONG else 1
    return literal_n3(_ECHAR.sub(_unescaped, found[width:-width]))


def _unescaped(match: re.Match[str]) -> str:
    try:
        return _ECHARS[match.group(1)]
    except KeyError:
        raise InputError(f"{match.group()!r} is no escape in a SPARQL string.") from None
