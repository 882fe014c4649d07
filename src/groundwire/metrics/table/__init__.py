"""Table queries: rank, break down, trend and filter, over facts and over a warehouse alike."""
