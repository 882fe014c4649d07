"""Documents read into quotable paragraphs with their places, and cut to chunks of one size."""
