"""The flat form: one JSONL or Parquet file, one row per summary, with references, documents and judgments."""
