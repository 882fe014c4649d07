"""Paragraphs of documents, found by words, with their place and their sensitivity."""
