"""What shipped policies achieve beside what they must beat: episodes, and what is kept of them."""
