"""Queries with audit over configured endpoints, and the workflow that asks a graph first."""
