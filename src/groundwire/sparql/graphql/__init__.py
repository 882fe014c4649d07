"""GraphQL over a graph or an allowed HTTP endpoint: read-only, bounded, validated."""
