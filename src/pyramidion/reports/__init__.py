"""Reports: `page` lays out one self-contained HTML page of `sections`; `figures` draws any finding."""
