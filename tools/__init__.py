"""What makes and checks the files that are shipped: ``python -m tools`` lists them."""
