"""Makes the picture of the standard map: provinces and seas as areas with shared borders, and places for all signs."""
