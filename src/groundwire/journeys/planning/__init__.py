"""One trip planned, with its ways, its choices of places and its ways around a disruption."""
