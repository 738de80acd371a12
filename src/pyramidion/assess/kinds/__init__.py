"""The kinds of work: what each shows, which changes it admits, and what it puts into the campaign."""
