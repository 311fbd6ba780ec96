"""Do the tests see a slip of the pen? One is planted at a time, and the tests must fail.

A slip is one operator, negation, comparison or constant changed into another (`planting`). Each is planted in a copy of
the project, where the tests run until one of them fails (`hunting`). One that lives shows what no test looks at, or
changes nothing that anybody could see: those are listed in ``equivalent.toml``, each with the reason (`table`).
"""
