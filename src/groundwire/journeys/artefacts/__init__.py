"""Artefacts that a person takes along: the map, the calendar file and the text of a plan."""
