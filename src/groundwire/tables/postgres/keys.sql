-- Primary, unique and foreign keys: the kind, own columns, the other table and its columns.
SELECT k.conrelid::bigint, k.contype::text,
    ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u(number, place)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number
        ORDER BY u.place),
    k.confrelid::bigint,
    ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY AS u(number, place)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.number
        ORDER BY u.place)
FROM pg_catalog.pg_constraint k WHERE k.contype IN ('p', 'u', 'f') AND k.conrelid <> 0
ORDER BY k.oid
