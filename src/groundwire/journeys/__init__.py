"""London journeys: planned by the TfL API or the embedded network, and made usable."""
