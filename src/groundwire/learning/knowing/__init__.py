"""Knowledge of a learner: estimated with method, number and interval, or not said at all."""
