"""ClickHouse: servers over HTTP, and folders of chDB in killable workers."""
