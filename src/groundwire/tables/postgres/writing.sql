-- The version, and what the role could change: the first thing of each kind.
SELECT current_setting('server_version'),
    (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user),
    (SELECT c.oid::regclass::text FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
            AND n.nspname NOT LIKE 'pg\_%' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
            AND pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
        ORDER BY 1 LIMIT 1),
    (SELECT n.nspname::text FROM pg_catalog.pg_namespace n
        WHERE n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
            AND pg_catalog.has_schema_privilege(n.oid, 'CREATE')
        ORDER BY 1 LIMIT 1)
