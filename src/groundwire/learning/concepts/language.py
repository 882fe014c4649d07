"""The language of changes: seven operations, each a flat object that names its `op`.

What is wrong with a list is said operation by operation, so that a host mends all of it at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from groundwire.learning.concepts.rules import Limits
from groundwire.problems import phrase
from groundwire.safe_text import safe_name

Stage = Literal["schema", "ends", "acyclicity", "conflicts", "quotes", "commit"]
STAGES: tuple[Stage, ...] = ("schema", "ends", "acyclicity", "conflicts", "quotes", "commit")

DEFAULT_TYPE = "concept"
_MOST_PARTS = 20
_MOST_MERGED = 50


class _Operation(BaseModel):
    """The fields that all operations share."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class NewNode(_Operation):
    """A node that a split makes."""

    name: str
    type: str = ""
    definition: str = ""
    aliases: tuple[str, ...] = Field((), strict=False)


class AddNode(NewNode):
    """Add a node."""

    op: Literal["add_node"]


class RemoveNode(_Operation):
    """Remove a node that no card is about, with its edges."""

    op: Literal["remove_node"]
    node: str
    version: int | None = None


class UpdateNode(_Operation):
    """Change what a node says of itself; what is left out stays."""

    op: Literal["update_node"]
    node: str
    name: str | None = None
    type: str | None = None
    definition: str | None = None
    aliases: tuple[str, ...] | None = Field(None, strict=False)
    version: int | None = None


class AddEdge(_Operation):
    """Add an edge: source, relation, target."""

    op: Literal["add_edge"]
    source: str
    relation: str
    target: str


class RemoveEdge(AddEdge):
    """Remove an edge."""

    op: Literal["remove_edge"]  # type: ignore[assignment]  # each operation has a name of its own


class MergeNodes(_Operation):
    """Merge nodes into one, which takes their edges and cards, and their names as aliases."""

    op: Literal["merge_nodes"]
    nodes: tuple[str, ...] = Field(min_length=1, max_length=_MOST_MERGED, strict=False)
    into: str
    version: int | None = None


class MovedEdge(_Operation):
    """An edge that goes to another part than the first: its relation and its other end."""

    relation: str
    other: str


class Move(_Operation):
    """The edges and cards that a later part of a split takes."""

    to: str
    edges: tuple[MovedEdge, ...] = Field((), strict=False)
    cards: tuple[str, ...] = Field((), strict=False)


class SplitNode(_Operation):
    """Split a node: the first part takes every edge and card that no move names."""

    op: Literal["split_node"]
    node: str
    into: tuple[NewNode, ...] = Field(min_length=2, max_length=_MOST_PARTS, strict=False)
    moves: tuple[Move, ...] = Field((), strict=False)
    version: int | None = None


# The place of a field of an operation itself: its name, and that of the field.
_DIRECT = 2
Operation = AddNode | RemoveNode | UpdateNode | AddEdge | RemoveEdge | MergeNodes | SplitNode
_Tagged = Annotated[Operation, Field(discriminator="op")]

OPERATIONS = (
    "add_node", "remove_node", "update_node", "add_edge", "remove_edge", "merge_nodes",
    "split_node",
)  # fmt: skip


@cache
def _adapter() -> TypeAdapter[Any]:
    return TypeAdapter(_Tagged)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of an operation.

    Attributes:
        stage: the stage that it fails.
        operation: place of the operation in the list, from 1; 0 where it is of the whole list.
        message: what is wrong and what to do instead.
        cycle: names of the nodes of a shortest cycle, the first one again at the end.
        candidates: names that can be sent instead.
        depends: handles of later changes that stand in the way.
    """

    stage: Stage
    operation: int
    message: str
    cycle: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    depends: tuple[str, ...] = ()


def parsed(
    sent: Sequence[Mapping[str, Any]], limits: Limits
) -> tuple[list[tuple[int, Operation]], list[Fault]]:
    """Read operations.

    Returns:
        the operations that could be read with their places from 1, and what is wrong with others.
    """
    if len(sent) > limits.most_operations:
        said = f"{len(sent):,} operations are too many: send at most {limits.most_operations}"
        return [], [Fault("schema", 0, said)]
    read: list[tuple[int, Operation]] = []
    faults: list[Fault] = []
    for number, one in enumerate(sent, 1):
        try:
            read.append((number, _adapter().validate_python(one)))
        except ValidationError as error:
            faults += [Fault("schema", number, said) for said in _problems(error)]
    return read, faults


def _fields(name: str) -> str:
    """The fields that an operation takes, as the end of a sentence."""
    models: dict[str, type[_Operation]] = dict(zip(OPERATIONS, get_args(Operation), strict=True))
    fields = [one for one in models[name].model_fields if one != "op"] if name in models else []
    return f"; {name} takes {', '.join(fields)}" if fields else ""


def _problems(error: ValidationError) -> list[str]:
    found: list[str] = []
    for problem in error.errors(include_url=False, include_input=False)[:3]:
        if problem["type"] in ("union_tag_invalid", "union_tag_not_found"):
            found.append(f"op must be one of {', '.join(OPERATIONS)}")
        else:
            where = ".".join(str(part) for part in problem["loc"][1:]) or "the operation"
            said = f"{safe_name(where, 80)} {phrase(problem)}"
            if problem["type"] == "extra_forbidden" and len(problem["loc"]) == _DIRECT:
                said += _fields(str(problem["loc"][0]))
            found.append(said)
    return found
