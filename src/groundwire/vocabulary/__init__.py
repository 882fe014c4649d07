"""The one scorer: a raw term to a controlled term, or to candidates."""
