"""What the server remembers: people, tasks and events, in SQLite or PostgreSQL. Events are only ever appended."""
