"""Supplies of a profile: files of facts, documents, and who may read which of them."""

from __future__ import annotations

from pydantic import model_validator

from groundwire.metrics.about import Part


class Sensitivity(Part):
    """Which documents may be quoted: `[sensitivity]`.

    Attributes:
        levels: every level, the most open one first.
        default: level of a document that names none.
        withheld: levels that are never returned.
    """

    levels: tuple[str, ...] = ("PUBLIC", "INTERNAL", "RESTRICTED")
    default: str = "INTERNAL"
    withheld: tuple[str, ...] = ("RESTRICTED",)

    @model_validator(mode="after")
    def _known(self) -> Sensitivity:
        for level in (self.default, *self.withheld):
            if level not in self.levels:
                raise ValueError(f"{level!r} is none of the levels {', '.join(self.levels)}")
        return self


class Source(Part):
    """Facts that come with the profile: `[[sources]]`, imported when the store is opened.

    Attributes:
        file: path of the file, relative to the profile.
        mapping: path of its mapping (TOML), relative to the profile.
    """

    file: str
    mapping: str


class Document(Part):
    """A narrative document that comes with the profile: `[[documents]]`.

    Attributes:
        file: its path, relative to the profile.
        title: its name in answers; empty takes the file's.
        entity: code of the entity that it is about, or empty.
        period: period that it is about, as people write it, or empty.
        sensitivity: one of the profile's levels; empty takes the default.
    """

    file: str
    title: str = ""
    entity: str = ""
    period: str = ""
    sensitivity: str = ""


class DocumentNames(Part):
    """Other names of a document: `[[document_names]]`.

    Attributes:
        name: name of the document of a source, or title of a narrative document.
        aliases: how sentences in any language call it ("Geschäftsbericht 2024").
    """

    name: str
    aliases: tuple[str, ...] = ()
