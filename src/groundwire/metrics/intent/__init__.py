"""A question in free text: what it names, what is left over, and what must be asked first."""
