"""The exchanges of each server's demo."""
