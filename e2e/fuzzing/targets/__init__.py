"""What is fuzzed, a file each."""
