"""Reports: `page` writes one self-contained HTML page of `sections`, which `layout` lays out."""

# The room has the plural because `pyramidion.report` is the verb: importing a package of that name would replace it.
