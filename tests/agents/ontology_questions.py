"""Parts of questions to the ontology agent, in English and German."""

from __future__ import annotations

from collections.abc import Sequence

KINDS = {
    "en": ("scenarios", "HD maps", "traces", "surface models"),
    "de": ("Szenarien", "HD-Karten", "Aufzeichnungen", "Oberflächenmodelle"),
}
# Each says something; no two of them say the same.
PARTS = {
    "en": (
        "with rain", "without fog", "not in Germany", "from Japan", "whose license is MIT",
        "longer than 5 km", "with at least 3 traffic lights", "file size under 40 MB",
        "in 2021", "created after 2022", "between 10 and 20 km", "sorted by duration",
        "newest first", "per country", "with zorblax", "except motorways", "7 frobs",
        "only left-hand", "with an average speed", "near Berlin", "about 30 km", "the longest",
        "preferably snow", "that use a map", "that use a trace", "with pedestrians",
        "with no file format", "unpaved", "above 30 km/h", "3-5 lanes",
    ),
    "de": (
        "mit Regen", "ohne Nebel", "nicht in Deutschland", "aus Japan", "deren Lizenz MIT ist",
        "länger als 5 km", "mit mindestens 3 Ampeln", "Dateigröße unter 40 MB", "im Jahr 2021",
        "nach 2022 erstellt", "zwischen 10 und 20 km", "sortiert nach Dauer", "neueste zuerst",
        "pro Land", "mit Zorblax", "außer Autobahnen", "7 Frobse", "nur Linksverkehr",
        "im Durchschnitt", "in der Nähe von Berlin", "etwa 30 km", "die längste",
        "die eine Karte verwenden", "mit Fußgängern", "über 30 km/h", "3-5 Fahrspuren",
        "bevorzugt Schnee", "unbefestigt",
    ),
}  # fmt: skip
JOINTS = {
    "en": (" ", ", ", " and ", " or ", " but ", " and not ", " that are "),
    "de": (" ", ", ", " und ", " oder ", " aber ", " und nicht ", ", die "),
}


def said(kind: str, parts: Sequence[tuple[str, str]]) -> str:
    """A question for a kind of asset with some parts, each behind what joins it."""
    return kind + "".join(joint + part for joint, part in parts)
