// ROUGE as an expression of Polars.
#pragma once

#include "stem.hpp"

namespace pyramidion {

// The word lists by which the expression reads texts, copied; the first ones stay.
void set_plugin_lists(const WordLists& lists);

}  // namespace pyramidion
