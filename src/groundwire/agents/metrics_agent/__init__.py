"""Numbers with their source, or an honest no: questions in English, German and Chinese."""
