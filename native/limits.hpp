// Length limits as ROUGE-1.5.5 applies them: to the raw text, before tokens are made.
#pragma once

#include <cstdint>

#include "types.hpp"

namespace pyramidion {

struct Limit {
  std::int64_t words = 0;  // 0: no limit
  std::int64_t bytes = 0;
  bool leading_blank_is_word = true;    // a sentence that starts with white space has an empty first word
  bool lcs_forgets_bytes = true;        // for L and W, a sentence taken whole does not use up the byte limit

  bool any() const { return words > 0 || bytes > 0; }
  // Whether L and W see another text than the other measures.
  bool splits_readings() const { return words == 0 && bytes > 0 && lcs_forgets_bytes; }
};

// The sentences, cut: whole ones while the total stays below the limit, then a part of the next one.
Sentences cut(const Sentences& sentences, const Limit& limit);

// The text that L and W see under a byte limit (see Limit::lcs_forgets_bytes).
Sentences cut_for_lcs(const Sentences& sentences, const Limit& limit);

}  // namespace pyramidion
