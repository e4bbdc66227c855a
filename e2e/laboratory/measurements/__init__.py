"""Measurements that need neither runs nor episodes."""
