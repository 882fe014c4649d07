"""Runs of agents: asked for, waited for, kept, stopped, and shown within the size of a result."""
