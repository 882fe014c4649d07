"""The schema of an endpoint, as far as it was looked at: what there is to ask."""
