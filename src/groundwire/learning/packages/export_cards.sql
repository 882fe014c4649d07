-- The cards that are written, with note and schedule; the cards of a note follow each other.
SELECT
    c.card_id, c.note_id, c.ordinal, c.type, c.front, c.back, c.state, c.created_ms, d.name,
    n.guid, n.type, n.fields, n.tags, n.changed_ms,
    s.phase, s.stability, s.difficulty, s.due_ms, s.last_ms, s.reviews, s.lapses
FROM cards AS c
JOIN decks AS d ON d.owner = c.owner AND d.deck_id = c.deck_id
LEFT JOIN notes AS n ON n.owner = c.owner AND n.note_id = c.note_id
LEFT JOIN schedule AS s ON s.owner = c.owner AND s.card_id = c.card_id
WHERE
    c.owner = :owner
    AND c.state IN ('active', 'suspended')
    AND (:deck = '' OR d.name = :deck OR substr(d.name, 1, length(:deck) + 2) = :deck || '::')
ORDER BY c.created_ms, c.note_id, c.ordinal
