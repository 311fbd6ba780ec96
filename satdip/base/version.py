"""The version of satdip; the packages that are built take it from here."""

__version__ = "0.1.0"
