"""Numbers, scale words, units and dates, in English and Chinese."""
