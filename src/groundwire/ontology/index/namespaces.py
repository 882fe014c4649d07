"""IRIs of SHACL, RDFS, OWL, SKOS and the other vocabularies that shape files use."""

from __future__ import annotations

SH = "http://www.w3.org/ns/shacl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
XSD = "http://www.w3.org/2001/XMLSchema#"
DCTERMS = "http://purl.org/dc/terms/"

TYPE = RDF + "type"
FIRST = RDF + "first"
REST = RDF + "rest"
SUBCLASS = RDFS + "subClassOf"
IMPORTS = OWL + "imports"
NOTATION = SKOS + "notation"
IN_SCHEME = SKOS + "inScheme"

# Names that people use, the preferred ones first; `sh:name` counts on property shapes.
LABELS = (
    SH + "name",
    SKOS + "prefLabel",
    RDFS + "label",
    "https://schema.org/name",
    "http://schema.org/name",
    SKOS + "altLabel",
)
DESCRIPTIONS = (
    SH + "description",
    SKOS + "definition",
    RDFS + "comment",
    DCTERMS + "description",
    "https://schema.org/description",
    "http://schema.org/description",
)
QUDT = "http://qudt.org/schema/qudt/"
QUDT_UNITS = "http://qudt.org/vocab/unit/"
UNITS = (
    QUDT + "hasUnit",
    QUDT + "unit",
    QUDT + "applicableUnit",
    "http://www.ontology-of-units-of-measure.org/resource/om-2/hasUnit",
    "https://schema.org/unitCode",
    "https://schema.org/unitText",
    "http://schema.org/unitText",
)
PATH = SH + "path"
MAX_COUNT = SH + "maxCount"
# Our own: how the IRIs of shapes begin that were drafted from data; given shapes win over them.
DRAFTS = "urn:groundwire:draft#"
# Our own: how the IRIs of lists begin that are read beside the parser; see `sharing`.
SHARED_LIST = "urn:groundwire:shared-list:"
TARGET_CLASS = SH + "targetClass"
OTHER_TARGETS = frozenset(
    SH + name
    for name in ("targetNode", "targetSubjectsOf", "targetObjectsOf", "targetWhere", "target")
)
# What is read by predicate rather than by subject, and all that is kept beside `sh:`.
WATCHED = frozenset(
    {
        TYPE,
        SUBCLASS,
        IMPORTS,
        TARGET_CLASS,
        PATH,
        NOTATION,
        SH + "not",
        MAX_COUNT,
        *OTHER_TARGETS,
    }
)
# What is said of a unit itself.
UNIT_FACTS = tuple(
    QUDT + name
    for name in (
        "symbol",
        "ucumCode",
        "conversionMultiplier",
        "conversionOffset",
        "hasDimensionVector",
        "hasQuantityKind",
        "unitForQuantityKind",
    )
)
KEPT = frozenset({*LABELS, *DESCRIPTIONS, *UNITS, *UNIT_FACTS, TYPE, IN_SCHEME})
# No domain shares one of these with another in any way that matters.
ROOT_CLASSES = frozenset(
    {
        OWL + "Thing",
        OWL + "Class",
        OWL + "NamedIndividual",
        RDFS + "Class",
        RDFS + "Resource",
        SKOS + "Concept",
    }
)
CLASS_TYPES = frozenset({OWL + "Class", RDFS + "Class"})
# A class and its shape in one (SHACL 1.2 Core, section 3.1.3).
SHAPE_CLASS = SH + "ShapeClass"
SHAPE_TYPES = frozenset({SH + "NodeShape", SH + "PropertyShape"})
