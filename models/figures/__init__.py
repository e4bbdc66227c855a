"""What each shipped policy achieves beside what it must beat (`python -m models figures`)."""
