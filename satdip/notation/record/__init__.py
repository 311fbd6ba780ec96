"""Phase records: JSON read and written, field by field."""
