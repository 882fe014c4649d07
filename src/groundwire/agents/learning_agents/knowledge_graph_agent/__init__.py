"""The agent `knowledge_graph_agent`."""
