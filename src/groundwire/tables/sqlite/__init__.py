"""SQLite: database files, in killable workers."""
