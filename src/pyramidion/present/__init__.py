"""Results in words, tables, figures and report sections: one module for each analysis; `registry` has them all."""
