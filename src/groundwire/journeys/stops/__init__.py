"""The stations that are known without a connection, and what people call them."""
