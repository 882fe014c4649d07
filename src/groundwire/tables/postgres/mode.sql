-- Whether the transaction that this runs in may write: on or off.
SELECT current_setting('transaction_read_only')
