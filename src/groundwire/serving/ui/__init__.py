"""Pages at `/ui` on which people look at what a server keeps for them; nothing is changed there."""
