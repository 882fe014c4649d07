-- Tables and views that the role may read, with about how many rows they have.
SELECT c.oid::bigint, n.nspname::text, c.relname::text,
    n.nspname = ANY (current_schemas(false)) AND pg_catalog.pg_table_is_visible(c.oid),
    pg_catalog.obj_description(c.oid, 'pg_class'),
    CASE WHEN c.reltuples >= 0 THEN c.reltuples::bigint END
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition
    AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND n.nspname NOT LIKE 'pg\_toast%' AND n.nspname NOT LIKE 'pg\_temp%'
    AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
    AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
