"""Why answers fail: families of failure told by thresholds, with the reviews that show them."""
