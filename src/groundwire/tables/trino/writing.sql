-- A table that the user may change, as far as the catalog keeps grants.
SELECT privilege_type, table_schema, table_name FROM information_schema.table_privileges
WHERE privilege_type IN ('INSERT', 'UPDATE', 'DELETE') AND grantee = current_user LIMIT 1
