CREATE TABLE stop_times AS
SELECT
    coalesce(trips.n, -1)::INTEGER AS trip,
    coalesce(stops.n, -1)::INTEGER AS stop,
    coalesce(try_cast(stop_sequence AS INTEGER), -1) AS sequence,
    seconds(arrival_time)::INTEGER AS arrival,
    seconds(departure_time)::INTEGER AS departure,
    coalesce(try_cast(pickup_type AS TINYINT), 0) AS pickup,
    coalesce(try_cast(drop_off_type AS TINYINT), 0) AS drop_off
FROM raw_stop_times
LEFT JOIN trips ON trips.id = trim(trip_id)
LEFT JOIN stops ON stops.id = trim(stop_id)
ORDER BY trip, sequence;
