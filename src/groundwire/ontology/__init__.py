"""Search a catalogue that SHACL shapes describe, without writing SPARQL."""
