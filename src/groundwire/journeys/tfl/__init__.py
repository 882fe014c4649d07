"""Answers of TfL: the client of its API, and the reading of its payloads."""
