"""The gate on realistic queries of up to 2,000 characters, beside rdflib's parser alone.

    python tests/benchmarks/gate.py [--runs 15]

Every query is judged as if it were new; then again as one that the gate remembers. Each target
holds for the slowest query.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial

from _table import Measured, report

from groundwire.graph import gate
from groundwire.graph.gate import REMOTE_POLICY, VIRTUOSO_POLICY, Policy, check

NEW_SECONDS = 0.015
KNOWN_SECONDS = 0.001
LONGEST = 2_000

PREFIXES = """PREFIX schema: <http://schema.org/>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX dct: <http://purl.org/dc/terms/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""

QUERIES: dict[str, tuple[str, Policy]] = {
    "label match": (
        """SELECT DISTINCT ?entity ?value WHERE {
  ?entity ?attribute ?value . ?value bif:contains "'what is sparql'" OPTION (score ?sc)
} ORDER BY DESC(?sc) LIMIT 10""",
        VIRTUOSO_POLICY,
    ),
    "label match, terms joined": (
        """DEFINE input:inference "urn:owl.rules" DEFINE input:same-as "yes"
"""
        + PREFIXES
        + """SELECT DISTINCT ?entity ?type ?label ?text ?sc WHERE {
  ?entity a ?type ; ?attribute ?label .
  ?label bif:contains "'knowledge graph' AND (sparql OR query) AND NOT sql" OPTION (score ?sc) .
  FILTER (?attribute IN (schema:name, rdfs:label, skos:prefLabel, dct:title, skos:altLabel))
  FILTER (?type IN (schema:Question, schema:DefinedTerm, schema:HowTo, skos:Concept))
  OPTIONAL { ?entity schema:acceptedAnswer/schema:text ?text }
  { SELECT ?type ?super WHERE { ?type rdfs:subClassOf ?super } }
  OPTION (transitive, t_distinct, t_in(?type), t_out(?super), t_min(0), t_max(6))
} ORDER BY DESC(?sc) LIMIT 10""",
        VIRTUOSO_POLICY,
    ),
    "types and their prevalence": (
        PREFIXES
        + """SELECT ?type (COUNT(?entity) AS ?count) WHERE {
  ?entity a ?type .
  FILTER (?type IN (schema:Question, schema:DefinedTermSet, schema:HowTo, skos:ConceptScheme))
} GROUP BY ?type ORDER BY DESC(?count)""",
        REMOTE_POLICY,
    ),
    "words by REGEX": (
        PREFIXES
        + """SELECT ?entity ?label WHERE {
  ?entity rdfs:label|schema:name|skos:prefLabel ?label .
  FILTER (REGEX(STR(?label), "sparql", "i") && REGEX(STR(?label), "endpoint", "i")
    || CONTAINS(LCASE(STR(?label)), "federated query"))
  FILTER (LANG(?label) = "" || LANGMATCHES(LANG(?label), "en"))
} LIMIT 10""",
        REMOTE_POLICY,
    ),
    "shapes and their properties": (
        """PREFIX sh: <http://www.w3.org/ns/shacl#>
SELECT ?class ?path ?datatype ?name ?least ?most WHERE {
  ?shape a sh:NodeShape ; sh:targetClass ?class ; sh:property ?property .
  ?property sh:path ?path .
  OPTIONAL { ?property sh:datatype ?datatype }
  OPTIONAL { ?property sh:name ?name FILTER(LANGMATCHES(LANG(?name), "en")) }
  OPTIONAL { ?property sh:minCount ?least }
  OPTIONAL { ?property sh:maxCount ?most }
  FILTER NOT EXISTS { ?property sh:deactivated true }
} ORDER BY ?class ?path""",
        Policy(),
    ),
    "assets in ranges, with references": (
        """PREFIX : <https://example.org/hdmap#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
SELECT ?asset ?name ?length WHERE {
  ?asset a :HdMap ; :name ?name ; :hasContent/:length ?length ; :hasFormat ?format .
  ?format :formatType "ASAM OpenDRIVE" ; :version ?version .
  FILTER (?version IN ("1.6", "1.7", "1.8"))
  FILTER (xsd:decimal(?length) >= 1.5 && xsd:decimal(?length) < 40)
  ?asset :hasGeoreference/:country ?country .
  VALUES ?country { "DE" "FR" "IT" "ES" "NL" "BE" "AT" "CH" "PL" "CZ" }
  ?scenario :references ?asset ; a :Scenario ; :hasQuantity [ :numberTrafficObjects ?objects ] .
  FILTER (?objects > 10)
} ORDER BY DESC(?length) ?name LIMIT 50 OFFSET 100""",
        Policy(),
    ),
    "one query for the whole answer": (
        PREFIXES
        + """SELECT DISTINCT ?entity ?label ?text ?source (MAX(?score) AS ?best)
WHERE {
  VALUES ?type { schema:Question schema:DefinedTerm schema:HowTo skos:Concept schema:FAQPage }
  ?entity a ?type .
  OPTIONAL { ?entity schema:name ?name }
  OPTIONAL { ?entity skos:prefLabel ?preferred FILTER(LANGMATCHES(LANG(?preferred), "en")) }
  OPTIONAL { ?entity rdfs:label ?plain }
  BIND (COALESCE(?name, ?preferred, ?plain) AS ?label)
  { ?entity schema:acceptedAnswer/schema:text ?text }
  UNION { ?entity schema:description ?text }
  UNION { ?entity skos:definition|rdfs:comment ?text }
  UNION { ?entity schema:step/schema:text ?text }
  OPTIONAL { ?entity schema:isPartOf* ?page . ?page dct:source|schema:url ?source }
  FILTER (REGEX(?label, "sparql", "i") && REGEX(?text, "query", "i")
    || CONTAINS(LCASE(?text), "knowledge graph"))
  FILTER NOT EXISTS { ?entity schema:isBasedOn ?other . ?other a schema:Draft }
  FILTER (!BOUND(?source) || STRSTARTS(STR(?source), "https://"))
  OPTIONAL {
    ?entity schema:dateModified ?when
    FILTER (xsd:dateTime(?when) > "2024-01-01T00:00:00Z"^^xsd:dateTime)
  }
  BIND (IF(CONTAINS(LCASE(?label), "sparql"), 2, 1) + IF(CONTAINS(LCASE(?text), "sparql"), 1, 0)
    + IF(BOUND(?when), 0.5, 0) AS ?score)
  MINUS { ?entity schema:creativeWorkStatus "Obsolete" }
}
GROUP BY ?entity ?label ?text ?source
HAVING (MAX(?score) > 1)
ORDER BY DESC(?best) ?label
LIMIT 10""",
        REMOTE_POLICY,
    ),
    "a graph of the answer": (
        PREFIXES
        + """CONSTRUCT {
  ?entity a ?type ; rdfs:label ?label ; dct:source ?source ; schema:text ?text .
} WHERE {
  GRAPH ?g {
    ?entity a ?type ; schema:name|rdfs:label ?label .
    OPTIONAL { ?entity dct:source ?source }
    OPTIONAL { ?entity schema:text ?text FILTER(STRLEN(?text) < 2000) }
  }
} LIMIT 200""",
        REMOTE_POLICY,
    ),
}


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    from rdflib.plugins.sparql.parser import parseQuery

    lines: list[Measured] = []
    again: list[float] = []
    for name, (text, policy) in QUERIES.items():
        assert len(text) <= LONGEST, name
        extended = policy.dialect == "virtuoso"
        bare: list[float] = []
        new: list[float] = []
        known: list[float] = []
        check(text, policy)  # What is made once for all queries.
        for _ in range(runs):
            if not extended:
                bare.append(seconds(partial(parseQuery, text)))
            gate._judge.cache_clear()
            new.append(seconds(partial(check, text, policy)))
            known.append(seconds(partial(check, text, policy)))
        again.append(statistics.median(known))
        lines.append(
            Measured(
                f"{name}, {len(text):,} characters",
                statistics.median(bare) if bare else None,
                statistics.median(new),
                seconds=NEW_SECONDS,
            )
        )
    lines.append(Measured("the slowest seen before", None, max(again), seconds=KNOWN_SECONDS))
    return report(lines)


if __name__ == "__main__":
    sys.exit(main())
