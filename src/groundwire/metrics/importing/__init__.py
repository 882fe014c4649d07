"""Facts from files: a mapping names the columns, one transaction takes them in."""
