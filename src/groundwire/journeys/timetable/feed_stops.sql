CREATE TABLE stops AS
WITH numbered AS (SELECT row_number() OVER () AS row_at, * FROM raw_stops),
first_of AS (SELECT * FROM numbered WHERE trim(stop_id) <> '' QUALIFY row_number() OVER (PARTITION BY trim(stop_id) ORDER BY row_at) = 1)
SELECT
    row_number() OVER (ORDER BY row_at) - 1 AS n,
    trim(stop_id) AS id,
    coalesce(trim(stop_name), '') AS name,
    coalesce(trim(platform_code), '') AS platform,
    try_cast(trim(stop_lat) AS DOUBLE) AS lat,
    try_cast(trim(stop_lon) AS DOUBLE) AS lon,
    coalesce(try_cast(trim(location_type) AS INTEGER), 0) AS kind,
    coalesce(trim(parent_station), '') AS parent,
    coalesce(try_cast(trim(wheelchair_boarding) AS INTEGER), 0) AS wheelchair
FROM first_of ORDER BY n;
