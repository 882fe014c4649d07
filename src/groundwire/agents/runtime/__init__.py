"""The runtime of agents: one class, its loop, and what each part of a run is about."""
