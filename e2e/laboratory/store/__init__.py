"""What runs leave: a file for each while a matrix is made, Parquet and bundle.json in the end."""
