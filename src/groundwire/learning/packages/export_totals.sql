-- Cards of an owner that are written, those that are left out, and the first day that one is due.
SELECT
    count(*) FILTER (WHERE c.state IN ('active', 'suspended')),
    count(*) FILTER (WHERE c.state NOT IN ('active', 'suspended')),
    min(s.due_ms)
FROM cards AS c
LEFT JOIN schedule AS s ON s.owner = c.owner AND s.card_id = c.card_id
WHERE
    c.owner = :owner
    AND (:deck = '' OR c.deck_id IN (
        SELECT deck_id FROM decks
        WHERE owner = :owner AND (name = :deck OR substr(name, 1, length(:deck) + 2) = :deck || '::')
    ))
