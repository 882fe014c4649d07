-- The log of the cards that are written, without undone reviews, in order of time.
SELECT r.card_id, r.at_ms, r.kind, r.rating, r.duration_ms
FROM reviews AS r
JOIN cards AS c ON c.owner = r.owner AND c.card_id = r.card_id
JOIN decks AS d ON d.owner = c.owner AND d.deck_id = c.deck_id
WHERE
    r.owner = :owner
    AND c.state IN ('active', 'suspended')
    AND r.kind <> 'undo'
    AND (:deck = '' OR d.name = :deck OR substr(d.name, 1, length(:deck) + 2) = :deck || '::')
    AND NOT EXISTS (
        SELECT 1 FROM reviews AS u
        WHERE u.owner = r.owner AND u.card_id = r.card_id AND u.kind = 'undo'
        AND u.undoes = r.review_id
    )
ORDER BY r.at_ms, r.sequence
