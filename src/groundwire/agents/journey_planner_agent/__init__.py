"""The agent that plans trips, and tells of lines, departures and stops."""
