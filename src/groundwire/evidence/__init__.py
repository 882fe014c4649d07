"""The ledger of what was answered, and the check of a draft against it."""

from groundwire.evidence.canonical import Redactor, environment_secrets
from groundwire.evidence.connections import Head
from groundwire.evidence.ledger import Ledger, Receipt
from groundwire.evidence.pages import PARTS, Page, Part
from groundwire.evidence.records import (
    Condition,
    Derivation,
    Draft,
    Item,
    Operation,
    Record,
    Statement,
    Value,
    ValueKind,
)
from groundwire.evidence.verification import Progress, Verification

__all__ = [
    "PARTS",
    "Condition",
    "Derivation",
    "Draft",
    "Head",
    "Item",
    "Ledger",
    "Operation",
    "Page",
    "Part",
    "Progress",
    "Receipt",
    "Record",
    "Redactor",
    "Statement",
    "Value",
    "ValueKind",
    "Verification",
    "environment_secrets",
]
