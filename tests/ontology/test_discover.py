"""What there is to search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.ontology.discover import (
    discover_connections,
    discover_domains,
    discover_properties,
    discover_values,
)

# Domains


def test_domains_come_with_their_numbers_largest_first(harbour: Any) -> None:
    found = harbour.call(discover_domains)
    assert [(item.domain, item.asset_count) for item in found.domains[:3]] == [
        ("Ship", 4),
        ("Voyage", 3),
        ("Port", 2),
    ]
    assert found.domains[0].class_iri == "https://example.org/harbour/Ship"
    assert found.domains[0].label == "ship"
    assert found.answer.startswith("The kinds that have assets are: Ship (4), Voyage (3), Port (2)")


def test_domains_are_searched_in_every_language(harbour: Any) -> None:
    for words in ("schiff", "SHIP", "船"):
        assert [d.domain for d in harbour.call(discover_domains, words).domains] == ["Ship"], words
    nothing = harbour.call(discover_domains, "zeppelin")
    assert nothing.domains == []
    assert nothing.answer == "No kind of asset matches 'zeppelin': call without search to see all."
    one = harbour.call(discover_domains, "schiff")
    assert one.answer == "1 kind of asset matches: Ship."


def test_a_catalogue_without_classes_says_so(make: Callable[[str, str], Any]) -> None:
    bench = make(":S a sh:NodeShape .", ":a a :X .")
    answer = bench.call(discover_domains).answer
    assert answer.startswith("The shapes declare no class of assets, so nothing can be searched")


# Properties


def test_properties_come_with_datatype_unit_paths_and_ambiguity(harbour: Any) -> None:
    found = {item.iri: item for item in harbour.call(discover_properties, "ship").properties}
    length = found["https://example.org/harbour/length"]
    assert (length.datatype, length.unit, length.has_enum) == ("xsd:decimal", "m", False)
    assert (length.paths, length.observed_count) == (["length"], 4)
    power = found["https://example.org/engine/power"]
    assert (power.paths, power.unit) == (["hasEngine/power"], "kW")
    version = found["https://example.org/engine/version"]
    assert version.ambiguous_with == ["https://example.org/harbour/version"]
    assert found["https://example.org/harbour/cargoTypes"].has_enum
    assert "https://example.org/harbour/hasEngine" not in found


def test_properties_are_searched_by_label(harbour: Any) -> None:
    found = harbour.call(discover_properties, "ship", "Ladung")
    assert [item.local_name for item in found.properties] == ["cargoTypes"]
    assert found.answer == "1 property of Ship matches: cargoTypes."
    nothing = harbour.call(discover_properties, "ship", "zeppelin")
    assert nothing.answer.startswith("No property of Ship matches 'zeppelin': ")


def test_an_unknown_domain_names_the_nearest(harbour: Any) -> None:
    with pytest.raises(InputError, match="There is no domain 'Vessel': send one of "):
        harbour.call(discover_properties, "Vessel")


def test_every_listed_name_can_be_sent_as_it_stands(sample: Any) -> None:
    for domain in sample.call(discover_domains).domains:
        for item in sample.call(discover_properties, domain.domain).properties:
            key = item.iri if item.ambiguous_with else item.local_name
            slots = {"domains": [domain.domain], "filters": {key: {"exists": True}}}
            assert sample.search(slots, limit=1).status != "rejected", (domain.domain, key)


# Values


def test_values_are_declared_observed_or_both(harbour: Any) -> None:
    found = harbour.call(discover_values, "cargoTypes", "ship")
    values = {item.value: item for item in found.values}
    assert (values["containers"].declared, values["containers"].observed) == (True, True)
    assert values["containers"].count == 2
    assert (values["livestock"].declared, values["livestock"].observed) == (True, False)
    assert values["livestock"].count is None
    assert found.is_complete


def test_values_of_links_carry_their_labels(harbour: Any) -> None:
    found = harbour.call(discover_values, "operatedBy", "ship")
    assert {item.label for item in found.values} == {"Northline Shipping", "Blueway Lines"}


def test_values_are_searched(harbour: Any) -> None:
    found = harbour.call(discover_values, "cargoTypes", "", "waste")
    assert [item.value for item in found.values] == ["urban waste"]


def test_every_listed_value_can_be_sent_as_it_stands(sample: Any) -> None:
    for domain, key in (("hdmap", "roadTypes"), ("scenario", "weather"), ("hdmap", "providedBy")):
        for item in sample.call(discover_values, key, domain).values:
            result = sample.search({"domains": [domain], "filters": {key: item.value}}, limit=1)
            assert result.status == ("results" if item.count else "empty"), item


def test_a_long_list_is_paged_without_loss(make: Callable[[str, str], Any]) -> None:
    listed = " ".join(f'"value {number:03}"' for number in range(120))
    bench = make(
        ":S a sh:NodeShape ; sh:targetClass :X ; "
        f"sh:property [ sh:path :p ; sh:in ( {listed} ) ] .",
        ':a a :X ; :p "value 007" .',
    )
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = bench.call(discover_values, "p", "X", "", offset)
        assert len(page.values) <= 50
        seen += [item.value for item in page.values]
        offset = page.next_offset
    assert len(seen) == len(set(seen)) == 120
    assert seen[0] == "value 007"


def test_unknown_and_ambiguous_properties_say_what_to_send(harbour: Any) -> None:
    with pytest.raises(InputError, match=r"names several properties: send .*engine:version"):
        harbour.call(discover_values, "version", "ship")
    with pytest.raises(InputError, match="There is no property 'cargo': near to it: cargoTypes; "):
        harbour.call(discover_values, "cargo", "ship")
    with pytest.raises(InputError, match="The property is blank: discover_properties has them"):
        harbour.call(discover_values, " ", "ship")


def test_a_property_of_another_domain_is_told_with_the_domain(harbour: Any) -> None:
    with pytest.raises(InputError, match="Port has no property 'cargoTypes', but Ship has: send"):
        harbour.call(discover_values, "cargoTypes", "port")
    # What is only near to a name elsewhere says nothing of that domain.
    with pytest.raises(InputError, match="There is no property 'cargoTipes'"):
        harbour.call(discover_values, "cargoTipes", "port")


# Corrections


def test_what_was_read_otherwise_is_told(harbour: Any) -> None:
    found = harbour.call(discover_properties, "Voyge")
    assert found.answer.startswith("'Voyge' was read as Voyage. Voyage can be searched by ")
    assert [(one.slot, one.raw, one.resolved) for one in found.corrections or ()] == [
        ("domain", "Voyge", "Voyage")
    ]
    values = harbour.call(discover_values, "cargoTipes", "Shipp")
    assert values.answer.startswith("'Shipp' was read as Ship; 'cargoTipes' was read as cargoTypes")
    assert [one.slot for one in values.corrections or ()] == ["domain", "property"]
    assert harbour.call(discover_connections, "Voyge").corrections is not None


def test_what_was_sent_in_other_letters_is_no_correction(harbour: Any) -> None:
    assert harbour.call(discover_properties, "VOYAGES").corrections is None
    assert harbour.call(discover_values, "Cargo Types", "ships").corrections is None


# Connections


def test_connections_in_both_directions(harbour: Any) -> None:
    found = {(c.from_, c.to, c.path) for c in harbour.call(discover_connections).connections}
    assert found == {
        ("Voyage", "Ship", "aboard"),
        ("Voyage", "Port", "hasCall/atPort"),
        ("Ship", "Voyage", "^(aboard)"),
        ("Port", "Voyage", "^(hasCall/atPort)"),
    }


def test_every_listed_connection_can_be_asked_for(sample: Any) -> None:
    for pair in sample.call(discover_connections).connections:
        slots = {"domains": [pair.from_], "references": pair.to}
        assert sample.search(slots, limit=1).status in ("results", "empty"), pair
