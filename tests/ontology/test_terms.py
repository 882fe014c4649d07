"""The document of everything that a question can name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from groundwire import shapes
from groundwire.ontology.catalogue import Catalogue
from groundwire.ontology.terms import CatalogueTerms, TermsKeeper, terms_of


@pytest.fixture(scope="module")
def documents(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[CatalogueTerms, str, str]]:
    home: Path = tmp_path_factory.mktemp("home")

    async def made() -> tuple[CatalogueTerms, str, str]:
        files = [str(path) for path in shapes.shape_files()]
        catalogue = Catalogue(files, [str(shapes.catalogue_file())], home)
        try:
            state = await catalogue.state()
            keeper = TermsKeeper()
            terms = await terms_of(state)
            return (
                terms,
                await keeper.document(state, ""),
                await keeper.document(state, terms.digest),
            )
        finally:
            await catalogue.close()

    yield anyio.run(made)


def test_every_kind_of_asset_is_named_in_every_language(
    documents: tuple[CatalogueTerms, str, str],
) -> None:
    terms = documents[0]
    names = {name.text for domain in terms.domains for name in domain.names}
    assert {"HD map", "HD-Karte", "高精地图"} <= names
    assert terms.domains[0].name == "hdmap"


def test_properties_have_their_kind_unit_and_values(
    documents: tuple[CatalogueTerms, str, str],
) -> None:
    terms = documents[0]
    hdmap = {prop.key: prop for prop in terms.domains[0].properties}
    assert (hdmap["length"].kind, hdmap["length"].unit) == ("number", "km")
    assert hdmap["containsPII"].kind == "boolean"
    assert hdmap["recorded"].kind == "date"
    position = hdmap["roadTypes"].values
    assert position is not None
    motorway = next(one for one in terms.values[position] if one.label == "motorway")
    assert "Autobahn" in {name.text for name in motorway.names}
    assert hdmap["roadTypes"].listed


def test_connections_are_among_the_terms(documents: tuple[CatalogueTerms, str, str]) -> None:
    scenario = next(one for one in documents[0].domains if one.name == "scenario")
    assert {"hdmap", "environment-model"} <= set(scenario.connected)


def test_the_document_is_whole_or_only_its_digest(
    documents: tuple[CatalogueTerms, str, str],
) -> None:
    terms, whole, known = documents
    assert CatalogueTerms.model_validate_json(whole) == terms
    assert CatalogueTerms.model_validate_json(known) == CatalogueTerms(digest=terms.digest)
