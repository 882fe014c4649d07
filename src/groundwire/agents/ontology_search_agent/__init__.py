"""The agent that reads a question about a catalogue into slots and tells what was found."""
