CREATE TABLE routes AS
WITH numbered AS (SELECT row_number() OVER () AS row_at, * FROM raw_routes),
first_of AS (SELECT * FROM numbered WHERE trim(route_id) <> '' QUALIFY row_number() OVER (PARTITION BY trim(route_id) ORDER BY row_at) = 1)
SELECT
    row_number() OVER (ORDER BY row_at) - 1 AS n,
    trim(route_id) AS id,
    coalesce(trim(route_short_name), '') AS short_name,
    coalesce(trim(route_long_name), '') AS long_name,
    coalesce(try_cast(trim(route_type) AS INTEGER), -1) AS type
FROM first_of ORDER BY n;

CREATE TABLE services AS
SELECT row_number() OVER (ORDER BY id) - 1 AS n, id
FROM (SELECT DISTINCT trim(service_id) AS id FROM raw_trips WHERE service_id IS NOT NULL);

CREATE TABLE trips AS
WITH numbered AS (SELECT row_number() OVER () AS row_at, * FROM raw_trips),
first_of AS (SELECT * FROM numbered WHERE trim(trip_id) <> '' QUALIFY row_number() OVER (PARTITION BY trim(trip_id) ORDER BY row_at) = 1)
SELECT
    row_number() OVER (ORDER BY row_at) - 1 AS n,
    trim(trip_id) AS id,
    coalesce(routes.n, -1)::INTEGER AS route,
    coalesce(services.n, -1)::INTEGER AS service,
    coalesce(trim(trip_headsign), '') AS headsign,
    coalesce(try_cast(trim(wheelchair_accessible) AS INTEGER), 0) AS wheelchair
FROM first_of
LEFT JOIN routes ON routes.id = trim(route_id)
LEFT JOIN services ON services.id = trim(service_id)
ORDER BY n;
