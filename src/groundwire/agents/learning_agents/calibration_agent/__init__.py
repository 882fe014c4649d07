"""The agent `calibration_agent`."""
