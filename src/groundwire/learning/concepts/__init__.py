"""A graph of concepts that is changed by checked lists of operations alone, and undone exactly."""
