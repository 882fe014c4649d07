-- Seconds of a time such as 25:10:00; -1 where there is none, -2 where it cannot be read.
CREATE MACRO seconds(text) AS CASE
    WHEN text IS NULL OR trim(text) = '' THEN -1
    WHEN regexp_full_match(trim(text), '[0-9]{1,3}:[0-5][0-9]:[0-5][0-9]') THEN
        split_part(trim(text), ':', 1)::INTEGER * 3600
        + split_part(trim(text), ':', 2)::INTEGER * 60
        + split_part(trim(text), ':', 3)::INTEGER
    ELSE -2
END;
