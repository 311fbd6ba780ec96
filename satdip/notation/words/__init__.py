"""The words of orders: lexicons of languages, vocabularies of maps, and the lexer."""
