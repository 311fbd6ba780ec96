"""The grammar of orders, its LALR tables, and the parser that runs them."""
