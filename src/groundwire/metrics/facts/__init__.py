"""The fact store: exact decimals by metric, entity, channel, interval and day of knowledge."""
