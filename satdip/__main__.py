"""``python -m satdip``."""

from satdip.cli import main

main()
