"""Codes of the dimensions that facts have."""

ENTITY = "entity"
CHANNEL = "channel"
PERIOD = "period"
GROUP = "group"
GEOGRAPHY = "geography"
KIND = "kind"
OF_ENTITIES = (ENTITY, GROUP, GEOGRAPHY, KIND)
"""Dimensions that say something of the entity of a fact."""
