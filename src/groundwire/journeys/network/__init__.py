"""The stops and lines of London that are known without a connection, and a planner over them."""
