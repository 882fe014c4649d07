"""Answers from a knowledge graph, each entity with its link; the graph is asked first."""
