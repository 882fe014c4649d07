"""The check of a draft: claims are extracted from it and matched against what records state."""
