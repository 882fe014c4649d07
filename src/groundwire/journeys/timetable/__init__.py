"""Cities whose timetables are imported from GTFS feeds: import, search, and answers over them."""
