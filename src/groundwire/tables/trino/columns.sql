-- Columns in their order; the column comment is a hidden one of Trino.
SELECT table_schema, table_name, column_name, data_type, is_nullable, comment
FROM information_schema.columns
WHERE table_schema <> 'information_schema' ORDER BY table_schema, table_name, ordinal_position
