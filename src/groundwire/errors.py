"""The exceptions of Groundwire.

Every message is one line that says what is wrong and what to do instead; it is meant to be
shown as it is, to a person on the command line or to a model through a tool error.
"""


class GroundwireError(Exception):
    """Base of every expected failure.

    Attributes:
        exit_code: what the command line exits with when this error ends a command.
    """

    exit_code = 1


class InputError(GroundwireError):
    """The caller sent something that cannot be used; the message says what to send instead."""

    exit_code = 2


class ConfigurationError(GroundwireError):
    """A variable, file or registry entry is wrong; the message names it and the way out."""

    exit_code = 3


class UnavailableError(GroundwireError):
    """A store, endpoint or disk that is needed does not answer now."""

    exit_code = 4


class NotReachedError(UnavailableError):
    """No connection came about: nothing was sent, and whoever was meant knows of nothing."""


class DeadlineError(UnavailableError):
    """The work did not end within its time limit and was stopped."""


class LimitError(GroundwireError):
    """A size, count or complexity limit was passed; the message names the limit."""

    exit_code = 5


class ForbiddenError(GroundwireError):
    """A policy forbids what was asked (a query feature, an address, a scope)."""

    exit_code = 6


class NotFoundError(GroundwireError):
    """No such thing: an IRI, a handle or a record, or one that another owner holds."""

    exit_code = 7
