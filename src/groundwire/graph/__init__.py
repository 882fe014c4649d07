"""RDF stores queried in worker processes, and the gate before them."""
