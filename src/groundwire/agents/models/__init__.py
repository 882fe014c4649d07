"""The models behind the one protocol: APIs, command-line tools, rules, and scripts of tests."""
