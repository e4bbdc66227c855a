"""The front of throughput against delay: who leads it, over many links."""
