"""What can be shown, defined once: rows, tables, findings and charts; numbers in words; LaTeX and Markdown."""
