"""Published data sets with human judgments or content units, and folders of Hugging Face datasets."""
