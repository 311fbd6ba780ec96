"""What is told: names and sentences in a language, reasons, tables, JSON."""
