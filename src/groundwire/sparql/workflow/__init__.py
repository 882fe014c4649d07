"""The KG-first workflow: a state machine that asks the graph before anyone answers."""
