"""What a learner knows: estimated with method, number and interval, or not said at all."""
