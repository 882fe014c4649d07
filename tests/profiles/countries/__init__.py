"""The extract of open data that the embedded graph of countries is made of, and what makes both."""
