"""What ROUGE-1.5.5 reads and writes: its XML configuration, its list file, their texts, and its output."""
