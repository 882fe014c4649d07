"""Another parser of questions in the place of the rules, named by the profile, within bounds.

A package declares a parser as an entry point of the group `groundwire.intent_parsers`: something
that is called with the profile and returns an `IntentParser`. The gate is not replaceable: a
question that it refuses is not shown to the parser, and it screens the raw question again after.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import entry_points
from typing import cast

from groundwire.errors import ConfigurationError, GroundwireError, InputError
from groundwire.metrics.gate.screen import SecurityGate
from groundwire.metrics.intent.parsed import IntentParser, ParsedIntent
from groundwire.metrics.profile import Profile

GROUP = "groundwire.intent_parsers"

ParserFactory = Callable[[Profile], IntentParser]


def parser_named(name: str, profile: Profile) -> IntentParser:
    """The parser that an installed package declares by a name.

    Raises:
        ConfigurationError: none does, or it cannot be made.
    """
    found = list(entry_points(group=GROUP, name=name))
    if not found:
        known = ", ".join(sorted({one.name for one in entry_points(group=GROUP)})) or "none"
        raise ConfigurationError(
            f"No package declares the intent parser {name!r} ({GROUP}: {known}): install it, or "
            'write parser = "rules" in [intent]'
        )
    try:
        made = cast("ParserFactory", found[0].load())(profile)
    except GroundwireError:
        raise
    except Exception as error:  # the code of others may raise anything
        raise ConfigurationError(
            f"The intent parser {name!r} cannot be made: {type(error).__name__}: {error}"
        ) from error
    return made


class ReplacedParser:
    """A parser of others, whose readings are checked; the rules read what it does not."""

    def __init__(self, profile: Profile, rules: IntentParser, gate: SecurityGate) -> None:
        """Find the parser that the profile names.

        Args:
            profile: what there is to ask about.
            rules: reads the question where the parser does not.
            gate: screens every question before the parser sees it.

        Raises:
            ConfigurationError: the parser does not exist.
        """
        self._profile = profile
        self._rules = rules
        self._gate = gate
        self._name = profile.intent.parser
        self._parser = parser_named(self._name, profile)

    def parse(self, question: str) -> ParsedIntent:
        """Read a question.

        The raw question of the result is the question as it came, whatever the parser made of it.
        A reading that names what the profile does not have is dropped whole, and the rules read.

        Raises:
            InputError: the question is too long.
        """
        intent, _ = self.parse_noted(question)
        return intent

    def parse_noted(self, question: str) -> tuple[ParsedIntent, str]:
        """Read a question, and say why the rules read it where they did; "" otherwise."""
        if self._gate.screen(question).refused:
            return self._rules.parse(question), ""
        try:
            intent = self._parser.parse(question)
            is_known = self._is_known(intent)
        except InputError:
            raise
        except Exception as error:  # the code of others may raise anything
            return self._by_rules(question, f"failed ({type(error).__name__})")
        if not is_known:
            return self._by_rules(question, "named what the profile does not have")
        return replace(intent, raw_question=question), ""

    def _by_rules(self, question: str, why: str) -> tuple[ParsedIntent, str]:
        note = f"The intent parser {self._name!r} {why}, so the rules read the question."
        return self._rules.parse(question), note

    def _is_known(self, intent: ParsedIntent) -> bool:
        profile = self._profile
        named = (
            ((intent.metric, *intent.metrics), profile.metric_by_code),
            ((intent.entity, *intent.entities), profile.entity_by_code),
            ((intent.channel, *intent.channels), profile.channel_by_code),
        )
        return all(code is None or code in known for codes, known in named for code in codes) and (
            intent.kind is None or intent.kind in profile.kinds
        )
