"""Journey planners of others, asked by URL: OpenTripPlanner 2, and MOTIS or Transitous."""
