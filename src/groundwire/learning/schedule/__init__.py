"""When a card is due and how likely it is recalled: FSRS-6, the queue, and who may change what."""
