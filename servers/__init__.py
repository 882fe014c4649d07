"""What a host sees: one module per server, declarations only."""
