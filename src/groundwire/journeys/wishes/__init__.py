"""Wishes of a caller for a journey, read into the options of the TfL API."""
