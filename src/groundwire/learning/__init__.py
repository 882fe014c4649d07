"""Cards, memory and concepts, where no model supplies a rating, a mastery or a date."""
