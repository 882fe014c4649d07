-- The cards of a table, with source and schedule; of a cloze each note once, as it was written.
SELECT
    n.guid, d.name, c.type,
    CASE WHEN c.type = 'cloze' AND n.type = 'cloze' THEN n.fields ->> 0 ELSE c.front END,
    CASE WHEN c.type = 'cloze' AND n.type = 'cloze' THEN n.fields ->> 1 ELSE c.back END,
    n.tags, c.state, c.proof, c.quote, coalesce(o.title, ''), coalesce(p.locator, ''),
    s.due_ms, s.stability, s.difficulty, s.reviews, s.lapses, c.card_id
FROM cards AS c
JOIN decks AS d ON d.owner = c.owner AND d.deck_id = c.deck_id
LEFT JOIN notes AS n ON n.owner = c.owner AND n.note_id = c.note_id
LEFT JOIN passages AS p ON p.owner = c.owner AND p.passage_id = c.passage_id
LEFT JOIN sources AS o ON o.owner = p.owner AND o.source_id = p.source_id
LEFT JOIN schedule AS s ON s.owner = c.owner AND s.card_id = c.card_id
WHERE
    c.owner = :owner
    AND c.state <> 'archived'
    AND (:deck = '' OR d.name = :deck OR substr(d.name, 1, length(:deck) + 2) = :deck || '::')
    AND (c.type <> 'cloze' OR n.type <> 'cloze' OR c.ordinal = 0)
ORDER BY c.created_ms, c.note_id, c.ordinal
