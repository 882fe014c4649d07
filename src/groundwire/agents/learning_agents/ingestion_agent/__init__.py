"""The agent `ingestion_agent`."""
