"""Requests for journeys in plain English, read by rules."""
