"""Numbers with lineage, or an honest no: a fact store behind a domain profile."""
