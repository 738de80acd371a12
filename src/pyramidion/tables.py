"""What can be shown."""
