"""Numbers with their source, or an honest no: questions in English and Chinese."""
