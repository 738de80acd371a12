"""Plain files that no program owns: folders of texts, texts line by line, rows with predictions and references."""
