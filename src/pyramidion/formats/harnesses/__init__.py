"""What evaluation harnesses of language models log: lm-evaluation-harness, inspect_ai, promptfoo, deepeval."""
