"""The agent `socratic_tutor_agent`."""
