-- The tables of learning.sqlite. Times are whole milliseconds since 1970 in UTC. Numbers of memory are
-- stored as doubles, never rounded. reviews is the truth: rows are added and never changed, and
-- schedule can be computed from it again.

CREATE TABLE decks (
    owner TEXT NOT NULL,
    deck_id TEXT NOT NULL,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (owner, deck_id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX decks_by_name ON decks (owner, folded);

CREATE TABLE sources (
    owner TEXT NOT NULL,
    source_id TEXT NOT NULL,
    title TEXT NOT NULL,
    kind TEXT NOT NULL,
    hash TEXT NOT NULL,
    added_ms INTEGER NOT NULL,
    PRIMARY KEY (owner, source_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE passages (
    owner TEXT NOT NULL,
    passage_id TEXT NOT NULL,
    source_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    locator TEXT NOT NULL,
    text TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (owner, passage_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX passages_by_source ON passages (owner, source_id, ordinal);

-- The words of the passages, as `textindex` writes them.
CREATE VIRTUAL TABLE passage_words USING fts5(
    owner UNINDEXED, passage_id UNINDEXED, words, characters,
    tokenize = 'unicode61 remove_diacritics 2'
);

-- The index keeps deleted words until it is written anew.
CREATE TRIGGER source_removed AFTER DELETE ON sources BEGIN
    DELETE FROM passages WHERE owner = OLD.owner AND source_id = OLD.source_id;
    DELETE FROM passage_words WHERE owner = OLD.owner
    AND passage_id NOT IN (SELECT passage_id FROM passages WHERE owner = OLD.owner);
    INSERT INTO passage_words (passage_words) VALUES ('optimize');
END;

-- fields and tags are JSON arrays of text, names a JSON array of the fields' names.
CREATE TABLE notes (
    owner TEXT NOT NULL,
    note_id TEXT NOT NULL,
    guid TEXT NOT NULL,
    type TEXT NOT NULL,
    names TEXT NOT NULL,
    fields TEXT NOT NULL,
    tags TEXT NOT NULL,
    changed_ms INTEGER NOT NULL,
    PRIMARY KEY (owner, note_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX notes_by_guid ON notes (owner, guid);

-- How imported notes become cards: data is a JSON object of fields and templates.
CREATE TABLE note_types (
    owner TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (owner, type)
) STRICT, WITHOUT ROWID;

-- state: draft, active, suspended or archived. proof: quoted (checked against a passage),
-- imported (the learner's own material) or unproven. aliases is a JSON array of other right
-- answers. Only an active card is ever due.
CREATE TABLE cards (
    owner TEXT NOT NULL,
    card_id TEXT NOT NULL,
    note_id TEXT NOT NULL,
    deck_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    type TEXT NOT NULL,
    front TEXT NOT NULL,
    back TEXT NOT NULL,
    aliases TEXT NOT NULL DEFAULT '[]',
    quote TEXT NOT NULL DEFAULT '',
    passage_id TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL,
    proof TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (owner, card_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX cards_by_deck ON cards (owner, deck_id, state, card_id);

CREATE TABLE card_concepts (
    owner TEXT NOT NULL,
    card_id TEXT NOT NULL,
    node_id TEXT NOT NULL,
    PRIMARY KEY (owner, card_id, node_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX cards_of_concept ON card_concepts (owner, node_id, card_id);

-- kind: review, manual, reschedule or undo (of the review that `undoes` names); only reviews
-- that no undo names count. rating: 1 again, 2 hard, 3 good, 4 easy. rated_by: server, learner,
-- host or import. confidence: 0 to 1, said before the answer was seen. reported_by: empty where
-- the learner was asked for the answer or a log was imported, host where the model sent it, and
-- host_confidence where it sent the confidence beside an answer that the learner was asked for.
CREATE TABLE reviews (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    review_id TEXT NOT NULL,
    card_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    rating INTEGER,
    rated_by TEXT NOT NULL,
    outcome TEXT NOT NULL DEFAULT '',
    how TEXT NOT NULL DEFAULT '',
    response TEXT,
    confidence REAL,
    predicted REAL,
    duration_ms INTEGER,
    undoes TEXT,
    at_ms INTEGER NOT NULL,
    recorded_ms INTEGER NOT NULL,
    reported_by TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE UNIQUE INDEX reviews_by_id ON reviews (owner, review_id);

CREATE INDEX reviews_by_card ON reviews (owner, card_id, at_ms, sequence);

CREATE INDEX reviews_by_time ON reviews (owner, at_ms);

-- Which reviews were undone, so that the others are counted without a look at the whole log.
CREATE INDEX reviews_undone ON reviews (owner, undoes) WHERE undoes IS NOT NULL;

-- What was recorded is never changed; `undo` adds a row. Only a learner who is forgotten goes.
CREATE TRIGGER reviews_are_kept BEFORE UPDATE ON reviews BEGIN
    SELECT RAISE(ABORT, 'reviews are added and never changed');
END;

-- A cache of what `reviews` say. phase: learning, review or relearning. active: whether the card
-- is (1) or is not (0), which triggers on `cards` keep.
CREATE TABLE schedule (
    owner TEXT NOT NULL,
    card_id TEXT NOT NULL,
    deck_id TEXT NOT NULL,
    phase TEXT NOT NULL,
    step INTEGER,
    stability REAL,
    difficulty REAL,
    due_ms INTEGER NOT NULL,
    last_ms INTEGER,
    reviews INTEGER NOT NULL,
    lapses INTEGER NOT NULL,
    parameters_id TEXT NOT NULL,
    how TEXT NOT NULL DEFAULT 'fsrs-6',
    active INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (owner, card_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX schedule_by_due ON schedule (owner, active, due_ms, phase);

CREATE INDEX schedule_by_deck ON schedule (owner, deck_id, active, due_ms, phase);

CREATE INDEX schedule_leeches ON schedule (owner, active, lapses DESC) WHERE lapses >= 8;

-- Active cards that were never reviewed, oldest first: found without a look at all the others.
CREATE TABLE new_cards (
    owner TEXT NOT NULL,
    card_id TEXT NOT NULL,
    deck_id TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (owner, card_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX new_cards_by_age ON new_cards (owner, created_ms);

CREATE INDEX new_cards_by_deck ON new_cards (owner, deck_id, created_ms);

CREATE TRIGGER card_added AFTER INSERT ON cards WHEN NEW.state = 'active' BEGIN
    INSERT OR REPLACE INTO new_cards
    SELECT NEW.owner, NEW.card_id, NEW.deck_id, NEW.created_ms WHERE NOT EXISTS (
        SELECT 1 FROM schedule WHERE owner = NEW.owner AND card_id = NEW.card_id);
END;

CREATE TRIGGER card_changed AFTER UPDATE OF state, deck_id ON cards BEGIN
    UPDATE schedule SET active = NEW.state = 'active', deck_id = NEW.deck_id
    WHERE owner = NEW.owner AND card_id = NEW.card_id;
    DELETE FROM new_cards WHERE owner = NEW.owner AND card_id = NEW.card_id;
    INSERT INTO new_cards SELECT NEW.owner, NEW.card_id, NEW.deck_id, NEW.created_ms
    WHERE NEW.state = 'active' AND NOT EXISTS (
        SELECT 1 FROM schedule WHERE owner = NEW.owner AND card_id = NEW.card_id);
END;

CREATE TRIGGER card_removed AFTER DELETE ON cards BEGIN
    DELETE FROM new_cards WHERE owner = OLD.owner AND card_id = OLD.card_id;
    DELETE FROM schedule WHERE owner = OLD.owner AND card_id = OLD.card_id;
END;

CREATE TRIGGER card_begun AFTER INSERT ON schedule BEGIN
    DELETE FROM new_cards WHERE owner = NEW.owner AND card_id = NEW.card_id;
END;

CREATE TRIGGER card_reset AFTER DELETE ON schedule BEGIN
    INSERT OR REPLACE INTO new_cards SELECT owner, card_id, deck_id, created_ms FROM cards
    WHERE owner = OLD.owner AND card_id = OLD.card_id AND state = 'active';
END;

-- scope is a deck's id, or empty for all decks of the owner; data is a JSON object.
CREATE TABLE policies (
    owner TEXT NOT NULL,
    scope TEXT NOT NULL,
    data TEXT NOT NULL,
    changed_ms INTEGER NOT NULL,
    PRIMARY KEY (owner, scope)
) STRICT, WITHOUT ROWID;

-- kind: fsrs or bkt. data holds the values and the log of the fit.
CREATE TABLE parameters (
    owner TEXT NOT NULL,
    parameters_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    data TEXT NOT NULL,
    fitted_ms INTEGER NOT NULL,
    PRIMARY KEY (owner, parameters_id)
) STRICT, WITHOUT ROWID;

-- scope: mine, or shared (its owner is then the same text for everybody). data is a JSON object
-- of what a node says beside its name: definition, aliases, quotes.
CREATE TABLE nodes (
    owner TEXT NOT NULL,
    node_id TEXT NOT NULL,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    data TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (owner, node_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX nodes_by_name ON nodes (owner, folded);

CREATE TABLE edges (
    owner TEXT NOT NULL,
    source_id TEXT NOT NULL,
    relation TEXT NOT NULL,
    target_id TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (owner, source_id, relation, target_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX edges_by_target ON edges (owner, target_id, relation, source_id);

-- Other names of a node, folded, so that a name is found without reading every node.
CREATE TABLE node_aliases (
    owner TEXT NOT NULL,
    folded TEXT NOT NULL,
    node_id TEXT NOT NULL,
    PRIMARY KEY (owner, folded, node_id)
) STRICT, WITHOUT ROWID;

-- A number for each node that an acyclic relation touches: of an edge, the source's is smaller.
CREATE TABLE places (
    owner TEXT NOT NULL,
    relation TEXT NOT NULL,
    node_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (owner, relation, node_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX places_in_order ON places (owner, relation, place);

-- The hash of a whole graph as it is added to, and how much it holds.
CREATE TABLE graphs (
    owner TEXT NOT NULL PRIMARY KEY,
    lanes BLOB NOT NULL,
    nodes INTEGER NOT NULL,
    edges INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- operations, inverse and proof are JSON; author is who proposed it, owner whose graph it is.
-- status: committed, pending_review, revision_requested or rejected.
CREATE TABLE changes (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    change_id TEXT NOT NULL,
    author TEXT NOT NULL,
    status TEXT NOT NULL,
    rationale TEXT NOT NULL,
    operations TEXT NOT NULL,
    inverse TEXT NOT NULL,
    proof TEXT NOT NULL,
    undoes TEXT,
    at_ms INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX changes_by_id ON changes (owner, change_id);

CREATE INDEX changes_by_status ON changes (owner, status, sequence);

CREATE INDEX changes_undone ON changes (owner, undoes) WHERE undoes IS NOT NULL;

-- Which nodes a committed change touched, so that later changes to them are found.
CREATE TABLE touched (
    owner TEXT NOT NULL,
    node_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (owner, node_id, sequence)
) STRICT, WITHOUT ROWID;

-- Cards that a change took from one node to another. owner is whose cards they are. how: moved,
-- joined (it was about the other node already) or copied (it stays about the first, too).
CREATE TABLE moved_cards (
    owner TEXT NOT NULL,
    change_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    card_id TEXT NOT NULL,
    from_id TEXT NOT NULL,
    to_id TEXT NOT NULL,
    how TEXT NOT NULL,
    PRIMARY KEY (owner, change_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX moved_by_change ON moved_cards (change_id, ordinal);

-- Images, sounds and fonts of imported notes, which their fields name.
CREATE TABLE media (
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (owner, name)
) STRICT;
