"""The lines, how they run, and what comes next at their stops."""
