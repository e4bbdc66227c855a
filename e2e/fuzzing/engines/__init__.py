"""What makes the inputs, and watches what becomes of them."""
