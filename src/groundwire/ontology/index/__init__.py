"""The shape index: what SHACL and OWL files declare, ready for search."""

from groundwire.ontology.index.load import load_index
from groundwire.ontology.index.model import (
    ANY_DOMAIN,
    Connection,
    Domain,
    EnumValue,
    Path,
    Problem,
    Property,
    ShapeIndex,
    Source,
    Step,
    Text,
    local_name,
)

__all__ = [
    "ANY_DOMAIN",
    "Connection",
    "Domain",
    "EnumValue",
    "Path",
    "Problem",
    "Property",
    "ShapeIndex",
    "Source",
    "Step",
    "Text",
    "load_index",
    "local_name",
]
