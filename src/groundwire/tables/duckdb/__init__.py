"""DuckDB: database files, data files and folders of Parquet, in killable workers."""
