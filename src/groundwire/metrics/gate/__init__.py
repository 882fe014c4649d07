"""The security gate: whether a text names an entity that is out of scope."""

from groundwire.metrics.gate.screen import Hit, Screen, SecurityGate

__all__ = ["Hit", "Screen", "SecurityGate"]
