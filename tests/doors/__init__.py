"""The doors of satdip under a storm: every verb of the command line, driven with mutated input and options.

`verbs` has a generator for each verb and each of its parameters, and fails for one that has none; `corpus` holds the
sound inputs from which they start, `mutations` spoils them; `running` runs a case in this process or in one of its own,
and `judging` says what must not have happened. ``python -m tests.doors --help`` tells how to run many cases, and how to
run one again by its seed.
"""
