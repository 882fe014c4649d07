-- Tables and views, with about how many rows they have.
SELECT database, name, comment, total_rows, database = currentDatabase() AS is_current
FROM system.tables
WHERE database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') AND NOT is_temporary
    AND NOT startsWith(name, '.inner')
ORDER BY database, name
