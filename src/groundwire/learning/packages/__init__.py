"""Packages of cards: Anki's, and tables; read and written, all of one or nothing."""
