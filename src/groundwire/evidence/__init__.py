"""The ledger of what was answered, and the check of a draft against it."""
