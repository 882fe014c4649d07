"""Reviews: recorded once, never changed, graded without a model, undone by a row of their own."""
