"""What everything else stands on: errors, messages, values, tables of bounded size, budgets, shipped files."""
