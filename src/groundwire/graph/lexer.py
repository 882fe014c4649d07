"""SPARQL text as tokens and as one canonical text, and SPARQL 1.2 in the tokens of SPARQL 1.1.

Two parsers that split a text differently can be played off against each other: a comment that
ends at a carriage return for one and not for the other hides a SERVICE from the first. So the
gate reads the text once, here, and both parsers only ever see what is written from the tokens:
without comments, escapes outside strings, or odd white space, every string in one notation.

Rules: SPARQL 1.1 Query Language, sections 19.2 (codepoint escapes) and 19.8 (terminals).

rdflib's parser does not know SPARQL 1.2. What the new syntax adds holds terms only: triple terms,
reified triples, annotations, base directions and a few functions of terms. Nothing of it can call
a function by its IRI, name a graph or reach another server. So each of these is taken out, after
its own tokens were judged, and a variable stands in its place for the parser whose tree is judged;
the engine's own parser, which knows SPARQL 1.2, reads the query as it is.

Rules: SPARQL 1.2 Query Language, section 19.8 (https://www.w3.org/TR/sparql12-query/#sparqlGrammar).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.errors import ForbiddenError, InputError
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


# What closes each of the new brackets.
_CLOSED_BY = {"<<(": ")>>", "<<": ">>", "{|": "|}"}
_CLOSING = frozenset(_CLOSED_BY.values())
_MARKS = frozenset((*_CLOSED_BY, *_CLOSING, "~"))
# The functions of section 17.4.6 and 17.4.3, and those of SPARQL 1.1 that take as many terms.
_FUNCTIONS = {
    "ISTRIPLE": "isIRI", "SUBJECT": "STR", "PREDICATE": "STR", "OBJECT": "STR", "LANGDIR": "STR",
    "HASLANG": "isIRI", "HASLANGDIR": "isIRI", "TRIPLE": "IF", "STRLANGDIR": "IF",
}  # fmt: skip
_TERMS = frozenset(
    ("iri", "name", "variable", "blank", "string", "language", "number", "decimal", "integer")
)
_TERM_WORDS = ("A", "TRUE", "FALSE")
_TERM_MARKS = frozenset(("^^", "[", "]", "+", "-", "~"))
# Annotations hold lists of properties and objects, with paths.
_LIST_MARKS = _TERM_MARKS | frozenset("()^/|*?!,;")
_OPERATORS = frozenset(("=", "!=", "<", ">", "<=", ">=", "&&", "||", "!"))
_NO_VERB = frozenset((".", "}", "{", "", "~"))


class Reduced(NamedTuple):
    """A query without what is new in SPARQL 1.2.

    Attributes:
        tokens: the query for a parser of SPARQL 1.1.
        patterns: how many triples were taken out, annotations among them.
    """

    tokens: list[Token]
    patterns: int


def is_new(tokens: Sequence[Token]) -> bool:
    """Whether a query holds anything that only SPARQL 1.2 has."""
    return any(
        (token.kind == "mark" and token.text in _MARKS)
        or (token.kind == "language" and "--" in token.text)
        or (token.kind == "word" and token.text.upper() in _FUNCTIONS)
        or token.is_word("VERSION")
        for token in tokens
    )


def reduced(tokens: Sequence[Token]) -> Reduced:
    """A query without what is new in SPARQL 1.2.

    Raises:
        InputError: it is not well formed.
        ForbiddenError: a triple term or annotation holds what is not understood.
    """
    return _Reader(list(tokens)).read()


class _Reader:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._place = 0
        self._made: list[Token] = []
        self._patterns = 0
        self._number = 0
        # For each open bracket: "values", "terms" (a group or a list) or "expression".
        self._within: list[str] = []
        self._is_values = False

    def read(self) -> Reduced:
        while self._place < len(self._tokens):
            token = self._tokens[self._place]
            if token.kind == "mark" and token.text in ("<<(", "<<"):
                self._term(token)
            elif token.kind == "mark" and token.text == "{|":
                self._annotation()
            elif token.kind == "mark" and token.text == "~":
                self._reifier()
            elif token.kind == "mark" and token.text in _CLOSING:
                raise InputError(f"{token.text} closes what was not opened: mend it.")
            elif token.is_word("VERSION"):
                self._version()
            else:
                self._plain(token)
        return Reduced(self._made, self._patterns)

    def _plain(self, token: Token) -> None:
        """Keep a token, as SPARQL 1.1 writes it."""
        self._follow(token)
        following = self._at(self._place + 1)
        if token.kind == "language":
            token = token._replace(text=token.text.partition("--")[0])
        elif token.kind == "word" and following.text == "(":
            token = token._replace(text=_FUNCTIONS.get(token.text.upper(), token.text))
        self._made.append(token)
        self._place += 1

    def _follow(self, token: Token) -> None:
        """Keep in mind what the brackets are that a token opens or closes."""
        if token.is_word("VALUES"):
            self._is_values = True
        if token.kind != "mark":
            return
        if token.text == "{":
            self._within.append("values" if self._is_values else "terms")
            self._is_values = False
        elif token.text in ("(", "["):
            self._within.append(self._kind_of_list())
        elif token.text in ("}", ")", "]") and self._within:
            self._within.pop()

    def _kind_of_list(self) -> str:
        """Whether a parenthesis opens an expression or a list of terms."""
        outer = self._within[-1] if self._within else "expression"
        if outer != "terms":
            return outer
        before = self._made[-1] if self._made else Token("end", "", False)
        opens = before.kind == "word" and not before.is_word("A", "TRUE", "FALSE")
        return "expression" if opens or before.text in _OPERATORS else "terms"

    def _version(self) -> None:
        """`VERSION "1.2"` among the declarations."""
        if self._at(self._place + 1).kind != "string":
            raise InputError('VERSION needs a string after it, such as "1.2".')
        self._place += 2

    def _term(self, opening: Token) -> None:
        """A triple term or reified triple, for which a variable stands."""
        within = self._within[-1] if self._within else "expression"
        before = self._made[-1].text if self._made else ""
        self._bracket(opening.text, within)
        if within == "values":
            self._made.append(Token("iri", "<urn:groundwire:triple>", True))
            return
        self._variable()
        is_subject = before in _NO_VERB or self._made[-2:-1] == [] or self._ends_condition()
        following = self._at(self._place)
        if opening.text == "<<" and within == "terms" and is_subject and self._ends(following):
            # A reified triple may be a whole statement.
            self._variable()
            self._variable()

    def _ends(self, token: Token) -> bool:
        """Whether nothing is said of the term before this token."""
        return (
            token.kind == "end"
            or token.text in _NO_VERB
            or (token.kind == "word" and not token.is_word("A"))
        )

    def _ends_condition(self) -> bool:
        """Whether a FILTER or BIND ends just before the variable that was made last."""
        place = len(self._made) - 2
        if place < 0 or self._made[place].text != ")":
            return False
        depth = 0
        while place >= 0:
            depth += (self._made[place].text == ")") - (self._made[place].text == "(")
            if depth == 0:
                break
            place -= 1
        before = self._made[place - 1] if place > 0 else Token("end", "", False)
        return before.kind == "word" and not before.is_word("A")

    def _bracket(self, opening: str, within: str) -> None:
        """Pass over a term in new brackets, and see that it holds terms only."""
        self._place += 1
        self._patterns += 1
        subject = self._at(self._place)
        if (
            opening == "<<("
            and within != "terms"
            and (
                subject.text == "<<(" or subject.kind in ("string", "number", "decimal", "integer")
            )
        ):
            raise InputError("The subject of a triple term is an IRI or a variable: mend it.")
        while (token := self._at(self._place)).text != _CLOSED_BY[opening] or token.kind != "mark":
            if token.kind == "mark" and token.text in ("<<(", "<<"):
                self._bracket(token.text, within)
                continue
            if not _is_of_term(token, _TERM_MARKS):
                raise _not_understood(token)
            self._place += 1
        self._place += 1

    def _annotation(self) -> None:
        """Pass over `{| ... |}`, and see that it holds properties and their objects only."""
        self._place += 1
        while (token := self._at(self._place)).text != "|}" or token.kind != "mark":
            if token.kind == "mark" and token.text in ("<<(", "<<"):
                self._bracket(token.text, "terms")
            elif token.kind == "mark" and token.text == "{|":
                self._annotation()
            elif _is_of_term(token, _LIST_MARKS):
                # Each verb, each step of a path and each object may be a pattern.
                self._patterns += token.kind in ("iri", "name", "variable") or token.text == "a"
                self._place += 1
            else:
                raise _not_understood(token)
        self._place += 1

    def _reifier(self) -> None:
        """Pass over `~` and the name of a reifier, if it has one."""
        self._place += 1
        self._patterns += 1
        token = self._at(self._place)
        if token.kind in ("iri", "name", "variable", "blank"):
            self._place += 1
        elif token.text == "[" and self._at(self._place + 1).text == "]":
            self._place += 2

    def _variable(self) -> None:
        """Put a variable in the place of what was taken out."""
        self._number += 1
        self._made.append(Token("variable", f"?groundwire_{self._number}", True))

    def _at(self, place: int) -> Token:
        return self._tokens[place] if place < len(self._tokens) else Token("end", "", False)


def _is_of_term(token: Token, marks: frozenset[str]) -> bool:
    if token.kind == "mark":
        return token.text in marks
    return token.kind in _TERMS or token.is_word(*_TERM_WORDS)


def _not_understood(token: Token) -> Exception:
    if token.kind == "end":
        return InputError("A triple term or annotation does not end: close it.")
    return ForbiddenError(f"{token.text[:40]!r} in a triple term or annotation is not understood.")
