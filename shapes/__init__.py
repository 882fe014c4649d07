"""The embedded SHACL shapes and the sample catalogue."""
