-- Columns in their order.
SELECT database, table, name, type, comment FROM system.columns
WHERE database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA')
ORDER BY database, table, position
