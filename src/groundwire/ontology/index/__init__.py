"""The shape index: what SHACL and OWL files declare, ready for search."""
